"""Where plans are run: on a pool of threads, which Ctrl-C ends without waiting, or on a cluster."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

from steelyard._native import end_programs
from steelyard.errors import UsageError

_ADDRESS = re.compile(r"(?:tcp|tls)://(?:[^\s/:@]+|\[[0-9a-fA-F:.]+\]):\d{1,5}")


@dataclass(frozen=True)
class Cluster:
    """Worker processes instead of threads: those of a Dask scheduler, by its address, or so many of one's own
    on this machine.
    """

    scheduler: str | None = None
    workers: int | None = None

    def __post_init__(self) -> None:
        if self.scheduler is not None and _ADDRESS.fullmatch(self.scheduler) is None:
            raise UsageError(
                f"--scheduler {self.scheduler}: an address is tcp://HOST:PORT or tls://HOST:PORT."
            )


@dataclass(frozen=True)
class Spent:
    """What the workers of a cluster have spent on builds and calls, in seconds: of processor time, compilers
    included, and of the clock, summed over their threads.
    """

    cpu_s: float = 0.0
    wall_s: float = 0.0

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.cpu_s + other.cpu_s, self.wall_s + other.wall_s)

    def __sub__(self, other: Spent) -> Spent:
        return Spent(self.cpu_s - other.cpu_s, self.wall_s - other.wall_s)


Jobs = int | Cluster | None
"""Where a plan runs: on so many threads, by default one per core, or on a cluster."""


def measured_on(jobs: int | None, scheduler: str | None, workers: int | None) -> Jobs:
    """Return where a plan runs; UsageError if more than one of these says so."""
    given = {"jobs": jobs, "scheduler": scheduler, "workers": workers}
    named = [name for name, value in given.items() if value is not None]
    if len(named) > 1:
        raise UsageError(f"{' and '.join(named)} say where to measure; name one of them.")
    return jobs if scheduler is None and workers is None else Cluster(scheduler, workers)


@contextmanager
def workers(jobs: int | None) -> Iterator[ThreadPoolExecutor]:
    """Yield a pool, by default of a thread per core, and wait for its work at the end of the block.

    After KeyboardInterrupt nothing is waited for: compilers are ended, what waits does not begin, and a
    thread within an emulated call goes on until the call's end.
    """
    pool = ThreadPoolExecutor(max_workers=jobs or os.cpu_count() or 1)
    try:
        yield pool
    except KeyboardInterrupt:
        pool.shutdown(wait=False, cancel_futures=True)
        end_programs()
        raise
    except BaseException:
        pool.shutdown(cancel_futures=True)
        raise
    pool.shutdown()
