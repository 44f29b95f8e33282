"""What a compiler reads is what the record covers; whatever else it reads is refused in one sentence."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest
from toolchain.workshop import ENCRYPT, TOY_FILES, Workshop, toolchain_or_skip

from steelyard.toolchain import BuildFailed, Toolchain, run
from steelyard.toolchain.confine import Places, can_confine
from steelyard.toolchain.dependencies import check_read, first_rules, rules
from steelyard.toolchain.run import LIMITS, Limits, run_program

needs_landlock = pytest.mark.skipif(not can_confine(), reason="this kernel has no Landlock")


def with_code(code: str) -> dict[str, str]:
    return {**TOY_FILES, "encrypt.c": code + ENCRYPT}


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A header beyond every folder that a build may read."""
    path = tmp_path / "outside" / "x.h"
    path.parent.mkdir()
    path.write_text("#define OUTSIDE 1\n")
    return path


@pytest.mark.parametrize(
    "code",
    [
        '#define W "{path}"\n#include W\n',
        '%:include "{path}"\n',
        '%:/**/include "{path}"\n',
        '#/**/include "{path}"\n',
        '# /* a\nb */ include "{path}"\n',
        '#inc\\\nlude "{path}"\n',
        '#inc\\  \nlude "{path}"\n',
        '#include \\\n"{path}"\n',
        '??=include "{path}"\n',
        '#include_next <{path}>\n',
        '#import "{path}"\n',
        "// /*\n#/**/include \"{path}\"\n// */\n",
        '#if __has_include("{path}")\n#endif\n',
        '#define H __has_include\n#if H("{path}")\n#endif\n',
        '__asm__(".incbin \\"{path}\\"");\n',
        '__asm__(".inc" "bin \\"{path}\\"");\n',
        '__asm__(" .include \\"{path}\\"");\n',
        '__asm__(" .INCLUDE \\"{path}\\"");\n',
        '#define S(x) #x\n__asm__("." S(incbin) " \\"{path}\\"");\n',
    ],
)  # fmt: skip
def test_way_out_is_refused_before_the_compiler_runs(
    cold_workshop: Workshop, outside: Path, commands: list[list[str]], code: str
) -> None:
    with pytest.raises(BuildFailed, match=r"encrypt\.c: ") as refusal:
        cold_workshop.build(with_code(code.replace("{path}", str(outside))))
    assert "\n" not in str(refusal.value)
    assert not any("-c" in command for command in commands)


@pytest.mark.parametrize("text", ['.incbin "x"', '  .include "x"', '#define I .incbin\nI "x"', '.INCBIN "x"'])
def test_assembler_reads_are_refused(workshop: Workshop, text: str) -> None:
    with pytest.raises(BuildFailed, match=r"table\.S: \.include and \.incbin"):
        workshop.build({**TOY_FILES, "table.S": text + "\n"})


def test_what_only_looks_like_reading_is_taken(workshop: Workshop) -> None:
    code = (
        '/* #include MACRO, .incbin, __has_include(x) */\n// .include "x" %:include y\n'
        "struct s { int include; }; int f(struct s s) { return s.include; }\n#define INCLUDES \\\n 1\n"
        'int including = INCLUDES; const char text[] = "see Makefile";\n'
    )
    workshop.build(with_code(code))


def test_spliced_and_commented_includes_of_the_folder_are_covered(workshop: Workshop) -> None:
    code = '#inc\\\nlude "a.h"\n#/**/include "b.h"\n%:include "c.h"\nint sum = A + B + C;\n'
    files = {**with_code(code), "a.h": "#define A 1\n", "b.h": "#define B 1\n", "c.h": "#define C 1\n"}
    hashes = {workshop.build(files).source_hash}
    for name in ("a.h", "b.h", "c.h"):
        hashes.add(workshop.build({**files, name: files[name] + "/**/"}).source_hash)
    assert len(hashes) == 4


def test_link_out_of_the_folder_is_refused(workshop: Workshop, outside: Path) -> None:
    workshop.request()
    (workshop.folder / "linked.h").symlink_to(outside)
    with pytest.raises(BuildFailed, match=r"linked\.h: a link that leads out of .*copy the file"):
        workshop.build(with_code('#include "linked.h"\n'))


