"""What the comparison of recurrent and dense autoencoders measures: how well test series come back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tkae.config import Protocol
from tkae.data.prepare import Task
from tkae.evaluation.reconstruction import mean_over_series, mse
from tkae.experiments.base import Experiment, Metric
from tkae.models.base import Model

if TYPE_CHECKING:
    from tkae.report.summary import Row

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


def label(row: Row) -> str:
    """The name of a row's line in a figure: its method, and what was changed of it."""
    return " ".join([row.method_title, *(f"{key}={row.settings[key]}" for key in row.changed)])
