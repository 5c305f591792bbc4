"""Sinusoids: amplitude, late fall, and what is kept for the figure."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tkae.data.collection import Collection
from tkae.data.prepare import Split, Task
from tkae.experiments.sinusoids import FREQUENCIES, PHASES, Sinusoids, late_fall
from tkae.models.pca import PCA
from tkae.protocol import Protocol


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


def test_amplitude_is_that_of_what_comes_back_beside_the_series_own(task: Task) -> None:
    class Damped(PCA):
        def reconstruct(self, x: Collection) -> Any:
            return np.where(x.valid, 0.25 * x.values + 7.0, 0.0)  # moved as a whole: the same amplitude

    class Flat(PCA):
        def reconstruct(self, x: Collection) -> Any:
            return np.where(x.valid, 3.0, 0.0)

    for model, expected in ((Damped(), 0.25), (Flat(), 0.0)):
        fitted = model.learn(task.train.given)
        figures = Sinusoids().measure(fitted, task, Protocol()).figures
        assert figures["amplitude"] == pytest.approx(expected)
        assert math.isnan(figures["late_fall"])  # nothing is trained


def test_the_late_fall_compares_the_last_tenths_of_a_training() -> None:
    def curve(errors: list[float]) -> dict[str, Any]:
        return {"losses": np.array([[error, 9.0, 9.0] for error in errors], dtype=np.float32)}

    assert late_fall(curve([1.0] * 180 + [0.5] * 20)) == pytest.approx(0.5)
    assert late_fall(curve([5.0] * 160 + [1.0] * 40)) == 0.0  # converged
    assert late_fall(curve([1.0] * 90 + [0.9] * 10 + [np.nan] * 100)) == pytest.approx(0.1)  # stopped early
    assert math.isnan(late_fall(curve([1.0] * 19))) and math.isnan(late_fall({}))


def test_what_is_kept_is_the_first_test_series_and_codes_of_two_frequencies(task: Task) -> None:
    model = PCA(code_size=3).learn(task.train.given)
    kept = Sinusoids().measure(model, task, Protocol()).drawn
    length = task.test.given.lengths[0]
    np.testing.assert_array_equal(kept["series"], task.test.original.values[0, :length, 0])
    np.testing.assert_allclose(
        kept["reconstruction"], model.reconstruct(task.test.given)[0, :length, 0], rtol=0, atol=1e-12
    )
    probes = np.array([[np.sin(a * np.arange(7) + b) for b in PHASES] for a in FREQUENCIES])  # (2, 64, 7)
    for frequency, codes in zip(probes, kept["codes"], strict=True):
        np.testing.assert_allclose(codes, model.encode(Collection(np.stack([frequency] * 2, axis=2))))