def test_link_within_the_folder_is_followed(workshop: Workshop) -> None:
    workshop.request()
    (workshop.folder / "real.h").write_text("#define LINKED 1\n")
    (workshop.folder / "linked.h").symlink_to("real.h")
    first = workshop.build(with_code('#include "linked.h"\nint linked = LINKED;\n'))
    (workshop.folder / "real.h").write_text("#define LINKED 2\n")
    second = workshop.build(with_code('#include "linked.h"\nint linked = LINKED;\n'))
    assert first.source_hash != second.source_hash


def test_pipe_as_a_source_is_one_sentence(workshop: Workshop) -> None:
    workshop.request()
    os.mkfifo(workshop.folder / "pipe.h")
    with pytest.raises(BuildFailed, match=r"pipe\.h: a source is a regular file"):
        workshop.build(with_code('#include "pipe.h"\n'))


def test_null_byte_in_a_name_is_one_sentence(workshop: Workshop) -> None:
    with pytest.raises(BuildFailed, match=r'"a\\x00b" leads out of the folder'):
        workshop.build(with_code('#include "a\0b"\n'))


# What no reading of the text can see.
PASTED = '#define CAT(a, b) a##b\n#if CAT(__has_,include)("{path}")\nint seen;\n#endif\n'
ESCAPED = '__asm__(".\\x69ncbin \\"{path}\\"");\n'


@needs_landlock
@pytest.mark.parametrize("code", [PASTED, ESCAPED], ids=["pasted", "escaped"])
def test_what_the_text_hides_is_not_reached(
    cold_workshop: Workshop, toolchain: Toolchain, outside: Path, code: str
) -> None:
    try:
        built = cold_workshop.build(with_code(code.replace("{path}", str(outside))), toolchain=toolchain)
    except BuildFailed:
        return
    assert b"seen\0" not in built.elf
    assert b"OUTSIDE" not in built.elf


@pytest.mark.parametrize(("code", "compiler"), [(PASTED, "clang"), (ESCAPED, "gcc")])
def test_compiler_tells_without_landlock(
    cold_workshop: Workshop, outside: Path, monkeypatch: pytest.MonkeyPatch, code: str, compiler: str
) -> None:
    monkeypatch.setattr(run, "can_confine", lambda: False)
    with pytest.raises(BuildFailed, match=rf"toy/plain: plain/encrypt\.c .*it reads {outside}, which"):
        cold_workshop.build(
            with_code(code.replace("{path}", str(outside))), toolchain=toolchain_or_skip(compiler)
        )


def test_file_of_another_source_is_not_covered(cold_workshop: Workshop, toolchain: Toolchain) -> None:
    """Sources of one command lie in one folder; each is held to its own files."""
    hidden = '#define CAT(a, b) a##b\n#if CAT(__has_,include)("only.h")\nint seen;\n#endif\n'
    files = {**with_code(hidden), "only.h": "", "decrypt.c": '#include "only.h"\n' + TOY_FILES["decrypt.c"]}
    assert b"seen\0" not in cold_workshop.build(files, toolchain=toolchain).elf


def test_rules_of_a_makefile_are_read() -> None:
    text = "x: p/a.c p/x.h \\\n  /usr/a\\ b.h $$c\nall: p/b.c p/y.h\nall: p/a.c p/x.h p/b.c p/y.h\n"
    assert next(rules(text)) == ["p/a.c", "p/x.h", "/usr/a b.h", "$c"]
    assert first_rules(text)["p/b.c"] == ["p/b.c", "p/y.h"]
    assert first_rules(text)["p/a.c"] == ["p/a.c", "p/x.h", "/usr/a b.h", "$c"]


def test_read_file_is_covered_by_name_or_installation(tmp_path: Path) -> None:
    (tmp_path / "compiler").mkdir()
    (tmp_path / "compiler" / "out.h").symlink_to("/etc/passwd")
    folders = (str(tmp_path / "compiler"),)
    check_read("a", ["own/../own/x.h", f"{folders[0]}/stdint.h"], {"own/x.h"}, folders)
    for stray in ("y.h", "../x.h", f"{folders[0]}/../x.h", f"{folders[0]}/out.h", f"{folders[0]}x/y.h"):
        with pytest.raises(BuildFailed, match="a does not compile: it reads"):
            check_read("a", [stray], {"own/x.h"}, folders)


WRITE = "open({path!r}, 'w').close()"
READ = "open({path!r}).close()"
REMOVE = "import os; os.remove({path!r})"


