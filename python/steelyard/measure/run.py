"""Carry out a plan on threads or on a cluster; each record goes to its sink at once."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from threading import Event, Lock

from steelyard.cache.content import Cache
from steelyard.measure.builds import Builds, failed
from steelyard.measure.image import Rules
from steelyard.measure.plan import Build, Cell, Plan, ToolchainName
from steelyard.measure.random_inputs import Alike, first_alike, longest_cycles
from steelyard.measure.records import whole_record
from steelyard.measure.workers import Cluster, Jobs, Spent, workers
from steelyard.record.packed import Records
from steelyard.record.schema import Record
from steelyard.store.lines import line, record_of
from steelyard.toolchain import BuildFailed, Toolchain
from steelyard.toolchain.flags import check_flags, split_flags
from steelyard.toolchain.sources import Readings

# After Ctrl-C a thread between two calls of the emulator ends within this time; others are not waited for.
_LAST_RECORDS_S = 0.1
# A call of the emulator takes less than the 5 ms after which Python usually lets another thread run.
# With this, threads wait 2 % of their time for the lock instead of 5 %.
_SWITCH_S = 0.0005


@dataclass
class RunResult:
    """Records in the plan's order; `interrupted` if Ctrl-C ended the run before the plan was done. `spent` is
    what the workers of a cluster have spent.
    """

    records: Records = field(default_factory=Records)
    interrupted: bool = False
    spent: Spent = field(default_factory=Spent)

    @property
    def failed(self) -> bool:
        """Whether any cell failed; one that does not fit the chip did not fail.

        Without any figure all have failed that would have had one.
        """
        outcomes = {(record["status"], record["verified"]) for record in self.records}
        if any(status in ("build-failed", "wrong-output", "fault") for status, _ in outcomes):
            return True
        return ("ok", False) in outcomes and not any(verified for _, verified in outcomes)


Sink = Callable[[Sequence[Record], bytes], None]
"""Takes records with their lines in a segment."""


def run_plan(
    plan: Plan,
    toolchains: Mapping[ToolchainName, Toolchain],
    rules: Rules,
    sink: Sink,
    jobs: Jobs = None,
    readings: Readings | None = None,
) -> RunResult:
    """Measure all cells of a plan; `toolchains` by CPU family and name.

    `sink` gets every record once, from whichever thread finished it, one call at a time. UsageError for
    flags no build takes, EnvironmentProblem when the disk is full or a cluster is lost or differs from this
    machine; what was finished before has been through the sink.
    """
    for flags in {cells[0].build.flags for cells in plan.cells.values()}:
        check_flags(split_flags(flags))
    run = _Run(list(plan.cells.values()), toolchains, rules, sink, readings or Readings())
    return run.carry_out(jobs)


class _Run:
    def __init__(
        self,
        cells: Sequence[Sequence[Cell]],
        toolchains: Mapping[ToolchainName, Toolchain],
        rules: Rules,
        sink: Sink,
        readings: Readings,
    ) -> None:
        self._cells = cells
        self._rules = rules
        self._readings = readings
        self._sink = sink
        self._sink_lock = Lock()
        self._closed = False
        self._stop = Event()
        self._cache = Cache()
        self._longest_cycles = longest_cycles(one[0].build for one in cells)
        self._toolchains = toolchains
        self._builds = Builds(toolchains, rules, readings, self._longest_cycles, self._stop.is_set)
        self._finished: list[Records] = [Records() for _ in cells]
        self._keys = [""] * len(cells)
        self._spent = Spent()

    def carry_out(self, jobs: Jobs) -> RunResult:
        """Take what is kept, and have the other builds measured."""
        interrupted = False
        try:
            for number in range(len(self._cells)):
                self._take(number)
            missing = [number for number, records in enumerate(self._finished) if not records]
            order = _order([self._cells[number][0].build for number in missing])
            if missing:
                where = self._on_cluster(jobs) if isinstance(jobs, Cluster) else self._on_threads(jobs)
                with where as measure:
                    measure([missing[place] for place in order])
        except KeyboardInterrupt:
            interrupted = True
        with self._sink_lock:
            self._closed = True
        result = RunResult(interrupted=interrupted, spent=self._spent)
        for records in self._finished:
            result.records += records
        return result

    @contextmanager
    def _on_threads(self, jobs: int | None) -> Iterator[Callable[[list[int]], None]]:
        """Measure builds on a pool of threads: compilers and the emulator run outside Python's lock."""
        futures: list[Future[None]] = []

        def measure(order: list[int]) -> None:
            alike = Alike([self._cells[number][0].build for number in order])
            futures.extend(pool.submit(self._measure_build, number, alike) for number in order)
            wait(futures, return_when=FIRST_EXCEPTION)

        switch_s = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH_S)
        try:
            with workers(jobs) as pool:
                try:
                    yield measure
                finally:
                    self._stop.set()
                    for future in futures:
                        future.cancel()
        except KeyboardInterrupt:
            wait(futures, timeout=_LAST_RECORDS_S)
            with self._sink_lock:
                self._closed = True
            _raise_first(futures)
            raise
        finally:
            sys.setswitchinterval(switch_s)
        _raise_first(futures)

    def _measure_build(self, number: int, alike: Alike) -> None:
        """Measure the cells of a build."""
        cells = self._cells[number]
        evidence = partial(alike.evidence, stopped=self._stop.is_set)
        try:
            lines = [
                self._finish(number, cell, outcome)
                for cell, outcome in zip(cells, self._builds.outcomes(cells, evidence), strict=False)
            ]
            self._keep(number, lines)
        finally:
            alike.finished(cells[0].build)

    @contextmanager
    def _on_cluster(self, cluster: Cluster) -> Iterator[Callable[[list[int]], None]]:
        """Have builds measured by the workers of a cluster."""
        from steelyard.measure.cluster.driver import Task, driver
        from steelyard.measure.cluster.terms import Terms

        used = {(one[0].build.target.file.family, one[0].build.toolchain) for one in self._cells}
        toolchains = {name: self._toolchains[name] for name in sorted(used)}
        terms = Terms.of(toolchains, self._rules, self._longest_cycles)
        with driver(cluster, terms, self._builds, self._readings) as found:

            def measure(order: list[int]) -> None:
                tasks = [Task(number, self._keys[number], self._cells[number]) for number in order]
                for number, outcomes in found.measure(tasks):
                    cells = self._cells[number]
                    lines = [self._finish(number, *one) for one in zip(cells, outcomes, strict=True)]
                    self._keep(number, lines)
                self._spent = found.spent

            yield measure

    def _take(self, number: int) -> None:
        """Take the records of a build that need no compiler, and the key of the others.

        All of them were made before, or the build's sources are refused: then it has no key.
        """
        cells = self._cells[number]
        try:
            key = self._keys[number] = self._builds.key(cells)
        except BuildFailed as error:
            for cell in cells:
                self._finish(number, cell, failed(error))
            return
        lines = self._cache.get("records", key)
        if lines is not None:
            records = [record_of(text) for text in lines.splitlines()]
            self._sink(records, lines)
            self._finished[number] += records
            self._finished[number].pack()

    def _keep(self, number: int, lines: Sequence[bytes]) -> None:
        """Keep the records of a build for other runs, if all of them are there."""
        self._finished[number].pack()
        if len(lines) == len(self._cells[number]):
            self._cache.put("records", self._keys[number], b"".join(lines))

    def _finish(self, number: int, cell: Cell, outcome: Record) -> bytes:
        """Pass a record to the sink and then to those finished, unless the run has ended; return its line."""
        record = whole_record(cell, self._builds.toolchain(cell.build), self._rules, outcome)
        text = line(record)
        with self._sink_lock:
            if not self._closed:
                self._sink([record], text)
                self._finished[number].append(record)
        return text


def _raise_first(futures: Iterable[Future[None]]) -> None:
    for future in futures:
        error = future.exception() if future.done() and not future.cancelled() else None
        if error is not None and not isinstance(error, KeyboardInterrupt):
            raise error


def _order(builds: Sequence[Build]) -> list[int]:
    """Return the order of builds: those that are asked random inputs for others, which wait for them, then an
    image of each set of objects, then the others linked from them.

    Threads then do not wait for each other, nor for each other's compilers. Signatures, which take a
    thousand times longer than the rest, are spread among these: at the end no thread works on one while the
    others have nothing left.
    """
    begun: Counter[tuple[str, ...]] = Counter()
    first, rank = first_alike(builds), []
    for number, one in enumerate(builds):
        objects = (one.primitive.id, one.variant.id, one.target.id, one.toolchain, one.flags)
        rank.append((one.key not in first, begun[objects], number))
        begun[objects] += 1
    order = [number for _, _, number in sorted(rank)]
    long = [number for number in order if builds[number].algorithm.file.kind == "signature"]
    rest = [number for number in order if builds[number].algorithm.file.kind != "signature"]
    for place, number in enumerate(long):
        rest.insert((place + 1) * (len(builds) // (len(long) + 1)), number)
    return rest
