"""The networks that are timed, in the shapes of the paper's datasets, in the engine and in plain PyTorch."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch

from scripts.bench import flops
from scripts.bench.plain import PlainDense, PlainRecurrent, PlainTraining
from tkae.engine.architecture import Architecture
from tkae.engine.batch import SeriesSets
from tkae.engine.dense import Dense
from tkae.engine.recurrent import Recurrent
from tkae.engine.trainer import Replica, Schedule, Training

BATCH, HIDDEN, SEEDS, P_S = 32, 10, 10, 0.8
DENSE_HIDDEN = 30
BATCHES = 4  # of an epoch of the engine; a step is a fourth of it


class Tae(NamedTuple):
    """A recurrent autoencoder."""

    steps: int
    variates: int
    cell: str
    layers: int

    @property
    def title(self) -> str:
        return f"{self.cell.upper()} x{self.layers}"

    @property
    def flops(self) -> int:
        """Of the matrix products of a step with one series."""
        return flops.recurrent(self.steps, self.variates, self.cell, self.layers, HIDDEN)

    def engine(self, threads: int) -> Recurrent:
        return Recurrent(Architecture(self.variates, self.cell, self.layers, HIDDEN), threads)

    def plain(self) -> PlainRecurrent:
        return PlainRecurrent(self.variates, self.cell, self.layers, HIDDEN, P_S)


class Ae(NamedTuple):
    """A dense autoencoder."""

    steps: int
    variates: int

    @property
    def title(self) -> str:
        return "AE"

    @property
    def flops(self) -> int:
        return flops.dense(self.steps * self.variates, DENSE_HIDDEN, HIDDEN)

    def engine(self, threads: int) -> Dense:
        return Dense(self.steps * self.variates, code=HIDDEN, hidden=DENSE_HIDDEN, threads=threads)

    def plain(self) -> PlainDense:
        return PlainDense(self.steps * self.variates, DENSE_HIDDEN, HIDDEN)


NETWORKS: dict[str, Tae | Ae] = {
    "jpvow": Tae(29, 12, "lstm", 2),
    "ecg": Tae(140, 1, "gru", 1),
    "ecg-lstm": Tae(140, 1, "lstm", 1),
    "auslan": Tae(136, 22, "lstm", 2),
    "jpvow-ae": Ae(29, 12),
    "arabic-ae": Ae(93, 13),
    "auslan-ae": Ae(136, 22),
}
DATASETS = {"jpvow": "Jp. Vow.", "ecg": "ECG", "auslan": "Auslan", "arabic": "Arab. Dig."}


def named(name: str) -> list[str]:
    """Dataset, network and shape of a line."""
    network = NETWORKS[name]
    return [DATASETS[name.split("-")[0]], network.title, f"{network.steps}x{network.variates}"]


def engine_training(network: Tae | Ae, seeds: int, threads: int) -> Training:
    """The training of these seeds in the engine, with random series of full length."""
    n = BATCH * BATCHES
    x = np.random.default_rng(0).normal(size=(1, n, network.steps, network.variates)).astype(np.float32)
    lengths = np.full((1, n), network.steps)
    data = SeriesSets(x, np.ones(x.shape, bool), lengths, np.zeros((1, 0, 0), np.float32), 0)
    replicas = [Replica(seed, p_s=P_S) for seed in range(seeds)]
    return Training(network.engine(threads), data, replicas, Schedule(epochs=10**9, batch=BATCH))


def plain_training(network: Tae | Ae, seeds: int) -> PlainTraining:
    """The same in plain PyTorch, with the weights that PyTorch draws."""
    torch.manual_seed(0)
    x = torch.randn(seeds, BATCH, network.steps, network.variates)
    return PlainTraining([network.plain() for _ in range(seeds)], x)
