"""The catalogue's files: being in the right place registers, anything wrong is one sentence."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from steelyard.catalog.load import CatalogError, load_catalog, read_file
from steelyard.catalog.models import CPU_CLASSES, VariantFile
from steelyard.data import data_root
from steelyard.measure.selection import SelectionFile
from steelyard.nearest import nearest, unknown

ALGORITHM = """\
kind = "block"
title = "Toy"
specification = "a test"

[[primitive]]
id = "toy-64"
key_bytes = 8
block_bytes = 8
rounds = 1
security = "broken"
authority = "a test"
"""
VARIANT = 'summary = "plain"\nsources = ["toy.c"]\ndefault = true\n'
VECTORS = """\
[[vector]]
primitive = "toy-64"
operation = "encrypt"
key = "0000000000000000"
input = "0000000000000000"
output = "0000000000000000"
source = "a test"
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """A user's folder with one algorithm, `toy`, of one variant, `toy/plain`."""
    variant = tmp_path / "own" / "toy" / "plain"
    variant.mkdir(parents=True)
    (variant.parent / "algorithm.toml").write_text(ALGORITHM)
    (variant.parent / "vectors.toml").write_text(VECTORS)
    (variant / "variant.toml").write_text(VARIANT)
    (variant / "toy.c").write_text("")
    (variant / "context.h").write_text("")
    return tmp_path / "own"


@pytest.fixture
def other_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the product's data, to be damaged."""
    copy = tmp_path / "data"
    for name in ("primitives", "modes", "targets", "vectors"):
        shutil.copytree((data_root() / name).resolve(), copy / name)
    monkeypatch.setattr("steelyard.catalog.load.data_root", lambda: copy)
    return copy


@pytest.fixture
def other_targets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the target files, to be damaged or added to, beside the product's other data."""
    copy = tmp_path / "data"
    copy.mkdir()
    for name in ("primitives", "modes", "vectors"):
        (copy / name).symlink_to((data_root() / name).resolve())
    shutil.copytree((data_root() / "targets").resolve(), copy / "targets")
    monkeypatch.setattr("steelyard.catalog.load.data_root", lambda: copy)
    return copy / "targets"


def test_every_file_of_the_product_loads() -> None:
    catalog = load_catalog()
    assert {"aes", "idea", "rc4", "rc5", "md5", "sha-1"} <= {algorithm.id for algorithm in catalog.algorithms}
    assert len({target.timing_version for target in catalog.targets}) == len(catalog.targets)
    for target in catalog.targets:
        # In and out of a kilobyte, its key and more; a chip of 64 KB in all has little more than that.
        assert target.lab.size >= 3840
        assert target.size_bytes("ram") < (64 << 10 if target.file.word_bits == 8 else 64 << 20)
    for algorithm in catalog.algorithms:
        for cpu_class in CPU_CLASSES:
            assert sum(cpu_class in variant.file.default for variant in algorithm.variants) == 1
        assert algorithm.vectors


def test_a_select_of_bench_takes_from_the_top_what_it_leaves_out() -> None:
    bench = read_file(data_root() / "bench.toml", SelectionFile)
    assert bench.target
    own = {index for index, one in enumerate(bench.select) if one.target}
    assert 0 < len(own) < len(bench.select)
    for index, (written, complete) in enumerate(zip(bench.select, bench.selections, strict=True)):
        assert complete.primitive == written.primitive
        assert complete.target == (written.target if index in own else bench.target)
        assert complete.flags == bench.flags


@pytest.mark.parametrize("part", ["", "toy"])
def test_a_folder_is_the_registration(toy: Path, part: str) -> None:
    catalog = load_catalog([toy / part])
    assert catalog.primitive("toy-64").block_bytes == 8
    assert catalog.is_users(catalog.variant("toy/plain"))
    assert not catalog.is_users(catalog.variant("aes/sbox"))
    assert len(catalog.algorithm_of("toy-64").vectors) == 1


def test_a_variant_of_a_known_algorithm(toy: Path) -> None:
    (toy / "toy" / "algorithm.toml").unlink()
    (toy / "toy" / "vectors.toml").unlink()
    (toy / "toy").rename(toy / "aes")
    variant = toy / "aes" / "plain" / "variant.toml"
    with pytest.raises(CatalogError, match="more than one default variant for 8-bit: aes/plain, aes"):
        load_catalog([toy])
    variant.write_text(VARIANT.replace("default = true\n", ""))
    assert load_catalog([toy]).variant("aes/plain").does("aes-256")
    assert load_catalog([toy / "aes" / "plain"]).variant("aes/plain")
    (toy / "aes" / "plain").rename(toy / "aes" / "sbox")
    with pytest.raises(CatalogError, match="variant aes/sbox is already defined in"):
        load_catalog([toy])


