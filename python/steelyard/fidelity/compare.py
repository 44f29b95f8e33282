"""Published figures beside the emulator's figures for the same code."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from steelyard.catalog.load import Catalog
from steelyard.catalog.models import Target
from steelyard.errors import SteelyardError
from steelyard.fidelity.boards import Board, Figure
from steelyard.fidelity.checkout import Checkout, Rule
from steelyard.fidelity.image import Image, ImageBuilder
from steelyard.machine.emulator import Emulator
from steelyard.measure.settings import changed, parse_settings
from steelyard.measure.workers import workers
from steelyard.toolchain.compilers import find_toolchain

MAX_CYCLES = 2_000_000_000

DOMINATED_PERCENT = 90.0
"""Minimum share of a call's cycles in assembled functions for a routine to count as assembly."""

GROUPS = {
    "assembly": f"assembly, at least {DOMINATED_PERCENT:g} % of the cycles",
    "mixed": f"assembly, less than {DOMINATED_PERCENT:g} % of the cycles",
    "inline": "inline assembly",
    "c": "compiled C",
}


@dataclass(frozen=True)
class Row:
    """A routine of a list. `reason` says why `emulated` is missing; figures are in the board's unit.

    `cycles` are those of the emulated call, `assembly_percent` the share of them in assembled functions.
    """

    board: str
    routine: str
    source: str
    path: str
    language: str
    options: str
    unit: str
    published: float
    emulated: float | None = None
    error_percent: float | None = None
    cycles: int | None = None
    assembly_percent: float | None = None
    toolchain_version: str | None = None
    timing_version: str | None = None
    reason: str | None = None

    @property
    def group(self) -> str:
        """The routine's group, one of GROUPS."""
        if self.language != "assembly":
            return self.language
        percent = self.assembly_percent
        return "assembly" if percent is None or percent >= DOMINATED_PERCENT else "mixed"


@dataclass(frozen=True)
class Summary:
    """Errors of a board's routines of one group in percent; None if none could be run."""

    board: str
    group: str
    routines: int
    not_run: int
    median_percent: float | None
    worst_percent: float | None


def compare(
    catalog: Catalog,
    checkouts: Sequence[Checkout],
    toolchain: str | None,
    jobs: int,
    advance: Callable[[Row], None] = lambda row: None,
) -> list[Row]:
    """Return a row for every figure of every board that a checkout names, in the order of the lists.

    EnvironmentProblem if a board's compiler is missing.
    """
    boards = {board.id: board for checkout in checkouts for board in checkout.boards}
    by_source = {
        (board.id, checkout.recipe.source): checkout for checkout in checkouts for board in checkout.boards
    }

    def of(task: tuple[_Bench, Figure]) -> Row:
        bench, figure = task
        row = bench.row(by_source.get((bench.board.id, figure.source)), figure)
        advance(row)
        return row

    benches = {board.id: _Bench(catalog, board, toolchain) for board in boards.values()}
    tasks = [(benches[board.id], figure) for board in boards.values() for figure in board.figures]
    with workers(jobs) as pool:
        return list(pool.map(of, tasks))


class _Bench:
    """A board's chip with the board's settings."""

    def __init__(self, catalog: Catalog, board: Board, toolchain: str | None) -> None:
        from steelyard.measure.session import default_toolchain

        self.board = board
        target_id = board.file.target
        if board.file.clock_hz is not None:
            settings = parse_settings([f"clock_hz={board.file.clock_hz}"])
            catalog = changed(catalog, settings, [target_id])
        self._target: Target = catalog.target(target_id)
        family = self._target.file.family
        self._toolchain = find_toolchain(family, toolchain or default_toolchain(catalog, target_id))
        self._builder = ImageBuilder(self._target, self._toolchain)

    def row(self, checkout: Checkout | None, figure: Figure) -> Row:
        """Run the routine on the emulator, or say why it cannot run."""
        empty = Row(
            board=self.board.id,
            routine=figure.routine,
            source=figure.source,
            path=figure.path,
            language=figure.language,
            options=figure.options,
            unit=self.board.file.unit,
            published=figure.published,
        )
        if checkout is None:
            return replace(empty, reason=f"no folder of source {figure.source} was given")
        rule = checkout.rule(self.board.id, figure)
        if rule is None:
            return replace(empty, reason="the folder's recipe says nothing of it")
        try:
            image = self._builder.build(checkout, rule, figure)
            cycles, assembly_percent = self._run(image, rule)
        except (SteelyardError, _NotRun) as problem:
            return replace(empty, reason=str(problem).rstrip("."))
        emulated = self.board.in_unit(cycles, figure.divisor, self._target.file.clock_hz)
        return replace(
            empty,
            emulated=emulated,
            error_percent=100 * (emulated / figure.published - 1),
            cycles=cycles,
            assembly_percent=assembly_percent,
            toolchain_version=self._toolchain.version,
            timing_version=self._target.timing_version,
        )

    def _run(self, image: Image, rule: Rule) -> tuple[int, float]:
        emulator = Emulator(self._target)
        emulator.load(image.elf, start_until="harness_ready")
        symbols = emulator.symbols()
        if "prepare" in symbols:
            self._call(emulator, "prepare", None)
        least = min(self._call(emulator, "measured", rule) for _ in range(self.board.file.runs))
        profile = emulator.call("measured", max_cycles=MAX_CYCLES, observe="profile")
        assembled = sum(
            function.cycles
            for function in profile.functions
            if function.name in symbols
            and image.assembled_from <= symbols[function.name][0] < image.assembled_to
        )
        return least, 100 * assembled / profile.cycles

    @staticmethod
    def _call(emulator: Emulator, function: str, rule: Rule | None) -> int:
        call = emulator.call(function, max_cycles=MAX_CYCLES, observe="none")
        if call.fault is not None:
            raise _NotRun(f"it cannot be run: {call.fault.message}")
        if rule is None:
            return call.cycles
        returned = call.returned(4)
        if rule.counts == "returned":
            return returned
        if returned != 0:
            raise _NotRun(f"the driver says that its result is wrong (it returned {returned})")
        return call.cycles


class _NotRun(Exception):
    """The image failed; the message is one sentence."""


def summaries(rows: Iterable[Row]) -> Iterator[Summary]:
    """Yield errors by board and group, boards in the order of the rows."""
    listed = list(rows)
    for board in dict.fromkeys(row.board for row in listed):
        for group in GROUPS:
            those = [row for row in listed if row.board == board and row.group == group]
            if not those:
                continue
            errors = [abs(row.error_percent) for row in those if row.error_percent is not None]
            yield Summary(
                board,
                group,
                len(those),
                len(those) - len(errors),
                statistics.median(errors) if errors else None,
                max(errors) if errors else None,
            )
