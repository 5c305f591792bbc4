"""The bootstrap over test series against its own definition: resamples written out, series by series."""

from __future__ import annotations

import numpy as np
import pytest

from tkae.evaluation.bootstrap import (
    RESAMPLES,
    Figure,
    interval,
    mean_accuracy,
    mean_auc,
    mean_f1,
    p_above,
    resampled,
)
from tkae.evaluation.classification import accuracy, f1
from tkae.evaluation.one_class import auc

RUNS, N = 3, 40


def drawn_counts(labels: np.ndarray) -> np.ndarray:
    """(RESAMPLES, N): what the figures see."""
    seen: list[np.ndarray] = []

    def note(counts: np.ndarray) -> np.ndarray:
        seen.append(counts.copy())
        return counts[:, 0]

    resampled(labels, [note])
    return np.concatenate(seen)


def slowly(labels: np.ndarray, figure) -> list[float]:
    """The mean over runs of a figure on each resample: `figure(run, series)`, with series written out."""
    found = []
    for counts in drawn_counts(labels):
        series = np.repeat(np.arange(len(labels)), counts.astype(int))
        found.append(float(np.mean([figure(run, series) for run in range(RUNS)])))
    return found


def classified(seed: int, classes: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(classes, size=N)
    wrong = rng.random((RUNS, N)) < 0.4
    return truth, np.where(wrong, rng.integers(classes + 1, size=(RUNS, N)), truth)


@pytest.mark.parametrize("classes", [2, 5])
def test_accuracy_and_f1_are_those_of_the_series_written_out(classes: int) -> None:
    truth, predicted = classified(classes, classes)
    figures = [mean_accuracy(truth, predicted), mean_f1(truth, predicted), mean_f1(truth, predicted, 1)]
    got = resampled(truth, figures)
    assert got.shape == (3, RESAMPLES)
    oracles = (
        lambda run, at: accuracy(truth[at], predicted[run, at]),
        lambda run, at: f1(truth[at], predicted[run, at]),
        lambda run, at: f1(truth[at], predicted[run, at], 1),
    )
    for own, oracle in zip(got, oracles, strict=True):
        np.testing.assert_allclose(own, slowly(truth, oracle), rtol=1e-12)


@pytest.mark.parametrize("ties", [False, True])
def test_auc_is_that_of_the_series_written_out(ties: bool) -> None:
    rng = np.random.default_rng(0)
    positive = rng.random(N) < 0.3
    scores = rng.normal(positive, 1.0, size=(RUNS, N))
    scores = np.round(scores) if ties else scores
    (got,) = resampled(positive, [mean_auc(positive, scores)])
    expected = slowly(positive, lambda run, at: auc(positive[at], scores[run, at]))
    np.testing.assert_allclose(got, expected, rtol=1e-12)


def test_every_resample_has_as_many_of_each_class_and_every_series_is_drawn_as_often() -> None:
    labels = np.array([0] * 30 + [2] * 9 + [1])
    counts = drawn_counts(labels)
    for label in (0, 1, 2):
        assert (counts[:, labels == label].sum(axis=1) == (labels == label).sum()).all()
    assert (counts[:, -1] == 1).all()  # alone in its class
    error = counts[:, :-1].std(axis=0) / np.sqrt(RESAMPLES)
    assert (np.abs(counts[:, :-1].mean(axis=0) - 1) < 5 * error).all()
    assert counts[:, :30].var() == pytest.approx(1 - 1 / 30, rel=0.05)  # multinomial, not a permutation
    assert len(np.unique(counts, axis=0)) == RESAMPLES


def test_the_draws_hang_on_the_labels_alone() -> None:
    """So models are paired, whoever is resampled beside them, and every machine draws the same."""
    truth, predicted = classified(7, 3)
    one: Figure = mean_accuracy(truth, predicted)
    alone = resampled(truth, [one])
    beside = resampled(truth, [mean_accuracy(truth, predicted[::-1, ::-1]), one])
    assert (alone[0] == beside[1]).all() and (alone == resampled(truth.astype(np.uint8), [one])).all()


def test_a_paired_difference_is_narrower_than_its_parts() -> None:
    """Two models that are wrong at nearly the same series: their difference is known far better."""
    truth, predicted = classified(1, 2)
    other = predicted.copy()
    other[:, 0] = 1 - truth[0]
    first, second = resampled(truth, [mean_accuracy(truth, predicted), mean_accuracy(truth, other)])
    widths = [np.diff(interval(one))[0] for one in (first, second, first - second)]
    assert widths[2] < 0.5 * min(widths[:2])


def test_an_interval_holds_nine_tenths_of_the_resamples_and_is_about_as_wide_as_theory_says() -> None:
    rng = np.random.default_rng(3)
    truth = np.zeros(400, dtype=int)
    predicted = (rng.random((1, 400)) < 0.2).astype(int)
    (figures,) = resampled(truth, [mean_accuracy(truth, predicted)])
    low, high = interval(figures)
    assert 0.88 < ((figures >= low) & (figures <= high)).mean() < 0.94
    share = (predicted == truth).mean()
    assert (high - low) / 2 == pytest.approx(1.645 * np.sqrt(share * (1 - share) / 400), rel=0.1)


def test_the_p_value_counts_the_resamples_that_are_not_above_nothing() -> None:
    gains = np.array([0.1] * 97 + [0.0, -0.1, 1e-15])
    assert p_above(gains) == 3 / 101 and p_above(gains, 1e-12) == 4 / 101
    assert p_above(np.full(RESAMPLES, 1.0)) == 1 / (RESAMPLES + 1) and p_above(-gains) == 100 / 101
