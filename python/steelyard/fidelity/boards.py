"""Published cycles on boards: `reference/boards/<board>.toml` and the figures in the `.csv` beside it."""

from __future__ import annotations

import csv
import io
from collections import Counter
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from steelyard.catalog.load import read_file
from steelyard.catalog.models import Strict
from steelyard.data import data_root
from steelyard.errors import UsageError
from steelyard.files import read_limited
from steelyard.nearest import printable, unknown

Language = Literal["assembly", "inline", "c"]
Unit = Literal["cycles", "us"]

_MICROSECONDS = 1_000_000
_TABLE_LIMIT_BYTES = 1 << 20


class Source(Strict):
    """Publication of code and figures; without `commit` any state of a checkout is accepted."""

    id: str
    repository: str
    commit: Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")] | None = None
    publication: str


class LeftOut(Strict):
    """Something that the list of a board leaves out, and the reason."""

    name: str
    reason: str


class Correction(Strict):
    """What a board's figure includes besides the call.

    `overhead_cycles` lie between the two readings of its clock; an interrupt takes `interrupt_cycles` of
    every `interrupt_period_cycles`.
    """

    overhead_cycles: Annotated[int, Field(ge=0)]
    interrupt_cycles: Annotated[int, Field(ge=0)]
    interrupt_period_cycles: Annotated[int, Field(gt=0)]
    reason: str
    document: str
    section: str

    def applied(self, cycles: float) -> float:
        """Return the cycles that pass on the board during a call of `cycles` cycles."""
        share = self.interrupt_cycles / self.interrupt_period_cycles
        return (cycles + self.overhead_cycles) / (1 - share)


class Goal(Strict):
    """Errors in percent below which the model should stay."""

    median_percent: float
    worst_percent: float


class BoardFile(Strict):
    """Contents of `<board>.toml`. The call is made `runs` times, and the minimum counts: caches are then
    warm.
    """

    title: str
    target: str
    core: str
    clock_hz: Annotated[int, Field(gt=0)] | None = None
    memory: str
    measured: str
    compiler: str
    unit: Unit
    runs: Annotated[int, Field(ge=1, le=1000)] = 2
    goal: Goal | None = None
    correction: Correction | None = None
    source: tuple[Source, ...] = Field(min_length=1)
    left_out: tuple[LeftOut, ...] = ()


class Figure(Strict):
    """A line of `<board>.csv`: a routine and its published figure in the board's unit.

    The time of the call is divided by `divisor`, for instance the blocks of a message.
    """

    routine: str
    source: str
    path: str
    language: Language
    options: str
    operation: str
    ad_bytes: Annotated[int, Field(ge=0)] | None
    message_bytes: Annotated[int, Field(ge=0)] | None
    published: Annotated[float, Field(gt=0)]
    divisor: Annotated[int, Field(ge=1)]
    place: str


class Board(Strict):
    """A board with its figures in the order of the list."""

    id: str
    file: BoardFile
    figures: tuple[Figure, ...]

    def source(self, source_id: str) -> Source:
        """Return the source of that name; UsageError for an unknown one."""
        by_id = {source.id: source for source in self.file.source}
        if source_id not in by_id:
            raise UsageError(f"board {self.id}: {unknown('source', source_id, by_id)}.")
        return by_id[source_id]

    def in_unit(self, cycles: int, divisor: int, clock_hz: int) -> float:
        """Return the figure that the board would have shown for a call of these cycles."""
        correction = self.file.correction
        passed = correction.applied(cycles) if correction is not None else float(cycles)
        return passed / divisor * (_MICROSECONDS / clock_hz if self.file.unit == "us" else 1)


def boards_folder() -> Path:
    """Return the folder of Steelyard's boards."""
    return data_root() / "reference" / "boards"


def known_boards() -> list[str]:
    """Return the ids of Steelyard's boards."""
    return sorted(path.stem for path in boards_folder().glob("*.toml"))


def load_board(name: str, folder: Path) -> Board:
    """Return one of Steelyard's boards by its id, or a user's by the path of its file, relative to `folder`.

    UsageError in one sentence for anything wrong with it.
    """
    path = boards_folder() / f"{name}.toml"
    if name.endswith(".toml"):
        path = folder / name
    elif name not in known_boards():
        raise UsageError(f"{unknown('board', name, known_boards())}.")
    file = read_file(path, BoardFile)
    board = Board(id=path.stem, file=file, figures=tuple(_figures(path.with_suffix(".csv"))))
    for figure in board.figures:
        board.source(figure.source)
    return board


def _figures(path: Path) -> list[Figure]:
    raw = read_limited(path, _TABLE_LIMIT_BYTES, "a table of figures")
    try:
        reader = csv.DictReader(io.StringIO(raw.decode("utf-8"), newline=""), strict=True)
        lines = list(reader)
    except (csv.Error, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: is no table of figures: {printable(str(error))}.") from None
    if reader.fieldnames != list(Figure.model_fields):
        raise UsageError(f"{path}: its columns have to be {', '.join(Figure.model_fields)}.")
    figures = [_figure(path, number, line) for number, line in enumerate(lines, start=2)]
    if not figures:
        raise UsageError(f"{path}: holds no figure.")
    name, count = Counter(figure.routine for figure in figures).most_common(1)[0]
    if count > 1:
        raise UsageError(f'{path}: routine "{printable(name)}" is there {count} times.')
    return figures


def _figure(path: Path, number: int, line: dict[str, Any]) -> Figure:
    numbers = {name: line[name] or None for name in ("ad_bytes", "message_bytes")}
    try:
        return Figure.model_validate({**line, **numbers}, strict=False)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        where = ".".join(map(str, problem["loc"]))
        said = printable(problem["msg"])
        raise UsageError(f"{path}: line {number}: {where}: {said[:1].lower()}{said[1:]}.") from None
