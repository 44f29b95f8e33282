"""A plan on worker processes: the same records, whatever is lost on the way, and only from workers alike."""

from __future__ import annotations

import json
import os
import pickle
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from cli.test_interrupt import alive, children
from command import Steelyard, options

import steelyard as package
from steelyard.catalog.load import load_catalog
from steelyard.errors import UsageError
from steelyard.measure.builds import Builds
from steelyard.measure.cluster import worker
from steelyard.measure.cluster.driver import Disagreement
from steelyard.measure.cluster.terms import Terms, parts
from steelyard.measure.image import Rules
from steelyard.measure.selection import Selection
from steelyard.measure.session import prepare
from steelyard.record.field import encoded
from steelyard.record.schema import FIELDS, Record, identity
from steelyard.store.read import read_records
from steelyard.toolchain import sources_of

CELLS = options(target=["atmega128", "stm32f051"], toolchain="gcc", primitive=["rc5-32-12-8", "speck-64-128"])
COUNT = 12
WAITS_S = 120
ENDS_S = 10
Make = Callable[..., Path]


def stored(steelyard: Steelyard) -> list[Record]:
    return read_records(steelyard.store, pytest.fail, newest_only=False).to_dicts()


def undated(records: list[Record]) -> Counter[str]:
    """Records without what tells when they were measured."""
    when = {"date": None, "steelyard_commit": None}
    return Counter(json.dumps({**record, **when}, sort_keys=True) for record in records)


def wait_for(happens: Callable[[], object], running: subprocess.Popen[str] | None = None) -> None:
    end = time.monotonic() + WAITS_S
    while not happens():
        assert running is None or running.poll() is None, running.communicate()
        assert time.monotonic() < end
        time.sleep(0.02)


def worker_processes(running: subprocess.Popen[str]) -> list[int]:
    return sorted(number for number, line in children(running.pid).items() if "spawn_main" in line)


@pytest.fixture
def cold(steelyard: Steelyard, tmp_path: Path) -> Steelyard:
    """A cache without records, so that all is measured."""
    steelyard.cache = tmp_path / "cold"
    return steelyard


@pytest.fixture(scope="module")
def on_threads(tmp_path_factory: pytest.TempPathFactory) -> Counter[str]:
    # In a cache of its own: what earlier runs found out about builds alike is named in a record.
    folder = tmp_path_factory.mktemp("threads")
    by_threads = Steelyard(folder / "store", folder, folder / "cold")
    by_threads.run("measure", *CELLS)
    return undated(stored(by_threads))


def test_a_killed_worker_changes_nothing(cold: Steelyard, on_threads: Counter[str]) -> None:
    running = cold.start("measure", *CELLS, "--workers", 2, "--json")
    wait_for(lambda: stored(cold), running)
    victim = worker_processes(running)[0]
    os.kill(victim, signal.SIGKILL)
    printed, said = running.communicate()
    assert (running.returncode, said) == (0, "")
    assert on_threads.total() == COUNT
    # Each record once in the store, although the lost worker's builds were begun again.
    assert (
        undated(stored(cold)) == on_threads == undated([encoded(row, FIELDS) for row in json.loads(printed)])
    )
    assert not alive(victim)


def test_a_killed_run_goes_on(cold: Steelyard, on_threads: Counter[str]) -> None:
    running = cold.start("measure", *CELLS, "--workers", 2)
    wait_for(lambda: stored(cold), running)
    workers = worker_processes(running)
    running.kill()
    running.communicate()
    wait_for(lambda: not any(map(alive, workers)))
    before = {identity(record): record for record in stored(cold)}
    assert 0 < len(before) < COUNT
    # A damaged entry of the cache counts as missing: what it held is measured again.
    damaged = next((cold.cache / "v2" / "records").glob("*/*"))
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"?")
    cold.run("measure", *CELLS, "--workers", 2)
    after = {identity(record): record for record in stored(cold)}
    assert undated(list(after.values())) == on_threads
    # What was measured before the kill was not measured again: it has its date.
    assert all(after[cell]["date"] == record["date"] for cell, record in before.items())


