"""What imputation measures, by hand: which split, which values, which entries."""

from __future__ import annotations

import numpy as np
import pytest

from tkae.data.collection import Collection
from tkae.data.prepare import Split, Task
from tkae.evaluation.reconstruction import corr, mae, mean_over_series, mse
from tkae.experiments.imputation import Imputation
from tkae.models.mean import MeanFill
from tkae.models.pca import PCA
from tkae.protocol import Protocol


def split_of(original: Collection, seed: int) -> Split:
    removed = original.observed & (np.random.default_rng(seed).random(original.shape) < 0.4)
    return Split(original, original.without(removed), removed)


@pytest.fixture
def task(half_missing: Collection, ragged: Collection) -> Task:
    """Series that the source itself has with holes, and of several lengths."""
    return Task(split_of(half_missing, 0), split_of(ragged, 1), ("a", "b", "c"), None, "drawn here")


@pytest.mark.parametrize("name", ["train", "test"])
@pytest.mark.parametrize("values", ["completed", "output"])
@pytest.mark.parametrize("entries", ["valid", "removed"])
def test_imputation_measures_what_the_protocol_says(task: Task, name: str, values: str, entries: str) -> None:
    model = PCA(code_size=3).learn(task.train.given)
    protocol = Protocol(imputation_split=name, imputation_values=values, imputation_entries=entries)
    split: Split = getattr(task, name)
    completed = model.complete(split.given).values
    estimate = model.reconstruct(split.given) if values == "output" else completed
    counted = split.removed if entries == "removed" else split.original.observed
    truth, test = split.original.values, task.test
    unseen, ours = test.original.values, model.complete(test.given).values  # whatever the protocol says
    got = Imputation().measure(model, task, protocol).figures
    assert got == {
        "mse": mean_over_series(mse(truth, estimate, counted)),
        "corr": mean_over_series(corr(truth, estimate, counted)),
        "mse_removed": mean_over_series(mse(unseen, ours, test.removed)),
        "mae_removed": mean_over_series(mae(unseen, ours, test.removed)),
        "corr_removed": mean_over_series(corr(unseen, ours, test.removed)),
    }
    assert set(got) == {metric.name for metric in Imputation.metrics}


def test_the_choices_differ(task: Task) -> None:
    model = PCA(code_size=3).learn(task.train.given)
    choices = [
        {"imputation_split": split, "imputation_values": values, "imputation_entries": entries}
        for split in ("train", "test")
        for values in ("completed", "output")
        for entries in ("valid", "removed")
    ]
    figures = {Imputation().measure(model, task, Protocol(**choice)).figures["mse"] for choice in choices}
    # On removed entries alone the completed series are the output: two of the eight are the same twice.
    assert len(figures) == 6


def test_a_model_without_output_is_judged_by_what_it_completes(task: Task) -> None:
    model = MeanFill().learn(task.train.given)
    both = [
        Imputation().measure(model, task, Protocol(imputation_values=values)).figures
        for values in ("completed", "output")
    ]
    assert both[0] == both[1]


def test_a_perfect_imputation_has_no_error(task: Task) -> None:
    class Knowing(MeanFill):
        def complete(self, x: Collection) -> Collection:
            return task.test.original.replace(task.test.original.values, task.test.original.valid)

    got = Imputation().measure(Knowing(), task, Protocol()).figures
    assert got["mse"] == got["mse_removed"] == got["mae_removed"] == 0
    assert got["corr"] == pytest.approx(1)
