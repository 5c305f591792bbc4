"""Training curves are those that are kept beside the records, also of runs that ended early."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.report.made_up import a_row
from tkae.experiments.reconstruction import MSE
from tkae.report.curves import ALIGNMENT, POINTS, curves
from tkae.report.drawing import write_drawing
from tkae.report.figures.training_curves import training_curves

EPOCHS = np.arange(1, 5001, 25, dtype=np.int32)


def kept(level: float, end: int = len(EPOCHS)) -> dict[str, np.ndarray]:
    losses = np.stack([level / EPOCHS, EPOCHS, np.zeros(len(EPOCHS))], axis=1).astype(np.float32)
    losses[end:] = np.nan
    return {"epochs": EPOCHS, "losses": losses}


def test_some_epochs_are_picked_the_first_and_the_last_among_them() -> None:
    found = curves({0: kept(1.0), 4: kept(2.0, end=100)})
    assert found is not None and list(found.by_seed) == [0, 4]
    assert len(found.epochs) <= POINTS and (found.epochs[0], found.epochs[-1]) == (1, EPOCHS[-1])
    np.testing.assert_allclose(found.by_seed[0], 1.0 / found.epochs, rtol=1e-6)
    assert np.array_equal(np.isnan(found.by_seed[4]), found.epochs > EPOCHS[99])


def test_there_is_none_without_losses_or_where_all_are_zero() -> None:
    assert curves({}) is None and curves({0: {}}) is None
    assert curves({0: kept(1.0)}, ALIGNMENT) is None


def test_the_figure_has_the_geometric_mean_of_the_runs(tmp_path: Any) -> None:
    rows = [a_row("d", method, MSE, {0: 1.0, 1: 1.0}) for method in ("tae", "pca")]
    made = training_curves(
        rows, lambda row: {0: kept(1.0), 1: kept(4.0)} if row.method == "tae" else {}, "How."
    )
    assert made is not None and {one["line"] for one in made.numbers} == {"TAE"}
    first = made.numbers[0]
    assert first["epoch"] == 1 and float(first["mean"]) == pytest.approx(math.sqrt(4.0), rel=1e-4)
    assert float(first["low"]) < 2 < float(first["high"])
    assert all(path.stat().st_size for path in write_drawing(tmp_path, "curves", made))
    assert training_curves(rows, lambda _: {}, "") is None
