"""A cell: one model on one dataset with one seed, under one protocol and budget. The unit of work."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tkae.config import Budget, Protocol
from tkae.controls import Control
from tkae.data.dataset import Dataset
from tkae.data.missingness import Missingness
from tkae.experiments.base import Experiment
from tkae.fields import identity
from tkae.models.base import Model

DATA_VERSION = 1  # raised whenever loading, scaling or removal changes what a model sees


@dataclass(frozen=True)
class Cell:
    """Its identity holds every setting that can change its numbers, and no path, thread count or place.

    The budget enters through the model's own epochs.
    """

    experiment: Experiment
    dataset: Dataset
    missingness: Missingness
    model: Model
    protocol: Protocol
    budget: Budget
    seed: int
    data: dict[str, str]  # fingerprints of the source files
    settings: dict[str, Any]  # all of them by their keys: for tables
    changed: tuple[str, ...]  # the keys of those that differ from the experiment's own
    axes: Mapping[str, Any] = field(default_factory=dict)  # where it stands on the experiment's own sweep
    control: Control | None = None  # the extra row that it belongs to
    shortened: bool = False  # the budget gives the model other work than the paper's
    series: int | None = None  # of each split, where the budget leaves some out
    problem: str = ""  # why the data cannot be had; such a cell fails without being run

    @cached_property
    def identity(self) -> dict[str, Any]:
        return {
            "experiment": {"name": self.experiment.name, **identity(self.experiment)},
            "dataset": {"name": self.dataset.name, **identity(self.dataset)},
            "missingness": {"name": self.missingness.name, **identity(self.missingness)},
            "model": {"name": self.model.name, **identity(self.model)},
            "protocol": identity(self.protocol),
            "seed": self.seed,
            "data": self.data,
            **({} if self.series is None else {"series": self.series}),
            "versions": {
                "data": DATA_VERSION,
                "experiment": self.experiment.version,
                "model": self.model.version,
                **self.experiment.rests_on(),
                **self.model.rests_on(),
            },
        }

    @cached_property
    def key(self) -> str:
        """A hash of the identity: the name of the cell's record."""
        text = json.dumps(self.identity, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:24]

    @cached_property
    def shape(self) -> str:
        """Equal for cells whose models can be fitted side by side."""
        parts = [self.experiment.name, self.dataset.name, identity(self.dataset), self.model.name]
        return json.dumps([*parts, self.model.shape(), identity(self.protocol), self.series], sort_keys=True)

    @property
    def label(self) -> str:
        """For people: what runs now."""
        return f"{self.row} seed {self.seed}"

    @property
    def row(self) -> str:
        """The same without the seed."""
        shown = (*self.axes, *(self.control.settings if self.control else ()), *self.changed)
        extra = "".join(f" {key}={self.settings[key]}" for key in shown)
        return f"{self.pair}{extra}"

    @property
    def pair(self) -> str:
        """The same without the settings, too."""
        return f"{self.experiment.name}.{self.protocol.name} {self.dataset.name} {self.model.name}"
