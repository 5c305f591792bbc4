"""A training step of ten seeds on one core: the engine, plain PyTorch, JAX and a large matrix product.

They take turns, bound to the same processor. Times are the least processor times of the repeats.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch

from scripts.bench.apart import SIDE, apart
from scripts.bench.clock import Seconds, engine_step, goes_on, timed
from scripts.bench.jax_beside import has_jax, jax_training
from scripts.bench.networks import BATCH, NETWORKS, SEEDS, Tae, engine_training, named, plain_training
from tkae.report.grid import Grid, TableCell

ENGINE_TURNS = 3  # steps of the engine for one of the others, which take longer
HEADER = ["Dataset", "Network", "TxV", "MFLOP", "ms", "GFLOP/s", "share", "PyTorch ms", "JAX ms"]


class Line(NamedTuple):
    """The least seconds of a step, and of the large product meanwhile."""

    name: str
    engine: Seconds
    sgemm: Seconds
    plain: Seconds
    jax: Seconds | None

    def figures(self) -> list[str]:
        flops = NETWORKS[self.name].flops * BATCH * SEEDS
        speed, limit = flops / self.engine.processor, 2 * SIDE**3 / self.sgemm.processor
        return [
            *named(self.name),
            f"{flops / 1e6:.0f}",
            f"{1e3 * self.engine.processor:.2f}",
            f"{speed / 1e9:.0f} of {limit / 1e9:.0f}",
            f"{speed / limit:.2f}",
            self._beside(self.plain),
            self._of_jax(),
        ]

    def _of_jax(self) -> str:
        if self.jax is not None:
            return self._beside(self.jax)
        return "not installed" if isinstance(NETWORKS[self.name], Tae) else "–"

    def _beside(self, other: Seconds) -> str:
        return f"{1e3 * other.processor:.1f} ({other.processor / self.engine.processor:.1f}x)"


@contextlib.contextmanager
def bound() -> Iterator[None]:
    """One processor for this thread and for what it starts (on Linux; elsewhere one thread has to do)."""
    everywhere = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    if everywhere:
        os.sched_setaffinity(0, {max(everywhere)})
    try:
        yield
    finally:
        torch.set_num_threads(before)
        if everywhere:
            os.sched_setaffinity(0, everywhere)


def measure(names: list[str], repeats: int) -> tuple[list[Line], str]:
    """A line for each network, and whose kernels the large product used."""
    with bound(), apart() as process:
        sgemm = process.sgemm()
        return [_line(name, repeats, process, sgemm) for name in names], sgemm.kernels()


def _line(name: str, repeats: int, process: Any, sgemm: Any) -> Line:
    network = NETWORKS[name]
    ours, plain = engine_training(network, SEEDS, 1), plain_training(network, SEEDS)
    jax = jax_training(process, network, plain) if has_jax() and isinstance(network, Tae) else None
    ours.run(until=1)
    plain.step()
    sgemm.step()
    times: dict[str, list[Seconds]] = {"engine": [], "sgemm": [], "plain": [], "jax": []}
    began = time.perf_counter()
    while goes_on(len(times["plain"]), repeats, began):
        times["sgemm"].append(sgemm.step())
        times["plain"].append(timed(plain.step))
        times["engine"] += [engine_step(ours) for _ in range(ENGINE_TURNS)]
        times["jax"] += [jax.step()] if jax else []
    least = {kind: Seconds(*np.min(found, 0)) for kind, found in times.items() if found}
    return Line(name, least["engine"], least["sgemm"], least["plain"], least.get("jax"))


def table(lines: list[Line], kernels: str, about: str) -> Grid:
    caption = (
        f"A training step of {SEEDS} seeds (batch {BATCH}) on one core: the engine's MFLOP, ms and GFLOP/s,"
        f" of those that numpy's sgemm of {SIDE} x {SIDE} matrices reaches ({kernels}); ms of the same"
        f" step in plain PyTorch and JAX, and how many times the engine's. {about}"
    )
    notes = [] if has_jax() else ["JAX is not installed here; `make bench` installs it (the extra `bench`)."]
    return Grid(caption, "", HEADER, [[list(map(TableCell, line.figures())) for line in lines]], notes)
