"""The lines that begin what the page says of caches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import polars as pl

from steelyard.studies.cache_sweep.study import CACHE_BYTES, LARGE, SBOX, Reproduction
from steelyard.study.findings import listed, span, verdicts
from steelyard.study.model import Outcome


def _sentences(made: Reproduction) -> Iterator[str]:
    cycles = {(one.target, one.flags, one.variant, one.cache_bytes): one.cycles for one in made.points}
    builds = list(dict.fromkeys((one.target, one.flags) for one in made.points))
    least, most = CACHE_BYTES[0], CACHE_BYTES[-1]

    def loss(variant: str) -> str:
        return span((cycles[*one, variant, least] / cycles[*one, variant, most] for one in builds), ".2f")

    yield (
        f"With caches of 1 KB the table of 256 bytes takes {loss(SBOX)} times the cycles that it takes with"
        f" 16 KB, over {len(builds)} builds on {_and(dict.fromkeys(target for target, _ in builds))}."
    )
    steps = ", ".join(f"those of {_size(variant)} {loss(variant)} times" for variant in LARGE)
    yield f"Of larger tables take {steps}."
    for number in (least, most):
        wins: dict[str, int] = {}
        for build in builds:
            first = min((SBOX, *LARGE), key=lambda variant: cycles[*build, variant, number])
            wins[first] = wins.get(first, 0) + 1
        shown = ", ".join(f"{name} in {count}" for name, count in wins.items())
        yield f"With {number // 1024} KB the fastest is {shown} of {len(builds)} builds."
    enough = []
    for variant in LARGE:
        sizes = [
            next(
                (size for size in CACHE_BYTES if cycles[*build, variant, size] < cycles[*build, SBOX, size]),
                None,
            )
            for build in builds
        ]
        found = [size / 1024 for size in sizes if size is not None]
        said = f"from {span(found, 'g')} KB" if found else ""
        said += f" (in {sizes.count(None)} builds never)" if None in sizes else ""
        enough.append(f"tables of {_size(variant)} {said}")
    yield f"Faster than 256 bytes are {', '.join(enough)} of cache. {verdicts(made)}"


def _size(variant: str) -> str:
    return f"{variant.removeprefix('aes/ttable-').removesuffix('k')} KB"


def _and(names: Iterable[str]) -> str:
    return " and ".join(f"the {name.upper()}" for name in names)


def blocks(
    _: Callable[[str], pl.DataFrame], outcome: Callable[[str], Outcome]
) -> dict[str, Callable[[], str]]:
    """The blocks by name."""

    def findings() -> str:
        made = outcome("cache-sweep")
        assert isinstance(made, Reproduction)
        return listed(_sentences(made))

    return {"findings": findings}
