"""A sweep that a user makes has a figure, whatever the experiment."""

from __future__ import annotations

from typing import Any

from tests.report.made_up import a_row
from tkae.experiments.base import Metric
from tkae.experiments.classification import Classification
from tkae.report.drawing import write_drawing
from tkae.report.figures.sweep import sweeps
from tkae.report.summary import Row

ACCURACY = Classification.metrics[0]


def row(alpha: Any, level: float, metric: Metric = ACCURACY, changed: bool = True, **rest: Any) -> Row:
    facts = {"budget": "paper", "model.alpha": alpha, **rest}
    keys = ("model.alpha",) if changed else ()
    return a_row("d", "tkae", metric, {0: level, 1: level + 2}, facts=facts, changed=keys)


def test_every_setting_with_several_numbers_has_a_figure(tmp_path: Any) -> None:
    rows = [row(0.5, 70), row(0.1, 60, changed=False), row(0, 50)]
    (made,) = sweeps(Classification(), rows, "How.").items()
    assert made[0] == "model.alpha" and "90% intervals" in made[1].caption
    points = {
        one["model.alpha"]: (one["mean"], one["low"] < one["mean"] < one["high"]) for one in made[1].numbers
    }
    assert points == {0: (51, True), 0.1: (61, True), 0.5: (71, True)}
    assert all(path.stat().st_size for path in write_drawing(tmp_path, "sweep", made[1]))


def test_what_is_no_sweep_has_none() -> None:
    assert sweeps(Classification(), [row(0.1, 60, changed=False)], "") == {}
    assert sweeps(Classification(), [row("a", 60), row("b", 70)], "") == {}
    assert sweeps(Classification(), [row(True, 60), row(False, 70)], "") == {}
    assert sweeps(Classification(), [row(0, 60), row(1, 70, **{"model.l2": 1.0})], "") != {}
    fact = Classification.metrics[-1]
    assert (
        fact.higher_is_better is None
        and sweeps(Classification(), [row(0, 1, fact), row(1, 1, fact)], "") == {}
    )
