"""Controlled experiments (Fig. miss): accuracy and reconstruction error as one value is varied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tkae.data.prepare import Task
from tkae.evaluation.classification import accuracy, check_neighbours
from tkae.evaluation.reconstruction import mse
from tkae.experiments.base import Experiment, Measured, Metric, small
from tkae.experiments.classification import classified
from tkae.experiments.reconstruction import of_series
from tkae.fields import setting
from tkae.models.base import Model
from tkae.models.filling import zero
from tkae.protocol import Protocol


@dataclass
class Sensitivity(Experiment):
    """kNN accuracy of the codes, and the error of the test series; of the zero-imputed ones in the paper.

    Imputed zeros are easy to give back, so the error on the observed entries stands beside it (and is the
    only one where the protocol counts no others).
    """

    place: ClassVar[str] = "fig:miss"
    reads: ClassVar[tuple[str, ...]] = ("error_entries",)
    needs: ClassVar[tuple[str, ...]] = ("reconstruct",)
    labelled: ClassVar[bool] = True
    metrics: ClassVar[tuple[Metric, ...]] = (
        Metric("accuracy", "Accuracy", higher_is_better=True, decimals=3),
        Metric("mse", "MSE", higher_is_better=False, decimals=3),
        Metric("mse_observed", "MSE observed (ours)", higher_is_better=False, decimals=3),
    )

    neighbours: int = setting(3, at_least=1)  # k of kNN

    def check(self, task: Task) -> None:
        super().check(task)
        check_neighbours(self.neighbours, len(task.train))

    def measure(self, model: Model, task: Task, protocol: Protocol) -> Measured:
        test = task.test.given
        output = model.reconstruct(test)
        entries = test.valid if protocol.error_entries == "valid" else test.observed
        truth, predicted = classified(model, task, self.neighbours)
        errors = of_series(
            {
                "mse": mse(zero(test), output, entries),
                "mse_observed": mse(test.values, output, test.observed),
            }
        )
        return Measured(
            {"accuracy": accuracy(truth, predicted), **errors.figures},
            {"truth": small(truth), "predicted": small(predicted), **errors.outcomes},
        )


@dataclass
class VaryingMissingness(Sensitivity):
    """TAE and TKAE on series of which 10 to 90 % are removed."""

    name: ClassVar[str] = "missingness"
    title: ClassVar[str] = "accuracy and MSE of TAE and TKAE over 10 to 90 % missing (Fig. miss a)"
    caption: ClassVar[str] = "Accuracy and reconstruction error as the share of missing values is varied"


@dataclass
class VaryingAlignment(Sensitivity):
    """The TKAE without L2 penalty, at 80 % missing."""

    name: ClassVar[str] = "alignment_weight"
    title: ClassVar[str] = "accuracy and MSE of the TKAE over alpha, lambda = 0 (Fig. miss b)"
    caption: ClassVar[str] = "Accuracy and reconstruction error as the weight of the alignment is varied"


@dataclass
class VaryingL2(Sensitivity):
    """The TKAE with alpha = 0.5, at 80 % missing."""

    name: ClassVar[str] = "l2_weight"
    title: ClassVar[str] = "accuracy and MSE of the TKAE over lambda, alpha = 0.5 (Fig. miss c)"
    caption: ClassVar[str] = "Accuracy and reconstruction error as the weight of the L2 penalty is varied"
