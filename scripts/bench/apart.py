"""A process of its own for what must be set before a library is loaded: XLA's threads and BLAS's kernels.

Where OPENBLAS_CORETYPE names an older processor, numpy's sgemm is slower than it could be, even half as fast.
The limit is measured without that, and the kernels that it used are named beside it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.managers import BaseManager
from typing import Any

import numpy as np
from threadpoolctl import threadpool_info, threadpool_limits

from scripts.bench.clock import Seconds, timed

SIDE = 1024  # of the matrices of the large product
ONE_THREAD = {"XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"}
CHOSEN_BY_HAND = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")


class Sgemm:
    """A large matrix product of numpy, in single precision, by one thread."""

    def __init__(self) -> None:
        self._a = np.random.default_rng(0).normal(size=(SIDE, SIDE)).astype(np.float32)
        self._product = np.empty_like(self._a)
        self._limits = threadpool_limits(1, "blas")

    def step(self) -> Seconds:
        return timed(lambda: np.matmul(self._a, self._a, out=self._product))

    def kernels(self) -> str:
        """Which BLAS multiplies, and for which processors its kernels are."""
        found = [one for one in threadpool_info() if one["user_api"] == "blas"]
        return " and ".join(f"{one['internal_api']}, {one.get('architecture', 'unknown')}" for one in found)


class TimedJax:
    """A JAX training, timed where it runs."""

    def __init__(self, *arguments: Any) -> None:
        from scripts.bench.jax_step import JaxTraining

        self._training = JaxTraining(*arguments)

    def errors(self, fed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self._training.errors(fed)

    def step(self) -> Seconds:
        return timed(self._training.step)


class Apart(BaseManager):
    """The process: what its two methods make lives there and is used from here."""


Apart.register("sgemm", Sgemm)
Apart.register("jax", TimedJax)


@contextlib.contextmanager
def apart() -> Iterator[Any]:
    """The process, which is bound to the processors that this thread is bound to."""
    before = dict(os.environ)
    for name in CHOSEN_BY_HAND:
        os.environ.pop(name, None)
    os.environ.update(ONE_THREAD)
    process = Apart(ctx=get_context("spawn"))
    process.start()
    os.environ.clear()
    os.environ.update(before)
    with process:
        yield process