@needs_landlock
@pytest.mark.parametrize("deed", [WRITE, READ, REMOVE], ids=["write", "read", "remove"])
def test_confined_program_reaches_its_folder_only(tmp_path: Path, deed: str) -> None:
    places = Places((sys.base_prefix, sys.prefix), (str(tmp_path / "in"),))
    statuses = []
    for name in ("in", "out"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").touch()
        program = [sys.executable, "-Sc", deed.format(path=str(tmp_path / name / "file"))]
        statuses.append(run_program(program, str(tmp_path), {}, places=places).status)
    assert statuses == [0, 1]
    # Neither this thread nor a later one is confined.
    (tmp_path / "out" / "after").touch()


@pytest.mark.parametrize("confined", [pytest.param(True, marks=needs_landlock), False])
def test_program_that_cannot_be_started_is_an_error_of_the_system(tmp_path: Path, confined: bool) -> None:
    places = Places((), (str(tmp_path),)) if confined else None
    with pytest.raises(FileNotFoundError):
        run_program([str(tmp_path / "nothing")], str(tmp_path), {}, places=places)
    with pytest.raises(FileNotFoundError):
        run_program(["/bin/true"], str(tmp_path / "nowhere"), {}, places=places)


def test_machine_without_landlock_builds_too(
    cold_workshop: Workshop, toolchain: Toolchain, monkeypatch: pytest.MonkeyPatch
) -> None:
    confined_elf = cold_workshop.build(toolchain=toolchain).elf
    for path in (cold_workshop.folder.parents[1] / "cache").rglob("*"):
        if path.is_file():
            path.unlink()
    monkeypatch.setattr(run, "can_confine", lambda: False)
    assert cold_workshop.build(toolchain=toolchain).elf == confined_elf


def bomb(levels: int) -> str:
    """A table of ten to the power of `levels` entries in a few hundred bytes of macros."""
    lines = [f"#define A{n} {','.join([f'A{n - 1}'] * 10)}" for n in range(1, levels + 1)]
    return "\n".join(["#define A0 1", *lines, f"const unsigned char table[] = {{ A{levels} }};\n"])


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (Limits(400 << 20, 64 << 20, 60, 60), "needs more than the 400 MB of memory"),
        (Limits(8 << 30, 64 << 20, 1, 60), "stopped after 1 s of processor time"),
        (Limits(8 << 30, 64 << 20, 60, 0.5), "stopped after 0.5 s"),
        (Limits(8 << 30, 1 << 16, 60, 60), "stopped at a file of"),
    ],
    ids=["memory", "time", "wall", "file"],
)
def test_endless_compilation_is_a_failed_build(
    cold_workshop: Workshop,
    toolchain: Toolchain,
    monkeypatch: pytest.MonkeyPatch,
    limits: Limits,
    said: str,
) -> None:
    monkeypatch.setattr(
        run, "run_program", lambda *given, **more: run_program(*given, **{**more, "limits": limits})
    )
    fills = "file" in said
    code = '__asm__(".section .big,\\"ax\\"\\n.skip 0x1000000,1\\n.text");\n' if fills else bomb(9)
    start = time.monotonic()
    with pytest.raises(BuildFailed, match=f"encrypt.c does not compile: the compiler .*{said}"):
        cold_workshop.build(with_code(code), toolchain=toolchain)
    assert time.monotonic() - start < 30


def test_all_that_a_stopped_program_started_is_stopped(tmp_path: Path) -> None:
    limits = Limits(LIMITS.memory_bytes, LIMITS.file_bytes, LIMITS.cpu_s, 0.5)
    done = run_program(
        ["/bin/sh", "-c", "sleep 60 & echo $!; wait"], str(tmp_path), {"PATH": os.defpath}, limits=limits
    )
    assert done.stopped is not None
    for _ in range(100):
        if not Path(f"/proc/{int(done.printed)}").exists():
            return
        state = Path(f"/proc/{int(done.printed)}/stat").read_text().rpartition(")")[2].split()[0]
        if state == "Z":
            return
        time.sleep(0.05)
    pytest.fail("it still runs")


@pytest.mark.skipif(sys.platform != "linux", reason="limits of a running process are Linux's")
def test_what_a_program_prints_is_limited_as_a_file_is() -> None:
    limits = Limits(LIMITS.memory_bytes, 1 << 20, LIMITS.cpu_s, 30)
    done = run_program(["/bin/sh", "-c", "yes"], os.curdir, {"PATH": os.defpath}, limits=limits)
    assert len(done.printed) <= 1 << 20
    assert done.stopped == "the compiler was stopped at a file of 1 MB"