def test_interrupted(cold: Steelyard, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    cold.environment["TMPDIR"] = str(temporary)
    running = cold.start("measure", *CELLS, "--workers", 2, process_group=0)
    wait_for(lambda: stored(cold), running)
    began = children(running.pid)
    start = time.monotonic()
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate()
    assert time.monotonic() - start < ENDS_S
    assert running.returncode == 130, said
    kept = len(stored(cold))
    assert f"steelyard: interrupted; {kept} of {COUNT} cells are done and kept:" in said
    assert "Traceback" not in said, said
    assert [line for number, line in began.items() if alive(number)] == []
    assert list(temporary.iterdir()) == []


def test_a_full_disk(cold: Steelyard) -> None:
    running = cold.start("measure", *CELLS, "--workers", 2)
    wait_for(lambda: stored(cold), running)
    (segment,) = cold.store.glob("records-*")
    # The workers have begun, and have no such limit.
    limit = segment.stat().st_size + 10
    resource.prlimit(running.pid, resource.RLIMIT_FSIZE, (limit, limit))
    _, said = running.communicate()
    assert running.returncode == 3
    (sentence,) = said.splitlines()
    assert "what was finished before is kept" in sentence or "make room" in sentence
    kept = len(stored(cold))
    assert 0 < kept < COUNT
    assert "nothing is damaged" in cold.sentence("store", "verify", status=0)


def test_sources_travel(own_idea: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker needs neither the user's folder nor the data folders of the machine that plans."""
    folder = own_idea("mine")
    selection = Selection(
        primitive=("idea",), variant=("idea/mine",), target=("atmega128",), toolchain=("gcc",)
    )
    session = prepare(load_catalog((folder,)), [selection])
    rules = Rules(samples=2)
    builds = Builds(session.toolchains, rules, session.readings, 12_000_000, lambda: False)
    cells = next(iter(session.plan.cells.values()))
    toolchain = builds.toolchain(cells[0].build)
    terms = Terms.of({("avr", "gcc"): toolchain}, rules, 12_000_000)
    packed = pickle.dumps(sources_of(cells[0].build.request(toolchain), session.readings))
    shutil.rmtree(folder)
    monkeypatch.setenv("STEELYARD_CACHE", str(tmp_path / "of the worker"))
    parcel = pickle.dumps(worker.Parcel(cells, frozenset(builds.evidence_keys(cells)), {}))
    measured = worker.measure(pickle.dumps(terms), packed, parcel)
    assert {outcome["status"] for outcome in measured.outcomes} == {"ok"}
    assert len(measured.outcomes) == len(cells)
    assert measured.spent.cpu_s > 0
    assert not folder.exists()
    # Without what travelled the same worker has nothing to compile.
    other = pickle.dumps(Terms.of({("avr", "gcc"): toolchain}, Rules(samples=3), 12_000_000))
    monkeypatch.setenv("STEELYARD_CACHE", str(tmp_path / "of another"))
    with pytest.raises(UsageError, match="cannot be read"):
        worker.measure(other, pickle.dumps({}), parcel)


def test_what_must_agree() -> None:
    session = prepare(load_catalog(), [Selection(primitive=("idea",), target=("atmega128",))])
    toolchains = {name: one for name, one in session.toolchains.items() if name[0] == "avr" and one.available}
    terms = Terms.of(toolchains, Rules(), 1)
    assert worker.refusal(pickle.dumps(terms)) is None
    for name in parts():
        other = Terms(terms.rules, 1, terms.toolchains, terms.root, {**terms.own, name: "another"})
        clause = worker.refusal(pickle.dumps(other))
        assert clause is not None and clause.startswith(f"has another {name}")
        with pytest.raises(Disagreement):
            worker.measure(pickle.dumps(other), b"", b"")
    name, (version, identity_) = next(iter(terms.toolchains.items())), ("1.0", "0")
    other = Terms(terms.rules, 1, {name[0]: (version, identity_)}, terms.root, terms.own)
    clause = worker.refusal(pickle.dumps(other))
    assert clause is not None and ", not 1.0)" in clause


@dataclass
class Scheduler:
    """A Dask scheduler on loopback, and the workers that a test gives it."""

    stack: ExitStack
    folder: Path
    address: str = ""

    def start(self, *words: str, **environment: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", *words],
            env={**os.environ, **environment},
            cwd=self.folder,
            stderr=subprocess.DEVNULL,
            text=True,
        )

        def end() -> None:
            process.kill()
            process.communicate()

        self.stack.callback(end)
        return process

    def worker(self, python_path: str, **environment: str) -> None:
        words = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
        begun = self.start(
            "distributed.cli.dask_worker",
            self.address,
            *words,
            PYTHONPATH=python_path,
            STEELYARD_CACHE=str(self.folder / "worker"),
            **environment,
        )
        assert begun.poll() is None


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[Scheduler]:
    with ExitStack() as stack:
        found = Scheduler(stack, tmp_path)
        told = tmp_path / "scheduler.json"
        words = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--dashboard-address", "127.0.0.1:0")
        found.start("distributed.cli.dask_scheduler", *words, "--scheduler-file", str(told))
        wait_for(told.exists)
        wait_for(lambda: told.read_text().strip())
        found.address = json.loads(told.read_text())["address"]
        yield found


def copied(folder: Path) -> Path:
    """A copy of the package elsewhere, whose data folders are links to the same data."""
    source = Path(package.__file__).parent
    copy = folder / "python" / "steelyard"
    shutil.copytree(
        source, copy, symlinks=True, ignore=shutil.ignore_patterns("__pycache__", "_data", "studies")
    )
    (copy / "_data").mkdir()
    for data in (source / "_data").iterdir():
        (copy / "_data" / data.name).symlink_to(data.resolve())
    (copy / "studies").symlink_to((source / "studies").resolve())
    return copy


def test_workers_elsewhere(cold: Steelyard, scheduler: Scheduler, tmp_path: Path) -> None:
    """One installed elsewhere, with a cache of its own, measures; one of an older Steelyard is refused."""
    elsewhere = copied(tmp_path / "elsewhere")
    scheduler.worker(str(elsewhere.parent))
    one = options(target="atmega128", toolchain="gcc", primitive="rc5-32-12-8")
    records = cold.json("measure", *one, "--scheduler", scheduler.address)
    assert [record["status"] for record in records] == ["ok"] * 3
    assert list((tmp_path / "worker").glob("v2/image/*/*"))
    assert not list(cold.cache.glob("v2/image/*/*"))
    older = copied(tmp_path / "older")
    with (older / "measure" / "call.py").open("a") as file:
        file.write("\n# As it was before.\n")
    scheduler.worker(str(older.parent))
    again = (*one, "--seed", "another", "--scheduler", scheduler.address)

    def refused() -> bool:
        done = cold.run("measure", *again, status=None)
        return done.returncode == 3 and "has another code of Steelyard" in done.stderr

    wait_for(refused)
    sentence = cold.sentence("measure", *again, status=3)
    assert sentence.startswith("steelyard: The worker tcp://127.0.0.1:")
    assert sentence.endswith("make both alike, or stop that worker.")


def test_a_worker_without_steelyard_is_refused(cold: Steelyard, scheduler: Scheduler, tmp_path: Path) -> None:
    old = copied(tmp_path / "old")
    shutil.rmtree(old / "measure" / "cluster")
    scheduler.worker(str(old.parent))
    one = options(target="atmega128", toolchain="gcc", primitive="rc5-32-12-8", scheduler=scheduler.address)
    sentence = cold.sentence("measure", *one, status=3)
    assert "cannot run this Steelyard" in sentence and "steelyard.measure.cluster" in sentence


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("--workers", "2", "--jobs", "2"), 2, "jobs and workers say where to measure; name one of them."),
        (("--scheduler", "here"), 2, "--scheduler here: an address is tcp://HOST:PORT or tls://HOST:PORT."),
        (("--scheduler", "tcp://127.0.0.1:1"), 3, "The scheduler tcp://127.0.0.1:1 cannot be used: "),
    ],
)
def test_what_cannot_be_used(cold: Steelyard, words: tuple[str, ...], status: int, said: str) -> None:
    cold.environment["DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT"] = "1s"
    sentence = cold.sentence("measure", *CELLS, *words, status=status)
    assert sentence.startswith(f"steelyard: {said}")
