"""The lines with which the page begins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import polars as pl

from steelyard.studies.word_sizes.study import (
    AES,
    CIPHERS,
    FASTEST,
    OF_8_BITS,
    OF_32_BITS,
    RC6,
    SERPENT,
    Reproduction,
    Weighed,
)
from steelyard.study.findings import listed, span, verdicts
from steelyard.study.model import Outcome

_FLAGS = "-O2"


def _sentences(made: Reproduction) -> Iterator[str]:
    fastest = [one for one in made.weighed[FASTEST] if one.flags == _FLAGS]
    cost = {(one.cipher, one.target): one.cycles_per_byte for one in fastest}
    chips: dict[int, list[str]] = {}
    for one in sorted(fastest, key=lambda weighed: weighed.word_bits):
        if one.target not in chips.setdefault(one.word_bits, []):
            chips[one.word_bits].append(one.target)
    yield (
        f"AES takes cycles of a byte, in the fastest variants at {_FLAGS} on chips of {_sizes(chips)} bits:"
        f" {_costs(fastest, AES, chips)}."
    )
    (eight, *_), *_, (wide, *_) = chips.values()
    first = min(OF_8_BITS, key=lambda name: cost[name, eight])
    ranked = sorted((name for name in CIPHERS if (name, wide) in cost), key=lambda name: cost[name, wide])
    yield (
        f"Of the five ciphers of the ATmega128's publication {first} takes the fewest cycles on the {eight};"
        f" on the {wide} the order of all nine is {', '.join(ranked)}."
    )
    yield (
        f"RC6, of products and rotations of 32 bits, costs {_costs(fastest, RC6, chips)}: on the {eight}"
        f" {cost[RC6, eight] / cost[AES, eight]:.1f} times AES, on the {wide}"
        f" {cost[RC6, wide] / cost[AES, wide]:.2f} times."
    )
    ratios = {
        bits: span((cost[SERPENT, name] / cost[AES, name] for name in names), ".2g")
        for bits, names in chips.items()
    }
    shown = ", ".join(f"{ratio} with {bits} bits" for bits, ratio in ratios.items())
    yield f"Serpent over AES: {shown}; published are 2.3 with 32 bits and 30 to 40 with 8."
    gains = [cost[name, eight] / cost[name, wide] for name in OF_32_BITS]
    falls = next(one.verdict.strength for one in made.claims if one.claim == "cross-04")
    yield (
        f"Ciphers of 32-bit operations take {span(gains, '.2g')} times the cycles on the {eight} that they"
        f" take on the {wide}; from each size of words to the next cycles fall in {falls} tests."
        f" {verdicts(made)}"
    )


def _sizes(chips: dict[int, list[str]]) -> str:
    *others, last = map(str, chips)
    return f"{', '.join(others)} and {last}"


def _costs(fastest: Sequence[Weighed], cipher: str, chips: dict[int, list[str]]) -> str:
    cost = {one.target: one.cycles_per_byte for one in fastest if one.cipher == cipher}
    return ", ".join(
        f"{cost[name]:,.0f} ({name})" for names in chips.values() for name in names if name in cost
    )


def blocks(
    _: Callable[[str], pl.DataFrame], outcome: Callable[[str], Outcome]
) -> dict[str, Callable[[], str]]:
    """The blocks by name."""

    def findings() -> str:
        made = outcome("word-sizes")
        assert isinstance(made, Reproduction)
        return listed(_sentences(made))

    return {"findings": findings}
