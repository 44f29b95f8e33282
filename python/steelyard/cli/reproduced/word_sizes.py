"""One set of ciphers on words of 8, 16 and 32 bits: cycles per byte, claims."""

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
    from steelyard.reproduce.word_sizes import Reproduction


TARGET = "atmega128"
"""The chip whose compiler is taken where none is named."""


def steps(catalog: Catalog, toolchain: str) -> Steps:
    """What is measured."""
    from steelyard.reproduce import word_sizes

    return word_sizes.steps(catalog, toolchain)


def show(records: Sequence[Record], catalog: Catalog, *, as_json: bool) -> None:
    """Print the comparison that the records allow."""
    from steelyard.reproduce import word_sizes

    defaults = {variant.id for variant in catalog.variants if variant.file.default}
    made = word_sizes.reproduce(records, defaults)
    if as_json:
        print_json(_rows(made))
    else:
        _print(made)
    for target in made.absent:
        warn(f"nothing was measured on {target}.")


def _rows(made: Reproduction) -> Iterator[dict[str, object]]:
    """One object per figure and claim; `table` says which it is."""
    for choice, listed in made.weighed.items():
        for one in listed:
            yield {"table": "figure", "choice": choice, **asdict(one)}
    yield from claim_rows(made.claims)


def _print(made: Reproduction) -> None:
    """The tables."""
    from steelyard.report.published.word_sizes import cost_lines
    from steelyard.reproduce.word_sizes import CHOICES

    print_lines(cost_lines(made))
    print_claims(made.claims, list(CHOICES))