Change = Callable[[Path], object]


def edit(file: str, old: str, new: str) -> Change:
    def change(toy: Path) -> None:
        path = toy / "toy" / file
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))

    return change


def instead(file: str, make: Callable[[Path], object]) -> Change:
    """Put something that is no regular file in a file's place."""

    def change(toy: Path) -> None:
        path = toy / "toy" / file
        path.unlink()
        make(path)

    return change


def shared(toy: Path, sources: str) -> None:
    """Gives the algorithm's folder a source that the variant has, too."""
    (toy / "toy" / "toy.c").write_text("")
    edit("plain/variant.toml", '"toy.c"', sources)(toy)


def contradicted(toy: Path) -> None:
    """Gives the algorithm a reason why it has no variant that its variant is."""
    edit("algorithm.toml", "title", "no_on_the_fly = 'why'\ntitle")(toy)
    edit("plain/variant.toml", "default", "on_the_fly = true\ndefault")(toy)


def of_keys(toy: Path) -> None:
    """Makes the algorithm a key encapsulation with code by import, whose vector stays."""
    edit("algorithm.toml", '"block"', '"kem"\nby_import = true')(toy)
    sizes = "public_key_bytes = 8\nciphertext_bytes = 8\nshared_secret_bytes = 8"
    edit("algorithm.toml", "block_bytes = 8", sizes)(toy)
    shutil.rmtree(toy / "toy" / "plain")


def by_pointer(keys: str) -> Callable[[Path], None]:
    """Gives the variant keys of the pointer interface."""
    return edit("plain/variant.toml", "default", f"{keys}\ndefault")


def twice(toy: Path) -> None:
    """Gives the algorithm a second variant, which is the default on some processors too."""
    shutil.copytree(toy / "toy" / "plain", toy / "toy" / "twin")
    edit("twin/variant.toml", "default = true", "default = ['8-bit', 'cached']")(toy)


def test_the_default_is_chosen_by_class(toy: Path) -> None:
    twice(toy)
    edit("plain/variant.toml", "default = true", "default = ['16-bit', 'few-registers', '32-bit', 'linux']")(
        toy
    )
    catalog = load_catalog([toy])
    named = {one: catalog.default_variant("toy", one).id for one in CPU_CLASSES}
    assert named == {one: f"toy/{'twin' if one in ('8-bit', 'cached') else 'plain'}" for one in CPU_CLASSES}
    assert ("toy/twin", "atmega128") in catalog.defaults
    assert ("toy/twin", "sa1110") in catalog.defaults
    assert ("toy/twin", "rl78-g13") not in catalog.defaults
    assert ("toy/plain", "linux-aarch64") in catalog.defaults


CALL = "call = [{operation = 'encrypt', function = 'toy', arguments = ['output', 'input', 'key']}]"
SECOND = """
[[primitive]]
id = "toy-128"
key_bytes = 16
block_bytes = 8
security = "broken"
authority = "a test"
"""


def by_import(toy: Path) -> None:
    """Gives the algorithm a second primitive, and code by import only, which does the first."""
    edit("algorithm.toml", "title", "by_import = true\ntitle")(toy)
    path = toy / "toy" / "algorithm.toml"
    path.write_text(path.read_text() + SECOND)
    edit("plain/variant.toml", "default = true", f"primitives = ['toy-64']\n{CALL}")(toy)


def test_an_algorithm_by_import_needs_no_variant_and_no_default(toy: Path) -> None:
    by_import(toy)
    some = load_catalog([toy])
    assert some.algorithm_of("toy-64").variants[0].id == "toy/plain"
    assert [one.id for one in some.algorithm_of("toy-64").file.primitive] == ["toy-64"]
    assert "toy-128" in some.awaited_primitives
    assert "toy-64" not in some.awaited_primitives
    with pytest.raises(CatalogError, match="toy has no default variant"):
        some.default_variant("toy", "8-bit")
    shutil.rmtree(toy / "toy" / "plain")
    none = load_catalog([toy])
    assert [one.id for one in none.awaited if one.folder.is_relative_to(toy)] == ["toy"]
    assert {"toy-64", "toy-128"} <= set(none.awaited_primitives)
    assert "toy" not in {one.id for one in none.algorithms}
    assert not {"toy-64", "toy-128"} & {one.id for one in none.primitives}
    for name in ("toy-64", "toy-128"):
        with pytest.raises(CatalogError, match=rf"^{name}: no code for it is here; steelyard import DIR"):
            none.primitive(name)
    with pytest.raises(CatalogError, match=r'did you mean "toy-128"\?'):
        none.primitive("toy-12")


