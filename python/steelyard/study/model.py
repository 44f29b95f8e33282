"""A study as data for any medium: its measurements, its judgement and its results."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from steelyard.record.schema import Record
from steelyard.study.verdict import Finding, Verdict

if TYPE_CHECKING:
    from steelyard.catalog.load import Catalog
    from steelyard.measure.selection import Selection
    from steelyard.measure.workers import Jobs
    from steelyard.present.chart import Chart
    from steelyard.present.table import Table

Row = dict[str, object]
"""An object of `--json`; its key `table` names the table of the line."""


@dataclass(frozen=True)
class Step:
    """A measurement; chips are changed as by `--set`, `samples` is None for the usual number.

    An `optional` one is left out, with a sentence, if nothing of it can be built here.
    """

    selections: tuple[Selection, ...]
    settings: tuple[str, ...] = ()
    samples: int | None = None
    optional: bool = False


Steps = tuple[Callable[[Sequence[Record]], Step], ...]
"""Steps of a study in order; each may depend on the records so far."""

StepsOf = Callable[["Catalog", str], Steps]
"""Returns the steps of a study with a catalogue and a compiler."""


@dataclass(frozen=True)
class Setup:
    """Settings of a study's measurement; `tell` receives sentences, `bar` a title and a number of cells."""

    catalog: Catalog
    store: Path | None
    toolchain: str | None
    jobs: Jobs
    tell: Callable[[str], None]
    bar: Callable[[str, int], AbstractContextManager[Callable[[str], None]]]


@dataclass(frozen=True)
class Taken:
    """The records by which a study is judged; failures are counted among `tried`."""

    records: Sequence[Record]
    tried: Sequence[Record]
    failed: bool
    interrupted: bool


@dataclass(frozen=True)
class Order:
    """A printed order of ciphers beside ours in one setting; `AES/Serpent` leaves the order open."""

    quantity: str
    published: tuple[str, ...]
    choice: str
    flags: str
    ours: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """Whether ours is one of the orders that the printed one allows."""
        left = list(self.ours)
        for group in self.published:
            names = group.split("/")
            if set(left[: len(names)]) != set(names):
                return False
            del left[: len(names)]
        return True

    @property
    def row(self) -> Row:
        """Return the order as an object of `--json`."""
        return {"table": "order", **asdict(self), "agrees": self.agrees}


@dataclass(frozen=True)
class Claim:
    """A published claim with its finding, over all settings and by choice of variants.

    `published` is the finding of the publication's own table, if requested.
    """

    claim: str
    section: str
    statement: str
    verdict: Verdict
    published: Finding | None = None

    @property
    def row(self) -> Row:
        """Return the claim as an object of `--json`."""
        named: Row = {"claim": self.claim, "section": self.section, "statement": self.statement}
        own = {} if self.published is None else {"published_table": self.published}
        return {"table": "claim", **named, **asdict(self.verdict), **own}


@dataclass(frozen=True)
class Outcome:
    """Results of a study: its claims, and figures as tables, charts and objects of `--json`."""

    claims: tuple[Claim, ...]

    @property
    def choices(self) -> tuple[str, ...]:
        """Groups that get verdicts of their own: choices of variants, chips or implementations."""
        return tuple(dict.fromkeys(choice for claim in self.claims for choice in claim.verdict.by_choice))

    @property
    def worth_showing(self) -> bool:
        """Whether there are enough figures for a section of the report."""
        raise NotImplementedError

    def tables(self) -> Mapping[str, Table]:
        """Return the tables by the names used in pages."""
        return {}

    def charts(self) -> Iterable[Chart]:
        """Return the plots for which there are figures."""
        return ()

    def figure_rows(self) -> Iterator[Row]:
        """Yield the figures as objects of `--json`."""
        raise NotImplementedError

    def remarks(self) -> Iterable[str]:
        """Return sentences that belong to the tables."""
        return ()

    def warnings(self) -> Iterable[str]:
        """Return sentences on what is missing."""
        return ()

    def rows(self) -> Iterator[Row]:
        """Yield everything as objects of `--json`."""
        yield from self.figure_rows()
        for claim in self.claims:
            yield claim.row


Defaults = Container[tuple[str, str]]
"""Names of the default variants, each with a target on which it is the default."""

Judge = Callable[[Sequence[Record], Defaults], Outcome]
"""Returns the outcome for records; the second argument holds the default variants.

Only these and the published numbers are used.
"""


@dataclass(frozen=True)
class Study:
    """A study; `title` and `note` stand above its section of the report.

    Records count if they belong to its `targets`, to its `primitives` if it names any, and to one compiler
    unless `any_compiler`; with `changed_chips` only those of chips changed as by `--set`. `options` is a
    dataclass of this study's own options of `steelyard reproduce`, each field made by `option`;
    `with_options` returns the study with such values. `measure_in_all` is a shorter measurement that `--all`
    makes instead, with a line on what it leaves out.
    """

    title: str
    note: str
    targets: tuple[str, ...]
    judge: Judge
    measure: Callable[[Setup], Taken]
    primitives: tuple[str, ...] = ()
    any_compiler: bool = False
    changed_chips: bool = False
    options: type[Any] | None = None
    with_options: Callable[[Any], Study] | None = None
    measure_in_all: Callable[[Setup], Taken] | None = None


_Value = TypeVar("_Value", bool, str, tuple[str, ...])


def option(default: _Value, *, help: str, metavar: str | None = None) -> _Value:
    """Return a field of a study's options: a switch, a text, or repeatable texts."""
    made: _Value = field(default=default, metadata={"help": help, "metavar": metavar})
    return made
