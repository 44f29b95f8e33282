"""Where a finding stands in the source, what it executes, and which way the secret took to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from steelyard.machine.lines import Frame, Lines
from steelyard.measure.check import Checked, Checker, Checks, Finding, Follower
from steelyard.measure.inputs import Question
from steelyard.measure.plan import Cell

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
    checks: Checks, cell: Cell, checked: Checked, lines: Lines | None, count: int
) -> Iterator[Explained]:
    """Yield the first `count` findings that count, those that can change time before the others."""
    wanted = sorted(checked.counted, key=lambda finding: not finding.matters)[:count]
    if not wanted:
        return
    checker = checks.checker
    follower = checker.follower(cell, frozenset(checked.secrets))
    question = checker.question(cell)
    for finding in wanted:
        text, _ = follower.emulator.disassembled(finding.address) or ("?", 0)
        frames = lines.at(finding.address) if lines is not None else ()
        way = tuple(_way(checker, follower, question, finding))
        yield Explained(finding, text, frames, way)


def _way(checker: Checker, follower: Follower, question: Question, finding: Finding) -> Iterator[str]:
    """Yield where the secret came from memory, the last instruction before the finding, and the finding."""
    way = follower.way(question, finding)
    if len(way) > PATH_LINES:
        way = (way[0], *way[1 - PATH_LINES :])
    for passed in way:
        came = f", {follower.named(passed.address)}" if passed.address is not None else ""
        yield f"0x{passed.pc:x} {checker.function_at(passed.pc)}: {passed.text}{came}"
