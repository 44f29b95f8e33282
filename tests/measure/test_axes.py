"""Values behind `--set` and `--parameter`: what is accepted, what is refused, the points of each chip."""

from __future__ import annotations

from pathlib import Path

import pytest

from steelyard.catalog.load import Catalog, CatalogError, load_catalog
from steelyard.catalog.models import Parameter, Variant
from steelyard.errors import UsageError
from steelyard.measure.axes import parse_axes, points_of
from steelyard.measure.parameters import Searched
from steelyard.measure.settings import changed, parse_settings


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("clock_hz=8M,16M", [8_000_000, 16_000_000]),
        ("clock_hz=8M..24M+8M", [8_000_000, 16_000_000, 24_000_000]),
        ("icache.size=1K..16K*2", [1024, 2048, 4096, 8192, 16384]),
        ("icache.size=1K..3K*2", [1024, 2048]),
        ("wait_states=0..3", [0, 1, 2, 3]),
        ("wait_states=2..2", [2]),
        ("dcache.ways=own,1,1", [None, 1]),
        ("code=flash,ram", [None, "ram"]),
    ],
)
def test_lists_and_ranges(text: str, values: list[object]) -> None:
    (axis,) = parse_axes([text])
    assert [None if one is None else one.value for one in axis.values] == values


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["clock_hz"], "give a field and values"),
        (["clok_hz=8M"], 'did you mean "clock_hz"'),
        (["clock_hz=8M", "clock_hz=16M"], "given twice"),
        (["clock_hz=16M..8M"], "a range rises"),
        (["clock_hz=8M..16M*1"], "a range rises"),
        (["icache.size=0..16K*2"], "a range rises"),
        (["clock_hz=8M..16M+0"], "a range rises"),
        (["clock_hz=8M..16M*2K"], "the factor"),
        (["clock_hz=8M.."], "a range is"),
        (["code=ram..flash"], "from one number to another"),
        (["clock_hz=1..5000"], "at most 4,096"),
        (["wait_states=0..99", "clock_hz=1M..100M+1M"], "at most 4,096"),
    ],
)
def test_other_forms_are_refused(texts: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        parse_axes(texts)


def test_each_chip_has_the_axes_of_its_own_fields(catalog: Catalog) -> None:
    axes = parse_axes(["clock_hz=8M,24M", "code=flash,ram", "wait_states=own,2"])
    points, impossible = points_of(catalog, axes, ["stm32f407", "atmega128"])
    texts = {" ".join(one.text for one in settings): targets for settings, targets in points.items()}
    assert texts == {
        "clock_hz=8000000": ["stm32f407", "atmega128"],
        "clock_hz=24000000": ["stm32f407", "atmega128"],
        "clock_hz=8000000 wait_states=2": ["stm32f407"],
        "clock_hz=24000000 wait_states=2": ["stm32f407"],
        "clock_hz=8000000 code=ram": ["stm32f407"],
        "clock_hz=24000000 code=ram": ["stm32f407"],
    }
    assert sum(impossible.values()) == 2 and all("exclude each other" in reason for reason in impossible)


def test_impossible_points_are_left_out_and_only_such_are_an_error(catalog: Catalog) -> None:
    axes = parse_axes(["dcache.size=1K,4K", "dcache.ways=64"])
    points, impossible = points_of(catalog, axes, ["sa1110"])
    assert [settings[0].value for settings in points] == [4096]
    assert sum(impossible.values()) == 1
    with pytest.raises(UsageError, match="1024 bytes"):
        points_of(catalog, parse_axes(["dcache.size=1K", "dcache.ways=64"]), ["sa1110"])
    with pytest.raises(UsageError, match=r"no chosen target has dcache\.size"):
        points_of(catalog, parse_axes(["dcache.size=1K"]), ["atmega128"])


@pytest.mark.parametrize("clock_hz", ["24M", "168M", "33333333"])
@pytest.mark.parametrize("waits", [0, 1, 5])
def test_wait_states_are_the_cycles_of_a_read_less_one(catalog: Catalog, clock_hz: str, waits: int) -> None:
    """The emulator rounds a read up to whole cycles at the clock."""
    settings = parse_settings([f"clock_hz={clock_hz}", f"wait_states={waits}"])
    file = changed(catalog, settings, ["stm32f407"]).target("stm32f407").file
    assert file.flash is not None
    picoseconds = round(file.flash.access_ns * 1e3)
    assert -(-picoseconds * file.clock_hz // 10**12) == waits + 1


def test_wait_states_of_a_chip_without_a_flash_path_are_refused(catalog: Catalog) -> None:
    with pytest.raises(UsageError, match="no chosen target has wait_states"):
        changed(catalog, parse_settings(["wait_states=1"]), ["atmega128"])
    for text in ("wait_states=256", "wait_states=true"):
        with pytest.raises(UsageError, match="from 0 to 255"):
            changed(catalog, parse_settings([text]), ["stm32f407"])


# Parameters


def _variant(**parameters: Parameter) -> Variant:
    catalog = load_catalog()
    (one,) = [variant for variant in catalog.variants if variant.id == "rc5/compact"]
    return one.model_copy(update={"file": one.file.model_copy(update={"parameters": parameters})})


UNROLL = Parameter(summary="", values=(1, 2, 4), default=2, define="UNROLL")
INLINE = Parameter(summary="", values=("no", "yes"), default="no", flags={"no": "", "yes": "-finline -O3"})


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ([], ["inline=no unroll=2"]),
        (["unroll=4"], ["inline=no unroll=4"]),
        (["unroll=4,1"], ["inline=no unroll=1", "inline=no unroll=4"]),
        (["unroll=*"], [f"inline=no unroll={value}" for value in (1, 2, 4)]),
        (["*", "unroll=1"], ["inline=no unroll=1", "inline=yes unroll=1"]),
        (["*"], [f"inline={one} unroll={value}" for value in (1, 2, 4) for one in ("no", "yes")]),
    ],
)
def test_values_of_parameters(asked: list[str], expected: list[str]) -> None:
    searched = Searched(asked)
    made = list(searched.of(_variant(unroll=UNROLL, inline=INLINE)))
    searched.check()
    assert [one.parameters for one in made] == expected


