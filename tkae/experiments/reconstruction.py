"""What the comparison of recurrent and dense autoencoders measures: how well test series come back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tkae.config import Protocol
from tkae.data.prepare import Task
from tkae.evaluation.reconstruction import mean_over_series, mse
from tkae.experiments.base import Experiment, Metric
from tkae.models.base import Model

MSE = Metric("mse", "MSE", higher_is_better=False, decimals=3)


@dataclass
class Reconstruction(Experiment):
    """The MSE of each test series over its own steps, then the mean over series."""

    needs: ClassVar[tuple[str, ...]] = ("reconstruct",)
    metrics: ClassVar[tuple[Metric, ...]] = (MSE,)

    def measure(self, model: Model, task: Task, protocol: Protocol) -> dict[str, float]:
        truth = task.test.original
        errors = mse(truth.values, model.reconstruct(task.test.given), truth.observed)
        return {"mse": mean_over_series(errors)}
