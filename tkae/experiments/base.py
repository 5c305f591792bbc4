"""What an experiment is: the settings that the paper gives its models, and what it measures of each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tkae.data.collection import Ints
from tkae.data.prepare import Split, Task
from tkae.errors import DataError
from tkae.models.base import Model
from tkae.protocol import Protocol

Arrays = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Metric:
    """A column of the experiment's table."""

    name: str
    title: str
    higher_is_better: bool | None  # None: a fact, neither good nor bad
    decimals: int
    percent: bool = False  # a share, shown as one of 100


def fact(name: str, title: str, decimals: int = 0) -> Metric:
    """A column of what is neither good nor bad."""
    return Metric(name, title, None, decimals)


@dataclass(frozen=True)
class Measured:
    """What an experiment finds of a fitted model."""

    figures: dict[str, float]  # one for each metric; NaN where there is none
    outcomes: Arrays = field(default_factory=dict)  # of each test series (N): its error, score or prediction
    drawn: Arrays = field(default_factory=dict)  # what the experiment's figure shows


def small(labels: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Labels from 0 on, in as few bytes as they take."""
    return labels.astype(np.min_scalar_type(int(labels.max(initial=0))))


def labels_of(split: Split, experiment: str) -> Ints:
    """(N), or the sentence that the experiment needs them."""
    if split.given.labels is None:
        raise DataError(f"{experiment} needs labels, and this dataset has none")
    return split.given.labels


@dataclass
class Experiment(ABC):
    """Its datasets and models are chosen in its config file; `measure` turns a fitted model into figures."""

    name: ClassVar[str]
    title: ClassVar[str]  # one line, for the list of experiments
    place: ClassVar[str]  # where in the paper: a LaTeX label
    caption: ClassVar[str]
    version: ClassVar[int] = 1  # raised whenever what it measures changes: stored cells are then redone
    whole: ClassVar[bool] = False  # it takes all series of a dataset, whatever the budget
    reads: ClassVar[tuple[str, ...]] = ()  # the protocol's settings that enter what it measures
    aligned: ClassVar[bool] = False  # a kernel of the series enters it, whatever the model
    needs: ClassVar[tuple[str, ...]]  # the abilities of which a model must have one
    labelled: ClassVar[bool] = False  # it needs the labels of both splits
    metrics: ClassVar[tuple[Metric, ...]]
    printed_with: ClassVar[
        dict[str, Any]
    ] = {}  # settings without which it measures another thing than printed
    notes: ClassVar[tuple[str, ...]] = ()  # what a reader of the table should know
    on_data: ClassVar[bool] = False  # and why datasets are not what the paper's table says
    # Of an experiment from outside this package: the functions, as `module:function`, that draw its figure
    # and make a table beside the usual one; see tkae.report.by_name.
    figure: ClassVar[str] = ""
    added_table: ClassVar[str] = ""

    overrides: list[dict[str, Any]] = field(default_factory=list, metadata={"identity": False})
    # what the paper says of datasets, models and missingness here: see tkae.settings.overrides
    controls: dict[str, dict[str, Any]] = field(default_factory=dict, metadata={"identity": False})
    # rows that the paper does not have: see tkae.settings.controls
    grid: dict[str, Any] = field(default_factory=dict, metadata={"identity": False})
    # values that the experiment sweeps, by their keys: see tkae.settings.grid

    def method_versions(self) -> dict[str, int]:
        """Versions of methods that enter what it measures, beside the model's: a change redoes its cells."""
        return {}

    def check(self, task: Task) -> None:
        """Raise the sentence why this cannot be measured on a dataset, before anything is fitted to it."""
        if self.labelled:
            train, _ = (labels_of(split, self.name) for split in (task.train, task.test))
            if (train == train[0]).all():
                raise DataError(
                    f"{self.name}: all training series are of the class '{task.classes[train[0]]}', so that "
                    "there is nothing to tell apart"
                )

    def arrange(self, task: Task, seed: int) -> Task:
        """What the models of run `seed` get of a dataset; its two splits, if nothing else is said."""
        return task

    @abstractmethod
    def measure(self, model: Model, task: Task, protocol: Protocol) -> Measured:
        """Figures, and what they were made of."""
