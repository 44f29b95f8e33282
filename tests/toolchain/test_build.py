"""Images by real compilers: what they hold, what it weighs, and what is refused."""

from __future__ import annotations

import io
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from elftools.elf.elffile import ELFFile
from toolchain.linker_map import bytes_by_owner
from toolchain.workshop import (
    ENCRYPT,
    TARGETS,
    TOOLCHAINS,
    TOY_FILES,
    Workshop,
    catalogue,
    target,
    toolchain_or_skip,
)

from steelyard import _native
from steelyard.cache.content import Cache
from steelyard.catalog.models import Algorithm, Footprint, Primitive, Variant
from steelyard.errors import UsageError
from steelyard.toolchain import Build, BuildFailed, Toolchain, build, image_roots, run
from steelyard.toolchain.compilers import Programs
from steelyard.toolchain.sizes import Sizes, chip_memory, defined_symbols, does_not_fit, image_sizes

FLAGS = (("-Os",), ("-O2",))


def request_for(
    variant: Variant,
    primitive: Primitive,
    mode_id: str | None,
    chip: str,
    toolchain: Toolchain,
    flags: tuple[str, ...],
    footprint: Footprint = "both",
) -> Build:
    known = catalogue()
    kind, mode = known.algorithm_of(primitive.id).file.kind, known.mode(mode_id) if mode_id else None
    cpu_class = target(chip).cpu_class
    parts = tuple(known.default_variant(part.algorithm_id, cpu_class) for part in primitive.parts)
    return Build(kind, variant, primitive, mode, target(chip), toolchain, flags, footprint, parts)


def counted(algorithm: Algorithm, variant: Variant) -> Primitive:
    """The first primitive of a variant that is measured by default."""
    return next(p for p in algorithm.file.primitive if p.counted and variant.does(p.id))


def every_build() -> list[tuple[Variant, Primitive, str | None]]:
    """Variant, primitive and mode: a primitive of each variant, and each mode over a block cipher.

    Assembly of other families is not among them.
    """
    known = catalogue()
    builds: list[tuple[Variant, Primitive, str | None]] = [
        (variant, counted(algorithm, variant), None)
        for algorithm in known.algorithms
        for variant in algorithm.variants
        if variant.file.interface is None
    ]
    cipher = known.variant("aes/sbox"), known.primitive("aes-128")
    return builds + [(*cipher, mode.id) for mode in known.modes]


