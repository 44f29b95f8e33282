"""Check the operations of a plan on all cores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, wait
from dataclasses import dataclass, field, replace
from threading import Event

from steelyard.cache.content import Cache
from steelyard.check.explain import Explained, explain
from steelyard.errors import UsageError
from steelyard.machine import Lines, describe
from steelyard.measure.check import Checked, Checks, annotated
from steelyard.measure.execute import CallFault, WrongOutput
from steelyard.measure.image import Rules
from steelyard.measure.inputs import RandomQuestions
from steelyard.measure.plan import Cell
from steelyard.measure.session import Session
from steelyard.measure.workers import workers
from steelyard.toolchain import BuildFailed, BuildResult, NoDebugInformation, build, debug_image
from steelyard.toolchain.build import Build as BuildRequest


@dataclass(frozen=True)
class Result:
    """What a check of an operation gave.

    `status` is that of a record; unless it is `ok`, `error` says why there is no verdict. `explained` has the
    first findings in the order of the program's run.
    """

    cell: Cell
    toolchain_version: str
    status: str
    error: str | None = None
    checked: Checked | None = None
    explained: tuple[Explained, ...] = ()


@dataclass
class Results:
    """The results in the plan's order; `interrupted` if Ctrl-C ended the run before the plan was done."""

    results: list[Result] = field(default_factory=list)
    interrupted: bool = False


def run_checks(
    session: Session,
    secrets: frozenset[str] | None = None,
    *,
    explained: int = 3,
    jobs: int | None = None,
    rules: Rules | None = None,
    on_result: Callable[[Result], None] = lambda result: None,
) -> Results:
    """Check each operation of a session's builds; a second run takes what is done from the cache.

    Without `secrets`, the key is secret, of a hash its message. The first `explained` findings of each
    operation are explained. What cannot be built or run is a result with a status.
    """
    work = [_operations(cells) for cells in session.plan.cells.values()]
    run = _Run(session, secrets, explained, rules or Rules(), on_result)
    found: list[list[Result]] = [[] for _ in work]
    futures: list[Future[None]] = []
    outcome = Results()
    try:
        with workers(jobs) as pool:
            try:
                futures += [pool.submit(run.check, *one) for one in zip(work, found, strict=True)]
                wait(futures, return_when=FIRST_EXCEPTION)
            finally:
                run.stop.set()
                for future in futures:
                    future.cancel()
    except KeyboardInterrupt:
        outcome.interrupted = True
    for future in futures:
        error = future.exception() if future.done() and not future.cancelled() else None
        if error is not None and not isinstance(error, KeyboardInterrupt):
            raise error
    for results in found:
        outcome.results += results
    return outcome


def operation_count(session: Session) -> int:
    """Return how many operations a session's check has."""
    return sum(len(_operations(cells)) for cells in session.plan.cells.values())


def _operations(cells: Sequence[Cell]) -> list[Cell]:
    """Return one cell for each operation of a build: all lengths of it are checked as one."""
    return list({cell.operation: replace(cell, cache_state=None) for cell in reversed(cells)}.values())[::-1]


class _Run:
    def __init__(
        self,
        session: Session,
        secrets: frozenset[str] | None,
        explained: int,
        rules: Rules,
        on_result: Callable[[Result], None],
    ) -> None:
        self._session = session
        self._secrets = secrets
        self._explained = explained
        self._rules = rules
        self._on_result = on_result
        self._cache = Cache()
        self._questions = RandomQuestions(rules.seed)
        self.stop = Event()

    def check(self, cells: Sequence[Cell], results: list[Result]) -> None:
        """Check the operations of one build; `results` receives each as it is done."""
        for result in self._results(cells):
            if self.stop.is_set():
                return
            results.append(result)
            self._on_result(result)

    def _results(self, cells: Sequence[Cell]) -> Iterator[Result]:
        asked = annotated(cells[0].build)
        toolchain = self._session.toolchains[asked.target.file.family, asked.toolchain]
        request = asked.request(toolchain)
        try:
            built = build(request, self._cache, self._session.readings)
        except BuildFailed as error:
            version = toolchain.version or "?"
            yield from (Result(cell, version, "build-failed", error.whole) for cell in cells)
            return
        version = built.toolchain_version
        if built.does_not_fit is not None:
            yield from (Result(cell, version, "does-not-fit", built.does_not_fit) for cell in cells)
            return
        checks = Checks(self._cache, built, self._questions, self._rules, describe(asked.target))
        lines = self._lines(request, built)
        for cell in cells:
            try:
                checked = checks.of(cell, self._secrets)
                told = explain(checks, cell, checked, lines, self._explained) if checked.counted else ()
            except CallFault as fault:
                status = "does-not-fit" if fault.kind in ("stack-overflow", "heap") else "fault"
                yield Result(cell, version, status, str(fault))
            except WrongOutput as error:
                yield Result(cell, version, "wrong-output", str(error))
            except UsageError as error:
                yield Result(cell, version, "fault", str(error))
            else:
                yield Result(cell, version, "ok", None, checked, tuple(told))

    def _lines(self, request: BuildRequest, built: BuildResult) -> Lines | None:
        """Return the lines of an image; None if there is none with the same code."""
        if not self._explained:
            return None
        try:
            return Lines(debug_image(request, built, self._cache, self._session.readings).elf)
        except (NoDebugInformation, UsageError):
            return None
