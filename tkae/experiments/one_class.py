"""One-class classification (Tab. AUC): finding a class that the training set does not hold."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from tkae.data.prepare import Task
from tkae.errors import DataError
from tkae.evaluation.one_class import auc
from tkae.experiments.base import Experiment, Measured, Metric, labels_of
from tkae.models.base import Model
from tkae.protocol import Protocol


@dataclass
class OneClass(Experiment):
    """The area under the ROC curve of the anomaly scores; the unseen class is the dataset's positive one."""

    name: ClassVar[str] = "one_class"
    title: ClassVar[str] = "AUC for an unseen class: OCSVM, IF, PCA, AE, EncDec-AD, TAE, TKAE (Tab. AUC)"
    place: ClassVar[str] = "fig:anomaly_detect"
    caption: ClassVar[str] = "Detection of a class that is not present in the training set"
    reads: ClassVar[tuple[str, ...]] = ("error_entries",)
    needs: ClassVar[tuple[str, ...]] = ("screen",)
    metrics: ClassVar[tuple[Metric, ...]] = (Metric("auc", "AUC", higher_is_better=True, decimals=3),)
    on_data: ClassVar[bool] = True

    def arrange(self, task: Task, seed: int) -> Task:
        """The unseen class taken out of the training split: the only use of its labels.

        As in the text, that comes after scaling and removal.
        """
        labels, unseen = (labels_of(split, self.name) for split in (task.train, task.test))
        if task.positive is None:
            raise DataError(
                "one_class needs to know which class is not to be seen, and this dataset names none; "
                "for own data: dataset.positive=NAME"
            )
        if task.guessed:
            raise DataError(
                "one_class needs to know which class is not to be seen, and nobody said so: "
                f"dataset.positive={task.classes[task.positive]}, or {task.classes[1 - task.positive]}"
            )
        rest = np.flatnonzero(labels != task.positive)
        if not len(rest):
            raise DataError("one_class: every training series is of the class that is not to be seen")
        if not (unseen == task.positive).any():
            raise DataError("one_class: no test series is of the class that is not to be seen")
        return replace(task, train=task.train.take(rest))

    def measure(self, model: Model, task: Task, protocol: Protocol) -> Measured:
        """Where a model reconstructs, its score is the error at the entries that the protocol counts."""
        test = task.test.given
        if model.can("reconstruct"):
            scores = model.error(test, test.valid if protocol.error_entries == "valid" else test.observed)
        else:
            scores = model.screen(test)
        positive = np.asarray(test.labels == task.positive)
        return Measured({"auc": auc(positive, scores)}, {"positive": positive, "score": scores})
