"""kNN, accuracy and F1 against literal loops, and scikit-learn as a second opinion."""

from __future__ import annotations

import warnings
from collections import Counter

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, f1_score
from sklearn.neighbors import KNeighborsClassifier

from tkae.data.collection import Floats, Ints
from tkae.errors import DataError
from tkae.evaluation.classification import accuracy, f1, knn, vote


def literal_knn(codes: Floats, labels: Ints, queries: Floats, k: int) -> list[int]:
    found = []
    for query in queries:
        distances = [
            (sum((float(a) - float(b)) ** 2 for a, b in zip(query, code, strict=True)), i)
            for i, code in enumerate(codes)
        ]
        votes = Counter(int(labels[i]) for _, i in sorted(distances)[:k])
        most = max(votes.values())
        found.append(min(label for label, count in votes.items() if count == most))
    return found


def literal_f1(truth: Ints, predicted: Ints, label: int) -> float:
    pairs = list(zip(truth.tolist(), predicted.tolist(), strict=True))
    hits = sum(t == label and p == label for t, p in pairs)
    said, there = sum(p == label for _, p in pairs), sum(t == label for t, _ in pairs)
    precision, recall = hits / said if said else 0.0, hits / there if there else 0.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


@pytest.mark.parametrize("k", [1, 2, 3, 5, 40])
@pytest.mark.parametrize("dimensions", [1, 2, 10])
def test_knn_against_both_oracles(k: int, dimensions: int) -> None:
    rng = np.random.default_rng(k)
    codes, queries = rng.normal(size=(40, dimensions)), rng.normal(size=(33, dimensions))
    labels = rng.integers(-1, 4, size=40)
    got = knn(codes, labels, queries, k, block=7)
    assert list(got) == literal_knn(codes, labels, queries, k)
    assert list(got) == list(KNeighborsClassifier(k, algorithm="brute").fit(codes, labels).predict(queries))
    assert np.array_equal(got, knn(codes, labels, queries, k))


def test_ties_go_to_the_earlier_series_and_the_smaller_label() -> None:
    codes = np.array([[1.0], [-1.0], [1.0], [-1.0]])
    query = np.array([[0.0]])
    assert knn(codes, np.array([7, 5, 3, 1]), query, 1)[0] == 7  # the first of four at one distance
    assert knn(codes, np.array([7, 5, 3, 1]), query, 3)[0] == 3  # one vote each for 7, 5 and 3
    rng = np.random.default_rng(0)
    grid, labels = rng.integers(0, 3, size=(30, 2)).astype(float), rng.integers(0, 4, size=30)
    for k in (1, 3, 4):
        assert list(knn(grid, labels, grid, k)) == literal_knn(grid, labels, grid, k)


def test_far_from_the_origin_distances_are_still_told_apart() -> None:
    codes = np.array([[1e8], [1e8 + 1], [1e8 + 3]])
    assert list(knn(codes, np.array([0, 1, 2]), codes, 1)) == [0, 1, 2]


@pytest.mark.parametrize("k", [0, 5])
def test_k_must_fit(k: int) -> None:
    with pytest.raises(DataError, match=f"k = {k} needs 1 <= k <= 4"):
        knn(np.zeros((4, 2)), np.zeros(4, dtype=int), np.zeros((1, 2)), k)


def test_vote_by_hand() -> None:
    assert list(vote(np.array([[2, 2, 1], [3, 1, 2], [5, 5, 5], [9, 0, 9]]))) == [2, 1, 5, 9]


@pytest.mark.parametrize("seed", range(6))
def test_figures_against_both_oracles(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth, predicted = rng.integers(0, 2 + seed, size=50), rng.integers(0, 3 + seed, size=50)
    assert accuracy(truth, predicted) == pytest.approx(accuracy_score(truth, predicted))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        weighted = f1_score(truth, predicted, average="weighted")
        each = f1_score(truth, predicted, average=None, labels=range(3 + seed))
    assert f1(truth, predicted) == pytest.approx(weighted)
    counts = Counter(truth.tolist())
    literal = sum(literal_f1(truth, predicted, label) * n for label, n in counts.items()) / 50
    assert f1(truth, predicted) == pytest.approx(literal)
    for label in range(3 + seed):
        assert f1(truth, predicted, positive=label) == pytest.approx(each[label])
        assert f1(truth, predicted, positive=label) == pytest.approx(literal_f1(truth, predicted, label))


def test_binary_f1_depends_on_which_class_is_positive() -> None:
    truth, predicted = np.array([1, 1, 1, 0]), np.array([1, 1, 1, 1])
    assert f1(truth, predicted, positive=1) == pytest.approx(6 / 7)
    assert f1(truth, predicted, positive=0) == 0
    assert f1(truth, predicted, positive=2) == 0  # neither there nor predicted
    assert f1(truth, predicted) == pytest.approx(6 / 7 * 3 / 4)
    assert f1(truth, truth) == 1 and accuracy(truth, predicted) == 0.75
