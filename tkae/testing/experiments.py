"""What every experiment keeps to, whatever it measures: `check_experiment`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from tkae.data.prepare import Task
from tkae.experiments.base import Experiment, Measured
from tkae.models.base import Model
from tkae.models.mean import MeanFill
from tkae.models.no_model import NoModel
from tkae.models.ocsvm import OCSVM
from tkae.models.pca import PCA
from tkae.protocol import Protocol
from tkae.testing.series import small_task


def check_experiment(
    experiment: Experiment, models: Sequence[Model] = (), task: Task | None = None, nan: Iterable[str] = ()
) -> None:
    """Raise an AssertionError that says in which way an experiment breaks the contract, if it does.

    It is tried on `models`, or on small ones of ours that can do what it needs, and on `task`, or on a small
    one of three classes. `nan` names the metrics of which these models may have none.
    """
    name, task = _check_about(experiment), small_task() if task is None else task
    needs = experiment.needs
    ours = [PCA(code_size=2), MeanFill(), OCSVM(), *([] if needs else [NoModel()])]
    chosen = models or [model for model in ours if not needs or any(map(model.can, needs))]
    assert chosen, f"{name}: no model of ours can {' or '.join(needs)}: give `models` that can"
    before = _prints(task)
    for model in chosen:
        arranged = experiment.arrange(task, 0)
        same = _prints(arranged) == _prints(experiment.arrange(task, 0))
        assert same, f"{name}: arrange gives the same run other series the second time"
        fitted = replace(model).learn(arranged.train.given, seed=0)
        found = experiment.measure(fitted, arranged, Protocol())
        _check_figures(experiment, found, f"{name} of {model.name}", set(nan))
        _check_arrays(found, f"{name} of {model.name}", len(arranged.test), len(task.train))
        again = experiment.measure(fitted, arranged, Protocol())
        assert _bits(found) == _bits(again), f"{name} of {model.name}: measured twice, the figures differ"
    assert _prints(task) == before, f"{name}: it changes the series"


def _check_about(experiment: Experiment) -> str:
    for what in ("name", "title", "place", "caption", "needs", "metrics"):
        assert hasattr(experiment, what), f"{type(experiment).__name__} lacks the class variable `{what}`"
    names = [metric.name for metric in experiment.metrics]
    assert names and len(set(names)) == len(names), f"{experiment.name}: no metrics, or two of one name"
    return experiment.name


def _check_figures(experiment: Experiment, found: Measured, where: str, nan: set[str]) -> None:
    wanted, have = {metric.name for metric in experiment.metrics}, set(found.figures)
    differ = ", ".join(sorted(wanted ^ have))
    assert wanted == have, f"{where}: its figures are not exactly its metrics ({differ})"
    for metric, value in found.figures.items():
        assert isinstance(value, float), f"{where}: {metric} is {type(value).__name__}, not float"
        told = math.isfinite(value) or (math.isnan(value) and metric in nan)
        assert told, f"{where}: {metric} is {value}"


def _check_arrays(found: Measured, where: str, *counts: int) -> None:
    for what, array in {**found.outcomes, **found.drawn}.items():
        plain = isinstance(array, np.ndarray) and array.dtype.kind in "biuf"
        assert plain, f"{where}: '{what}' is no array of plain numbers, so it cannot be stored"
    for what, array in found.outcomes.items():
        fits = len(array) in counts
        assert fits, f"{where}: the outcome '{what}' has {len(array)} entries: one a test series is wanted"


def _prints(task: Task) -> list[bytes | None]:
    parts = [x for split in (task.train, task.test) for x in (split.original, split.given)]
    arrays = [a for x in parts for a in (x.values, x.observed, x.lengths, x.labels)]
    return [None if a is None else a.tobytes() for a in [*arrays, task.train.removed, task.test.removed]]


def _bits(found: Measured) -> list[tuple[str, bytes]]:
    parts = (found.figures, found.outcomes, found.drawn)  # which may use the same names
    return [(name, np.asarray(value).tobytes()) for part in parts for name, value in part.items()]
