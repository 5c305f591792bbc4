"""The comparison of architectures by hand: whose error, over which entries, and which parameters count."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tkae.data.collection import Collection
from tkae.data.prepare import Split, Task
from tkae.experiments.many_variates import ManyVariates
from tkae.experiments.reconstruction import Reconstruction
from tkae.experiments.variable_length import VariableLength
from tkae.models.ae import AE
from tkae.models.pca import PCA
from tkae.protocol import Protocol
from tkae.settings.registry import lookup


@pytest.fixture
def task() -> Task:
    """Complete series of several lengths; those of the test split are not those of the training split."""
    rng = np.random.default_rng(3)

    def split(n: int) -> Split:
        x = Collection.from_series(
            [rng.normal(size=(length, 2)) for length in rng.integers(3, 8, n)], steps=7
        )
        return Split(x, x, np.zeros(x.shape, dtype=bool))

    return Task(split(20), split(9), (), None, "none")


def test_every_test_series_counts_alike_over_its_own_steps(task: Task) -> None:
    model = PCA(code_size=3).learn(task.train.given)
    output, test = model.reconstruct(task.test.given), task.test.original
    errors = []
    for i, length in enumerate(test.lengths):
        squares = [(test.values[i, t, v] - output[i, t, v]) ** 2 for t in range(length) for v in range(2)]
        errors.append(sum(squares) / len(squares))
    figures = Reconstruction().measure(model, task, Protocol()).figures
    assert figures == {"mse": pytest.approx(sum(errors) / len(errors))}
    padded = float(((test.values - output) ** 2).mean())
    assert figures["mse"] != pytest.approx(padded, rel=0.05)


def test_parameters_are_a_fact_of_networks_alone(task: Task) -> None:
    inputs, hidden, code = 14, 30, 2
    expected = {
        AE: 2 * hidden * (inputs + code) + 2 * hidden + code + inputs,
        lookup("model", "ae_tied"): hidden * (inputs + code) + 2 * hidden + code + inputs,
    }
    for cls, count in expected.items():
        model = cls(code_size=code, epochs=1).learn(task.train.given)
        assert ManyVariates().measure(model, task, Protocol()).figures["parameters"] == count
    assert math.isnan(
        ManyVariates().measure(PCA().learn(task.train.given), task, Protocol()).figures["parameters"]
    )


def scaled(task: Task, factors: tuple[float, float], shift: float) -> Task:
    """The same series in other units."""

    def split(own: Split) -> Split:
        x = own.given
        values = np.where(x.observed, x.values * np.array(factors) + shift, 0.0)
        other = Collection(values, x.observed, x.lengths)
        return Split(other, other, own.removed)

    return Task(split(task.train), split(task.test), (), None, "none")


def test_the_share_of_the_variance_is_the_mse_of_standardised_series_and_has_no_unit(task: Task) -> None:
    """Of the mean of each variate it is 1, in whatever units."""

    class Means(PCA):
        def reconstruct(self, x: Collection) -> Any:
            inside = [x.values[..., v][x.observed[..., v]].mean() for v in range(2)]
            return np.broadcast_to(inside, x.shape)

    for factors, shift in (((1.0, 1.0), 0.0), ((3.0, 0.2), 0.0), ((10.0, 10.0), 5.0)):
        measured = VariableLength().measure(Means(), scaled(task, factors, shift), Protocol()).figures
        assert measured["unexplained"] == pytest.approx(1)
    plain = VariableLength().measure(PCA(code_size=3).learn(task.train.given), task, Protocol()).figures
    large = scaled(task, (10.0, 10.0), 0.0)
    grown = VariableLength().measure(PCA(code_size=3).learn(large.train.given), large, Protocol()).figures
    assert grown["mse"] == pytest.approx(100 * plain["mse"])
    assert grown["unexplained"] == pytest.approx(plain["unexplained"]) and 0 < plain["unexplained"] < 1.5
