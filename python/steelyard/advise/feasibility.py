"""Thresholds: the lowest clock that meets a deadline, the largest message within a budget."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from steelyard.advise.recommend import Candidate, recommend
from steelyard.advise.request import Request
from steelyard.catalog.load import Catalog
from steelyard.catalog.models import Target
from steelyard.measure.plan import LAB_RESERVE_BYTES
from steelyard.measure.selection import Selection
from steelyard.record.schema import Record

Fresh = Callable[[Request], Iterable[Record]]
"""Returns the records that a request needs, and measures missing ones."""


def lowest_clock_hz(candidate: Candidate, request: Request) -> float | None:
    """Return the clock in hertz at which a message just meets deadline and rate; null if neither is set."""
    wanted = [1 / request.deadline_s] if request.deadline_s is not None else []
    wanted += [request.rate_hz] if request.rate_hz is not None else []
    return candidate.cycles * max(wanted) if wanted else None


def cycles_move_with_clock(target: Target) -> bool:
    """Whether a chip's cycles depend on its clock because its memories have a fixed access time."""
    timed = any(memory.latency is not None for memory in target.file.memory)
    return timed or target.file.flash is not None


def largest_message_bytes(
    catalog: Catalog, request: Request, candidate: Candidate, fresh: Fresh
) -> int | None:
    """Return the largest message for which these builds keep all limits except ROM and RAM; null if none
    does.

    Every length tried is measured, none is extrapolated. The chip's lab memory bounds the length.
    """
    narrowed = replace(request, rom_bytes=None, ram_bytes=None, names=_named(request, candidate))
    # Payload, ciphertext and what is authenticated lie beside each other there.
    most = (request.target.lab.size - LAB_RESERVE_BYTES - request.ad_bytes) // 2 - 32

    def fits(length: int) -> bool:
        asked = replace(narrowed, message_bytes=length)
        answer = recommend(catalog, asked, fresh(asked))
        return any(_same(one, candidate) for one in answer.fitting)

    return largest(fits, max(1, min(request.message_bytes, most)), most)


def largest(fits: Callable[[int], bool], start: int, most: int) -> int | None:
    """Return the largest number up to `most` that fits; null if 1 does not fit.

    All numbers below a fitting one must fit. Searches from `start` by factors of four, then by halves.
    """
    low, high = 0, most + 1
    probe = start
    while high - low > 1:
        if fits(probe):
            low = probe
            probe = min(probe * 4, most) if high == most + 1 else (low + high) // 2
        else:
            high = probe
            probe = (low + high) // 2
        if probe <= low:
            probe = (low + high) // 2
    return low or None


def _named(request: Request, candidate: Candidate) -> Selection:
    build = candidate.parts[0].build
    modes = {part.use.mode for part in candidate.parts if part.use.mode is not None}
    return Selection(
        primitive=tuple(part.use.primitive.id for part in candidate.parts),
        variant=tuple(part.variant for part in candidate.parts),
        toolchain=(build.toolchain,),
        flags=(build.flags,),
        mode=tuple(modes) or request.names.mode,
    )


def _same(one: Candidate, other: Candidate) -> bool:
    def key(candidate: Candidate) -> tuple[object, ...]:
        return candidate.name, candidate.variants, candidate.parts[0].build

    return key(one) == key(other)
