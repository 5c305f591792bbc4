"""Imputation of removed values (Tab. imputation): errors of the completed series against the originals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tkae.config import Protocol
from tkae.data.prepare import Task
from tkae.evaluation.reconstruction import corr, mae, mean_over_series, mse
from tkae.experiments.base import Experiment, Metric
from tkae.models.base import Model


@dataclass
class Imputation(Experiment):
    """The paper's MSE and CORR as the protocol takes them, and the errors on the removed entries alone."""

    name: ClassVar[str] = "imputation"
    title: ClassVar[str] = "imputation of removed values: Mean, LOCF, DAE, TKAE (Tab. imputation)"
    place: ClassVar[str] = "tab:imputation"
    caption: ClassVar[str] = "Imputation of missing values, with respect to the original series"
    needs: ClassVar[tuple[str, ...]] = ("impute",)
    metrics: ClassVar[tuple[Metric, ...]] = (
        Metric("mse", "MSE", higher_is_better=False, decimals=3),
        Metric("corr", "CORR", higher_is_better=True, decimals=3),
        Metric("mse_removed", "MSE (removed)", higher_is_better=False, decimals=3),
        Metric("mae_removed", "MAE (removed)", higher_is_better=False, decimals=3),
        Metric("corr_removed", "CORR (removed)", higher_is_better=True, decimals=3),
    )

    def measure(self, model: Model, task: Task, protocol: Protocol) -> dict[str, float]:
        split = task.train if protocol.imputation_split == "train" else task.test
        completed = model.impute(split.given).values
        whole = protocol.imputation_values == "output" and model.can("reconstruct")
        estimate = model.reconstruct(split.given) if whole else completed
        # Entries that the source itself lacks have no truth to compare with.
        entries = split.removed if protocol.imputation_entries == "removed" else split.original.observed
        truth = split.original.values
        figures = {
            "mse": mse(truth, estimate, entries),
            "corr": corr(truth, estimate, entries),
            "mse_removed": mse(truth, completed, split.removed),
            "mae_removed": mae(truth, completed, split.removed),
            "corr_removed": corr(truth, completed, split.removed),
        }
        return {name: mean_over_series(each) for name, each in figures.items()}
