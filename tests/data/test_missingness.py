"""Missingness injection: exact counts, the right distribution, and holes that no model can move."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

from tkae.data.collection import Collection
from tkae.data.missingness import MAR, Block, Pattern, Uniform, Untouched, _smallest
from tkae.errors import DataError
from tkae.seeding import stream

RATES = (0.0, 0.001, 0.05, 0.1, 1 / 3, 0.5, 0.55, 0.8, 0.9, 0.95, 0.999, 1.0)
CASES = ("complete", "half_missing", "missing_variate", "missing_series", "ragged", "single")


def removed_by(pattern: Pattern, x: Collection, run: int = 0, split: str = "train") -> np.ndarray:
    return pattern.masks("some", {split: x}, run)[split]


def left_in(x: Collection, removed: np.ndarray) -> np.ndarray:
    return (x.observed & ~removed).sum(axis=(1, 2))


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("pattern", [Uniform, Block])
def test_the_count_is_exact(
    collections: dict[str, Collection], pattern: type[Pattern], case: str, rate: float
) -> None:
    x = collections[case]
    removed = removed_by(pattern(rate=rate), x)
    total = int(x.observed.sum())
    assert removed.dtype == np.bool_ and removed.shape == x.shape
    assert abs(int(removed.sum()) - rate * total) <= 0.5
    assert not (removed & ~x.observed).any()  # neither padding nor what the source lacks
    if rate in (0.0, 1.0):
        assert removed.sum() == rate * total


@pytest.mark.parametrize("rate", [0.0, 0.05, 0.1, 1 / 3, 0.5])
@pytest.mark.parametrize("case", ["complete", "half_missing", "missing_series", "ragged"])
def test_the_count_is_exact_under_mar(collections: dict[str, Collection], case: str, rate: float) -> None:
    x = collections[case]
    removed = removed_by(MAR(rate=rate), x)
    assert abs(int(removed.sum()) - rate * int(x.observed.sum())) <= 0.5
    assert not (removed & ~x.observed).any()
    assert not removed[:, :, 0].any()  # the variate that drives is never removed


@pytest.mark.parametrize("pattern", [Uniform, Block])
def test_no_series_loses_everything_while_there_is_one_entry_for_each(pattern: type[Pattern]) -> None:
    x = Collection(np.ones((20, 5, 2)), lengths=np.arange(20) % 5 + 1)
    total = int(x.observed.sum())
    for keep in (20, 21, 30, 60):
        for run in range(10):
            left = left_in(x, removed_by(pattern(rate=1 - keep / total), x, run))
            assert left.sum() == keep and left.min() == 1
    for keep in (1, 7, 19):  # fewer than series: as many series as possible keep one
        left = left_in(x, removed_by(pattern(rate=1 - keep / total), x))
        assert left.sum() == keep and left.max() == 1


def test_a_series_that_was_empty_before_stays_so(missing_series: Collection) -> None:
    count = int(missing_series.observed.sum())
    removed = removed_by(Uniform(rate=1 - 11 / count), missing_series)
    assert sorted(left_in(missing_series, removed)) == [0] + [1] * 11


def test_uniform_is_uniform(ragged: Collection) -> None:
    draws, pattern = 400, Uniform(rate=0.3)
    masks = np.array([removed_by(pattern, ragged, run)[ragged.observed] for run in range(draws)])
    n, share = masks.shape[1], masks[0].mean()
    spread = draws * share * (1 - share) * n / (n - 1)  # the count of each draw is fixed
    statistic = ((masks.sum(axis=0) - draws * share) ** 2).sum() / spread
    assert 1e-4 < chi2.sf(statistic, n - 1) < 1 - 1e-4
    # Neighbours fall independently: the share of pairs that go together is that of any two entries.
    together = (masks[:, 1:] & masks[:, :-1]).mean()
    expected = share * (share * n - 1) / (n - 1)
    assert abs(together - expected) < 5 * np.sqrt(expected * (1 - expected) / masks[:, 1:].size)


def aligned(removed: np.ndarray, length: int) -> bool:
    """Whether the removed steps of one variate are whole stretches, for some start of the first."""
    steps = np.arange(len(removed))
    return any(
        all(len(set(removed[(steps + shift) // length == k])) == 1 for k in set((steps + shift) // length))
        for shift in range(length)
    )


@pytest.mark.parametrize("length", [1, 3, 5, 20])
@pytest.mark.parametrize("rate", [0.1, 0.4, 0.6])
def test_blocks_are_stretches(length: int, rate: float) -> None:
    x = Collection(np.zeros((12, 40, 8)), lengths=np.arange(12) * 2 + 18)
    removed = removed_by(Block(rate=rate, length=length), x)
    assert (left_in(x, removed) > 0).all()  # so no entry was moved to spare a series
    cut = 0
    for i in range(12):
        for v in range(8):
            cut += not aligned(removed[i, : x.lengths[i], v], length)
    assert cut <= 1  # the last stretch ends where the count is reached
    if length == 5:
        runs = (np.diff(removed.astype(int), axis=1, prepend=0) == 1).sum()
        assert removed.sum() / runs > 3  # against 1 / (1 - rate) for single entries


def test_blocks_start_anywhere() -> None:
    x = Collection(np.zeros((40, 20, 5)))
    shares = np.mean([removed_by(Block(rate=0.3, length=4), x, run) for run in range(60)], axis=(0, 1, 3))
    assert np.abs(shares - 0.3).max() < 0.02  # every step alike, also the first and the last
    starts = np.argwhere(np.diff(removed_by(Block(rate=0.3, length=4), x), axis=1))[:, 1]
    assert len(set(starts % 4)) == 4


def test_mar_follows_the_stated_odds() -> None:
    values = np.random.default_rng(5).normal(size=(3, 4, 2))
    x = Collection(values)
    driver = values[:, :, 0]
    for strength in (1.0, -0.7):
        weights = np.exp(strength * (driver - driver.mean()) / driver.std())
        draws, counts = 1200, np.zeros((3, 4))
        for run in range(draws):  # one entry is removed: with this probability
            counts += removed_by(MAR(rate=1 / 24, strength=strength), x, run)[:, :, 1]
        expected = draws * weights / weights.sum()
        assert counts.sum() == draws
        assert chi2.sf(((counts - expected) ** 2 / expected).sum(), 11) > 1e-4


def test_mar_depends_on_nothing_but_its_driver(half_missing: Collection) -> None:
    pattern = MAR(rate=0.3, strength=2.0)
    removed = removed_by(pattern, half_missing)
    values = half_missing.values.copy()
    values[:, :, 1:] = 1e3 * np.random.default_rng(0).normal(size=values[:, :, 1:].shape)
    assert np.array_equal(removed, removed_by(pattern, half_missing.replace(values)))
    values = half_missing.values.copy()
    values[:, :, 0] *= -1
    assert not np.array_equal(removed, removed_by(pattern, half_missing.replace(values)))


def test_mar_of_one_variate_is_driven_by_the_step_before() -> None:
    values = np.random.default_rng(2).normal(size=(50, 9, 1))
    x = Collection(values, lengths=np.full(50, 8))
    pattern = MAR(rate=0.25, strength=3.0)
    removed = removed_by(pattern, x)
    assert removed.sum() == 100 and not removed[:, ::2].any() and not removed[:, 8:].any()
    gone, kept = removed[:, 1:8:2, 0], ~removed[:, 1:8:2, 0]
    assert values[:, 0:8:2, 0][gone].mean() > 0.5 > -0.5 > values[:, 0:8:2, 0][kept].mean()
    odd = values.copy()
    odd[:, 1::2] = 77.0
    assert np.array_equal(removed, removed_by(pattern, x.replace(odd)))


@pytest.mark.parametrize("strength", [40.0, -400.0, 1e300])
def test_a_strong_mar_takes_the_most_extreme(strength: float) -> None:
    values = np.random.default_rng(2).normal(size=(20, 6, 2))
    removed = removed_by(MAR(rate=0.25, strength=strength), Collection(values))
    driver = np.sign(strength) * values[:, :, 0]
    assert removed.sum() == 60
    if abs(strength) > 100:
        assert driver[removed[:, :, 1]].min() > driver[~removed[:, :, 1]].max()


@pytest.mark.parametrize("case", ["complete", "missing_variate"])
def test_mar_says_when_it_cannot_remove_so_much(collections: dict[str, Collection], case: str) -> None:
    x = collections[case]
    most = x.observed[:, :, 1:].sum() / x.observed.sum()
    with pytest.raises(DataError, match=rf"'mar' can remove at most {most:.3f} .* not 0.9"):
        removed_by(MAR(rate=0.9), x)
    assert left_in(x, removed_by(MAR(rate=float(most)), x)).sum() == x.observed[:, :, 0].sum()


def test_mar_with_a_driver_that_says_nothing(missing_variate: Collection) -> None:
    order = [1, 0, 2]
    x = Collection(missing_variate.values[:, :, order], missing_variate.observed[:, :, order])
    assert removed_by(MAR(rate=0.5), x).sum() == round(0.5 * x.observed.sum())
    constant = Collection(np.ones((5, 4, 2)))
    assert removed_by(MAR(rate=0.5), constant).sum() == 20


PATTERNS: list[tuple[type[Pattern], dict[str, Any]]] = [
    (Uniform, {"rate": 0.4}),
    (Block, {"rate": 0.4, "length": 3}),
    (MAR, {"rate": 0.4}),
]


@pytest.mark.parametrize(("pattern", "settings"), PATTERNS)
def test_the_holes_have_their_own_seed(
    complete: Collection, pattern: type[Pattern], settings: dict[str, Any]
) -> None:
    """The mask of run s is number s of the pattern's own seed; with `draw` it is the same in every run."""
    each = [removed_by(pattern(**settings), complete, run) for run in range(4)]
    assert len({mask.tobytes() for mask in each}) == 4
    for run in range(4):
        assert np.array_equal(each[run], removed_by(pattern(**settings), complete, run))
        assert np.array_equal(each[2], removed_by(pattern(**settings, draw=2), complete, run))
        assert not np.array_equal(each[run], removed_by(pattern(**settings, seed=1), complete, run))


