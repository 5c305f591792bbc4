"""Imputation of removed values (Tab. imputation): errors of the completed series against the originals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tkae.data.prepare import Task
from tkae.errors import DataError
from tkae.evaluation.reconstruction import corr, mae, mse
from tkae.experiments.base import Experiment, Measured, Metric
from tkae.experiments.reconstruction import of_series
from tkae.models.base import Model
from tkae.protocol import Protocol


@dataclass
class Imputation(Experiment):
    """The paper's MSE and CORR as the protocol takes them, and ours: on the removed test entries alone."""

    name: ClassVar[str] = "imputation"
    title: ClassVar[str] = "imputation of removed values: Mean, LOCF, DAE, TKAE (Tab. imputation)"
    place: ClassVar[str] = "tab:imputation"
    caption: ClassVar[str] = "Imputation of missing values, with respect to the original series"
    version: ClassVar[int] = 2
    reads: ClassVar[tuple[str, ...]] = ("imputation_split", "imputation_values", "imputation_entries")
    needs: ClassVar[tuple[str, ...]] = ("complete",)
    metrics: ClassVar[tuple[Metric, ...]] = (
        Metric("mse", "MSE", higher_is_better=False, decimals=3),
        Metric("corr", "CORR", higher_is_better=True, decimals=3),
        Metric("mse_removed", "MSE removed (ours)", higher_is_better=False, decimals=3),
        Metric("mae_removed", "MAE removed (ours)", higher_is_better=False, decimals=3),
        Metric("corr_removed", "CORR removed (ours)", higher_is_better=True, decimals=3),
    )

    printed_with: ClassVar[dict[str, Any]] = {"protocol.imputation_entries": "valid"}
    notes: ClassVar[tuple[str, ...]] = (
        "removed (ours): over the removed entries of the test split alone, whatever the protocol takes "
        "for the paper's columns.",
    )

    def check(self, task: Task) -> None:
        if not (task.train.removed.any() or task.test.removed.any()):
            raise DataError(
                "imputation: no value was removed, so that there is nothing to compare with: "
                "choose a missingness with a rate above 0, such as missingness=uniform"
            )

    def measure(self, model: Model, task: Task, protocol: Protocol) -> Measured:
        split = task.train if protocol.imputation_split == "train" else task.test
        whole = protocol.imputation_values == "output" and model.can("reconstruct")
        estimate = model.reconstruct(split.given) if whole else model.complete(split.given).values
        # Entries that the source itself lacks have no truth to compare with.
        entries = split.removed if protocol.imputation_entries == "removed" else split.original.observed
        truth, test = split.original.values, task.test
        unseen, completed = test.original.values, model.complete(test.given).values
        outcomes = {
            "mse": mse(truth, estimate, entries),
            "corr": corr(truth, estimate, entries),
            "mse_removed": mse(unseen, completed, test.removed),
            "mae_removed": mae(unseen, completed, test.removed),
            "corr_removed": corr(unseen, completed, test.removed),
        }
        return of_series(outcomes)
