"""The verdict rule: cases by hand, then what must hold for any figure; noise above all is no agreement."""

from __future__ import annotations

import math
import random
import statistics

import pytest
from scipy.stats import ttest_1samp

from tkae.evaluation.statistics import mean_interval
from tkae.report.paper import PaperNumber
from tkae.report.verdict import CONFIDENCE, margin, verdict

RANK = {"worse": 0, "inconclusive": 1, "reproduced": 1, "better": 2}


def paper(value: str, metric: str = "accuracy", unit: str = "percent", spread: str = "") -> PaperNumber:
    decimals = len(value.partition(".")[2])
    return PaperNumber("classification", "tab:x", "libras", "tkae", metric, value, spread, decimals, unit, "")


def ten(mean: float, spread: float) -> list[float]:
    """Ten figures with exactly this mean and standard deviation."""
    shape = [-1.5, -1.2, -0.7, -0.3, -0.1, 0.1, 0.3, 0.7, 1.2, 1.5]
    scale = statistics.stdev(shape)
    return [mean + spread * one / scale for one in shape]


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        (paper("80.0"), 2.0),  # points
        (paper("80"), 2.0),
        (paper("0.7", unit="fraction"), 0.05),  # half a digit, against 0.02
        (paper("0.70", unit="fraction"), 0.02),
        (paper("0.713", "auc", ""), 0.02),
        (paper("0.954", "corr", ""), 0.01),
        (paper("0.212", "mse", ""), 0.0212),
        (paper("0.013", "mse", ""), 0.0013),
        (paper("0.04", "mse", ""), 0.005),
        (paper("-80.0", "mse", ""), 8.0),
    ],
)
def test_margin_by_hand(printed: PaperNumber, expected: float) -> None:
    assert margin(printed) == pytest.approx(expected)


def test_the_interval_is_students() -> None:
    values = ten(3.0, 0.7)
    expected = ttest_1samp(values, 0.0).confidence_interval(0.9)
    assert mean_interval(values, CONFIDENCE) == pytest.approx((expected.low, expected.high))
    half = 1.833113 * 0.7 / math.sqrt(10)  # t of 9 degrees of freedom, from a table
    assert mean_interval(values, CONFIDENCE) == pytest.approx((3 - half, 3 + half), abs=1e-5)


@pytest.mark.parametrize(
    ("mean", "spread", "expected"),
    [
        (80.0, 1.0, "reproduced"),
        (81.4, 1.0, "reproduced"),  # 81.98 at the end of its interval
        (81.5, 1.0, "inconclusive"),
        (78.5, 1.0, "inconclusive"),
        (82.5, 1.0, "inconclusive"),  # 81.92 at the lower end
        (82.6, 1.0, "better"),
        (77.4, 1.0, "worse"),
        (80.0, 3.6, "inconclusive"),  # exactly the printed value, but nobody knows
        (62.8, 18.6, "worse"),  # TAE of the paper's text with c_0 = 0, against 78.6
        (math.nan, 0.0, "worse"),
    ],
)
def test_verdict_by_hand(mean: float, spread: float, expected: str) -> None:
    printed = paper("78.6" if spread > 10 else "80.0")
    assert verdict(ten(mean, spread), 10, printed, True) == expected
    mirrored = {"better": "worse", "worse": "worse" if math.isnan(mean) else "better"}
    assert verdict(ten(mean, spread), 10, printed, False) == mirrored.get(expected, expected)


def test_without_chance_the_printed_digits_count() -> None:
    assert verdict([83.5227] * 10, 10, paper("83.5"), True) == "reproduced"
    assert verdict([83.6] * 10, 10, paper("83.5"), True) == "better"
    assert verdict([85.2] * 10, 10, paper("83.5"), True) == "better"


def test_a_baseline_that_learns_nothing_and_a_fact_can_only_differ() -> None:
    for values in (ten(0.187, 0.003), [0.187] * 10):
        assert verdict(values, 10, paper("0.084", "mse", ""), False, learns=False) == "differs"
    assert verdict(ten(0.502, 0.002), 10, paper("0.502", "mse", ""), False, learns=False) == "reproduced"
    assert verdict([707.0], 1, paper("892", "n_train", "count"), None) == "differs"
    assert verdict([6130.0], 1, paper("6130", "parameters", "count"), None) == "reproduced"


def test_a_missing_seed_is_not_run_however_good_the_rest() -> None:
    good = ten(80.0, 0.5)
    assert verdict(good[:9], 10, paper("80.0"), True) == "not run"
    assert verdict(good[:3], 3, paper("80.0"), True) == "not run"  # fewer than the paper's ten
    assert verdict([], 10, paper("80.0"), True) == "not run"
    assert verdict([*good, 80.0], 10, paper("80.0"), True) == "reproduced"  # more than ten do no harm


def test_no_printed_number_no_verdict() -> None:
    assert verdict(ten(80.0, 0.5), 10, None, True) == "" == verdict([], 10, None, False)


def test_a_printed_word_cannot_be_compared() -> None:
    with pytest.raises(ValueError):
        verdict(ten(1.0, 0.1), 10, paper("LSTM"), True)


def cases(count: int) -> list[tuple[PaperNumber, float]]:
    rng = random.Random(0)
    metrics = [("accuracy", "percent"), ("auc", ""), ("corr", ""), ("mse", "")]
    made = []
    for _ in range(count):
        metric, unit = rng.choice(metrics)
        value = f"{rng.uniform(0.01, 100):.{rng.randrange(4)}f}"
        printed = paper(value, metric, unit)
        made.append((printed, margin(printed) * rng.uniform(0.01, 5)))
    return made


@pytest.mark.parametrize(("printed", "spread"), cases(60))
def test_noise_never_makes_agreement(printed: PaperNumber, spread: float) -> None:
    """More spread about the same mean turns *reproduced* into *inconclusive*, never the other way round."""
    for share in (0.0, 0.5, 0.9, 1.1, 2.0):
        mean = printed.number + share * margin(printed)
        seen = [verdict(ten(mean, k * spread), 10, printed, True) for k in (0.01, 0.1, 1, 10, 100)]
        agreed = [one == "reproduced" for one in seen]
        decided = [one != "inconclusive" for one in seen]
        assert agreed == sorted(agreed, reverse=True) and decided == sorted(decided, reverse=True)
        assert not any(agreed) or share < 1
        assert seen[-1] == "inconclusive"


@pytest.mark.parametrize(("printed", "spread"), cases(60))
def test_symmetric_and_monotone_in_the_mean(printed: PaperNumber, spread: float) -> None:
    shares = (-9, -4, -2, -1.1, -0.9, 0, 0.9, 1.1, 2, 4, 9)
    means = [printed.number + share * margin(printed) for share in shares]
    rising = [verdict(ten(mean, spread), 10, printed, True) for mean in means]
    falling = [verdict(ten(mean, spread), 10, printed, False) for mean in means]
    assert [RANK[one] for one in rising] == sorted(RANK[one] for one in rising)
    assert falling == rising[::-1]
