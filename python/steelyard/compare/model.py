"""A comparison as data: pairs of cells, their measures, what changed between the sides, and the verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from steelyard.compare.measures import Limit
from steelyard.record.schema import Record

if TYPE_CHECKING:
    import polars as pl

Verdict = Literal["same", "better", "within-limit", "regression", "over-budget"]
Standing = Literal["compared", "new", "missing", "failed", "outgrown", "unfit"]
Cause = Literal["source", "compiler", "flags", "chip", "inputs", "steelyard", "unknown"]

OK, FAILED, REGRESSED = 0, 1, 4
"""Exit statuses of a comparison."""


@dataclass(frozen=True)
class Blame:
    """The part of a program whose cycles or bytes changed most.

    `what` is a function, a constant, or a size of the record; `place` is its most changed source line, with
    the line's text in `source`, where a profile shows it.
    """

    what: str
    base: float
    head: float
    place: str | None = None
    source: str | None = None

    @property
    def delta(self) -> float:
        """Cycles or bytes that the head has more than the base."""
        return self.head - self.base


@dataclass(frozen=True)
class Row:
    """A measure of a cell on both sides; `budget` is the most that a file of budgets grants the head."""

    measure: str
    base: float | None
    head: float
    limit: Limit | None
    budget: float | None = None
    blame: Blame | None = None

    @property
    def delta(self) -> float | None:
        """What the head has more than the base, in the field's unit; None without a base."""
        return None if self.base is None else self.head - self.base

    @property
    def percent(self) -> float | None:
        """The difference in percent of the base; None without a base, or where that is 0."""
        return None if self.delta is None or not self.base else 100 * self.delta / self.base

    @property
    def verdict(self) -> Verdict:
        """Whether the change may be."""
        if self.budget is not None and self.head > self.budget:
            return "over-budget"
        if not self.delta:
            return "same"
        if self.delta < 0:
            return "better"
        assert self.base is not None
        return (
            "within-limit" if self.limit is None or self.limit.allows(self.base, self.head) else "regression"
        )

    @property
    def bad(self) -> bool:
        """Whether the change is more than a limit or a budget allows."""
        return self.verdict in ("regression", "over-budget")


@dataclass(frozen=True)
class Pair:
    """A cell with its record on each side; None where a side has none.

    `causes` are what differs between the records beside their figures. `place` is where the code of the head
    lies, for readers of findings: a path in the repository, or the variant.
    """

    base: Record | None
    head: Record | None
    name: str
    standing: Standing
    causes: tuple[Cause, ...] = ()
    rows: tuple[Row, ...] = ()
    place: str | None = None

    @property
    def record(self) -> Record:
        """The record of the head, or of the base where the head has none."""
        found = self.head if self.head is not None else self.base
        assert found is not None
        return found

    @property
    def changed(self) -> bool:
        """Whether a measure differs, or a budget is exceeded."""
        return any(row.verdict != "same" for row in self.rows)

    @property
    def regressed(self) -> bool:
        """Whether the cell is worse than a limit or a budget allows, or has outgrown its chip."""
        return self.standing == "outgrown" or any(row.bad for row in self.rows)

    @property
    def is_of_code(self) -> bool:
        """Whether the source changed and nothing else did: only then a difference is the code's."""
        return self.causes == ("source",)

    @property
    def error(self) -> str | None:
        """Why the cell has no figure on the head, in a line; None if it has one."""
        if self.standing == "missing":
            return "the head has no such cell"
        if self.standing not in ("failed", "outgrown", "unfit"):
            return None
        assert self.head is not None
        said = str(self.head["error"] or "its output was not compared with a known answer").splitlines()
        return f"{self.head['status']}: {said[0]}"


@dataclass(frozen=True)
class Comparison:
    """Two sides beside each other, cell by cell.

    `base` and `head` say what the sides are. `measures` are those compared. `unmatched` are places of budgets
    that no cell of the head has.
    """

    base: str
    head: str
    pairs: tuple[Pair, ...]
    measures: tuple[str, ...]
    limits: dict[str, Limit | None] = field(default_factory=dict)
    allow_missing: bool = False
    budgets: int = 0
    unmatched: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def of(self, *standings: Standing) -> list[Pair]:
        """Return the pairs of these standings."""
        return [pair for pair in self.pairs if pair.standing in standings]

    @cached_property
    def regressions(self) -> tuple[Pair, ...]:
        """Cells that are worse than a limit or a budget allows."""
        return tuple(pair for pair in self.pairs if pair.regressed)

    @cached_property
    def failures(self) -> tuple[Pair, ...]:
        """Cells without a figure on the head: failed there or, unless that is allowed, missing."""
        return tuple(self.of("failed") + ([] if self.allow_missing else self.of("missing")))

    @property
    def exit_status(self) -> int:
        """0 for a clean comparison, 1 if a cell failed or is missing, 4 for a regression.

        A comparison with failed cells is not whole, so that 1 stands before 4.
        """
        if self.failures:
            return FAILED
        return REGRESSED if self.regressions else OK

    def rows_of(self, measure: str) -> Iterator[tuple[Pair, Row]]:
        """Yield the cells that have this measure, with it."""
        for pair in self.pairs:
            for row in pair.rows:
                if row.measure == measure:
                    yield pair, row

    @property
    def frame(self) -> pl.DataFrame:
        """A row for each measure of each cell, as the objects of `steelyard compare --json`."""
        import polars as pl

        from steelyard.compare.page import objects

        return pl.DataFrame(list(objects(self)), infer_schema_length=None)

    @property
    def shown_measures(self) -> Sequence[str]:
        """Measures that some cell has, the compared ones first, then those of budgets alone."""
        found = dict.fromkeys(row.measure for pair in self.pairs for row in pair.rows)
        return [
            *(name for name in self.measures if name in found),
            *(n for n in found if n not in self.measures),
        ]