def test_the_compiler_gets_every_value() -> None:
    """Also that of a default, so that a source needs none of its own."""
    (plain, other) = list(Searched(["inline=no,yes"]).of(_variant(unroll=UNROLL, inline=INLINE)))
    assert plain.defines["UNROLL"] == other.defines["UNROLL"] == 2
    assert (plain.parameter_flags, other.parameter_flags) == ((), ("-finline", "-O3"))
    assert (plain.chosen, other.chosen) == ((), (("inline", "yes"),))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["unroll"], "give a name and its values"),
        (["unroll="], "give a name and its values"),
        (["unroll=1", "unroll=2"], "given twice"),
        (["unroll=3"], "1, 2, 4 only"),
        (["unrol=1"], 'did you mean "unroll"'),
    ],
)
def test_other_parameters_are_refused(asked: list[str], said: str) -> None:
    def search() -> None:
        searched = Searched(asked)
        list(searched.of(_variant(unroll=UNROLL)))
        searched.check()

    with pytest.raises(UsageError, match=said):
        search()


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("values = [1]\ndefault = 1\ndefine = 'N'", "values"),
        ("values = [1, 1]\ndefault = 1\ndefine = 'N'", "different"),
        ("values = [1, 2]\ndefault = 3\ndefine = 'N'", "none of the values"),
        ("values = [1, 2]\ndefault = 1", "either define or flags"),
        ("values = [1, 2]\ndefault = 1\ndefine = 'N'\nflags = { 1 = '', 2 = '' }", "either define or flags"),
        ("values = [1, 2]\ndefault = 1\nflags = { 1 = '' }", "all of them"),
        ("values = ['a b', 'c']\ndefault = 'c'\ndefine = 'N'", "words of letters"),
        ("values = [1, 2]\ndefault = 1\ndefine = 'PRIMITIVE_ROUNDS'", "macro of Steelyard"),
    ],
)
def test_a_wrong_declaration_is_one_sentence(tmp_path: Path, table: str, said: str) -> None:
    folder = tmp_path / "rc5" / "mine"
    folder.mkdir(parents=True)
    for name in ("encrypt.c", "context.h"):
        (folder / name).write_text("")
    (folder / "variant.toml").write_text(
        f'summary = "a test"\nsources = ["encrypt.c"]\n[parameters.n]\nsummary = "n"\n{table}\n'
    )
    with pytest.raises(CatalogError, match=said):
        load_catalog([tmp_path])