def test_a_source_and_the_context_may_be_those_of_the_algorithms_folder(toy: Path) -> None:
    for name in ("toy.c", "context.h"):
        (toy / "toy" / "plain" / name).rename(toy / "toy" / name)
    edit("plain/variant.toml", '"toy.c"', '"../toy.c"')(toy)
    assert load_catalog([toy]).variant("toy/plain").file.sources == ("../toy.c",)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            edit("algorithm.toml", "key_bytes", "key_byte"),
            r'primitive\.1\.key_byte; did you mean "key_bytes"\?',
        ),
        (
            edit("algorithm.toml", "block_bytes = 8\n", ""),
            "field block_bytes is missing; a block primitive needs it",
        ),
        (edit("algorithm.toml", '"broken"', '"bad"'), r"field primitive\.1\.security"),
        (edit("algorithm.toml", "= 8", "= 9999999"), r"field primitive\.1\.key_bytes"),
        (edit("algorithm.toml", "= 8", "= 'eight'"), r"field primitive\.1\.key_bytes"),
        (edit("algorithm.toml", "toy-64", "aes-128"), "primitive aes-128 is already defined in"),
        (edit("algorithm.toml", "toy-64", "Toy 64"), r"field primitive\.1\.id"),
        (
            edit("algorithm.toml", "rounds", "defines = {'a b' = 1}\nrounds"),
            '"a b" in defines is not a macro',
        ),
        (edit("algorithm.toml", "[[primitive]]", "[[primitive]"), r"not valid TOML: .*line 5"),
        (instead("plain/variant.toml", os.mkfifo), r"variant\.toml: a data file is a regular file"),
        (instead("vectors.toml", os.mkfifo), r"vectors\.toml: a data file is a regular file"),
        (instead("plain/toy.c", os.mkfifo), r'sources: "toy\.c" is no regular file, nor a link to one'),
        (instead("plain/toy.c", Path.mkdir), r'sources: "toy\.c" is no regular file, nor a link to one'),
        (instead("plain/toy.c", lambda path: path.symlink_to("gone")), r'"toy\.c" is no regular file'),
        (edit("plain/variant.toml", "toy.c", "tog.c"), r'unknown file "tog.c"; did you mean "toy.c"\?'),
        (
            edit("plain/variant.toml", "toy.c", "toy.h"),
            "is not the name of a .c or .S file beside it or, after",
        ),
        (edit("plain/variant.toml", "toy.c", "/toy/plain/toy.c"), "is not the name of a .c or .S file"),
        (edit("plain/variant.toml", "toy.c", "../../toy.c"), "is not the name of a .c or .S file"),
        (edit("plain/variant.toml", "toy.c", "../plain/tog.c"), r'did you mean "../plain/toy.c"'),
        (edit("plain/variant.toml", "toy.c", "deep/toy.c"), r'there is no folder "deep/" for deep/toy.c'),
        (edit("plain/variant.toml", "toy.c", "o*.c"), r'no .c or .S file matches "o\*.c"'),
        (edit("plain/variant.toml", "toy.c", "../../*.c"), "leads out of its algorithm's folder"),
        (by_pointer("include_dirs = ['none']"), r'include_dirs: "none" is no folder below'),
        (by_pointer("include_dirs = ['../..']"), r'include_dirs: "../.." is no folder below'),
        (by_pointer("defines = { PRIMITIVE_ROUNDS = 3 }"), "PRIMITIVE_ROUNDS is a macro of Steelyard"),
        (by_pointer("defines = { ROUNDS = '1 -include x' }"), '"ROUNDS" is not the name of a macro with a'),
        (edit("plain/variant.toml", "toy.c", "../toy.c"), r'unknown file "../toy.c"'),
        (edit("plain/variant.toml", '"toy.c"', '"toy.c", "toy.c"'), 'names "toy.c" twice'),
        (lambda toy: shared(toy, '"toy.c", "../toy.c"'), 'names "toy.c" twice'),
        (lambda toy: shared(toy, '"../toy.c"'), 'names "../toy.c", but a toy.c lies beside it'),
        (edit("plain/variant.toml", "default", "init_decrypt = 3\ndefault"), "field init_decrypt"),
        (by_pointer("record_bytes = 6"), "field record_bytes is for variants with an interface"),
        (by_pointer("interface = 'pointer'\nrecord_bytes = 6"), "name the one family of its registers"),
        (by_pointer("interface = 'pointer'\nfamilies = ['rl78']"), "a record of toy-64 has an even number"),
        (
            by_pointer("interface = 'pointer'\nfamilies = ['rl78']\nrecord_bytes = { toy-64 = 7 }"),
            "a record of toy-64 has an even number",
        ),
        (by_pointer("interface = 'register'"), "field interface"),
        (
            by_pointer("interface = 'pointer'\ninit_decrypt = true\nfamilies = ['rl78']\nrecord_bytes = 6"),
            "field interface: only hashes, and block ciphers with one set-up",
        ),
        (
            by_pointer(
                "interface = 'pointer'\ncall_sources = ['no.c']\nfamilies = ['rl78']\nrecord_bytes = 6"
            ),
            'field call_sources: unknown file "no.c"',
        ),
        (edit("plain/variant.toml", "default = true", "primitives = ['toy-65']"), 'did you mean "toy-64"'),
        (edit("plain/variant.toml", "default = true", ""), "no variant of toy is the default;"),
        (edit("plain/variant.toml", "default = true", "default = []"), "no variant of toy is the default;"),
        (
            edit("plain/variant.toml", "default = true", "default = ['8-bit', '32-bit', 'linux']"),
            "no variant of toy is the default for 16-bit, few-registers, cached; add",
        ),
        (
            edit("plain/variant.toml", "default = true", "default = ['8-bits']"),
            r"field default\.1: .*'8-bit'",
        ),
        (edit("plain/variant.toml", "default = true", "default = '8-bit'"), "field default"),
        (twice, "toy has more than one default variant for 8-bit: toy/plain, toy/twin"),
        (contradicted, "on_the_fly contradicts no_on_the_fly"),
        (
            edit("algorithm.toml", "title", "by_import = true\ntitle"),
            "field call is missing: code by import has an interface of its own",
        ),
        (of_keys, "vector 1: a kem has no vectors"),
        (edit("vectors.toml", "toy-64", "toy-46"), r'vector 1: .*did you mean "toy-64"\?'),
        (edit("vectors.toml", '"encrypt"', '"digest"'), "a block has encrypt and decrypt"),
        (edit("vectors.toml", 'key = "00', 'key = "'), "field key has 7 bytes; toy-64 needs 8"),
        (edit("vectors.toml", 'input = "00', 'input = "'), "field output has 8 bytes"),
        (edit("vectors.toml", "source", 'mode = "cbcc"\nsource'), r'did you mean "cbc"\?'),
        (edit("vectors.toml", "source", 'mode = "cbc"\nsource'), "field iv has 0 bytes; toy-64 needs 8"),
        (edit("vectors.toml", "source", "repeat = 100000000\nsource"), "the limit is"),
        (lambda toy: (toy / "toy" / "plain" / "context.h").unlink(), "no context.h"),
        (lambda toy: shutil.rmtree(toy / "toy" / "plain"), "has no variant"),
        (lambda toy: (toy / "toy" / "algorithm.toml").unlink(), 'unknown algorithm "toy"'),
        (lambda toy: (toy / "toy").rename(toy / "md5"), "algorithm md5 is already defined in"),
        (
            lambda toy: (toy / "toy" / "plain").rename(toy / "toy" / "Plain Variant"),
            "the folder's name is the variant's",
        ),
    ],
)
def test_what_is_wrong_is_one_sentence(toy: Path, change: Change, said: str) -> None:
    load_catalog([toy])
    change(toy)
    with pytest.raises(CatalogError, match=said) as caught:
        load_catalog([toy])
    message = str(caught.value)
    assert str(toy) in message
    assert "\n" not in message
    assert message.endswith((".", "?"))
    assert caught.value.exit_status == 2


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "replace")))
def test_any_bytes_are_refused_in_one_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "variant.toml"
    path.write_bytes(content)
    with pytest.raises(CatalogError) as caught:
        read_file(path, VariantFile)
    assert str(caught.value).isprintable()


