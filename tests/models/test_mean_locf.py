"""Mean imputation and LOCF against loops that do literally what they say."""

from __future__ import annotations

import numpy as np
import pytest

from tkae.data.collection import Collection
from tkae.models.filling import carry_forward
from tkae.models.locf import LOCF
from tkae.models.mean import MeanFill

CASES = ("complete", "half_missing", "missing_variate", "missing_series", "ragged", "single")


def means_of(train: Collection) -> list[float]:
    means = []
    for v in range(train.shape[2]):
        seen = [
            float(train.values[i, t, v])
            for i in range(len(train))
            for t in range(train.lengths[i])
            if train.observed[i, t, v]
        ]
        means.append(sum(seen) / len(seen) if seen else 0.0)
    return means


def filled(x: Collection, start: list[float], carry: bool) -> np.ndarray:
    values = np.zeros(x.shape)
    for i in range(len(x)):
        for v in range(x.shape[2]):
            last = start[v]
            for t in range(x.lengths[i]):
                if x.observed[i, t, v]:
                    values[i, t, v] = x.values[i, t, v]
                    last = values[i, t, v] if carry else last
                else:
                    values[i, t, v] = last
    return values


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("cls", [MeanFill, LOCF])
@pytest.mark.parametrize("value", [None, 0.0, -2.5])
def test_against_the_literal_version(
    collections: dict[str, Collection], case: str, cls: type[MeanFill], value: float | None
) -> None:
    x, train = collections[case], collections["half_missing"]
    start = means_of(train) if value is None else [value] * 3
    got = cls(value=value).learn(train).complete(x).values
    np.testing.assert_allclose(got, filled(x, start, carry=cls is LOCF), rtol=1e-12, atol=1e-14)


def test_a_variate_that_was_never_observed_becomes_zero(missing_variate: Collection) -> None:
    for cls in (MeanFill, LOCF):
        assert (cls().learn(missing_variate).complete(missing_variate).values[:, :, 1] == 0).all()


def test_the_mean_is_of_the_training_series(complete: Collection, half_missing: Collection) -> None:
    model = MeanFill().learn(complete)
    shifted = half_missing.replace(half_missing.values + 100)
    np.testing.assert_allclose(
        model.complete(shifted).values[0][shifted.missing[0]].max(), max(means_of(complete))
    )


def test_carrying_never_crosses_series_variates_or_time() -> None:
    nan = np.nan
    x = Collection.from_series([[[nan, 5], [1, nan], [nan, nan]], [[nan, nan]]])
    assert np.array_equal(carry_forward(x, 7.0)[0], [[7, 5], [1, 5], [1, 5]])
    assert np.array_equal(carry_forward(x, np.array([8.0, 9.0]))[1], [[8, 9], [0, 0], [0, 0]])
