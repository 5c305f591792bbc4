"""The comparison of architectures by hand: whose error, over which entries, and which parameters count."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from tests.report.made_up import a_row
from tkae.data.collection import Collection
from tkae.data.prepare import Split, Task
from tkae.experiments.base import Arrays
from tkae.experiments.long_series import LongSeries
from tkae.experiments.many_variates import ManyVariates
from tkae.experiments.reconstruction import MSE, Reconstruction
from tkae.experiments.sinusoids import FREQUENCIES, PHASES, Sinusoids, late_fall
from tkae.experiments.variable_length import VariableLength
from tkae.models.ae import AE, TiedAE
from tkae.models.pca import PCA
from tkae.protocol import Protocol
from tkae.report.by_name import figure_of
from tkae.report.drawing import write_drawing
from tkae.report.summary import Row


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
    model = PCA(code_size=3).fit(task.train.given)
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
        TiedAE: hidden * (inputs + code) + 2 * hidden + code + inputs,
    }
    for cls, count in expected.items():
        model = cls(code_size=code, epochs=1).fit(task.train.given)
        assert ManyVariates().measure(model, task, Protocol()).figures["parameters"] == count
    assert math.isnan(
        ManyVariates().measure(PCA().fit(task.train.given), task, Protocol()).figures["parameters"]
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
    plain = VariableLength().measure(PCA(code_size=3).fit(task.train.given), task, Protocol()).figures
    large = scaled(task, (10.0, 10.0), 0.0)
    grown = VariableLength().measure(PCA(code_size=3).fit(large.train.given), large, Protocol()).figures
    assert grown["mse"] == pytest.approx(100 * plain["mse"])
    assert grown["unexplained"] == pytest.approx(plain["unexplained"]) and 0 < plain["unexplained"] < 1.5


def test_amplitude_is_that_of_what_comes_back_beside_the_series_own(task: Task) -> None:
    class Damped(PCA):
        def reconstruct(self, x: Collection) -> Any:
            return np.where(x.valid, 0.25 * x.values + 7.0, 0.0)  # moved as a whole: the same amplitude

    class Flat(PCA):
        def reconstruct(self, x: Collection) -> Any:
            return np.where(x.valid, 3.0, 0.0)

    for model, expected in ((Damped(), 0.25), (Flat(), 0.0)):
        fitted = model.fit(task.train.given)
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


def row(method: str, by_seed: Mapping[int, float], steps: int = 50) -> Row:
    return a_row("d", method, MSE, by_seed, axes={"dataset.steps": steps})


def test_the_figure_of_long_series_has_a_point_for_each_method_and_length(tmp_path: Any) -> None:
    rows = [
        row(method, {0: level * steps, 1: 3 * level * steps}, steps)
        for steps in (75, 50)
        for method, level in (("pca", 1.0), ("tae", 2.0))
    ]
    made = figure_of(LongSeries(), rows, lambda _: {}, "Protocol paper.")
    assert made is not None
    points = {(one["method"], one["dataset.steps"]): (one["mean"], one["n"]) for one in made.numbers}
    assert points == {
        ("PCA", 50): (100, 2),
        ("PCA", 75): (150, 2),
        ("TAE", 50): (200, 2),
        ("TAE", 75): (300, 2),
    }
    assert all(path.stat().st_size for path in write_drawing(tmp_path, "long", made))
    assert figure_of(LongSeries(), [row("pca", {}, 50)], lambda _: {}, "") is None


def test_the_figure_of_sinusoids_has_the_first_series_of_the_first_run_they_share(tmp_path: Any) -> None:
    codes = np.arange(2 * 64 * 3).reshape(2, 64, 3) / 1000

    def arrays(seed: int, method: str) -> Arrays:
        return {
            "series": np.full(4, float(seed)),
            "reconstruction": np.full(4, seed + len(method) / 10),
            "codes": codes + (method == "pca"),
        }

    held = {"pca": (1, 0, 2), "ae": (1, 2)}  # a run of the AE is missing
    rows = [row(method, {}) for method in held]
    made = figure_of(Sinusoids(), rows, lambda r: {s: arrays(s, r.method) for s in held[r.method]}, "About.")
    assert made is not None and "first test series of seed 1." in made.caption
    drawn = {(one["panel"], one["curve"], one["x"]): one["y"] for one in made.numbers}
    for t in range(4):
        assert [drawn["sample", name, t] for name in ("original", "PCA", "AE")] == [1.0, 1.3, 1.2]
    assert drawn["a=0.2", "neuron 2", 0.0] == codes[0, 0, 1]
    assert drawn["a=0.6", "neuron 3", float(PHASES[5])] == codes[1, 5, 2]
    assert len(drawn) == 3 * 4 + codes.size
    assert all(path.stat().st_size for path in write_drawing(tmp_path, "sin", made))
    assert figure_of(Sinusoids(), rows, lambda _: {}, "About.") is None
    alone = figure_of(Sinusoids(), rows[:1], lambda _: {0: arrays(0, "pca")}, "About.")
    assert alone is not None and {one["panel"] for one in alone.numbers} == {"sample"}
    assert all(path.stat().st_size for path in write_drawing(tmp_path, "pca", alone))


def test_what_is_kept_is_the_first_test_series_and_codes_of_two_frequencies(task: Task) -> None:
    model = PCA(code_size=3).fit(task.train.given)
    kept = Sinusoids().measure(model, task, Protocol()).drawn
    length = task.test.given.lengths[0]
    np.testing.assert_array_equal(kept["series"], task.test.original.values[0, :length, 0])
    np.testing.assert_allclose(
        kept["reconstruction"], model.reconstruct(task.test.given)[0, :length, 0], rtol=0, atol=1e-12
    )
    probes = np.array([[np.sin(a * np.arange(7) + b) for b in PHASES] for a in FREQUENCIES])  # (2, 64, 7)
    for frequency, codes in zip(probes, kept["codes"], strict=True):
        np.testing.assert_allclose(codes, model.encode(Collection(np.stack([frequency] * 2, axis=2))))
