"""Ciphers and hashes on the RL78 in categories of ROM and RAM: the categories filled, numbers, claims."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from steelyard.cli.output import print_json, warn
from steelyard.cli.reproduced.common import claim_rows, print_claims, print_lines

if TYPE_CHECKING:
    from steelyard.catalog.load import Catalog
    from steelyard.record.schema import Record
    from steelyard.reproduce.comparison import Steps
    from steelyard.reproduce.rl78_minimal import Reproduction


TARGET = "rl78-g13"
"""The chip whose compiler is taken where none is named."""


def steps(catalog: Catalog, toolchain: str) -> Steps:
    """What is measured."""
    from steelyard.reproduce import rl78_minimal

    return rl78_minimal.steps(catalog, toolchain)


def show(records: Sequence[Record], catalog: Catalog, *, as_json: bool) -> None:
    """Print the comparison that the records allow."""
    from steelyard.reproduce import rl78_minimal

    made = rl78_minimal.reproduce(records)
    if as_json:
        print_json(_rows(made))
    else:
        _print(made)
    if any(record.get("prebuilt") for record in records):
        warn(
            f"the compiler for {TARGET} is not installed: images that come with Steelyard were measured, not"
            " every variant, footprint and flag; run: steelyard toolchain install rl78"
        )


def _rows(made: Reproduction) -> Iterator[dict[str, object]]:
    """One object per category, published number and claim; `table` says which it is."""
    for choice, table in made.tables.items():
        for cell in table.cells():
            build = None if cell.build is None else asdict(cell.build)
            yield {
                "table": "category",
                "ram_is": choice,
                "primitive": cell.primitive,
                "direction": cell.direction,
                "rom_category": cell.rom.name,
                "ram_category": cell.ram.name,
                "build": build,
                "cycles_per_byte": None if cell.build is None else cell.build.cycles_per_byte,
            }
    for number in made.numbers:
        yield {"table": "number", **asdict(number), "ratio": number.ratio}
    yield from claim_rows(made.claims)


def _print(made: Reproduction) -> None:
    """The tables."""
    from steelyard.report.published import rl78_minimal as report
    from steelyard.reproduce.rl78_minimal import CHOICES

    for table in made.tables.values():
        print_lines(report.category_lines(table))
    print_lines(report.number_lines(made))
    print_claims(made.claims, list(CHOICES))
