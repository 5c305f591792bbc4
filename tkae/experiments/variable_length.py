"""Series of fixed and of variable length (Tab. ODE1): what padding costs models of a fixed input size."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from tkae.data.prepare import Task
from tkae.evaluation.reconstruction import about_the_mean, mean_over_series
from tkae.experiments.base import Measured, Metric
from tkae.experiments.reconstruction import MSE, Reconstruction
from tkae.models.base import Model
from tkae.protocol import Protocol


@dataclass
class VariableLength(Reconstruction):
    """PCA and the AE see shorter series padded with zeros; the TAE stops where a series ends.

    Not every protocol scales these data, so beside the MSE stands its share of their variance.
    """

    name: ClassVar[str] = "variable_length"
    title: ClassVar[str] = "reconstruction of series of fixed and variable length: PCA, AE, TAE (Tab. ODE1)"
    place: ClassVar[str] = "tab:ODE1"
    caption: ClassVar[str] = "Reconstruction MSE of series of fixed (ODEfix) and variable (ODEvar) length"
    metrics: ClassVar[tuple[Metric, ...]] = (
        MSE,
        Metric("unexplained", "MSE / variance (ours)", higher_is_better=False, decimals=3),
    )

    def measure(self, model: Model, task: Task, protocol: Protocol) -> Measured:
        errors, truth = super().measure(model, task, protocol), task.test.original
        variance = mean_over_series(about_the_mean(truth.values, truth.observed))
        share = errors.figures["mse"] / variance if variance else float("nan")
        return replace(errors, figures=errors.figures | {"unexplained": share})