def test_damaged_targets(other_targets: Path) -> None:
    target = other_targets / "atmega128.toml"
    text = target.read_text()
    timing = {t.id: t.timing_version for t in load_catalog().targets}
    core = text.split('core = "')[1].split('"')[0]
    for old, new, said in (
        (f'core = "{core}"', 'core = "avr15"', "field core: unknown core"),
        ('id = "atmega128"', 'id = "atmega129"', 'the file is named "atmega128"'),
        ("clock_hz", "clock_mhz", 'did you mean "clock_hz"'),
    ):
        assert old in text
        target.write_text(text.replace(old, new, 1))
        with pytest.raises(CatalogError, match=said):
            load_catalog()
    target.write_text(text)
    core_file = other_targets / "cores" / f"{core}.toml"
    core_file.write_text(core_file.read_text() + "\n[planted]\nx = 1\n")
    changed = {t.id: t.timing_version for t in load_catalog().targets}
    assert changed["atmega128"] != timing["atmega128"]
    assert changed["attiny45"] == timing["attiny45"]


CHIP = """\
id = "mine"
title = "Mine"
core = "avr51"
clock_hz = 8_000_000
tier = "model"
evidence = ["none yet"]
memory = [
    { name = "flash", space = "program", kind = "flash", base = 0, size = 0x10000 },
    { name = "sram", space = "data", kind = "ram", base = 0x100, size = 0x800 },
    { name = "eeprom", space = "eeprom", kind = "eeprom", base = 0, size = 0x400 },
]
"""


