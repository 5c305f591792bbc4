"""Figures on resamples of the test series, from the outcomes that are kept beside the records.

A row has them if all its runs kept their outcomes and had the same test series; where every run draws its own
(EHR under `clean`), the spread over runs holds that of test series already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tkae.evaluation.bootstrap import Figure, Resampled, mean_accuracy, mean_auc, mean_f1, resampled
from tkae.experiments.base import Arrays
from tkae.report.drawing import StoredArrays
from tkae.report.summary import Row

Labels = npt.NDArray[np.generic]
Runs = Sequence[Arrays]  # the outcomes of each run
NOTE = (
    "± is the spread over runs on one test set. How far other test series would move a mean stands in the "
    "CSV file: series_low and series_high, the 90 % interval of a paired bootstrap over test series."
)


def with_intervals(rows: Sequence[Row], outcomes: StoredArrays) -> list[Row]:
    """The rows, with their figures on resamples where these can be had."""
    kept: dict[str, Mapping[int, Arrays]] = {}  # several metrics are of the same runs
    groups: dict[tuple[str, bytes], list[tuple[int, Labels, Figure]]] = {}
    for place, row in enumerate(rows):
        if row.metric.name not in MADE_OF:
            continue
        if row.runs not in kept:
            kept[row.runs] = outcomes(row)
        runs = [kept[row.runs].get(seed, {}) for seed in row.by_seed]
        needs, make = MADE_OF[row.metric.name]
        if not runs or not all({*needs} <= {*run} for run in runs):
            continue
        labels: Labels = runs[0][needs[0]]
        if all(np.array_equal(run[needs[0]], labels) for run in runs):
            group = groups.setdefault((row.dataset, labels.tobytes()), [])
            group.append((place, labels, make(runs)))
    found = list(rows)
    for test_set, group in groups.items():
        figures = resampled(group[0][1], [figure for _, _, figure in group])
        for (place, _, _), own in zip(group, figures, strict=True):
            scale = 100.0 if rows[place].metric.percent else 1.0
            found[place] = replace(rows[place], resampled=Resampled(test_set, scale * own))
    return found


def _stacked(runs: Runs, name: str) -> npt.NDArray[Any]:
    return np.stack([run[name] for run in runs])


def _accuracy(runs: Runs) -> Figure:
    return mean_accuracy(runs[0]["truth"], _stacked(runs, "predicted"))


def _f1(runs: Runs) -> Figure:
    """Of the positive class where one is marked; else of all, weighted."""
    truth, marked = runs[0]["truth"], runs[0].get("positive")
    positive = None if marked is None else int(truth[marked][0]) if marked.any() else NO_LABEL
    return mean_f1(truth, _stacked(runs, "predicted"), positive)


def _auc(runs: Runs) -> Figure:
    return mean_auc(runs[0]["positive"], _stacked(runs, "score"))


NO_LABEL = -1  # of a positive class without a test series: its F1 is 0 whatever was predicted
# By metric: the outcomes that it is made of, the one that tells the classes first.
MADE_OF: dict[str, tuple[tuple[str, ...], Callable[[Runs], Figure]]] = {
    "accuracy": (("truth", "predicted"), _accuracy),
    "f1": (("truth", "predicted"), _f1),
    "auc": (("positive", "score"), _auc),
}
