"""A setup: an experiment on one dataset with one model, every value resolved. Its runs differ in the seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from tkae.data.dataset import Dataset
from tkae.data.missingness import Missingness
from tkae.experiments.base import Experiment
from tkae.models.base import Model
from tkae.protocol import Protocol
from tkae.settings.ablations import Line
from tkae.settings.controls import Control
from tkae.settings.values import Budget

T = TypeVar("T")


class Once:
    """What is made of a setup once, by its name, for all that know this object."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def __call__(self, name: str, make: Callable[[], T]) -> T:
        if name not in self._made:
            self._made[name] = make()
        made: T = self._made[name]
        return made


@dataclass(frozen=True, kw_only=True)
class Setup:
    """What is run and measured, and what a table has to know of it; see `Call.setups`."""

    experiment: Experiment
    dataset: Dataset
    missingness: Missingness
    model: Model
    protocol: Protocol
    budget: Budget
    stands_for: str  # the dataset in whose place its own stands under this protocol, or itself
    settings: dict[str, Any]  # all of them by their keys: for tables
    changed: tuple[str, ...]  # the keys of those that differ from the experiment's own
    point: Mapping[str, Any] = field(default_factory=dict)  # where it stands on the experiment's own sweep
    control: Control | None = None  # the extra row that it belongs to
    line: Line | None = None  # of the ablations, where it is a change that they make
    shortened: bool = False  # the budget gives the model other work than the paper's
    series: int | None = None  # of each split, where the budget leaves some out
    wanted: int = 1  # how many seeds the experiment has under its budget

    @cached_property
    def once(self) -> Once:
        """A copy that differs in something has one of its own."""
        return Once()
