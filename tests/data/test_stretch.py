"""Linear stretching, against scipy's interpolation and what must hold for any series."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import interp1d

from tkae.data.collection import Collection
from tkae.data.stretch import stretch
from tkae.errors import DataError


@pytest.fixture
def uneven() -> Collection:
    rng = np.random.default_rng(3)
    series = [rng.normal(size=(length, 2)) for length in (7, 2, 11, 4)]
    return Collection.from_series(series, labels=[3, 1, 2, 0], names=list("abcd"), variates=["u", "v"])


def test_against_scipy(uneven: Collection) -> None:
    stretched = stretch(uneven, 11)
    for i, length in enumerate(uneven.lengths):
        course = interp1d(np.linspace(0, 1, length), uneven.series(i), axis=0)
        np.testing.assert_allclose(stretched.series(i), course(np.linspace(0, 1, 11)), atol=1e-12)
    assert (stretched.lengths == 11).all() and stretched.observed.all()
    assert stretched.names == uneven.names and stretched.variates == uneven.variates
    assert np.array_equal(stretched.labels, uneven.labels)  # type: ignore[arg-type]


def test_ends_are_kept_and_full_length_changes_nothing(uneven: Collection) -> None:
    stretched = stretch(uneven, 11)
    for i in range(len(uneven)):
        np.testing.assert_allclose(stretched.series(i)[[0, -1]], uneven.series(i)[[0, -1]], atol=1e-12)
    np.testing.assert_allclose(stretched.series(2), uneven.series(2), atol=1e-12)


def test_a_single_step_becomes_constant() -> None:
    x = Collection.from_series([np.array([[5.0, -1.0]]), np.zeros((3, 2))])
    assert (stretch(x, 4).series(0) == [5.0, -1.0]).all()


def test_padding_does_not_enter(uneven: Collection) -> None:
    assert stretch(uneven.padded(30), 11).fingerprint == stretch(uneven, 11).fingerprint


def test_gaps_are_refused(ragged: Collection) -> None:
    with pytest.raises(DataError, match="missing entries cannot be stretched"):
        stretch(ragged, 12)
