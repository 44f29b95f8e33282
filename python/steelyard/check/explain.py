"""Where a finding stands in the source, what it executes, and which way the secret took to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from steelyard.machine.lines import Frame, Lines
from steelyard.measure.check import Checked, Checks, Finding, Follower
from steelyard.measure.plan import Cell
from steelyard.toolchain.build import BuildRequest
from steelyard.toolchain.sources import Readings

PATH_LINES = 3
"""Lines of the way of a secret: where it came from memory, what it went through last, where it decided."""


@dataclass(frozen=True)
class Explained:
    """A finding with its instruction, its lines of source, innermost first, and the way of the secret."""

    finding: Finding
    text: str
    frames: tuple[Frame, ...]
    path: tuple[str, ...]


def explain(
    checks: Checks, cell: Cell, checked: Checked, request: BuildRequest, readings: Readings, count: int
) -> Iterator[Explained]:
    """Yield the first `count` findings that are not declassified, those that can change time before others."""
    wanted = sorted(checked.counted, key=lambda finding: not finding.matters)[:count]
    if not wanted:
        return
    lines = debug_lines(request, checks.cache, readings)
    follower = checks.follower(cell, frozenset(checked.secrets))
    for finding in wanted:
        text, _ = follower.emulator.disassembled(finding.address) or ("?", 0)
        frames = lines.at(finding.address) if lines is not None else ()
        yield Explained(finding, text, frames, tuple(_way(checks, follower, finding)))


def _way(checks: Checks, follower: Follower, finding: Finding) -> Iterator[str]:
    """Yield where the secret came from memory, the last instruction before the finding, and the finding."""
    way = follower.way(checks.question(follower.cell), finding)
    if len(way) > PATH_LINES:
        way = [way[0], *way[1 - PATH_LINES :]]
    for step in way:
        came = f" from {follower.named(step.data)}" if step.data is not None else ""
        yield f"0x{step.address:x} {checks.function_at(step.address)}: {step.text}{came}"
