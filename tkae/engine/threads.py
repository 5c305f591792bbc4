"""Jobs over threads: the kernels release the interpreter's lock, so a pool of Python threads will do."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

from tkae.compiled import threads_allowed


def each(threads: int | None, jobs: Sequence[Callable[[], object]]) -> None:
    """Run all jobs on this many threads (None: one for each processor we may use), any order."""
    count = min(threads or processors(), len(jobs))
    if count <= 1:
        for job in jobs:
            job()
        return
    for future in [_pool(count).submit(job) for job in jobs]:
        future.result()


@lru_cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="tkae")


def processors() -> int:
    """How many processors this process may use; executors say less through NUMBA_NUM_THREADS."""
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(here, threads_allowed() or here)
