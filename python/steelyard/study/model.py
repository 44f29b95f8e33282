"""What a study is: how it measures, how it judges, and what it says, as data that any medium can show."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from steelyard.record.schema import Record
from steelyard.study.verdict import Finding, Verdict

if TYPE_CHECKING:
    from steelyard.catalog.load import Catalog
    from steelyard.measure.selection import Selection
    from steelyard.present.chart import Chart
    from steelyard.present.table import Table

Row = dict[str, object]
"""An object of `--json`; its key `table` says what it is a line of."""


@dataclass(frozen=True)
class Step:
    """Something to measure; chips are changed as by `--set`, `samples` is None for the usual number.

    One that is `optional` is left out, with a sentence, where nothing of it can be built here.
    """

    selections: tuple[Selection, ...]
    settings: tuple[str, ...] = ()
    samples: int | None = None
    optional: bool = False


Steps = tuple[Callable[[Sequence[Record]], Step], ...]
"""What a study measures, one after the other; each step may depend on the records so far."""

StepsOf = Callable[["Catalog", str], Steps]
"""The steps of a study with a catalogue and a compiler."""


@dataclass(frozen=True)
class Setup:
    """What a study measures with; `tell` takes sentences, `bar` a title and a number of cells."""

    catalog: Catalog
    store: Path | None
    toolchain: str | None
    jobs: int | None
    tell: Callable[[str], None]
    bar: Callable[[str, int], AbstractContextManager[Callable[[str], None]]]


@dataclass(frozen=True)
class Taken:
    """The records a study is judged by; `tried` are those among which failures are counted."""

    records: Sequence[Record]
    tried: Sequence[Record]
    failed: bool
    interrupted: bool


@dataclass(frozen=True)
class Order:
    """A printed order of ciphers beside ours in one setting; `AES/Serpent` leaves open which comes first."""

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
        """The order as an object of `--json`."""
        return {"table": "order", **asdict(self), "agrees": self.agrees}


@dataclass(frozen=True)
class Claim:
    """A published claim with the finding on it, over all settings and by choice of variants.

    `published` is what the publication's own table says of it, where that was asked.
    """

    claim: str
    section: str
    statement: str
    verdict: Verdict
    published: Finding | None = None

    @property
    def row(self) -> Row:
        """The claim as an object of `--json`."""
        named: Row = {"claim": self.claim, "section": self.section, "statement": self.statement}
        own = {} if self.published is None else {"published_table": self.published}
        return {"table": "claim", **named, **asdict(self.verdict), **own}


@dataclass(frozen=True)
class Outcome:
    """What a study says of records: its claims, and figures as tables, charts and objects of `--json`."""

    claims: tuple[Claim, ...]

    @property
    def choices(self) -> tuple[str, ...]:
        """What verdicts are given for one by one: choices of variants, chips or implementations."""
        return tuple(dict.fromkeys(choice for claim in self.claims for choice in claim.verdict.by_choice))

    @property
    def worth_showing(self) -> bool:
        """Whether there are figures enough for a section of the report."""
        raise NotImplementedError

    def tables(self) -> Mapping[str, Table]:
        """The tables by the names that pages have for them."""
        return {}

    def charts(self) -> Iterable[Chart]:
        """The plots, as far as there are figures for them."""
        return ()

    def figure_rows(self) -> Iterator[Row]:
        """The figures as objects of `--json`."""
        raise NotImplementedError

    def remarks(self) -> Iterable[str]:
        """Sentences that belong to the tables."""
        return ()

    def warnings(self) -> Iterable[str]:
        """What is missing, in sentences."""
        return ()

    def rows(self) -> Iterator[Row]:
        """Everything as objects of `--json`."""
        yield from self.figure_rows()
        for claim in self.claims:
            yield claim.row


Judge = Callable[[Sequence[Record], Collection[str]], Outcome]
"""The outcome that records allow; the second argument holds the names of the default variants.

Nothing but these and the published numbers goes in.
"""


@dataclass(frozen=True)
class Study:
    """A study; `title` and `note` stand above its section of the report.

    Records count if they are of its `targets`, of its `primitives` where it names any, and of one compiler
    unless `any_compiler`; with `changed_chips` only those of chips changed as by `--set`. `options` is a
    dataclass of what `steelyard reproduce` takes for this study alone, each field made by `option`;
    `with_options` is the study with such values.
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


_Value = TypeVar("_Value", bool, str, tuple[str, ...])


def option(default: _Value, *, help: str, metavar: str | None = None) -> _Value:
    """A field of a study's options: a switch, a text, or texts that may be given again."""
    made: _Value = field(default=default, metadata={"help": help, "metavar": metavar})
    return made
