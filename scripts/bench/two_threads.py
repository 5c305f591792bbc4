"""The engine on two threads: against plain PyTorch, against a process a seed, and ten seeds against one.

PyTorch's second thread is no help at these sizes, and on a busy machine its threads wait for each other for
most of the time; so the engine is also compared with plain PyTorch at its better thread count. `spin` is what
a second thread gave a loop that shares nothing, just before and after: 2.0 is a machine of its own; near 1.0
there was no second processor to be had, and the line says nothing about the engine's threads.
"""

from __future__ import annotations

import multiprocessing
import time
from functools import partial

import numpy as np
import torch

from scripts.bench.clock import Seconds, engine_step, goes_on, timed
from scripts.bench.networks import NETWORKS, SEEDS, engine_training, named, plain_training
from scripts.bench.one_core import ENGINE_TURNS, Line
from tkae.compiled.jit import jit
from tkae.engine.threads import each
from tkae.report.grid import Grid, TableCell

HEADER = ["Dataset", "Network", "TxV", "ms", "PyTorch ms", "median", "better count", "spin"]


@jit
def _spin(count: int) -> int:
    state = 1
    for _ in range(count):
        state = (state * 1103515245 + 12345) % 2147483648
    return state


def second_thread() -> float:
    """How many times faster two threads do what shares nothing: the most that any program can gain now."""
    jobs = [partial(_spin, 3_000_000)] * 10
    each(2, jobs)
    gains = []
    for _ in range(3):
        one, two = (timed(partial(each, threads, jobs)).wall for threads in (1, 2))
        gains.append(one / two)
    return float(np.median(gains))


def table(lines: list[Line], repeats: int) -> Grid:
    """The networks of `lines`, which hold the times of one thread."""
    torch.set_num_threads(2)
    caption = (
        "The same step on two threads, wall-clock times: the engine; plain PyTorch on two threads, and how"
        " many times the engine's that is (least times, median of pairs); the same of PyTorch at its better"
        " thread count; what a second thread gave a loop that shares nothing, before and after."
    )
    return Grid(caption, "", HEADER, [[list(map(TableCell, _figures(line, repeats))) for line in lines]])


def _figures(line: Line, repeats: int) -> list[str]:
    network = NETWORKS[line.name]
    plain, ours = plain_training(network, SEEDS), engine_training(network, SEEDS, 2)
    ours.run(until=1)
    plain.step()
    gain = second_thread()
    pairs: list[tuple[Seconds, Seconds]] = []
    began = time.perf_counter()
    while goes_on(len(pairs), repeats, began):
        pairs.append((timed(plain.step), min(engine_step(ours) for _ in range(ENGINE_TURNS))))
    slow, fast = np.array([(theirs.wall, own.wall) for theirs, own in pairs]).T
    return [
        *named(line.name),
        f"{1e3 * fast.min():.2f}",
        f"{1e3 * slow.min():.1f} ({slow.min() / fast.min():.1f}x)",
        f"{np.median(slow / fast):.1f}x",
        f"{min(slow.min(), line.plain.wall) / fast.min():.1f}x",
        f"{gain:.2f}, {second_thread():.2f}",
    ]


def ten_against_one(repeats: int) -> str:
    """What ten seeds cost on two threads, measured in turn: a busy moment falls on both."""
    network = NETWORKS["jpvow"]
    single, many = engine_training(network, 1, 2), engine_training(network, SEEDS, 2)
    pairs, gains = [], [second_thread()]
    for _ in range(20 * repeats):
        pairs.append((engine_step(single).wall, engine_step(many).wall))
    gains.append(second_thread())
    one, ten = np.array(pairs[1:]).T
    return (
        f"10 seeds on 2 threads cost {ten.min() / one.min():.2f} times one seed"
        f" ({1e3 * ten.min():.2f} and {1e3 * one.min():.3f} ms; median of pairs {np.median(ten / one):.2f};"
        f" spin loop {gains[0]:.2f}x and {gains[1]:.2f}x)"
    )


def _worker(name: str, steps: int, ready: multiprocessing.Barrier) -> None:  # type: ignore[valid-type]
    torch.set_num_threads(1)
    training = plain_training(NETWORKS[name], 1)
    training.step()
    ready.wait()  # type: ignore[attr-defined]
    for _ in range(steps):
        training.step()
    ready.wait()  # type: ignore[attr-defined]


def against_processes(name: str, steps: int = 10) -> str:
    """Ten seeds as ten processes of plain PyTorch against the engine on two threads."""
    context = multiprocessing.get_context("spawn")
    ready = context.Barrier(SEEDS + 1)
    workers = [context.Process(target=_worker, args=(name, steps, ready)) for _ in range(SEEDS)]
    for worker in workers:
        worker.start()
    ready.wait()
    plain = timed(ready.wait).wall / steps
    for worker in workers:
        worker.join()
    training = engine_training(NETWORKS[name], SEEDS, 2)
    training.run(until=1)
    ours = min(engine_step(training).wall for _ in range(10))
    return (
        f"{name} against 10 processes: plain {1e3 * plain:.1f} ms,"
        f" engine on 2 threads {1e3 * ours:.2f} ms, ratio {plain / ours:.1f}x"
    )
