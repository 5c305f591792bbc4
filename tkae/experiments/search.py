"""The hyperparameters (Tabs. class_config, imp_config): k-fold cross-validation on the reconstruction error.

Run `seed` holds out fold `seed` mod k of the training split. The test split never enters.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from tkae.data.collection import Ints
from tkae.data.prepare import Task
from tkae.errors import DataError
from tkae.evaluation.reconstruction import mse
from tkae.experiments.base import Experiment, Measured, Metric
from tkae.experiments.reconstruction import of_series
from tkae.fields import setting
from tkae.models.base import Model
from tkae.protocol import Protocol
from tkae.seeding import stream


@dataclass
class Search(Experiment):
    """Every setting of the grid on every fold; the lowest mean error is what was found."""

    searches_for: ClassVar[str]  # the experiment whose settings the paper prints
    needs: ClassVar[tuple[str, ...]] = ("reconstruct",)
    metrics: ClassVar[tuple[Metric, ...]] = (Metric("cv_error", "CV error", False, decimals=4),)

    folds: int = setting(5, at_least=2, at_most=1000)  # k

    def arrange(self, task: Task, seed: int) -> Task:
        """The training split parted in two: its held-out fold stands in the place of the test split."""
        held = held_out(task.train.given.lengths, self.folds, seed)
        rest = np.setdiff1d(np.arange(len(task.train.given)), held)
        return replace(task, train=task.train.take(rest), test=task.train.take(held))

    def measure(self, model: Model, task: Task, protocol: Protocol) -> Measured:
        """The mean squared error of the free-running reconstruction where the model's loss counts it."""
        values, entries = model.target(task.test.given)
        if not entries.any():
            return Measured({"cv_error": float("nan")})
        output = model.reconstruct(task.test.given)
        error = float(np.mean((values[entries] - output[entries]) ** 2))
        return Measured({"cv_error": error}, of_series({"mse": mse(values, output, entries)}).outcomes)


def held_out(lengths: Ints, folds: int, seed: int) -> Ints:
    """The positions that run `seed` holds out, in order: the same for every model and setting.

    Folds are disjoint and of one size, so that what is left can be trained side by side; for the same
    reason the longest series is never held out: all networks see as many steps. Seeds from `folds` on
    part the series anew.
    """
    n, longest = len(lengths), int(np.argmax(lengths))
    size = (n - 1) // folds
    if size == 0:
        raise DataError(f"{n} training series cannot be held out in {folds} folds: lower experiment.folds")
    order = stream(seed // folds, "folds").permutation(np.delete(np.arange(n), longest))
    start = size * (seed % folds)
    return np.sort(order[start : start + size])


@dataclass
class SearchClassification(Search):
    """AE, TAE and TKAE on series of which 80 % are missing."""

    name: ClassVar[str] = "search_classification"
    title: ClassVar[str] = "cross-validated settings of AE, TAE, TKAE for classification (Tab. class_config)"
    place: ClassVar[str] = "tab:class_config"
    caption: ClassVar[str] = "Hyperparameters for classification found with cross-validation"
    searches_for: ClassVar[str] = "classification"


@dataclass
class SearchImputation(Search):
    """DAE and TKAE on series of which 50 % are missing."""

    name: ClassVar[str] = "search_imputation"
    title: ClassVar[str] = "cross-validated settings of DAE and TKAE for imputation (Tab. imp_config)"
    place: ClassVar[str] = "tab:imp_config"
    caption: ClassVar[str] = "Hyperparameters for imputation found with cross-validation"
    searches_for: ClassVar[str] = "imputation"
