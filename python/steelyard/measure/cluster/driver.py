"""Have the builds of a plan measured by the workers of a Dask cluster.

A task is one build with its cells, known by the key of its records; what it needs of the sources is a task
too, known by the hash of its contents, so that each worker is sent it once. Dask begins both again where a
worker is lost. Only so many tasks are given to the cluster as keep it busy: what waits, waits here.
"""

from __future__ import annotations

import logging
import pickle
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Timer
from typing import TYPE_CHECKING, Any

from steelyard.cache.content import Cache, content_key
from steelyard.errors import EnvironmentProblem, SteelyardError
from steelyard.measure.builds import Builds
from steelyard.measure.cluster import worker
from steelyard.measure.cluster.terms import Disagreement, Terms
from steelyard.measure.plan import Build, Cell
from steelyard.measure.random_inputs import Alike
from steelyard.measure.workers import Cluster, Spent
from steelyard.record.schema import Record
from steelyard.toolchain import sources_of
from steelyard.toolchain.scratch import scratch_folder
from steelyard.toolchain.sources import Readings

if TYPE_CHECKING:
    from distributed import Client, Future

_CONNECT_S = 10
_LOST_S = 60
"""How long a run waits for a first worker, and for another one when all are gone."""
_LOOK_S = 1.0
"""How often it looks for workers that have come or gone."""
_AHEAD = 2
"""Tasks given to a cluster for each thread of its workers."""
_CLOSED_LATER_S = 2.0
_DEATHS = 3
"""Workers that one task may take with it before it is given up."""


@dataclass(frozen=True)
class Task:
    """A build with its cells: its number in the plan, and the key of its records."""

    number: int
    key: str
    cells: Sequence[Cell]

    @property
    def build(self) -> Build:
        """What its cells have in common."""
        return self.cells[0].build


Outcomes = tuple[int, list[Record]]
"""Number of a task, and what was measured of its cells."""


class Driver:
    """Gives tasks to a cluster; `spent` is what its workers have spent on them so far."""

    def __init__(self, client: Client, terms: Terms, builds: Builds, readings: Readings) -> None:
        self._client = client
        self._terms = pickle.dumps(terms)
        self._builds = builds
        self._readings = readings
        self._cache = Cache()
        self._sources: dict[str, Future] = {}
        self._evidence: dict[str, bytes] = {}
        self.spent = Spent()

    def agree(self) -> None:
        """Disagreement if a worker differs; EnvironmentProblem if there is none."""
        from distributed import TimeoutError as NoneInTime

        try:
            self._client.wait_for_workers(1, timeout=_CONNECT_S)
        except NoneInTime:
            raise EnvironmentProblem(
                f"The scheduler has no worker after {_CONNECT_S} s; start one: dask worker ADDRESS."
            ) from None
        said = self._client.run(worker.refusal, self._terms, on_error="return")
        for address, clause in sorted(said.items()):
            if isinstance(clause, BaseException):
                clause = f"cannot run this Steelyard ({_sentence(clause)})"
            if clause is not None:
                raise Disagreement(f"The worker {address} {clause}; make both alike, or stop that worker.")

    def measure(self, tasks: Sequence[Task]) -> Iterator[Outcomes]:
        """Yield what is measured of each task, as it comes."""
        alike = Alike([task.build for task in tasks])
        keys = {task.number: self._builds.evidence_keys(task.cells) for task in tasks}
        waiting = {task.number: task for task in tasks}
        running: dict[int, tuple[Task, Future]] = {}
        ended: SimpleQueue[int] = SimpleQueue()
        room, looked, alone_since = 0, 0.0, None

        def ready(task: Task) -> bool:
            return not alike.awaits(task.build) or keys[task.number] <= self._evidence.keys()

        while waiting or running:
            now = time.monotonic()
            if now - looked >= _LOOK_S:
                room, looked = self._room(), now
                alone_since = None if room else alone_since or now
                if alone_since is not None and now - alone_since > _LOST_S:
                    raise EnvironmentProblem(
                        f"The cluster has had no worker for {_LOST_S} s; what was finished before is kept."
                    )
            while len(running) < room:
                task = next(filter(ready, waiting.values()), None)
                if task is None:
                    break
                del waiting[task.number]
                future = self._submit(task, frozenset(keys[task.number]))
                running[task.number] = (task, future)
                future.add_done_callback(lambda _, number=task.number: ended.put(number))
            try:
                number = ended.get(timeout=_LOOK_S)
            except Empty:
                continue
            task, future = running.pop(number)
            measured = self._result(task, future)
            alike.finished(task.build)
            self._evidence |= measured.evidence
            for key, answers in measured.evidence.items():
                self._cache.put("random-inputs", key, answers)
            self.spent += measured.spent
            yield number, measured.outcomes

    def _room(self) -> int:
        """Return how many tasks the cluster is to have."""
        try:
            threads: dict[str, int] = self._client.nthreads()
        except (OSError, TimeoutError) as error:
            raise _lost(error) from None
        return _AHEAD * sum(threads.values())

    def _submit(self, task: Task, keys: frozenset[str]) -> Future:
        read = sources_of(task.build.request(self._builds.toolchain(task.build)), self._readings)
        content = content_key(*(f"{place!r} {closure.digest}" for place, closure in read.items()))
        if content not in self._sources:
            packed = pickle.dumps(read)
            self._sources[content] = self._given(worker.sources, packed, key=f"steelyard-sources-{content}")
        evidence = {key: self._evidence[key] for key in keys & self._evidence.keys()}
        parcel = pickle.dumps(worker.Parcel(task.cells, keys, evidence))
        # Two runs that want the same records of one cluster have them measured once.
        return self._given(
            worker.measure, self._terms, self._sources[content], parcel, key=f"steelyard-{task.key}"
        )

    def _given(self, function: Callable[..., Any], *arguments: object, key: str) -> Future:
        return self._client.submit(function, *arguments, key=key, pure=True)

    def _result(self, task: Task, future: Future) -> worker.Measured:
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError

        build = task.build
        try:
            measured: worker.Measured = future.result(timeout=_LOST_S)
        except Disagreement as error:
            raise Disagreement(f"A later worker {error}; what was finished before is kept.") from None
        except SteelyardError:
            raise
        except KilledWorker:
            raise EnvironmentProblem(
                f"{build.primitive.id} by {build.variant.id} on {build.target.id} has ended"
                f" {_DEATHS + 1} workers; what was finished before is kept."
            ) from None
        except (ImportError, AttributeError, pickle.UnpicklingError) as error:
            raise Disagreement(f"A worker cannot run this Steelyard ({_sentence(error)}).") from None
        except (FutureCancelledError, OSError, TimeoutError) as error:
            raise _lost(error) from None
        finally:
            future.release()
        return measured


