"""Run as a program: what some small trainings and a TCK give, as digests by name (JSON)."""

from __future__ import annotations

import hashlib
import itertools
import json
from typing import Any

import numpy as np

from tkae.data.collection import Collection
from tkae.engine.architecture import Architecture
from tkae.engine.batch import SeriesSets
from tkae.engine.dense import Dense
from tkae.engine.recurrent import Recurrent
from tkae.engine.replicas import Engine
from tkae.engine.trainer import Replica, Schedule, Training
from tkae.models.tck import TCK

N, T, V = 43, 11, 5  # no multiples of a vector's length: batches of 24 and 19, lengths that differ
EPOCHS = 3


def digest(*arrays: Any) -> str:
    whole = hashlib.sha256()
    for array in arrays:
        whole.update(np.ascontiguousarray(array).tobytes())
    return whole.hexdigest()


def series() -> tuple[Any, Any, Any]:
    """Values, what is observed, and lengths."""
    chance = np.random.default_rng(5)
    lengths = chance.integers(3, T + 1, N)
    lengths[0] = T
    valid = (np.arange(T) < lengths[:, None])[:, :, None]
    values = chance.normal(size=(N, T, V)).cumsum(axis=1)
    return values, valid & (chance.random(values.shape) < 0.7), lengths


def trained(engine: Engine, alpha: float) -> str:
    values, observed, lengths = series()
    factor = np.random.default_rng(6).normal(size=(N, 4))
    data = SeriesSets(
        np.where(observed, values, 0)[None].astype(np.float32), observed[None], lengths[None],
        (factor @ factor.T)[None].astype(np.float32), 0,
    )  # fmt: skip
    replicas = [Replica(seed, alpha=alpha, penalty=0.001, p_s=0.7, rate=0.01) for seed in range(2)]
    training = Training(engine, data, replicas, Schedule(epochs=EPOCHS, batch=24))
    training.run()
    return digest(training.weights, *training.evaluate())


def recurrent(**settings: Any) -> str:
    return trained(Recurrent(Architecture(V, layers=2, hidden=7, **settings), 1), alpha=0.1)


def dense(**settings: Any) -> str:
    return trained(Dense(T * V, threads=1, **settings), alpha=0.0)


def kernels() -> str:
    values, observed, lengths = series()
    both = Collection(np.where(observed, values, np.nan), observed, lengths)
    train, test = both.take(np.arange(30)), both.take(np.arange(30, N))
    tck = TCK(G=1, C=20).learn(train, seed=0, threads=1)
    return digest(tck.theta_, tck.mu_, tck.s2_, tck.between(threads=1), tck.between(None, test, threads=1))


def main() -> None:
    found = {"tck": kernels()}
    for cell, both_ways, combination in itertools.product(("lstm", "gru"), (True, False), ("top", "layers")):
        settings = {"cell": cell, "bidirectional": both_ways, "combination": combination}
        found[f"{cell} {both_ways} {combination}"] = recurrent(**settings)
    found["reverse"] = recurrent(bidirectional=False, reverse=True)
    found["AE"] = dense(code=5)
    found["tied"] = dense(tied=True, activation="sigmoid")
    found["DAE"] = dense(corruption=0.5, activation="relu")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
