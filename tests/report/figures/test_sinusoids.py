"""Fig. sin_test: the first series of the first run that all methods have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tests.report.made_up import a_row
from tkae.experiments.base import Arrays
from tkae.experiments.reconstruction import MSE
from tkae.experiments.sinusoids import PHASES, Sinusoids
from tkae.report.by_name import figure_of
from tkae.report.drawing import write_drawing
from tkae.report.summary import Row


def row(method: str, by_seed: Mapping[int, float], steps: int = 50) -> Row:
    return a_row("d", method, MSE, by_seed, point={"dataset.steps": steps})


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
