"""A side of a comparison: records and, where they were measured here, the images and profiles behind them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from steelyard.cache.content import Cache
from steelyard.catalog.load import Catalog
from steelyard.catalog.models import Variant
from steelyard.compare.measures import Limit
from steelyard.measure.image import Rules
from steelyard.measure.plan import Cell
from steelyard.measure.run import run_plan
from steelyard.measure.selection import Selection
from steelyard.measure.session import Session, prepare
from steelyard.measure.settings import Setting
from steelyard.profile import Profile
from steelyard.profile.collect import profile_cell
from steelyard.record.schema import Record
from steelyard.toolchain import build, rom_by_symbol

if TYPE_CHECKING:
    pass

Warn = Callable[[str], None]
Progress = Callable[[Session], AbstractContextManager[Callable[[Record], None]]]


class Interrupted(Exception):
    """Ctrl-C ended the measuring of a side; what is done is kept in the cache."""


@dataclass(frozen=True)
class Asked:
    """What is asked of a comparison, whatever its sides are.

    `measures` are those named, in place of the usual ones; `limits` count more than those of the file of
    `budgets`. `warn` receives sentences, `progress` shows how far the measuring of a side is.
    """

    selection: Selection = field(default_factory=Selection)
    measures: tuple[str, ...] = ()
    limits: Mapping[str, Limit | None] = field(default_factory=dict)
    budgets: Path | None = None
    allow_missing: bool = False
    warn: Warn = lambda sentence: None
    progress: Progress = lambda session: nullcontext(lambda record: None)


@dataclass(frozen=True)
class Measuring:
    """How sides are measured."""

    primitives: tuple[Path, ...] = ()
    settings: tuple[Setting, ...] = ()
    rules: Rules = field(default_factory=Rules)
    jobs: int | None = None


@dataclass
class Side:
    """Records of a side; where they were measured here, with the session and the cell behind each.

    `root` is the folder below which the places of code are named.
    """

    label: str
    records: list[Record]
    origins: list[tuple[Session, Cell]] = field(default_factory=list)
    rules: Rules = field(default_factory=Rules)
    root: Path | None = None

    def origin(self, record: Record) -> tuple[Session, Cell] | None:
        """Return the session and the cell of one of the side's records; None if it was not measured here."""
        for one, origin in zip(self.records, self.origins, strict=False):
            if one is record:
                return origin
        return None

    def symbols(self, record: Record) -> Mapping[str, int] | None:
        """Return the bytes of a record's image by symbol; None if it was not measured here."""
        origin = self.origin(record)
        if origin is None:
            return None
        session, cell = origin
        toolchain = session.toolchains[cell.build.target.file.family, cell.build.toolchain]
        return rom_by_symbol(build(cell.build.request(toolchain), Cache(), session.readings).elf)

    def profile(self, record: Record) -> Profile | None:
        """Return where the cycles of a record go; None if it was not measured here or gives no figure."""
        origin = self.origin(record)
        return None if origin is None else profile_cell(*origin, self.rules)[1]

    def place(self, record: Record) -> str | None:
        """Return where the code of a record lies: a path below the root, or the variant."""
        origin = self.origin(record)
        if origin is None:
            return None if record["variant"] is None else str(record["variant"])
        return _place(origin[1].build.variant, self.root)


def _place(variant: Variant, root: Path | None) -> str:
    folder = variant.folder.resolve()
    if root is None or not folder.is_relative_to(root.resolve()):
        return variant.id
    return folder.relative_to(root.resolve()).as_posix()


def measured(label: str, catalog: Catalog, selection: Selection, measuring: Measuring, asked: Asked) -> Side:
    """Measure a side, without a store; Interrupted after Ctrl-C, what is done is kept in the cache."""
    session = prepare(catalog, [selection], measuring.settings)
    for reason, count in session.plan.refused.items():
        asked.warn(f"{label}: {count} builds left out: {reason}.")
    with asked.progress(session) as advance:

        def count_off(records: Sequence[Record], _lines: bytes) -> None:
            for record in records:
                advance(record)

        toolchains, rules, jobs = session.toolchains, measuring.rules, measuring.jobs
        result = run_plan(session.plan, toolchains, rules, count_off, jobs, session.readings)
    if result.interrupted:
        raise Interrupted
    origins = [(session, cell) for listed in session.plan.cells.values() for cell in listed]
    return Side(label, list(result.records), origins, rules)
