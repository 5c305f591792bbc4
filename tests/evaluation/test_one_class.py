"""The area under the ROC curve against a literal count of pairs, and scikit-learn as a second opinion."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from tkae.evaluation.one_class import auc


def literal(positive: np.ndarray, scores: np.ndarray) -> float:
    pairs = [(p, q) for p in scores[positive] for q in scores[~positive]]
    return sum(1.0 if p > q else 0.5 if p == q else 0.0 for p, q in pairs) / len(pairs)


@pytest.mark.parametrize("values", [2, 5, 10**9])  # many ties, some, none
@pytest.mark.parametrize("share", [0.02, 0.3, 0.9])
def test_against_both_oracles(values: int, share: float) -> None:
    rng = np.random.default_rng(values)
    for _ in range(5):
        positive = rng.random(60) < share
        positive[:2] = True, False
        scores = rng.integers(0, values, 60) / 7 + positive * 0.1
        got = auc(positive, scores)
        assert got == pytest.approx(literal(positive, scores), abs=1e-12)
        assert got == pytest.approx(roc_auc_score(positive, scores), abs=1e-12)
        assert auc(~positive, scores) == pytest.approx(1 - got) == auc(positive, -scores)
        assert auc(positive, np.exp(scores / scores.max())) == got  # only the order counts


def test_the_ends_of_the_scale() -> None:
    positive = np.array([True, False, True, False])
    assert auc(positive, np.array([3.0, 1.0, 4.0, 2.0])) == 1
    assert auc(positive, np.array([1.0, 3.0, 2.0, 4.0])) == 0
    assert auc(positive, np.zeros(4)) == 0.5
    assert auc(positive, np.array([math.inf, -math.inf, 1.0, 0.0])) == 1


def test_without_both_kinds_there_is_no_figure() -> None:
    assert math.isnan(auc(np.ones(3, dtype=bool), np.arange(3.0)))
    assert math.isnan(auc(np.zeros(3, dtype=bool), np.arange(3.0)))


def test_a_score_that_is_no_number_does_not_pass_for_a_rank() -> None:
    with pytest.raises(ValueError, match="not a number"):
        auc(np.array([True, False]), np.array([np.nan, 1.0]))
