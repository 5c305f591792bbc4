"""The controls on missingness alone: blind to values, right about masks, at chance where chance drew them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from tkae.data.collection import Collection
from tkae.data.files import Files
from tkae.data.missingness import Uniform, Untouched
from tkae.data.prepare import Task, prepare
from tkae.data.sets.ehr import EHR
from tkae.data.sets.japanese_vowels import JapaneseVowels
from tkae.errors import DataError
from tkae.evaluation.classification import accuracy, f1, knn
from tkae.experiments.classification import Classification
from tkae.models.base import Model
from tkae.models.mask import CountLogistic, Mask, MaskLogistic
from tkae.protocol import Protocol

ALL = (Mask, MaskLogistic, CountLogistic)


def measured(model: Model, task: Task) -> dict[str, float]:
    return Classification().measure(model.learn(task.train.given), task, Protocol()).figures


def answers(model: Model, x: Collection) -> np.ndarray:
    return model.classify(x) if model.can("classify") else model.encode(x)


@pytest.mark.parametrize("cls", ALL)
def test_values_play_no_part(cls: type[Model], ragged: Collection) -> None:
    other = ragged.replace(np.random.default_rng(0).normal(size=ragged.shape))
    assert np.array_equal(answers(cls().learn(ragged), ragged), answers(cls().learn(other), other))


def test_the_mask_is_the_code(ragged: Collection) -> None:
    code = Mask().learn(ragged).encode(ragged)
    assert np.array_equal(code.reshape(ragged.shape) == 1, ragged.observed)
    assert set(np.unique(code)) == {0, 1}


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("cls", [MaskLogistic, CountLogistic])
def test_logistic_regression_is_that_of_scikit_learn(cls: type[MaskLogistic], classes: int) -> None:
    """With labels that are not 0, 1, ..., and series that were not learned from."""
    rng = np.random.default_rng(classes)
    labels = 3 + 2 * rng.integers(0, classes, 120)
    observed = rng.random((120, 6, 2)) < 0.15 * labels[:, None, None] - 0.3
    x = Collection(np.zeros(observed.shape), observed, labels=labels)
    train, test = x.take(np.arange(80)), x.take(np.arange(80, 120))
    features = x.observed.reshape(120, -1).astype(float)
    if cls is CountLogistic:
        features = features.sum(axis=1, keepdims=True)
    theirs = LogisticRegression(max_iter=10_000).fit(features[:80], labels[:80])
    got = cls().learn(train).classify(test)
    assert np.array_equal(got, theirs.predict(features[80:]))
    assert len(np.unique(got)) == classes and np.mean(got == test.labels) > 1.4 / classes


def test_without_labels_there_is_nothing_to_learn(complete: Collection) -> None:
    bare = Collection(complete.values)
    with pytest.raises(DataError, match="mask_logistic learns from labels"):
        MaskLogistic().learn(bare)


@pytest.fixture(scope="module")
def ehr(mirror: Path, tmp_path_factory: pytest.TempPathFactory) -> Task:
    files = Files(mirror=mirror, cache=tmp_path_factory.mktemp("cache"))
    return prepare(EHR(), Untouched(), Protocol(), files, seed=0)


@pytest.mark.parametrize(
    ("model", "figures"),
    [
        (MaskLogistic(inverse_penalty=0.1), (90.9, 81.4)),
        (CountLogistic(), (90.9, 81.0)),
        (Mask(), (87.5, 73.8)),
    ],
    ids=lambda one: one.name if isinstance(one, Model) else "",
)
def test_on_ehr_no_value_is_needed(ehr: Task, model: Model, figures: tuple[float, float]) -> None:
    """Above every row of the paper's table, whose best are 89.9 and 80.2, but for the neighbours."""
    got = measured(model, ehr)
    assert (round(got["accuracy"], 1), round(got["f1"], 1)) == figures


def test_neighbours_on_the_mask_of_ehr_are_a_matter_of_ties(ehr: Task) -> None:
    """Masks are often equally near. What was known, 86.9 and 71.6, is one of the ways to break ties."""
    train, test = ehr.train.given, ehr.test.given
    assert train.labels is not None and test.labels is not None
    model = Mask().learn(train)
    codes, queries = model.encode(train), model.encode(test)
    rng = np.random.default_rng(0)
    found = set()
    for _ in range(20):
        order = rng.permutation(len(codes))
        predicted = knn(codes[order], train.labels[order], queries, 3)
        share, score = accuracy(test.labels, predicted), f1(test.labels, predicted, 1)
        found.add((round(100 * share, 1), round(100 * score, 1)))
    assert (86.9, 71.6) in found and len(found) > 3
    assert all(85 < share < 90 for share, _ in found)


@pytest.mark.parametrize("cls", ALL)
def test_holes_drawn_at_random_tell_nothing(cls: type[Model]) -> None:
    """Nine speakers, 30 training series each: chance is 11 %. Stretched, all series are equally long."""
    holes, protocol = Uniform(rate=0.8), Protocol()
    tasks = [prepare(JapaneseVowels(stretch=True), holes, protocol, Files(), seed) for seed in range(5)]
    figures = [measured(cls(), task)["accuracy"] for task in tasks]
    assert 100 / 9 - 4 < np.mean(figures) < 100 / 9 + 4


@pytest.mark.parametrize("cls", [MaskLogistic, CountLogistic])
def test_but_a_mask_tells_how_long_a_series_is(cls: type[Model]) -> None:
    """Complete series of their own lengths: some speakers are slower than others."""
    task = prepare(JapaneseVowels(), Untouched(), Protocol(), Files(), seed=0)
    assert measured(cls(), task)["accuracy"] > 20
