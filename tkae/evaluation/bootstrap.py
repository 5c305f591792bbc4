"""How far a figure hangs on the test series that there happen to be: a paired bootstrap over them.

Every resample draws as many series of each class as there are, with replacement. By class, since a
benchmark's test set has its classes in numbers that somebody chose, and since no resample then lacks a
class, without which F1 and AUC say nothing. The draws hang on the labels alone: all runs and all models on
a test set see the same resamples, so that their differences are paired, and every call gives the same ones.

A resample is a row of counts: how often each series is in it. A figure on all resamples is then a product
of the counts with what the runs made of each series, and its mean over the runs is what is resampled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tkae.data.collection import Bools, Floats, Ints
from tkae.seeding import stream

RESAMPLES = 2000
BLOCK = 100  # resamples at a time, so that memory stays small
CONFIDENCE = 0.9  # of an interval, as of a verdict; each of its ends is a test at 0.05
DIGITS = 9  # of an end: its last bits hang on the processor

Figure = Callable[[Floats], Floats]  # counts (B, N) -> the figure on each resample (B)


def resampled(labels: npt.NDArray[np.generic], figures: Sequence[Figure]) -> Floats:
    """(F, RESAMPLES): each of the figures on the same resamples of test series with these labels (N)."""
    rng = stream(0, "test series")
    blocks = (_counts(rng, labels, BLOCK) for _ in range(RESAMPLES // BLOCK))
    return np.concatenate([np.stack([figure(counts) for figure in figures]) for counts in blocks], axis=1)


@dataclass(frozen=True)
class Resampled:
    """A figure on each resample of a test set; figures of one test set are paired."""

    test_set: tuple[str, bytes]
    figures: Floats  # (RESAMPLES)

    @property
    def interval(self) -> tuple[float, float]:
        return interval(self.figures)


def interval(figures: Floats) -> tuple[float, float]:
    """The percentile interval of a figure, or of the difference of two, from its resamples."""
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(figures, [tail, 1 - tail])
    return round(float(low), DIGITS), round(float(high), DIGITS)


def p_above(gains: Floats, rounding: float = 0.0) -> float:
    """The one-sided p-value of "they lie above 0": the share of resamples where they do not."""
    return float(1 + (gains <= rounding).sum()) / (1 + len(gains))


def mean_accuracy(truth: Ints, predicted: Ints) -> Figure:
    """The share of right labels; `predicted` (R, N) of R runs."""
    right = (predicted == truth).sum(axis=0).astype(np.float64)  # whole numbers: their sums are exact
    return lambda counts: counts @ right / (counts.sum(axis=1) * len(predicted))


def mean_f1(truth: Ints, predicted: Ints, positive: int | None = None) -> Figure:
    """F1 of the `positive` label; without one, of every true label, weighted by its frequency."""
    labels = np.unique(truth) if positive is None else np.array([positive])
    true = (truth[:, None] == labels).astype(np.float64)  # (N, L)
    as_label = (predicted.T[:, :, None] == labels).astype(np.float64)  # (N, R, L)
    both = np.stack([as_label * true[:, None], as_label], axis=1)  # right, and at all

    def figure(counts: Floats) -> Floats:
        sizes = counts @ true  # (B, L)
        product = counts @ both.reshape(len(truth), -1)
        hits, guesses = product.reshape(len(counts), *both.shape[1:]).transpose(1, 0, 2, 3)  # (B, R, L)
        each = (2 * hits / np.maximum(sizes[:, None] + guesses, 1)).mean(axis=1)  # 0 where there is nothing
        weights = sizes / sizes.sum(axis=1, keepdims=True) if positive is None else 1.0
        return np.asarray((each * weights).sum(axis=1))

    return figure


def mean_auc(positive: Bools, scores: Floats) -> Figure:
    """How often a positive series scores above one that is not (ties: half); `scores` (R, N) of R runs."""
    ranked = []
    for values in scores:
        order = np.argsort(values, kind="stable")
        starts = np.unique(values[order], return_index=True)[1]  # of series with equal scores
        ranked.append((order, starts, positive[order]))

    def figure(counts: Floats) -> Floats:
        pairs = (counts @ positive) * (counts @ ~positive)
        won = np.zeros(len(counts))
        for order, starts, hit in ranked:
            drawn = counts[:, order]
            hits, others = (np.add.reduceat(drawn * of, starts, axis=1) for of in (hit, ~hit))  # by score
            won += (hits * (np.cumsum(others, axis=1) - others / 2)).sum(axis=1)
        return np.asarray(won / (pairs * len(ranked)))

    return figure


def _counts(rng: np.random.Generator, labels: npt.NDArray[np.generic], many: int) -> Floats:
    """(many, N): how often each series is in each resample."""
    counts = np.zeros((many, len(labels)))
    for label in np.unique(labels):
        own = np.flatnonzero(labels == label)
        drawn = rng.integers(len(own), size=(many, len(own))) + len(own) * np.arange(many)[:, None]
        counts[:, own] = np.bincount(drawn.ravel(), minlength=many * len(own)).reshape(many, len(own))
    return counts
