"""Every registered experiment keeps the contract, and the check finds each way to break it."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest

from tkae.data.prepare import Task
from tkae.experiments.base import Measured
from tkae.experiments.imputation import Imputation
from tkae.models.base import Model
from tkae.protocol import Protocol
from tkae.settings.registry import GROUPS, lookup
from tkae.testing import check_experiment

# Of which a model that trains for no epochs, or has no code, has none.
NONE = ("late_fall", "parameters", "code_size")


# The ablations measure nothing of their own: their cells are those of other experiments.
@pytest.mark.parametrize("name", [name for name in GROUPS["experiment"] if name != "ablations"])
def test_a_registered_experiment_keeps_it(name: str) -> None:
    check_experiment(lookup("experiment", name)(), nan=NONE)


class Short(Imputation):
    def measure(self, model: Model, task: Task, protocol: Protocol) -> Measured:
        figures = super().measure(model, task, protocol).figures
        return Measured({"mse": figures["mse"]})


class Undefined(Imputation):
    def measure(self, model: Model, task: Task, protocol: Protocol) -> Measured:
        made = super().measure(model, task, protocol)
        return replace(made, figures={**made.figures, "corr": float("nan")})


class Restless(Imputation):
    calls: ClassVar[itertools.count[int]] = itertools.count()

    def measure(self, model: Model, task: Task, protocol: Protocol) -> Measured:
        made = super().measure(model, task, protocol)
        return replace(made, figures={**made.figures, "mse": float(next(self.calls))})


class Lumping(Imputation):
    def measure(self, model: Model, task: Task, protocol: Protocol) -> Measured:
        made = super().measure(model, task, protocol)
        return replace(made, outcomes={"mse": made.outcomes["mse"][:2]})


class Objects(Imputation):
    def measure(self, model: Model, task: Task, protocol: Protocol) -> Measured:
        made = super().measure(model, task, protocol)
        return replace(made, drawn={"names": np.array([None, "a"], dtype=object)})


class Dicing(Imputation):
    def arrange(self, task: Task, seed: int) -> Task:
        return replace(task, test=task.test.take(np.random.default_rng().permutation(len(task.test))))


BROKEN = {
    Short: "its figures are not exactly its metrics",
    Undefined: "corr is nan",
    Restless: "measured twice, the figures differ",
    Lumping: "one a test series is wanted",
    Objects: "no array of plain numbers",
    Dicing: "arrange gives the same run other series",
}


@pytest.mark.parametrize("cls", BROKEN, ids=lambda cls: cls.__name__)
def test_a_broken_experiment_is_told_what_is_wrong(cls: type[Imputation]) -> None:
    with pytest.raises(AssertionError, match=BROKEN[cls]):
        check_experiment(cls())


def test_a_metric_may_be_undefined_where_that_is_said() -> None:
    check_experiment(Undefined(), nan=["corr"])
