"""How much faster the metrics and kNN are than their literal versions: ratios, measured in one run.

make bench
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from tkae.data.files import Files
from tkae.data.sets.japanese_vowels import JapaneseVowels
from tkae.evaluation.classification import knn
from tkae.evaluation.reconstruction import corr, mse
from tkae.models.pca import PCA


def seconds(work: Callable[[], object], repeats: int) -> float:
    """The best of some repeats."""
    taken = []
    for _ in range(repeats):
        begun = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begun)
    return min(taken)


def literal_mse(truth: np.ndarray, estimate: np.ndarray, entries: np.ndarray) -> list[float]:
    return [float(np.mean((t[e] - x[e]) ** 2)) for t, x, e in zip(truth, estimate, entries, strict=True)]


def literal_corr(truth: np.ndarray, estimate: np.ndarray, entries: np.ndarray) -> list[float]:
    pairs = zip(truth, estimate, entries, strict=True)
    return [float(np.corrcoef(t[e], x[e])[0, 1]) for t, x, e in pairs]


def literal_knn(codes: np.ndarray, labels: np.ndarray, queries: np.ndarray) -> list[int]:
    found = []
    for query in queries:
        nearest = sorted(range(len(codes)), key=lambda i: float(((codes[i] - query) ** 2).sum()))[:3]
        votes = [int(labels[i]) for i in nearest]
        found.append(min(set(votes), key=lambda label: (-votes.count(label), label)))
    return found


def main() -> None:
    data = JapaneseVowels().load(Files(), 0)
    model = PCA().learn(data.train)
    test, output = data.test, model.reconstruct(data.test)
    codes, queries, labels = model.encode(data.train), model.encode(test), data.train.labels
    rows = {
        "mse": (
            lambda: mse(test.values, output, test.valid),
            lambda: literal_mse(test.values, output, test.valid),
        ),
        "corr": (
            lambda: corr(test.values, output, test.valid),
            lambda: literal_corr(test.values, output, test.valid),
        ),
        "knn": (lambda: knn(codes, labels, queries), lambda: literal_knn(codes, labels, queries)),
    }
    print("Japanese Vowels, 370 test series; time of a literal loop over series / ours")
    for name, (ours, literal) in rows.items():
        print(f"  {name:<5} {seconds(literal, 3) / seconds(ours, 10):6.1f}x")


if __name__ == "__main__":
    main()
