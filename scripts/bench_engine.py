"""How fast the engine trains against plain PyTorch: ratios, measured side by side in one run.

    PYTHONPATH=. python scripts/bench_engine.py [--repeats 7] [--only ecg]

The reference is what one would write first: `nn.LSTM`/`nn.GRU` encoders, an `LSTMCell`/`GRUCell` loop
as decoder, one seed after the other; a step is forward, backward, clipping and Adam for ten seeds.
Wall-clock times are the least of the repeats, which alternate between the two; `cpu` is the ratio of
processor times at one thread, which other work on the machine disturbs least. PyTorch's second thread
is no help at these sizes, and on a busy machine its threads wait for each other for most of the time;
so the line for two threads also compares with plain PyTorch at its better thread count, and says what
a second thread gave a loop that shares nothing, just before and after: 2.0 is a machine of its own; near
1.0 there was no second processor to be had, and the line says nothing about the engine's threads.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import time
from functools import partial
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from tkae.engine.architecture import Architecture
from tkae.engine.batch import Data
from tkae.engine.jit import jit
from tkae.engine.recurrent import Recurrent
from tkae.engine.threads import each
from tkae.engine.trainer import Replica, Schedule, Training

BATCH, HIDDEN, SEEDS, P_S = 32, 10, 10, 0.8
LIMIT = 20.0  # seconds for the repeats of one comparison
BATCHES = 4  # of an epoch of the engine; a step is a fourth of it


class Shape(NamedTuple):
    """A dataset's shape and the cells that the paper uses for it."""

    steps: int
    variates: int
    cell: str
    layers: int


SHAPES = {
    "jpvow": Shape(29, 12, "lstm", 2),
    "ecg": Shape(140, 1, "gru", 1),
    "ecg-lstm": Shape(140, 1, "lstm", 1),
    "auslan": Shape(136, 22, "lstm", 2),
}


