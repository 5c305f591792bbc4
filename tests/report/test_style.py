"""Figures are as wide as a column of the paper or both, and no text in them is smaller than 7 points."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from tests.report.figures.test_sweep import row as swept
from tests.report.figures.test_training_curves import kept
from tests.report.made_up import a_row
from tkae.experiments.classification import Classification
from tkae.experiments.long_series import LongSeries
from tkae.experiments.reconstruction import MSE
from tkae.experiments.sensitivity import VaryingAlignment, VaryingMissingness
from tkae.experiments.sinusoids import Sinusoids
from tkae.report.by_name import figure_of
from tkae.report.drawing import Drawing, write_drawing
from tkae.report.figures.sweep import sweeps
from tkae.report.figures.training_curves import training_curves
from tkae.report.style import COLUMN, PAGE, SMALL, VERDICTS, settings


def along(experiment: Any, key: str) -> Drawing | None:
    metrics = [metric for metric in experiment.metrics if metric.higher_is_better is not None]
    rows = [
        a_row(
            "d",
            method,
            metric,
            {0: value, 1: value + 0.1},
            point={key: value},
            facts={"budget": "paper", key: value},
        )
        for method in ("tae", "tkae")
        for metric in metrics
        for value in (0.1, 0.9)
    ]
    return figure_of(experiment, rows, lambda _: {}, "")


def sample() -> Drawing | None:
    codes = np.zeros((2, 64, 3))
    arrays = {"series": np.ones(4), "reconstruction": np.ones(4), "codes": codes}
    return figure_of(Sinusoids(), [a_row("d", "ae", MSE, {})], lambda _: {0: arrays}, "")


DRAWN = {
    "missingness": lambda: along(VaryingMissingness(), "missingness.rate"),
    "long series": lambda: along(LongSeries(), "dataset.steps"),
    "sinusoids": sample,
    "sweep": lambda: sweeps(Classification(), [swept(0, 50), swept(0.5, 60)], "")["model.alpha"],
    "curves": lambda: training_curves([a_row("d", "tae", MSE, {0: 1.0})], lambda _: {0: kept(1.0)}, ""),
}


@pytest.mark.parametrize("name", DRAWN)
def test_a_figure_can_be_read_in_print(name: str) -> None:
    drawing = DRAWN[name]()
    assert drawing is not None and drawing.size[0] in (COLUMN, PAGE)
    with matplotlib.rc_context(settings()):
        figure = Figure(figsize=drawing.size, layout="constrained")
        drawing.draw(figure)
        figure.savefig(io.BytesIO())
        texts = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text()]
    assert texts and min(text.get_fontsize() for text in texts) >= SMALL >= 7


def test_each_verdict_has_a_colour_and_a_marker_of_its_own() -> None:
    colours, markers = zip(*VERDICTS.values(), strict=True)
    assert len(set(colours)) == len(set(markers)) == len(VERDICTS)


def test_a_name_that_looks_like_a_formula_stands_as_it_is(tmp_path: Path) -> None:
    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.plot([1, 2], label="$\\frac{$ of $x_{")
        axes.set(title="$_{$.csv", xlabel=r"$\alpha$")
        figure.legend()

    paths = write_drawing(tmp_path, "odd", Drawing("", [], draw))
    assert all(path.exists() for path in paths)


def test_a_model_without_the_setting_that_is_varied_is_not_in_its_figure() -> None:
    rows = [a_row("d", "dae", metric, {0: 0.5}) for metric in VaryingAlignment().metrics]
    assert figure_of(VaryingAlignment(), rows, lambda _: {}, "") is None
