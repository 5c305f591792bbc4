"""What the comparison of recurrent and dense autoencoders measures: how well test series come back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tkae.data.collection import Floats
from tkae.data.prepare import Task
from tkae.evaluation.reconstruction import mean_over_series, mse
from tkae.experiments.base import Experiment, Measured, Metric
from tkae.models.base import Model
from tkae.protocol import Protocol

MSE = Metric("mse", "MSE", higher_is_better=False, decimals=3)


@dataclass
class Reconstruction(Experiment):
    """The MSE of each test series over its own steps, then the mean over series."""

    needs: ClassVar[tuple[str, ...]] = ("reconstruct",)
    metrics: ClassVar[tuple[Metric, ...]] = (MSE,)

    def measure(self, model: Model, task: Task, protocol: Protocol) -> Measured:
        truth = task.test.original
        return of_series({"mse": mse(truth.values, model.reconstruct(task.test.given), truth.observed)})


def of_series(outcomes: dict[str, Floats]) -> Measured:
    """Figures that are means of a number for each series; a series that has none is NaN there."""
    figures = {name: mean_over_series(each) for name, each in outcomes.items()}
    return Measured(figures, {name: each.astype(np.float32) for name, each in outcomes.items()})
