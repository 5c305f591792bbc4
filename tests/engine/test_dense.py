"""The dense autoencoders: counts of the paper, gradients of autograd, bits of a replica."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import torch

from tests.engine.helpers import relative_error
from tkae.engine.batch import SeriesSets, uniform
from tkae.engine.dense import Dense
from tkae.engine.dense_kernels import dense_forward, dense_gradient, dense_workspace
from tkae.engine.dense_spec import LAYERS, affine_at
from tkae.engine.trainer import Replica, Schedule, Training

N, STEPS, V = 40, 6, 3
KEY, PENALTY = np.uint64(9), 0.02


def _data(dtype: Any = np.float64, fill: float = 0.0, padded: int = 0) -> SeriesSets:
    chance = np.random.default_rng(1)
    lengths = chance.integers(2, STEPS + 1, (1, N))
    x = chance.normal(size=(1, N, STEPS, V)).astype(dtype)
    valid = np.broadcast_to((np.arange(STEPS) < lengths[..., None])[..., None], x.shape)
    return SeriesSets(
        np.where(valid, x, dtype(fill)),
        valid & (chance.random(x.shape) < 0.8),
        lengths,
        np.zeros((1, 0, 0)),
        padded,
    )


@pytest.mark.parametrize(
    ("width", "tied", "count"),
    [(500, False, 31170), (1000, False, 61670), (1500, False, 92170), (2000, False, 122670),
     (500, True, 15870), (1000, True, 31370), (1500, True, 46870), (2000, True, 62370)],
)  # fmt: skip
def test_parameter_counts_are_the_papers(width: int, tied: bool, count: int) -> None:
    assert Dense(width, tied=tied).parameter_count == count


def _autograd(
    model: Dense, theta: Any, data: SeriesSets, rows: Any, biases: bool
) -> tuple[float, float, Any]:
    weights = torch.tensor(theta.astype(np.float64), requires_grad=True)
    valid = np.broadcast_to(
        (np.arange(STEPS) < data.lengths[0, rows, None])[..., None], (len(rows), STEPS, V)
    )
    target = np.where(valid, data.x[0, rows], 0.0).reshape(len(rows), -1).astype(np.float64)
    drawn = np.array([[uniform(KEY, row, j) for j in range(model.inputs)] for row in rows])
    value = torch.tensor(np.where(drawn < model.corruption, 0.0, target))
    kinds = {"tanh": torch.tanh, "sigmoid": torch.sigmoid, "relu": torch.relu}
    for layer in range(LAYERS):
        one = affine_at(model.spec(1), layer)
        index = one.weights + np.arange(one.rows)[:, None] * one.row + np.arange(one.inputs) * one.column
        value = value @ weights[torch.tensor(index)].T + weights[one.bias : one.bias + one.rows]
        if layer < 2 or (layer == 2 and not model.linear_decoder):
            value = kinds[model.activation](value)
    weight = np.ones(target.shape) if data.padded_mean else data.counted[0, rows].reshape(len(rows), -1)
    loss = (torch.tensor(weight) * (value - torch.tensor(target)) ** 2).sum() / weight.sum()
    l2 = 0.5 * (torch.tensor(model.decay(biases)) * weights**2).sum()
    (loss + PENALTY * l2).backward()
    return float(loss.detach()), float(l2.detach()), weights.grad.numpy()


@pytest.mark.parametrize(
    ("activation", "linear", "tied", "padded"),
    list(itertools.product(["tanh", "sigmoid", "relu"], [False, True], [False, True], [0, 1])),
)
def test_gradient_is_that_of_autograd(activation: str, linear: bool, tied: bool, padded: int) -> None:
    for dtype, tolerance in ((np.float32, 1e-4), (np.float64, 1e-9)):
        model = Dense(STEPS * V, 4, 7, activation, linear, tied, corruption=0.5)
        data, rows = _data(dtype, padded=padded), np.arange(3, 26)
        theta = (model.initial(0) + 0.1).astype(dtype)
        spec, grad = model.spec(len(rows)), np.zeros_like(theta)
        work = dense_workspace(spec, theta)
        dense_forward(spec, work, theta, data, 0, rows, model.corruption, KEY)
        decay = model.decay(biases=linear).astype(dtype)
        loss, l2, norm = dense_gradient(spec, work, theta, grad, data, 0, rows, decay, PENALTY)
        *wanted, wanted_grad = _autograd(model, theta, data, rows, biases=linear)
        assert [loss, l2] == pytest.approx(wanted, rel=tolerance)
        assert relative_error(grad, wanted_grad) < tolerance
        assert norm == pytest.approx(np.sum(wanted_grad**2), rel=tolerance)


@pytest.mark.parametrize(("hidden", "code", "count"), [(30, 10, 33), (33, 5, 1), (1, 1, 31), (16, 17, 32)])
def test_sizes_of_layers_and_batches_are_free(hidden: int, code: int, count: int) -> None:
    data, rows = _data(), np.arange(count)
    for tied in (False, True):
        model = Dense(STEPS * V, code, hidden, tied=tied)
        theta, spec = model.initial(1), model.spec(count)
        grad, work = np.full_like(theta, np.nan), dense_workspace(spec, theta)
        dense_forward(spec, work, theta, data, 0, rows, 0.0, KEY)
        loss, _, _ = dense_gradient(spec, work, theta, grad, data, 0, rows, model.decay(False), PENALTY)
        wanted, _, wanted_grad = _autograd(model, theta, data, rows, biases=False)
        assert loss == pytest.approx(wanted) and relative_error(grad, wanted_grad) < 1e-9


def test_bits_are_a_replicas_own_and_padding_does_not_matter() -> None:
    schedule = Schedule(epochs=5, batch=16, select_every=2)

    def train(seeds: list[int], threads: int, fill: float = 0.0) -> Any:
        model = Dense(STEPS * V, 4, corruption=0.5, tied=True, threads=threads)
        return Training(
            model, _data(np.float32, fill), [Replica(seed, penalty=0.01) for seed in seeds], schedule
        ).run()

    ten = train(list(range(10)), 1)
    assert np.array_equal(ten, train(list(range(10)), 2))
    assert np.array_equal(ten[4], train([4], 1)[0])
    assert np.array_equal(ten[4], train([4], 1, fill=np.nan)[0])
