"""A pool of threads for compilers and emulators, which Ctrl-C ends without waiting for either."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from steelyard.toolchain import end_programs


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
