"""A collection may carry a kernel of its series: checked, never changed, cut with the series."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tkae.data.collection import Collection
from tkae.errors import DataError

N = 12


@pytest.fixture
def kernel() -> np.ndarray:
    codes = np.random.default_rng(0).normal(size=(N, 4))
    made: np.ndarray = codes @ codes.T
    return made


def changed(kernel: np.ndarray, i: int, j: int, value: float) -> np.ndarray:
    other = kernel.copy()
    other[i, j] = value
    return other


def test_one_that_is_none_is_refused(complete: Collection, kernel: np.ndarray) -> None:
    wrong: list[tuple[Any, str]] = [
        (kernel[:11], r"a kernel of 12 series needs the shape \(12, 12\), not \(11, 12\)"),
        (kernel[:5, :5], r"needs the shape \(12, 12\), not \(5, 5\)"),
        (kernel[0], r"needs the shape \(12, 12\), not \(12,\)"),
        (changed(kernel, 3, 3, np.nan), "series 's3' has a kernel entry that is not finite"),
        (changed(kernel, 4, 2, np.inf), "series 's4' has a kernel entry that is not finite"),
        (changed(kernel, 2, 7, 9.0), r"series 's2' \(and 1 more\) is not as like .* symmetric"),
    ]
    for given, message in wrong:
        with pytest.raises(DataError, match=message):
            complete.with_kernel(given)


def test_rounding_and_other_types_are_taken(complete: Collection, kernel: np.ndarray) -> None:
    assert complete.with_kernel(changed(kernel, 2, 7, kernel[2, 7] + 1e-12)).kernel is not None
    whole = np.round(10 * kernel).astype(np.int32)
    carried = complete.with_kernel(whole).kernel
    assert carried is not None and carried.dtype == np.float64 and np.array_equal(carried, whole)
    assert complete.with_kernel(np.zeros((N, N))).kernel is not None


@pytest.mark.parametrize("rows", [[3, 0, 7], np.arange(N) % 2 == 0, [5, 5, 1], [11]])
def test_taken_series_keep_their_part(complete: Collection, kernel: np.ndarray, rows: Any) -> None:
    part = complete.with_kernel(kernel).take(rows)
    assert part.kernel is not None and part.kernel.shape == (len(part), len(part))
    for i, one in enumerate(part.names):
        for j, other in enumerate(part.names):
            assert part.kernel[i, j] == kernel[int(one[1:]), int(other[1:])]


def test_it_stays_with_the_series_whatever_becomes_of_their_values(
    complete: Collection, half_missing: Collection, kernel: np.ndarray
) -> None:
    x = complete.with_kernel(kernel)
    for other in (x.without(half_missing.missing), x.replace(-x.values), x.padded(20)):
        assert np.array_equal(other.kernel, kernel)  # type: ignore[arg-type]
    assert complete.kernel is None and complete.take([1]).kernel is None


def test_it_is_part_of_what_a_collection_is(complete: Collection, kernel: np.ndarray) -> None:
    carried = complete.with_kernel(kernel)
    prints = {
        x.fingerprint for x in (complete, carried, complete.with_kernel(2 * kernel), carried.take(range(12)))
    }
    assert len(prints) == 3  # taking all changes nothing
    assert complete.with_kernel(kernel).values.tobytes() == complete.values.tobytes()


def test_nobody_can_change_it(complete: Collection, kernel: np.ndarray) -> None:
    mine = kernel.copy()
    x = complete.with_kernel(mine)
    mine[:] = 0
    assert x.kernel is not None and np.array_equal(x.kernel, kernel)
    with pytest.raises(ValueError, match="read-only"):
        x.kernel[0, 0] = 1.0
