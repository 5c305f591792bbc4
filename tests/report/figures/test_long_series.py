"""Fig. T_incr: a point for each method and length."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.report.made_up import a_row
from tkae.experiments.long_series import LongSeries
from tkae.experiments.reconstruction import MSE
from tkae.report.by_name import figure_of
from tkae.report.drawing import write_drawing
from tkae.report.summary import Row


def row(method: str, by_seed: Mapping[int, float], steps: int = 50) -> Row:
    return a_row("d", method, MSE, by_seed, point={"dataset.steps": steps})


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
