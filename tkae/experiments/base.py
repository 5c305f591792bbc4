"""What an experiment is: the settings that the paper gives its models, and what it measures of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from tkae.config import Protocol
from tkae.data.dataset import Dataset
from tkae.data.prepare import Task
from tkae.fields import setting
from tkae.models.base import Model


@dataclass(frozen=True)
class Metric:
    """A column of the experiment's table."""

    name: str
    title: str
    higher_is_better: bool | None  # None: a fact, neither good nor bad
    decimals: int


@dataclass
class Experiment:
    """Its datasets and models are chosen in its config file; `measure` turns a fitted model into figures."""

    name: ClassVar[str]
    title: ClassVar[str]  # one line, for the list of experiments
    place: ClassVar[str]  # where in the paper: a LaTeX label
    caption: ClassVar[str]
    version: ClassVar[int] = 1  # raised whenever what it measures changes: stored cells are then redone
    needs: ClassVar[tuple[str, ...]]  # the abilities of which a model must have one
    metrics: ClassVar[tuple[Metric, ...]]

    missing_rate: float = setting(0.5, at_least=0, at_most=1, identity=False)  # missingness.rate follows it
    as_they_are: list[str] = field(default_factory=list, metadata={"identity": False})
    # datasets with holes of their own, from which nothing is removed
    instead: dict[str, Any] = field(default_factory=dict, metadata={"identity": False})
    # protocol -> dataset -> the dataset that stands in its place there
    by_protocol: dict[str, Any] = field(default_factory=dict, metadata={"identity": False})
    # protocol -> a table like `settings`, which it comes after
    settings: dict[str, Any] = field(default_factory=dict, metadata={"identity": False})
    # dataset or "*" -> model or "*" -> the settings that the paper gives the model there

    def notes(self, datasets: Sequence[Dataset]) -> list[str]:
        """What a reader of the table should know."""
        return []

    def measure(self, model: Model, task: Task, protocol: Protocol) -> dict[str, float]:
        """A figure for each metric; NaN where there is none."""
        raise NotImplementedError
