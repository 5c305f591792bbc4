"""Classification of codes (Tab. blood): kNN with k = 3 on what each model makes of incomplete series.

Controls of ours classify by themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tkae.data.collection import Ints
from tkae.data.prepare import Task
from tkae.evaluation.classification import accuracy, check_neighbours, f1, knn, most_similar
from tkae.experiments.base import Experiment, Measured, Metric, fact, labels_of, small
from tkae.fields import setting
from tkae.models.base import Model
from tkae.protocol import Protocol


@dataclass
class Classification(Experiment):
    """Accuracy and F1 in percent: of the positive class if the dataset names one, else weighted.

    How many numbers a code has is a fact, since the paper says that it is the same for all models.
    """

    name: ClassVar[str] = "classification"
    title: ClassVar[str] = "kNN accuracy and F1 of the codes: PCA, AE, EncDec-AD, TAE, TKAE (Tab. blood)"
    place: ClassVar[str] = "tab:blood"
    caption: ClassVar[str] = "Classification of the representations of series with missing values"
    needs: ClassVar[tuple[str, ...]] = ("encode", "similarity", "classify")
    labelled: ClassVar[bool] = True
    metrics: ClassVar[tuple[Metric, ...]] = (
        Metric("accuracy", "Accuracy", higher_is_better=True, decimals=1, percent=True),
        Metric("f1", "F1 score", higher_is_better=True, decimals=1, percent=True),
        fact("code_size", "D_z"),
    )

    neighbours: int = setting(3, at_least=1)  # k of kNN

    def check(self, task: Task) -> None:
        super().check(task)
        check_neighbours(self.neighbours, len(task.train))

    def measure(self, model: Model, task: Task, protocol: Protocol) -> Measured:
        truth, predicted = classified(model, task, self.neighbours)
        sample = task.test.given.take([0])
        numbers = model.encode(sample).shape[1] if model.can("encode") else float("nan")
        figures = {
            "accuracy": 100 * accuracy(truth, predicted),
            "f1": 100 * f1(truth, predicted, task.positive),
            "code_size": float(numbers),
        }
        outcomes = {"truth": small(truth), "predicted": small(predicted)}
        if task.positive is not None:  # else nobody could tell from the record which class F1 is of
            outcomes["positive"] = truth == task.positive
        return Measured(figures, outcomes)


def classified(model: Model, task: Task, neighbours: int) -> tuple[Ints, Ints]:
    """The labels of the test series (N), and what the model says, or kNN on its codes or similarities."""
    train, test = task.train.given, task.test.given
    known, truth = (labels_of(split, Classification.name) for split in (task.train, task.test))
    if model.can("classify"):
        return truth, model.classify(test)
    if model.can("encode"):
        return truth, knn(model.encode(train), known, model.encode(test), neighbours)
    return truth, most_similar(model.similarity(test), known, neighbours)
