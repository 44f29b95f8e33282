"""The picture of the README: legible at the width of a page, every figure in a cell of its own."""

from __future__ import annotations

from itertools import groupby
from xml.etree import ElementTree

import pytest
import synthetic

from steelyard.catalog.load import load_catalog, read_file
from steelyard.data import data_root
from steelyard.measure.selection import SelectionFile
from steelyard.report.picture import picture_svg
from steelyard.report.summary import by_family, fastest

_SVG = "{http://www.w3.org/2000/svg}"
_PAGE_PX = 1010
"""As wide as GitHub shows a picture; on a narrow screen it is 830."""


@pytest.fixture(scope="module")
def chips() -> list[str]:
    """The chips of the default set."""
    bench = read_file(data_root() / "bench.toml", SelectionFile).selections
    return list(dict.fromkeys(chip for one in bench for chip in one.target))


@pytest.fixture(scope="module")
def drawn(chips: list[str]) -> ElementTree.Element:
    rows = [
        synthetic.measured(
            target=chip, primitive=primitive, security=security, cycles=cycles * (1.0 + number)
        )
        for number, chip in enumerate(chips)
        for primitive, security, cycles in (("aes-128", "recommended", 3200.0), ("idea", "legacy", 320.0))
    ]
    rows[0] = synthetic.failed("does-not-fit", "too large", target=chips[0])
    rows.append(synthetic.measured(target=chips[1], primitive="seed", cycles=1.0))
    return ElementTree.fromstring(picture_svg(synthetic.frame(rows)))


def texts(drawn: ElementTree.Element) -> list[str]:
    return [str(one.text) for one in drawn.iter(f"{_SVG}text")]


def test_every_text_is_large_enough_on_a_page(drawn: ElementTree.Element) -> None:
    scale = min(1.0, 830 / float(drawn.attrib["width"]))
    sizes = [float(one.get("font-size", drawn.attrib["font-size"])) for one in drawn.iter(f"{_SVG}text")]
    assert min(sizes) * scale >= 11
    assert float(drawn.attrib["width"]) <= _PAGE_PX


def test_every_chip_has_a_column_and_alike_ones_stand_together(
    drawn: ElementTree.Element, chips: list[str]
) -> None:
    shown = [text for text in texts(drawn) if text in chips]
    catalog = load_catalog()
    families = [catalog.target(chip).file.family for chip in shown]
    assert sorted(shown) == sorted(chips) and shown == by_family(catalog, chips)
    assert [name for name, _ in groupby(families)] == list(dict.fromkeys(families))
    assert set(families) <= set(texts(drawn))


def test_cells_hold_the_figures_and_do_not_overlap(drawn: ElementTree.Element, chips: list[str]) -> None:
    cells = [
        tuple(float(one.attrib[name]) for name in ("x", "y", "width", "height"))
        for one in drawn.iter(f"{_SVG}rect")
        if "x" in one.attrib
    ]
    assert len(cells) == 2 * len(chips)
    right, bottom = float(drawn.attrib["width"]), float(drawn.attrib["height"])
    for x, y, wide, high in cells:
        assert x > 0 and x + wide < right and y > 0 and y + high < bottom
        assert not any(x <= a < x + wide and y <= b < y + high for a, b, _, _ in cells if (a, b) != (x, y))
    assert {"20", "40", "400", "4.4k", "idea (legacy)", "aes-128"} <= set(texts(drawn))
    assert "seed" not in texts(drawn)
    assert texts(drawn).index("idea (legacy)") < texts(drawn).index("aes-128")


def test_the_summary_names_the_fastest_recommended_primitive_of_each_kind() -> None:
    hash_: dict[str, str | int] = {"kind": "hash", "operation": "digest"}
    rows = [
        synthetic.measured(primitive="aes-256", cycles=4800.0),
        synthetic.measured(cycles=3200.0),
        synthetic.measured(cycles=3000.0, toolchain="clang"),
        synthetic.measured(cycles=300.0, flags="-O2", verified=False),
        synthetic.measured(primitive="idea", security="legacy", cycles=16.0),
        synthetic.measured(primitive="lea-128", security="acceptable", cycles=16.0),
        synthetic.measured(primitive="sha-512", **hash_, message_bytes=64, cycles=64.0),
        synthetic.measured(primitive="sha-256", **hash_, message_bytes=1024, cycles=51_200.0),
        synthetic.failed("does-not-fit", "too large", target="attiny45"),
    ]
    made = fastest(synthetic.frame(rows), load_catalog())
    assert made.headings == ("chip", "core", "block cipher", "hash")
    assert made.rows == (
        ("atmega128", "avr51", "aes-128 188", "sha-256 50.0"),
        ("attiny45", "avr25", "does not fit", ""),
    )
    assert made.objects[0]["block cipher"] == 187.5
