"""The tests over seeds against brute force: every choice of signs, every order of rejection."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from tkae.evaluation import statistics
from tkae.evaluation.statistics import holm, kendall, rank_biserial, wilcoxon_greater


def by_enumeration(differences) -> float:
    """Flip every sign and count how often the positive ranks reach the observed sum."""
    from scipy.stats import rankdata

    left = [d for d in differences if d != 0]
    ranks = rankdata(np.abs(left)) if left else []
    observed = sum(rank for rank, d in zip(ranks, left, strict=True) if d > 0)
    flips = list(product((0, 1), repeat=len(left)))
    return sum(sum(r for r, up in zip(ranks, flip, strict=True) if up) >= observed for flip in flips) / len(
        flips
    )


@pytest.mark.parametrize("n", range(1, 11))
def test_the_p_value_counts_all_signs(n: int) -> None:
    rng = np.random.default_rng(n)
    for _ in range(5):
        smooth = rng.normal(0.3, 1.0, n)
        assert wilcoxon_greater(smooth) == pytest.approx(by_enumeration(smooth), abs=1e-12)
        tied = rng.integers(-2, 4, n).astype(float)  # ties and zeros
        assert wilcoxon_greater(tied) == pytest.approx(by_enumeration(tied), abs=1e-12)


def test_the_p_value_is_scipys_where_nothing_is_tied() -> None:
    from scipy.stats import wilcoxon

    rng = np.random.default_rng(0)
    for n in (5, 10, 20, 25):
        differences = rng.normal(0.2, 1.0, n)
        expected = wilcoxon(differences, alternative="greater", method="exact").pvalue
        assert wilcoxon_greater(differences) == pytest.approx(expected, rel=1e-12)


def test_of_very_many_the_sum_of_ranks_is_normal(monkeypatch: pytest.MonkeyPatch) -> None:
    from scipy.stats import wilcoxon

    rng = np.random.default_rng(0)
    many = rng.normal(0.1, 1.0, 300).round(1)  # with ties
    many = many[many != 0]
    expected = wilcoxon(many, alternative="greater", method="approx").pvalue
    assert wilcoxon_greater(many) == pytest.approx(expected, rel=1e-9)
    some = rng.normal(0.2, 1.0, statistics.EXACT)
    exact = wilcoxon_greater(some)
    monkeypatch.setattr(statistics, "EXACT", 0)
    assert wilcoxon_greater(some) == pytest.approx(exact, rel=0.05)


def test_ten_seeds_that_agree_are_one_in_1024_and_three_are_never_significant() -> None:
    assert wilcoxon_greater([0.1] * 10) == 1 / 1024
    assert wilcoxon_greater([0.3, 0.1, 0.2]) == 1 / 8


def test_no_difference_is_no_evidence() -> None:
    assert wilcoxon_greater([0.0] * 10) == wilcoxon_greater([]) == 1.0
    assert rank_biserial([0.0] * 10) is None
    assert wilcoxon_greater([0.0, 0.0, 1.0, 2.0]) == wilcoxon_greater([1.0, 2.0])


def test_a_run_that_diverged_counts_as_the_furthest() -> None:
    inf = float("inf")
    assert wilcoxon_greater([1.0, 2.0, -inf]) == wilcoxon_greater([1.0, 2.0, -3.0])
    assert wilcoxon_greater([1.0, inf - inf]) == wilcoxon_greater([1.0])


def test_rounding_of_floats_breaks_no_tie() -> None:
    differences = [0.3 - 0.2, 0.2 - 0.1, 0.1 - 0.2]  # one size, with the last bits different
    assert wilcoxon_greater(differences) == wilcoxon_greater([1, 1, -1])
    assert wilcoxon_greater([0.1 + 0.2 - 0.3, 1.0]) == wilcoxon_greater([1.0])


def test_the_effect_is_the_share_of_ranks_for_minus_that_against() -> None:
    assert rank_biserial([1.0, 2.0, 3.0]) == 1.0 and rank_biserial([-1.0, -2.0]) == -1.0
    assert rank_biserial([1.0, 2.0, -3.0]) == 0.0
    assert rank_biserial([3.0, -1.0, 2.0, 0.0]) == pytest.approx((2 + 3 - 1) / 6)


def test_holm_rejects_what_the_step_down_rule_rejects() -> None:
    rng = np.random.default_rng(3)
    for m in range(1, 8):
        p_values = list(rng.choice([0.001, 0.01, 0.012, 0.02, 0.05, 0.3], m))
        adjusted = holm(p_values)
        for level in (0.011, 0.05, 0.1):
            rejected, order = set(), sorted(range(m), key=lambda i: p_values[i])
            for place, i in enumerate(order):  # the textbook rule: go down until one is not rejected
                if p_values[i] * (m - place) > level:
                    break
                rejected.add(i)
            assert {i for i in range(m) if adjusted[i] <= level} == rejected
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []


def test_the_trend_is_kendalls_tau() -> None:
    from scipy.stats import kendalltau

    values = np.random.default_rng(1).normal(size=9)
    assert kendall(values) == pytest.approx(kendalltau(range(9), values).statistic)
    assert kendall([1, 2, 3]) == 1 and kendall([3, 2, 1]) == -1 and kendall([1, 1]) == 0