@pytest.mark.parametrize(("pattern", "settings"), PATTERNS)
def test_splits_and_datasets_have_masks_of_their_own(
    complete: Collection, ragged: Collection, pattern: type[Pattern], settings: dict[str, Any]
) -> None:
    one = pattern(**settings).masks("some", {"train": complete, "test": complete}, 0)
    assert not np.array_equal(one["train"], one["test"])
    other = pattern(**settings).masks("some", {"test": ragged, "train": complete}, 0)
    assert np.array_equal(one["train"], other["train"])
    another = pattern(**settings).masks("other", {"train": complete}, 0)
    assert not np.array_equal(one["train"], another["train"])


def test_values_do_not_enter_a_uniform_mask(complete: Collection) -> None:
    for pattern in (Uniform(rate=0.9), Block(rate=0.9)):
        other = complete.replace(complete.values * -3)
        assert np.array_equal(removed_by(pattern, complete), removed_by(pattern, other))


def test_none_removes_nothing(half_missing: Collection) -> None:
    masks = Untouched().masks("some", {"train": half_missing, "test": half_missing}, 3)
    assert set(masks) == {"train", "test"} and not masks["train"].any() and masks["test"].shape == (12, 9, 3)


def test_global_chance_plays_no_part(complete: Collection) -> None:
    np.random.seed(1)
    first = removed_by(Uniform(), complete)
    np.random.seed(2)
    assert np.array_equal(first, removed_by(Uniform(), complete))
    direct = Uniform().remove(complete, stream(0, "mask", "uniform", "some", "train", 0))
    assert np.array_equal(first, direct)


@pytest.mark.parametrize("levels", [1, 3, 1000])
@pytest.mark.parametrize("count", [1, 7, 24])
def test_the_smallest_are_those_that_a_stable_sort_puts_first(levels: int, count: int) -> None:
    ranks = np.random.default_rng(levels).integers(levels, size=(2, 4, 3)).astype(float)
    sorted_ = np.zeros(ranks.shape, dtype=bool)
    sorted_.reshape(-1)[np.argsort(ranks, axis=None, kind="stable")[:count]] = True
    assert np.array_equal(_smallest(ranks, count), sorted_)
