"""The verdict rule: hand-computed cases, then what must hold for any figure."""

from __future__ import annotations

import itertools
import math
import random

import pytest

from tkae.report.paper import PaperNumber
from tkae.report.verdict import margin, pooled_std, verdict


def paper(value: str, spread: str = "") -> PaperNumber:
    decimals = len(value.partition(".")[2])
    return PaperNumber("imputation", "tab:x", "libras", "tkae", "mse", value, spread, decimals, "", "")


def test_pooled_standard_deviation_by_hand() -> None:
    assert pooled_std(3.0, 4.0) == pytest.approx(math.sqrt(12.5))
    assert pooled_std(None, 4.0) == 4.0 and pooled_std(3.0, None) == 3.0 and pooled_std(None, None) == 0.0
    assert pooled_std(math.nan, 4.0) == 4.0  # the deviation of a single seed
    assert pooled_std(0.0, 4.0) == pytest.approx(math.sqrt(8.0))  # a spread of 0 is a spread


@pytest.mark.parametrize(
    ("std", "printed", "expected"),
    [
        (3.0, paper("80.0", "4.0"), 2 * math.sqrt(12.5)),  # the spreads: 7.07 against 2.4 and 0.05
        (5.0, paper("80.0"), 10.0),  # one spread alone
        (None, paper("80.0", "4.0"), 8.0),
        (0.1, paper("80.0", "0.1"), 2.4),  # 3 % of the value
        (None, paper("-80.0"), 2.4),  # of its size, whatever its sign
        (None, paper("0.04"), 0.005),  # half a digit, against 0.0012
        (None, paper("0.040"), 0.0012),  # one more printed digit, so 3 % is the larger
        (None, paper("0"), 0.5),
    ],
)
def test_margin_by_hand(std: float | None, printed: PaperNumber, expected: float) -> None:
    assert margin(std, printed) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("mean", "higher_is_better", "expected"),
    [
        (80.0, True, "reproduced"),
        (82.4, True, "reproduced"),  # exactly at the margin of 2.4
        (77.6, True, "reproduced"),
        (82.5, True, "better"),
        (77.5, True, "worse"),
        (82.5, False, "worse"),
        (77.5, False, "better"),
        (math.nan, True, "worse"),
        (math.nan, False, "worse"),
        (math.inf, False, "worse"),
    ],
)
def test_verdict_by_hand(mean: float, higher_is_better: bool, expected: str) -> None:
    assert verdict(mean, 0.5, 10, 10, paper("80.0", "0.5"), higher_is_better) == expected


def test_a_missing_seed_is_not_run_however_good_the_rest() -> None:
    assert verdict(80.0, 0.5, 9, 10, paper("80.0"), True) == "not run"
    assert verdict(None, None, 0, 10, paper("80.0"), True) == "not run"
    assert verdict(80.0, 0.5, 11, 10, paper("80.0"), True) == "reproduced"  # more seeds than asked do no harm


def test_no_printed_number_no_verdict() -> None:
    assert verdict(80.0, 0.5, 10, 10, None, True) == ""
    assert verdict(None, None, 0, 10, None, False) == ""


def test_a_printed_word_cannot_be_compared() -> None:
    with pytest.raises(ValueError):
        verdict(1.0, None, 1, 1, paper("LSTM"), True)


def random_papers(count: int) -> list[tuple[PaperNumber, float | None]]:
    rng = random.Random(0)
    cases = []
    for _ in range(count):
        value = f"{rng.uniform(0, 100):.{rng.randrange(4)}f}"
        spread = rng.choice(["", f"{rng.uniform(0, 3):.3f}"])
        cases.append((paper(value, spread), rng.choice([None, rng.uniform(0, 3)])))
    return cases


@pytest.mark.parametrize(("printed", "std"), random_papers(50))
def test_symmetric_about_the_printed_value(printed: PaperNumber, std: float | None) -> None:
    width = margin(std, printed)
    for share in (0.0, 0.5, 0.999, 1.001, 3.0):
        above, below = printed.number + share * width, printed.number - share * width
        for side in (True, False):
            assert verdict(above, std, 1, 1, printed, side) == verdict(below, std, 1, 1, printed, not side)
        inside = verdict(above, std, 1, 1, printed, True) == "reproduced"
        assert inside == (share < 1)


@pytest.mark.parametrize(("printed", "std"), random_papers(50))
def test_monotone_in_the_mean_and_in_the_spread(printed: PaperNumber, std: float | None) -> None:
    rank = {"worse": 0, "reproduced": 1, "better": 2}
    width = margin(std, printed)
    means = [printed.number + share * width for share in (-4, -2, -1.1, -0.9, 0, 0.9, 1.1, 2, 4)]
    rising = [rank[verdict(mean, std, 1, 1, printed, True)] for mean in means]
    falling = [rank[verdict(mean, std, 1, 1, printed, False)] for mean in means]
    assert rising == sorted(rising) and falling == sorted(falling, reverse=True)
    assert set(rising) == set(falling) == {0, 1, 2}
    for small, large in itertools.pairwise((0.0, 0.1, 1.0, 10.0, 100.0)):
        assert margin(small, printed) <= margin(large, printed)