class Plain(nn.Module):
    """A TAE in plain PyTorch."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        stack, cell = (nn.LSTM, nn.LSTMCell) if shape.cell == "lstm" else (nn.GRU, nn.GRUCell)
        self.ahead = stack(shape.variates, HIDDEN, shape.layers, batch_first=True)
        self.back = stack(shape.variates, HIDDEN, shape.layers, batch_first=True)
        self.code = nn.Linear(2 * HIDDEN, HIDDEN)
        self.cells = nn.ModuleList(
            cell(shape.variates if i == 0 else HIDDEN, HIDDEN) for i in range(shape.layers)
        )
        self.output = nn.Linear(HIDDEN, shape.variates)
        self.lstm = shape.cell == "lstm"

    def forward(self, x: Tensor) -> Tensor:
        finals = [self.ahead(x)[1], self.back(x.flip(1))[1]]
        tops = [(final[0] if self.lstm else final)[-1] for final in finals]
        z = torch.tanh(self.code(torch.cat(tops, -1)))
        states = [(z, z) if self.lstm else z for _ in self.cells]
        value, outputs = torch.zeros_like(x[:, 0]), []
        fed = torch.rand(x.shape[0], x.shape[1], 1) < P_S
        for t in range(x.shape[1]):
            if t > 0:
                value = torch.where(fed[:, t], outputs[-1], x[:, t - 1])
            for i, cell in enumerate(self.cells):
                states[i] = cell(value, states[i])
                value = states[i][0] if self.lstm else states[i]
            outputs.append(self.output(value))
        return torch.stack(outputs, 1)


class PlainTraining:
    """Seeds trained one after the other."""

    def __init__(self, shape: Shape, seeds: int) -> None:
        self.x = torch.randn(BATCH, shape.steps, shape.variates)
        self.models = [Plain(shape) for _ in range(seeds)]
        self.optimisers = [torch.optim.Adam(model.parameters(), lr=0.001) for model in self.models]

    def step(self) -> None:
        for model, optimiser in zip(self.models, self.optimisers, strict=True):
            optimiser.zero_grad()
            nn.functional.mse_loss(model(self.x), self.x).backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()


def engine_training(shape: Shape, seeds: int, threads: int) -> Training:
    """The same in the engine, with random series of full length."""
    n = BATCH * BATCHES
    x = np.random.default_rng(0).normal(size=(1, n, shape.steps, shape.variates)).astype(np.float32)
    lengths = np.full((1, n), shape.steps)
    data = Data(x, np.ones(x.shape, bool), lengths, np.zeros((1, 0, 0), np.float32), 0)
    network = Recurrent(Architecture(shape.variates, shape.cell, shape.layers, HIDDEN), threads)
    replicas = [Replica(seed, p_s=P_S) for seed in range(seeds)]
    return Training(network, data, replicas, Schedule(epochs=10**9, batch=BATCH))


def engine_step(training: Training) -> tuple[float, float]:
    """Seconds of wall and processor for one step of all seeds."""
    wall, processor = time.perf_counter(), time.process_time()
    training.run(until=training.epoch + 1)
    return (time.perf_counter() - wall) / BATCHES, (time.process_time() - processor) / BATCHES


def plain_step(training: PlainTraining) -> tuple[float, float]:
    wall, processor = time.perf_counter(), time.process_time()
    training.step()
    return time.perf_counter() - wall, time.process_time() - processor


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
        times = []
        for threads in (1, 2):
            began = time.perf_counter()
            each(threads, jobs)
            times.append(time.perf_counter() - began)
        gains.append(times[0] / times[1])
    return float(np.median(gains))


def compare(name: str, repeats: int) -> None:
    """Print a line for one thread and one for two: both times and their ratios."""
    shape, best = SHAPES[name], np.inf
    for threads in (1, 2):
        torch.set_num_threads(threads)
        plain, ours = PlainTraining(shape, SEEDS), engine_training(shape, SEEDS, threads)
        ours.run(until=1)
        plain_step(plain)
        gain = second_thread()
        pairs, began = [], time.perf_counter()
        while len(pairs) < repeats and (len(pairs) < 2 or time.perf_counter() - began < LIMIT):
            pairs.append((plain_step(plain), min(engine_step(ours) for _ in range(3))))
        slow, fast = np.array([p for p, _ in pairs]), np.array([f for _, f in pairs])
        best = min(best, slow[:, 0].min())
        last = f"cpu {slow[:, 1].min() / fast[:, 1].min():.1f}x"
        if threads == 2:
            last = f"against plain's better thread count {best / fast[:, 0].min():.1f}x"
            last += f", second thread gives a spin loop {gain:.2f}x and {second_thread():.2f}x"
        print(
            f"{name:9} {threads} thread(s): plain {1e3 * slow[:, 0].min():7.1f} ms,"
            f" engine {1e3 * fast[:, 0].min():6.2f} ms,"
            f" ratio {slow[:, 0].min() / fast[:, 0].min():.1f}x, median of {len(pairs)} pairs"
            f" {np.median(slow[:, 0] / fast[:, 0]):.1f}x, {last}; load {os.getloadavg()[0]:.1f}",
            flush=True,
        )


def scaling(repeats: int) -> None:
    """Ten seeds against one on two threads; the cost per step and replica as T and R grow."""
    base = SHAPES["jpvow"]

    def least(shape: Shape, seeds: int, threads: int) -> float:
        training = engine_training(shape, seeds, threads)
        training.run(until=1)
        return min(engine_step(training)[0] for _ in range(3 * repeats))

    single, many = engine_training(base, 1, 2), engine_training(base, SEEDS, 2)
    pairs, gains = [], [second_thread()]
    for _ in range(20 * repeats):  # in turn: a busy moment falls on both, but one seed finds cold caches
        pairs.append((engine_step(single)[0], engine_step(many)[0]))
    gains.append(second_thread())
    one, ten = np.array(pairs[1:]).T
    print(
        f"10 seeds on 2 threads cost {ten.min() / one.min():.2f} times one seed"
        f" ({1e3 * ten.min():.2f} and {1e3 * one.min():.3f} ms; median of pairs {np.median(ten / one):.2f};"
        f" spin loop {gains[0]:.2f}x and {gains[1]:.2f}x)",
        flush=True,
    )
    for steps in (29, 58, 116, 232):
        took = least(base._replace(steps=steps), 4, 1)
        print(f"T = {steps:4}: {1e6 * took / 4 / steps:6.1f} us a replica and time step")
    for seeds in (1, 2, 5, 10, 20):
        print(f"R = {seeds:4}: {1e3 * least(base, seeds, 1) / seeds:6.3f} ms a replica")


def _worker(name: str, steps: int, ready: multiprocessing.Barrier) -> None:  # type: ignore[valid-type]
    torch.set_num_threads(1)
    training = PlainTraining(SHAPES[name], 1)
    training.step()
    ready.wait()  # type: ignore[attr-defined]
    for _ in range(steps):
        training.step()
    ready.wait()  # type: ignore[attr-defined]


def against_processes(name: str, steps: int = 10) -> None:
    """Ten seeds as ten processes of plain PyTorch against the engine on two threads."""
    context = multiprocessing.get_context("spawn")
    ready = context.Barrier(SEEDS + 1)
    workers = [context.Process(target=_worker, args=(name, steps, ready)) for _ in range(SEEDS)]
    for worker in workers:
        worker.start()
    ready.wait()
    began = time.perf_counter()
    ready.wait()
    plain = (time.perf_counter() - began) / steps
    for worker in workers:
        worker.join()
    training = engine_training(SHAPES[name], SEEDS, 2)
    training.run(until=1)
    ours = min(engine_step(training)[0] for _ in range(10))
    print(
        f"{name:9} against 10 processes: plain {1e3 * plain:.1f} ms,"
        f" engine on 2 threads {1e3 * ours:.2f} ms, ratio {plain / ours:.1f}x",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--only", choices=SHAPES, help="one shape")
    parser.add_argument("--ratios-only", action="store_true", help="leave out scaling and processes")
    options = parser.parse_args()
    began = time.perf_counter()
    engine_training(SHAPES["jpvow"], 1, 1).run(until=1)
    print(
        f"first call: {time.perf_counter() - began:.1f} s (compilation, or its cache if there is one)",
        flush=True,
    )
    for name in [options.only] if options.only else SHAPES:
        compare(name, options.repeats)
    if not options.ratios_only:
        scaling(options.repeats)
        against_processes(options.only or "jpvow")


if __name__ == "__main__":
    main()