@pytest.fixture
def link_map(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the next link writes its map; every build links, though its objects may be there."""
    path = tmp_path / "image.map"
    real, get = _native.run_program, Cache.get

    def with_map(command: list[str], *given: Any, **limits: Any) -> Any:
        if "link.ld" in command:
            word = f"-Map={path}"
            command = [*command, word if "ld.lld" in command else f"-Wl,{word}"]
        return real(command, *given, **limits)

    monkeypatch.setattr(_native, "run_program", with_map)
    # The map lies beyond the folder to which a linker is confined.
    monkeypatch.setattr(run, "can_confine", lambda: False)
    monkeypatch.setattr(
        Cache, "get", lambda cache, kind, key: None if kind == "image" else get(cache, kind, key)
    )
    return path


def weighed(account: Counter[tuple[str, str]], windowed: bool) -> dict[str, int]:
    """The fields of Sizes, from a linker map."""

    def total(owner: str, *parts: str) -> int:
        return sum(account[owner, part] for part in parts)

    constants = ("progmem", "rodata", "data")
    variables = ("data", "bss", "COMMON") if windowed else ("data", "rodata", "bss", "COMMON")
    return {
        "rom_code_bytes": total("own", "text"),
        "rom_const_bytes": total("own", *constants),
        "rom_mode_bytes": total("mode", "text", *constants),
        "rom_support_bytes": total("support", "text", *constants),
        "ram_static_bytes": total("own", *variables),
        "ram_context_bytes": total("harness", "bss"),
        "ram_mode_bytes": total("mode", *variables),
        "ram_support_bytes": total("support", *variables),
    }


def fields(sizes: Sizes) -> dict[str, int]:
    return {name: getattr(sizes, name) for name in Sizes.__dataclass_fields__}


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.soak)], ids=["in turn", "all"])
@pytest.mark.parametrize("target_id", TARGETS)
@pytest.mark.parametrize("toolchain_id", TOOLCHAINS)
def test_every_variant_builds_and_weighs_what_the_linker_says(
    target_id: str, toolchain_id: str, every: bool, link_map: Path
) -> None:
    """By each compiler, on the chips in turn; in the soak on all."""
    chip, toolchain = target(target_id), toolchain_or_skip(toolchain_id)
    windowed = any(memory.kind == "flash-window" for memory in chip.file.memory)
    builds = list(enumerate(every_build()))
    for number, (variant, primitive, mode_id) in (
        builds if every else builds[TARGETS.index(target_id) :: len(TARGETS)]
    ):
        flags = FLAGS[number % len(FLAGS)]
        request = request_for(variant, primitive, mode_id, target_id, toolchain, flags)
        result = build(request, Cache())
        assert fields(result.sizes) == weighed(bytes_by_owner(link_map), windowed), (variant.id, flags)
        assert set(image_roots(request)) <= defined_symbols(result.elf)
        assert result.sizes.rom_code_bytes > 0
        assert result.sizes.ram_static_bytes == 0
        link_map.unlink()


@pytest.mark.parametrize("target_id", TARGETS)
def test_every_kind_of_section_has_its_owner(
    workshop: Workshop, toolchain: Toolchain, target_id: str, link_map: Path
) -> None:
    chip = target(target_id)
    result = workshop.build(target=chip, toolchain=toolchain)
    windowed = any(memory.kind == "flash-window" for memory in chip.file.memory)
    assert fields(result.sizes) == weighed(bytes_by_owner(link_map), windowed)
    assert result.sizes.rom_const_bytes == 16 + 3 + 2
    assert result.sizes.ram_static_bytes == 2 + 1 + (0 if windowed else 3)
    assert result.sizes.ram_context_bytes == 8
    assert result.sizes.rom_support_bytes > 0
    assert result.sizes.rom_bytes == sum(
        (result.sizes.rom_code_bytes, result.sizes.rom_const_bytes, result.sizes.rom_support_bytes)
    )


def test_jump_table_counts_as_constants(workshop: Workshop, link_map: Path) -> None:
    cases = "".join(f"case {i}: return in[{i}] * {i + 3} + in[{i * 7 % 5}];\n" for i in range(12))
    switching = f"""
#include "block.h"
static uint8_t pick(const uint8_t *in) {{ switch (in[0]) {{ {cases} }} return 1; }}
void block_encrypt(const block_context *c, uint8_t *out, const uint8_t *in) {{ (void)c; out[0] = pick(in); }}
"""
    result = workshop.build({**TOY_FILES, "encrypt.c": switching})
    assert bytes_by_owner(link_map)["own", "progmem"] == result.sizes.rom_const_bytes == 24


def test_map_checker_sees_bytes_with_the_wrong_owner(workshop: Workshop, link_map: Path) -> None:
    """Planted fault: an object of the variant under the harness's name."""
    result = workshop.build()
    link_map.write_text(link_map.read_text().replace("own_plain_decrypt_c.o", "harness_decrypt_c.o"))
    assert fields(result.sizes) != weighed(bytes_by_owner(link_map), windowed=False)


def test_section_without_an_owner_is_refused(workshop: Workshop, toolchain: Toolchain) -> None:
    stray = ENCRYPT.replace(
        "volatile uint8_t blocks;", '__attribute__((section(".stray"))) volatile uint8_t blocks;'
    )
    with pytest.raises(BuildFailed, match="does not link"):
        workshop.build({**TOY_FILES, "encrypt.c": stray}, toolchain=toolchain)


def test_sizes_of_a_foreign_image_are_refused(workshop: Workshop, tmp_path: Path) -> None:
    path = tmp_path / "image.elf"
    path.write_bytes(workshop.build().elf.replace(b".own.text\0", b".odd.text\0"))
    with pytest.raises(ValueError, match=r"\.odd\.text belongs to no owner"):
        image_sizes(path.read_bytes())


@pytest.mark.parametrize(
    ("footprint", "kept", "dropped"),
    [
        ("encrypt", {"block_init", "block_encrypt"}, {"block_decrypt"}),
        ("decrypt", {"block_init", "block_decrypt"}, {"block_encrypt"}),
        ("both", {"block_init", "block_encrypt", "block_decrypt"}, set()),
    ],
)
def test_image_holds_only_its_footprint(
    workshop: Workshop, toolchain: Toolchain, footprint: str, kept: set[str], dropped: set[str]
) -> None:
    symbols = defined_symbols(workshop.build(toolchain=toolchain, footprint=footprint).elf)
    assert kept <= symbols
    assert not dropped & symbols


def test_roots_follow_mode_and_set_up(workshop: Workshop) -> None:
    one_set_up = workshop.request()
    file = one_set_up.variant.file.model_copy(update={"init_decrypt": True})
    variant = one_set_up.variant.model_copy(update={"file": file})
    ctr, cbc = catalogue().mode("ctr"), catalogue().mode("cbc")

    def roots(**changes: object) -> tuple[str, ...]:
        return image_roots(workshop.request(variant=variant, **changes))

    assert roots(footprint="decrypt") == ("block_init_decrypt", "block_decrypt")
    assert roots(footprint="encrypt") == ("block_init", "block_encrypt")
    assert roots(footprint="both") == ("block_init", "block_encrypt", "block_init_decrypt", "block_decrypt")
    assert roots(footprint="decrypt", mode=ctr) == ("block_init", "mode_decrypt")
    assert roots(footprint="decrypt", mode=cbc) == ("block_init_decrypt", "mode_decrypt")
    assert image_roots(workshop.request(footprint="decrypt")) == ("block_init", "block_decrypt")
    assert image_roots(workshop.request(kind="stream")) == ("stream_init", "stream_crypt")
    assert image_roots(workshop.request(kind="hash")) == ("hash_digest",)


def test_image_does_not_depend_on_where_it_was_built(tmp_path: Path, toolchain: Toolchain) -> None:
    macro = ENCRYPT + "\nconst char *place(void) { return __FILE__; }\n"
    files = {**TOY_FILES, "encrypt.c": macro}
    images = []
    for name in ("one", "two"):
        workshop = Workshop(tmp_path / name / "toy" / "plain", Cache(tmp_path / name / "cache"))
        result = workshop.build(files, toolchain=toolchain, flags=("-Os", "-g"))
        assert str(tmp_path).encode() not in result.elf
        assert not any("/" + "tmp" in command or str(tmp_path) in command for command in result.commands)
        images.append((result.elf, result.source_hash, result.commands))
    assert images[0] == images[1]


def test_date_in_the_code_is_refused(workshop: Workshop, toolchain: Toolchain) -> None:
    dated = ENCRYPT + "\nconst char *date(void) { return __DATE__; }\n"
    with pytest.raises(BuildFailed) as failure:
        workshop.build({**TOY_FILES, "encrypt.c": dated}, toolchain=toolchain)
    assert "date-time" in failure.value.text


def test_compile_error_is_kept_whole(workshop: Workshop, toolchain: Toolchain) -> None:
    broken = "#error first thing wrong\n#error second thing wrong\n"
    with pytest.raises(
        BuildFailed, match=r"toy/plain: plain/encrypt\.c does not compile: .*first thing"
    ) as failure:
        workshop.build({**TOY_FILES, "encrypt.c": broken}, toolchain=toolchain)
    assert failure.value.exit_status == 1
    assert "second thing wrong" in failure.value.text
    assert "-Os" in failure.value.command
    assert "\n" not in str(failure.value)


def test_missing_function_is_named(workshop: Workshop, toolchain: Toolchain) -> None:
    with pytest.raises(BuildFailed, match="does not define block_decrypt"):
        workshop.build({**TOY_FILES, "decrypt.c": "typedef int nothing;\n"}, toolchain=toolchain)


def test_missing_routine_is_a_failure_with_its_name(workshop: Workshop, toolchain: Toolchain) -> None:
    calls = "void elsewhere(void);\n" + ENCRYPT.replace("blocks++;", "elsewhere();")
    with pytest.raises(BuildFailed) as failure:
        workshop.build({**TOY_FILES, "encrypt.c": calls}, toolchain=toolchain)
    assert "elsewhere" in failure.value.text


@pytest.mark.parametrize("flag", ["-flto", "-flto=auto", "-flto=thin"])
def test_link_time_optimisation_is_refused(workshop: Workshop, flag: str) -> None:
    with pytest.raises(UsageError, match="link-time optimisation") as refusal:
        workshop.build(flags=("-Os", flag))
    assert refusal.value.exit_status == 2


@pytest.mark.parametrize(
    "flag",
    ["-c", "-I/usr/include", "-include", "x.c", "@file", "-Wl,-r", "-mmcu=atmega8", "-fplugin=x.so", ""],
)
def test_other_flags_than_for_code_are_refused(workshop: Workshop, flag: str) -> None:
    with pytest.raises(UsageError, match="not a flag for code generation"):
        workshop.build(flags=(flag,))


def test_usual_flags_are_taken(workshop: Workshop, toolchain: Toolchain) -> None:
    flags = ("-O3", "-fno-inline", "-DUNROLL=1", "-Wall", "-funsigned-char")
    assert workshop.build(toolchain=toolchain, flags=flags).flags == flags


@pytest.mark.parametrize("target_id", TARGETS)
def test_image_larger_than_the_chip_says_by_how_much(
    workshop: Workshop, toolchain: Toolchain, target_id: str
) -> None:
    chip = target(target_id)
    flash_bytes = chip_memory(chip, "flash").size
    # Three files of half the flash each, in a row that calls from the first to the last.
    files = {**TOY_FILES, "encrypt.c": "void far_1(void);\n" + ENCRYPT.replace("blocks++;", "far_1();")}
    space = f'.section .text.space,"ax"\n.global space_{{0}}\nspace_{{0}}: .skip {flash_bytes // 2}\n'
    for index in (1, 2, 3):
        files[f"space_{index}.S"] = space.format(index)
        further = f"void far_{index + 1}(void);" if index < 3 else "static void far_4(void) {}"
        body = f"{{ space_{index}(); far_{index + 1}(); }}"
        files[f"far_{index}.c"] = f"void space_{index}(void);\n{further}\nvoid far_{index}(void) {body}\n"
    result = workshop.build(files, target=chip, toolchain=toolchain)
    over = result.sizes.rom_bytes - flash_bytes
    assert over > 0
    assert result.does_not_fit == f"{over} bytes too large for the flash of {chip.file.title}"


def test_context_larger_than_the_ram_says_by_how_much(workshop: Workshop, toolchain: Toolchain) -> None:
    wide = TOY_FILES["context.h"].replace("key[PRIMITIVE_KEY_BYTES]", "key[300]")
    result = workshop.build({**TOY_FILES, "context.h": wide}, target=target("attiny45"), toolchain=toolchain)
    assert result.does_not_fit == "50 bytes too large for the RAM of ATtiny45, before any stack"


def test_fitting_is_decided_to_the_byte() -> None:
    chip = target("attiny45")
    stack = "ATtiny45, before any stack"
    for support, context, said in (
        (2, 150, None),
        (3, 150, "1 bytes too large for the flash of ATtiny45"),
        (2, 151, f"1 bytes too large for the RAM of {stack}"),
        (5, 160, f"3 bytes too large for the flash and 10 bytes too large for the RAM of {stack}"),
    ):
        assert does_not_fit(Sizes(4000, 90, 4, support, 100, context, 4, 2), chip) == said


def test_addresses_are_the_chips(workshop: Workshop, toolchain: Toolchain) -> None:
    for name, ram, window in (("atmega128", 0x800100, None), ("atmega4809", 0x802800, 0x804000)):
        file = ELFFile(io.BytesIO(workshop.build(target=target(name), toolchain=toolchain).elf))
        assert file["e_entry"] == 0
        assert file.get_section_by_name(".own.data")["sh_addr"] == ram
        rodata = file.get_section_by_name(".own.rodata")
        if window is None:
            assert rodata is None
        else:
            segment = next(s for s in file.iter_segments() if s.section_in_segment(rodata))
            load = segment["p_paddr"] + rodata["sh_addr"] - segment["p_vaddr"]
            assert rodata["sh_addr"] == window + load


def test_second_build_runs_nothing(
    cold_workshop: Workshop, toolchain: Toolchain, commands: list[list[str]]
) -> None:
    first = cold_workshop.build(toolchain=toolchain)
    assert commands
    commands.clear()
    assert cold_workshop.build(toolchain=toolchain) == first
    assert commands == []


def compiled(commands: list[list[str]]) -> set[str]:
    return {word for command in commands for word in command if re.search(r"^own/.*\.c$", word)}


def test_only_what_can_change_is_compiled_again(cold_workshop: Workshop, commands: list[list[str]]) -> None:
    header = {"only.h": "#define EXTRA 1\n", "unused.h": ""}
    files = {**TOY_FILES, **header, "decrypt.c": '#include "only.h"\n' + TOY_FILES["decrypt.c"]}
    cold_workshop.build(files)
    for changed, again in (
        ({"unused.h": "#define X 2\n"}, set()),
        ({"only.h": "#define EXTRA 22\n"}, {"own/plain/decrypt.c"}),
        ({"init.c": files["init.c"] + "\n/* more */\n"}, {"own/plain/init.c"}),
        (
            {"context.h": files["context.h"] + "/* more */\n"},
            {"own/plain/init.c", "own/plain/encrypt.c", "own/plain/decrypt.c"},
        ),
    ):
        commands.clear()
        files |= changed
        cold_workshop.build(files)
        assert compiled(commands) == again, changed


HARNESS = "firmware/harness/context.c"


def test_sources_are_compiled_by_one_command(
    cold_workshop: Workshop, toolchain: Toolchain, commands: list[list[str]]
) -> None:
    cold_workshop.build(toolchain=toolchain)
    (together,) = [command for command in commands if compiled([command])]
    assert compiled([together]) == {f"own/plain/{name}" for name in TOY_FILES if name.endswith(".c")}
    assert HARNESS in together
    commands.clear()
    cold_workshop.build(toolchain=toolchain, mode=catalogue().mode("cbc"))
    (together,) = [command for command in commands if any(word.endswith(".c") for word in command)]
    assert {word for word in together if word.endswith(".c")} == {"mode/cbc/encrypt.c", "mode/cbc/decrypt.c"}


def test_a_source_is_not_compiled_with_macros_of_another_that_it_names(
    cold_workshop: Workshop, toolchain: Toolchain, commands: list[list[str]]
) -> None:
    naming = TOY_FILES["decrypt.c"] + "#ifdef HARNESS_CONTEXT\n#error not mine\n#endif\n"
    cold_workshop.build({**TOY_FILES, "decrypt.c": naming}, toolchain=toolchain)
    (harness,) = [command for command in commands if HARNESS in command]
    assert "own/plain/decrypt.c" not in harness


def test_a_mode_is_compiled_once_for_ciphers_with_the_same_macros(
    toolchain: Toolchain, tmp_path: Path, commands: list[list[str]]
) -> None:
    cache, known = Cache(tmp_path), catalogue()
    for name, primitive_id, again in (
        ("aes/sbox", "aes-128", True),
        ("camellia/sp-table", "camellia-128", False),
        ("xtea/compact", "xtea", True),
    ):
        commands.clear()
        variant, primitive = known.variant(name), known.primitive(primitive_id)
        build(request_for(variant, primitive, "cbc", "atmega128", toolchain, ("-Os",)), cache)
        assert any("mode/cbc/encrypt.c" in command for command in commands) == again, name


@pytest.mark.parametrize("first", [0, pytest.param(1, marks=pytest.mark.soak)])
def test_compiled_together_is_the_same_as_one_by_one(
    toolchain: Toolchain, first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the flags in turn; in the soak the other way about."""
    levels = (("-Os",), ("-O3", "-funroll-loops"))
    requests = []
    for primitive_id in ("aes-128", "des", "sha-256", "aes-128-gcm", "hmac-sha-256"):
        algorithm = catalogue().algorithm_of(primitive_id)
        usable = (variant for variant in algorithm.variants if variant.file.interface is None)
        for number, variant in enumerate(usable, first):
            primitive, mode_id = (
                counted(algorithm, variant),
                "cbc" if algorithm.file.kind == "block" else None,
            )
            flags = levels[number % 2]
            requests.append(request_for(variant, primitive, mode_id, "atmega128", toolchain, flags))
    together = [build(request, Cache()).elf for request in requests]
    one_at_a_time(monkeypatch)
    alone = [build(request, Cache(tmp_path)).elf for request in requests]
    assert together == alone


@pytest.mark.parametrize("chip", ["atmega128", "stm32f407", "sa1110", "leon3", "ultrasparc2", "gd32vf103"])
def test_linked_by_the_linker_itself_is_the_same_as_by_the_driver(
    chip: str, tmp_path: Path, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    known, gcc = catalogue(), toolchain_or_skip("gcc", target(chip).file.family)
    primitive = known.primitive("aes-128-gcm")
    variant = known.default_variant(known.algorithm_of(primitive.id).id, target(chip).cpu_class)
    request = request_for(variant, primitive, None, chip, gcc, ("-Os",))
    itself = build(request, Cache(tmp_path / "itself"))
    linking = commands[-1]
    monkeypatch.setattr(Programs, "linking", lambda *_: None)
    by_driver = build(request, Cache(tmp_path / "by the driver"))
    assert Path(linking[0]).name.endswith("ld")
    assert Path(commands[-1][0]).name.endswith("gcc")
    assert itself == by_driver


def one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on compilers refuse more than one source."""
    real = _native.run_program

    def refusing(command: list[str], *given: Any, **limits: Any) -> Any:
        several = sum(word.endswith(".c") for word in command) > 1
        return real(["false"] if several else command, *given, **limits)

    monkeypatch.setattr(_native, "run_program", refusing)


def test_macros_that_nothing_names_make_no_other_object(
    cold_workshop: Workshop, commands: list[list[str]]
) -> None:
    rounds = cold_workshop.request().primitive.model_copy(update={"rounds": 2})
    cold_workshop.build()
    named = {"own/plain/init.c"}
    for more, again in (
        ("", set()),
        ("/* PRIMITIVE_ROUNDS */\n", set()),
        ("int rounds = PRIMITIVE_ROUNDS;\n", named),
        ('char n[] = "/*"; int rounds = PRIMITIVE_ROUNDS; /**/\n', named),
        ("#define OF(x) PRIMITIVE_##x\nint rounds = OF(ROUNDS);\n", named),
    ):
        files = {**TOY_FILES, "init.c": TOY_FILES["init.c"] + more}
        cold_workshop.build(files)
        commands.clear()
        cold_workshop.build(files, primitive=rounds)
        assert compiled(commands) == again, more


def test_part_of_a_construction_is_the_object_of_the_primitive_itself(
    toolchain: Toolchain, tmp_path: Path, commands: list[list[str]]
) -> None:
    known, cache = catalogue(), Cache(tmp_path)
    aes, gcm = known.primitive("aes-128"), known.primitive("aes-128-gcm")

    def request(primitive: Primitive) -> Build:
        variant = known.default_variant(known.algorithm_of(primitive.id).id, target("atmega128").cpu_class)
        return request_for(variant, primitive, None, "atmega128", toolchain, ("-Os",), "encrypt")

    build(request(aes), cache)
    commands.clear()
    build(request(gcm), cache)
    assert compiled(commands)
    assert not any("/sbox/" in source for source in compiled(commands))


def test_key_covers_flags_chip_and_parameters(workshop: Workshop) -> None:
    primitive = workshop.request().primitive.model_copy(update={"block_bytes": 16})
    variants = [
        workshop.build(),
        workshop.build(flags=("-O2",)),
        workshop.build(target=target("atmega328p")),
        workshop.build(primitive=primitive),
        workshop.build(footprint="encrypt"),
    ]
    assert len({one.key for one in variants}) == len(variants)


@pytest.mark.parametrize("kind", ["object", "archive", "image"])
def test_corrupt_entry_is_built_again(cold_workshop: Workshop, kind: str, tmp_path: Path) -> None:
    first = cold_workshop.build()
    entries = [
        path for path in (tmp_path / "cache").rglob("*") if path.is_file() and f"/{kind}/" in str(path)
    ]
    assert entries
    for path in entries:
        path.write_bytes(b"\0" * 40)
    # What was made of the damaged entries goes too, or nobody would read them again.
    for later in {"object": ("archive", "image"), "archive": ("image",), "image": ()}[kind]:
        for path in (tmp_path / "cache").rglob(f"{later}/*/*"):
            path.unlink()
    assert cold_workshop.build() == first
    assert all(path.read_bytes() != b"\0" * 40 for path in entries)


def test_variant_for_another_family_is_refused(workshop: Workshop) -> None:
    request = workshop.request()
    file = request.variant.file.model_copy(update={"families": ("rl78",)})
    with pytest.raises(UsageError, match="does not assemble for avr"):
        workshop.build(variant=request.variant.model_copy(update={"file": file}))
