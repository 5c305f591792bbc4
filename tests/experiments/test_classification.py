"""What classification measures, by hand: kNN on codes of what is given."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tkae.data.collection import Collection
from tkae.data.prepare import Split, Task
from tkae.errors import DataError
from tkae.evaluation.classification import accuracy, f1, knn
from tkae.experiments.classification import Classification
from tkae.models.pca import PCA
from tkae.protocol import Protocol


def split_of(original: Collection, seed: int) -> Split:
    removed = original.observed & (np.random.default_rng(seed).random(original.shape) < 0.4)
    return Split(original, original.without(removed), removed)


@pytest.fixture
def task(half_missing: Collection, ragged: Collection) -> Task:
    """Series that the source itself has with holes, and of several lengths."""
    return Task(split_of(half_missing, 0), split_of(ragged, 1), ("a", "b", "c"), None, "drawn here")


@pytest.mark.parametrize("positive", [None, 1])
def test_classification_is_knn_on_codes_of_what_is_given(task: Task, positive: int | None) -> None:
    task, model = replace(task, positive=positive), PCA(code_size=3).learn(task.train.given)
    train, test = task.train.given, task.test.given
    assert train.labels is not None and test.labels is not None
    predicted = knn(model.encode(train), train.labels, model.encode(test), 3)
    expected = {
        "accuracy": 100 * accuracy(test.labels, predicted),
        "f1": 100 * f1(test.labels, predicted, positive),
        "code_size": 3.0,
    }
    measured = Classification().measure(model, task, Protocol())
    assert measured.figures == expected
    assert 0 < expected["accuracy"] < 100
    kept = measured.outcomes  # from which the figures can be had once more
    assert (kept["truth"] == test.labels).all() and (kept["predicted"] == predicted).all()
    assert ("positive" in kept) == (positive is not None)
    assert positive is None or (kept["positive"] == (test.labels == positive)).all()


def test_classification_needs_labels(task: Task) -> None:
    bare = Collection(task.train.given.values, task.train.given.observed)
    without = replace(task, train=replace(task.train, given=bare))
    with pytest.raises(DataError, match="classification needs labels"):
        Classification().measure(PCA().learn(bare), without, Protocol())
