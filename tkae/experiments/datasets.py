"""The datasets (Tab. dataset_details): what the files hold, beside what the paper says they hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tkae.data.prepare import Task
from tkae.experiments.base import Experiment, Measured, Metric, fact
from tkae.models.base import Model
from tkae.protocol import Protocol


@dataclass
class Datasets(Experiment):
    """Counts are facts: they are the paper's or they differ, and a note says why."""

    name: ClassVar[str] = "datasets"
    title: ClassVar[str] = "size, lengths and classes of every dataset (Tab. dataset_details)"
    place: ClassVar[str] = "tab:dataset_details"
    caption: ClassVar[str] = "Benchmark time series datasets"
    whole: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]] = ()
    metrics: ClassVar[tuple[Metric, ...]] = (
        fact("variates", "V"),
        fact("n_train", "Train"),
        fact("n_test", "Test"),
        fact("classes", "Classes"),
        fact("t_min", "T min"),
        fact("t_max", "T max"),
        fact("missing_share", "Missing", decimals=3),
    )
    on_data: ClassVar[bool] = True

    def measure(self, model: Model, task: Task, protocol: Protocol) -> Measured:
        train, test = task.train.original, task.test.original
        lengths = np.concatenate([train.lengths, test.lengths])
        missing = train.missing.sum() + test.missing.sum()
        figures = {
            "variates": float(train.shape[2]),
            "n_train": float(len(train)),
            "n_test": float(len(test)),
            "classes": float(len(task.classes)),
            "t_min": float(lengths.min()),
            "t_max": float(lengths.max()),
            "missing_share": float(missing / (train.valid.sum() + test.valid.sum())),
        }
        return Measured(figures)