def test_a_chip_inherits_from_its_core_and_its_family(other_targets: Path) -> None:
    path = other_targets / "mine.toml"
    path.write_text(CHIP)
    catalog = load_catalog()
    chip, sister = catalog.target("mine").file, catalog.target("atmega128").file
    assert (chip.family, chip.word_bits) == ("avr", 8)
    assert chip.toolchain == {"gcc": sister.toolchain["gcc"]}
    # Lab memory stands in the order of addresses, before the next space.
    assert [memory.name for memory in chip.memory] == ["flash", "sram", "lab", "eeprom"]
    assert catalog.target("mine").lab == catalog.target("atmega128").lab

    own_lab = CHIP.replace('"sram"', '"lab"') + '[toolchain.gcc]\ncompile = ["-DMINE"]\n'
    path.write_text(own_lab)
    target = load_catalog().target("mine")
    assert [memory.name for memory in target.file.memory] == ["flash", "lab", "eeprom"]
    assert target.lab.base == 0x100
    assert target.file.toolchain["gcc"].compile == ("-mmcu=avr51", "-DMINE")
    assert target.file.toolchain["gcc"].link == ("-mmcu=avr51",)

    core = other_targets / "cores" / "avr51.toml"
    core.write_text(core.read_text() + '[chip]\nword_bits = 16\nknown_gaps = ["of the core"]\n')
    path.write_text(CHIP.replace("memory =", 'known_gaps = ["its own"]\nmemory ='))
    chip = load_catalog().target("mine").file
    assert (chip.word_bits, chip.known_gaps) == (16, ("of the core", "its own"))


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("mine.toml", "title", 'family = "avr"\ntitle', "mine.toml: unknown field family"),
        ("mine.toml", "size = 0x800", "size = 0", r"mine.toml: field memory\.2\.size: "),
        ("mine.toml", "evidence", "# ", "mine.toml: field evidence is missing"),
        (
            "cores/avr51.toml",
            "[chip.toolchain.gcc]",
            "[chip.toolchan.gcc]",
            r'cores/avr51.toml: unknown field chip\.toolchan; did you mean "toolchain"',
        ),
        ("cores/avr51.toml", 'family = "avr"', 'family = "avs"', 'unknown family "avs"; did you mean "avr"'),
        ("families/avr.toml", "word_bits = 8", "word_bits = 9", "families/avr.toml: field word_bits: "),
    ],
)
def test_what_a_chip_inherits_is_checked_in_its_own_file(
    other_targets: Path, file: str, old: str, new: str, said: str
) -> None:
    (other_targets / "mine.toml").write_text(CHIP)
    path = other_targets / file
    assert path.read_text().count(old) == 1
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(CatalogError, match=said):
        load_catalog()


def test_kind_and_folder_agree(other_data: Path) -> None:
    (other_data / "primitives" / "hash" / "md5").rename(other_data / "primitives" / "stream" / "md5")
    with pytest.raises(CatalogError, match='field kind is "hash" but the folder says "stream"'):
        load_catalog()


def test_nearest_names() -> None:
    known = ["atmega103", "atmega128", "atmega328p", "attiny45"]
    assert nearest("ATMEGA128", known) == "atmega128"
    assert nearest("atmega12", known) == "atmega128"
    assert nearest("328", known) == "atmega328p"
    assert nearest("stm32", ["aes"]) is None
    assert unknown("target", "zz\n", known) == (
        'unknown target "zz\\x0a"; known: atmega103, atmega128, atmega328p, attiny45'
    )
