"""The collection type: what it refuses, what it keeps apart, and that nobody can change it."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from tkae.data.collection import Collection
from tkae.errors import DataError, UserError

VALUES = np.arange(24.0).reshape(2, 4, 3) + 1
NAMES = ("anna", "ben")


def seen(*holes: tuple[int, int, int]) -> np.ndarray:
    observed = np.ones((2, 4, 3), dtype=bool)
    for hole in holes:
        observed[hole] = False
    return observed


def with_value(value: float) -> np.ndarray:
    values = VALUES.copy()
    values[1, 2, 0] = value
    return values


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"values": VALUES[0]}, r"shape \(series, steps, variates\), not \(4, 3\)"),
        ({"values": VALUES[:0]}, r"\(0, 4, 3\)"),
        ({"values": VALUES[:, :0]}, r"\(2, 0, 3\)"),
        ({"values": VALUES[:, :, :0]}, r"\(2, 4, 0\)"),
        ({"names": ("only one",)}, "1 names for 2"),
        ({"variates": ("a", "b")}, "2 variates for 3"),
        ({"lengths": [4]}, "1 lengths for 2"),
        ({"labels": [0, 1, 2]}, "3 labels for 2"),
        ({"labels": [0.0, 1.5]}, "labels need one whole number a series, not float64"),
        ({"lengths": [[4, 4]]}, "lengths need one whole number a series"),
        ({"lengths": [4, 0]}, "series 'ben' is empty"),
        ({"lengths": [-1, 0]}, r"series 'anna' \(and 1 more\) is empty"),
        ({"lengths": [4, 5]}, "series 'ben' is longer than the 4 steps"),
        ({"lengths": [4, 2], "observed": seen()}, "series 'ben' has observed entries beyond its length"),
        (
            {"observed": seen()[:1]},
            r"observed needs booleans of the shape \(2, 4, 3\), not bool of \(1, 4, 3\)",
        ),
        ({"observed": seen().astype(float)}, "observed needs booleans"),
        ({"values": with_value(np.nan)}, "series 'ben' has an observed entry that is not finite"),
        ({"values": with_value(-np.inf)}, "series 'ben' has an observed entry that is not finite"),
    ],
)
def test_wrong_construction_is_refused_by_name(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        Collection(**{"values": VALUES, "names": NAMES, **arguments})


def test_what_is_hidden_is_zero_and_need_not_be_finite() -> None:
    hidden = Collection(with_value(np.nan), seen((1, 2, 0)))
    assert hidden.values[1, 2, 0] == 0.0
    padded = Collection(with_value(np.inf), lengths=[4, 2])
    assert (padded.values[1, 2:] == 0).all() and (padded.values[1, :2] == VALUES[1, :2]).all()


def test_garbage_under_the_masks_leaves_no_trace(ragged: Collection) -> None:
    garbage = np.where(
        ragged.observed, ragged.values, np.random.default_rng(0).normal(size=ragged.shape) * 1e9
    )
    assert np.array_equal(ragged.replace(garbage).values, ragged.values)
    assert ragged.replace(garbage).fingerprint == ragged.fingerprint


def test_padding_is_not_missing() -> None:
    x = Collection(
        VALUES, seen((0, 1, 2), (1, 2, 0), (1, 2, 1), (1, 2, 2), (1, 3, 0), (1, 3, 1), (1, 3, 2)), [4, 2]
    )
    assert x.missing.sum() == 1 and x.missing[0, 1, 2]
    assert x.valid.sum() == 4 * 3 + 2 * 3
    assert np.array_equal(x.valid, x.observed | x.missing) and not (x.observed & x.missing).any()
    trailing = Collection(VALUES, x.observed, [4, 4])  # the same array, but its end is missing
    assert trailing.missing.sum() == 1 + 6
    assert trailing.fingerprint != x.fingerprint


def test_defaults_are_complete_and_of_full_length() -> None:
    x = Collection(VALUES)
    assert x.observed.all() and x.valid.all() and not x.missing.any() and list(x.lengths) == [4, 4]
    assert x.names == ("0", "1") and x.variates == ("0", "1", "2") and x.labels is None
    assert len(x) == 2 and x.shape == (2, 4, 3)


def test_the_callers_arrays_are_copied() -> None:
    values, observed, lengths, labels = VALUES.copy(), seen(), np.array([4, 4]), np.array([0, 1])
    x = Collection(values, observed, lengths, labels)
    before = x.values.copy()
    values[:], observed[:], lengths[:], labels[:] = -1, False, 1, 9
    assert np.array_equal(x.values, before) and x.observed.all()
    assert list(x.lengths) == [4, 4] and list(x.labels) == [0, 1]  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["values", "observed", "lengths", "labels", "valid", "missing"])
def test_nothing_can_be_changed(ragged: Collection, name: str) -> None:
    with pytest.raises(ValueError, match="read-only"):
        getattr(ragged, name)[0] = 1
    if name != "missing":
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(ragged, name, None)


def test_series_are_as_they_came() -> None:
    one, two = np.array([[1.0, np.nan], [3.0, 4.0]]), np.array([[np.nan, 6.0]])
    x = Collection.from_series([one, two], labels=[1, 0], names=["a", "b"], variates=["u", "v"], steps=5)
    assert x.shape == (2, 5, 2) and list(x.lengths) == [2, 1]
    assert np.array_equal(x.series(0), one, equal_nan=True)
    assert np.array_equal(x.series(1), two, equal_nan=True)
    assert x.names == ("a", "b") and x.variates == ("u", "v")
    assert Collection.from_series([one, two]).shape == (2, 2, 2)


def test_round_trip_through_series(ragged: Collection) -> None:
    each = [ragged.series(i) for i in range(len(ragged))]
    again = Collection.from_series(each, ragged.labels, ragged.names, ragged.variates)
    assert again.fingerprint == ragged.fingerprint


@pytest.mark.parametrize(
    ("series", "keywords", "message"),
    [
        ([], {}, "a collection needs series"),
        ([np.ones((2, 2)), np.ones((2, 3))], {}, "series '1' has 3 variates, others 2"),
        ([np.ones((2, 2)), *[np.ones((2, 3))] * 2], {}, "series '0' has 2 variates, others 3"),
        ([np.ones((2, 2)), np.ones((2, 3))], {"names": ["a", "b"]}, "series 'b' has 3 variates"),
        ([np.ones((2, 2)), np.ones((2, 3))], {"names": ["a"]}, "series '1' has 3 variates"),
        ([np.ones((2, 2)), [["x", 1.0]]], {}, r"series '1' is no array of numbers \(could not convert"),
        ([1.0], {}, r"series '0' has the shape \(\)"),
        ([np.ones((0, 2)), np.ones((1, 2))], {}, "series '0' is empty"),
        ([np.ones((3, 2))], {"steps": 2}, "3 steps does not fit in 2"),
        ([np.array([[np.inf]])], {}, "series '0' has an observed entry that is not finite"),
    ],
)
def test_wrong_series_are_refused_by_name(series: list[Any], keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        Collection.from_series(series, **keywords)


def test_take_keeps_what_belongs_together(ragged: Collection) -> None:
    rows = [5, 0, 5]
    some = ragged.take(rows)
    for new, old in enumerate(rows):
        assert np.array_equal(some.series(new), ragged.series(old), equal_nan=True)
        assert some.names[new] == ragged.names[old]
        assert (
            some.labels is not None and ragged.labels is not None and some.labels[new] == ragged.labels[old]
        )
    assert some.shape[1:] == ragged.shape[1:]
    mask = np.isin(np.arange(len(ragged)), [2, 7])
    assert ragged.take(mask).fingerprint == ragged.take([2, 7]).fingerprint
    with pytest.raises(DataError):
        ragged.take(np.zeros(len(ragged), dtype=bool))


def test_without_only_ever_removes(ragged: Collection) -> None:
    removed = np.random.default_rng(1).random(ragged.shape) < 0.4
    less = ragged.without(removed)
    assert np.array_equal(less.observed, ragged.observed & ~removed)
    assert np.array_equal(less.values, np.where(less.observed, ragged.values, 0))
    assert np.array_equal(less.valid, ragged.valid) and np.array_equal(less.lengths, ragged.lengths)


def test_replace_keeps_all_but_the_values(ragged: Collection) -> None:
    other = ragged.replace(ragged.values + 1)
    assert np.array_equal(other.values, np.where(ragged.observed, ragged.values + 1, 0))
    assert other.names == ragged.names and np.array_equal(other.observed, ragged.observed)
    full = ragged.replace(np.ones(ragged.shape), ragged.valid)
    assert not full.missing.any()


def test_padding_adds_nothing_and_can_be_undone(ragged: Collection) -> None:
    longer = ragged.padded(ragged.shape[1] + 5)
    assert longer.shape[1] == ragged.shape[1] + 5 and longer.valid.sum() == ragged.valid.sum()
    assert longer.missing.sum() == ragged.missing.sum() and longer.observed.sum() == ragged.observed.sum()
    assert longer.padded(ragged.shape[1]).fingerprint == ragged.fingerprint
    shortest = longer.take(np.argsort(ragged.lengths)[:2])
    assert shortest.padded(int(shortest.lengths.max())).shape[1] == shortest.lengths.max()
    with pytest.raises(DataError, match="cannot hold a series of 9"):
        ragged.padded(8)


def test_the_fingerprint_sees_every_part() -> None:
    base: dict[str, Any] = {
        "values": VALUES,
        "observed": seen((0, 3, 0)),
        "lengths": [4, 4],
        "labels": [0, 1],
    }
    base |= {"names": NAMES, "variates": ("u", "v", "w")}
    empty_end = seen((0, 3, 0), (1, 3, 0), (1, 3, 1), (1, 3, 2))
    variants: list[dict[str, Any]] = [
        {},
        {"values": with_value(0.5)},
        {"observed": seen((0, 3, 0), (0, 0, 0))},
        {"observed": empty_end},
        {"observed": empty_end, "lengths": [4, 3]},
        {"labels": [1, 0]},
        {"labels": None},
        {"names": ("anna", "bob")},
        {"variates": ("u", "v", "x")},
        {"values": VALUES.reshape(2, 3, 4), "observed": None, "lengths": None, "variates": ()},
    ]
    prints = [Collection(**{**base, **variant}).fingerprint for variant in variants]
    assert len(set(prints)) == len(prints)
    assert Collection(**base).fingerprint == prints[0]


def test_one_long_series_does_not_make_many_short_ones_fill_the_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TKAE_MEMORY_GB", "1")
    with pytest.raises(
        UserError, match=r"10001 series of 1 variate, padded to 10000 steps, needs about 2.0 GB"
    ):
        Collection.from_series([np.ones(10_000), *[np.ones(1)] * 10_000])
