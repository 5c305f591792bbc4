"""kNN on codes, accuracy and F1: the paper's way to judge a representation."""

from __future__ import annotations

import numpy as np

from tkae.data.collection import Floats, Ints
from tkae.errors import DataError


def check_neighbours(k: int, n: int) -> None:
    """Whether n training series have k nearest ones among them."""
    if not 1 <= k <= n:
        raise DataError(f"kNN with k = {k} needs 1 <= k <= {n}, the number of training series")


def knn(codes: Floats, labels: Ints, queries: Floats, k: int = 3, block: int = 256) -> Ints:
    """(M): the most frequent label among the k nearest (Euclidean) of `codes` (N, D) to each query (M, D).

    Equal distances go to the earlier series, equal votes to the smaller label.
    """
    check_neighbours(k, len(codes))
    found = np.empty(len(queries), dtype=np.int64)
    for start in range(0, len(queries), block):  # blocks keep the (M, N, D) differences small
        cut = queries[start : start + block]
        distances = np.zeros((len(cut), len(codes)))
        for d in range(codes.shape[1]):
            distances += (cut[:, d, None] - codes[None, :, d]) ** 2
        found[start : start + block] = vote(labels[np.argsort(distances, axis=1, kind="stable")[:, :k]])
    return found


def most_similar(similarity: Floats, labels: Ints, k: int = 3) -> Ints:
    """(M): the most frequent label among the k training series most similar (M, N) to each query."""
    return vote(labels[np.argsort(-similarity, axis=1, kind="stable")[:, :k]])


def vote(labels: Ints) -> Ints:
    """(M): the most frequent label of each row (M, k); the smallest of those that are equally frequent."""
    classes = np.unique(labels)
    counts = (labels[:, :, None] == classes).sum(axis=1)
    return np.asarray(classes[counts.argmax(axis=1)])


def accuracy(truth: Ints, predicted: Ints) -> float:
    """The share of right labels."""
    return float(np.mean(truth == predicted))


def f1(truth: Ints, predicted: Ints, positive: int | None = None) -> float:
    """F1 of the `positive` label; without one, of every true label, weighted by its frequency."""
    if positive is not None:
        return _f1_of(truth, predicted, positive)
    labels, counts = np.unique(truth, return_counts=True)
    each = np.array([_f1_of(truth, predicted, int(label)) for label in labels])
    return float((each * counts).sum() / counts.sum())


def _f1_of(truth: Ints, predicted: Ints, label: int) -> float:
    """2 TP / (2 TP + FP + FN); 0 where the label neither occurs nor is predicted."""
    hits = int(((truth == label) & (predicted == label)).sum())
    wrong = int((truth == label).sum() + (predicted == label).sum()) - 2 * hits
    return 2 * hits / (2 * hits + wrong) if hits + wrong else 0.0