@contextmanager
def driver(cluster: Cluster, terms: Terms, builds: Builds, readings: Readings) -> Iterator[Driver]:
    """Connect to a cluster, or begin one on this machine, and end what was begun.

    UsageError for what is no address, EnvironmentProblem for a scheduler that does not answer, Disagreement
    if a worker differs. ModuleNotFoundError if Dask is not installed, which an extra brings.
    """
    # The extra names this package.
    from distributed import Client  # isort: skip
    import dask  # isort: skip

    # What it says of lost workers is said here, in one sentence.
    logging.getLogger("distributed").setLevel(logging.CRITICAL + 1)
    settings = {
        # Nobody looks at what it would watch, and watching takes time.
        "distributed.worker.profile.enabled": False,
        "distributed.admin.system-monitor.interval": "30s",
        "distributed.admin.tick.interval": "1s",
        "distributed.scheduler.allowed-failures": _DEATHS,
        "distributed.scheduler.http.routes": [],
        "distributed.comm.timeouts.connect": f"{_CONNECT_S}s",
        "distributed.comm.retry.count": 0,
    }
    with ExitStack() as stack:
        folder = stack.enter_context(scratch_folder())
        stack.enter_context(dask.config.set(settings | {"temporary-directory": folder}))
        if cluster.scheduler is not None:
            client = _connected(cluster.scheduler)
        else:
            local = _local(cluster.workers or 1, folder)
            stack.push(_closing(local))
            client = Client(local, security=local.security, set_as_default=False)
        stack.push(_closing(client))
        found = Driver(client, terms, builds, readings)
        found.agree()
        yield found


def _connected(address: str) -> Client:
    from distributed import Client

    try:
        return Client(address, timeout=_CONNECT_S, set_as_default=False)
    except (OSError, TimeoutError, ValueError, TypeError) as error:
        raise EnvironmentProblem(f"The scheduler {address} cannot be used: {_sentence(error)}.") from None


def _local(workers: int, folder: str) -> Any:
    """Begin worker processes of one thread each; loopback and a key of this run keep others out."""
    from distributed import LocalCluster, Security

    return LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        host="127.0.0.1",
        protocol="tls",
        security=Security.temporary(),
        dashboard_address="127.0.0.1:0",
        memory_limit=0,
        local_directory=folder,
        env={"TMPDIR": folder},
        silence_logs=logging.CRITICAL + 1,
    )


def _closing(what: Any) -> Callable[..., None]:
    """Return the end of a context: closed, but after Ctrl-C without waiting for it."""

    def close(kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None and issubclass(kind, KeyboardInterrupt):
            # A command has ended by then, and its processes with it.
            later = Timer(_CLOSED_LATER_S, what.close)
            later.daemon = True
            later.start()
        else:
            what.close()

    return close


def _lost(error: BaseException) -> EnvironmentProblem:
    return EnvironmentProblem(
        f"The scheduler is lost ({_sentence(error)}); what was finished before is kept:"
        " the same command goes on from there."
    )


def _sentence(error: BaseException) -> str:
    """Return the first line of an error, or its kind."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
