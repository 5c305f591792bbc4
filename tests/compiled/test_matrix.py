"""The products of dense layers and the passes over numbers: what numpy gives, at every odd size."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tkae.compiled.jit import jit
from tkae.compiled.lanes import Lanes
from tkae.compiled.matrix import combine, dots
from tkae.compiled.sweep import Sums, sweep

SIZES = [(1, 1, 1), (32, 30, 47), (31, 10, 16), (33, 5, 130), (7, 1, 15), (6, 64, 2), (12, 81, 33)]
every_size = pytest.mark.parametrize("sizes", SIZES)
every_type = pytest.mark.parametrize(("dtype", "tolerance"), [(np.float32, 1e-5), (np.float64, 1e-13)])


class Matrix:
    """Numbers whose rows stand apart, with NaN between them and none to spare behind the last."""

    def __init__(self, rows: int, width: int, dtype: Any, seed: int) -> None:
        self.ld, self.first = width + 3, 2
        self.flat = np.full(self.first + (rows - 1) * self.ld + width, np.nan, dtype)
        places = self.first + np.arange(rows)[:, None] * self.ld + np.arange(width)
        self.flat[places] = np.random.default_rng(seed).normal(size=(rows, width))
        self.places, self.at = places, (self.flat, self.first, self.ld)

    @property
    def values(self) -> Any:
        return self.flat[self.places].astype(np.float64)

    def untouched(self) -> bool:
        """Whether NaN is still wherever the matrix is not."""
        return bool(np.isnan(np.delete(self.flat, self.places.ravel())).all())


def _near(found: Any, wanted: Any, tolerance: float) -> bool:
    return bool(np.abs(found - wanted).max() <= tolerance * max(1.0, np.abs(wanted).max()))


@every_type
@every_size
@pytest.mark.parametrize("turned", [False, True])
def test_combine(sizes: tuple[int, int, int], dtype: Any, tolerance: float, turned: bool) -> None:
    rows, width, depth = sizes
    A = Matrix(depth if turned else rows, rows if turned else depth, dtype, 0)
    X, C = Matrix(depth, width, dtype, 1), Matrix(rows, width, dtype, 2)
    factors = (*A.at[:2], 1, A.ld) if turned else (*A.at, 1)
    wanted = C.values + (A.values.T if turned else A.values) @ X.values
    combine(*C.at, *factors, *X.at, *C.at, rows, width, depth)
    assert _near(C.values, wanted, tolerance) and C.untouched()
    # The first row of X stands for a bias, the same for every row.
    combine(*X.at[:2], 0, *factors, *X.at, *C.at, rows, width, depth)
    assert _near(C.values, X.values[0] + (A.values.T if turned else A.values) @ X.values, tolerance)


@every_type
@every_size
def test_dots(sizes: tuple[int, int, int], dtype: Any, tolerance: float) -> None:
    rows, others, depth = sizes
    A, X, C = Matrix(rows, depth, dtype, 0), Matrix(others, depth, dtype, 1), Matrix(rows, others, dtype, 2)
    bias = Matrix(1, others, dtype, 3)
    dots(*bias.at[:2], *A.at, *X.at, *C.at, rows, others, depth)
    assert _near(C.values, bias.values + A.values @ X.values.T, tolerance) and C.untouched()


def test_a_products_bits_do_not_depend_on_the_tile_it_falls_into() -> None:
    A, X = Matrix(9, 37, np.float32, 0), Matrix(70, 37, np.float32, 1)
    whole, one = Matrix(9, 70, np.float32, 2), Matrix(1, 1, np.float32, 2)
    zero = np.zeros(70, np.float32)
    dots(zero, 0, *A.at, *X.at, *whole.at, 9, 70, 37)
    for i, j in ((0, 0), (8, 69), (5, 66)):
        start_a, start_x = A.first + i * A.ld, X.first + j * X.ld
        dots(zero, 0, A.flat, start_a, A.ld, X.flat, start_x, X.ld, *one.at, 1, 1, 37)
        assert one.values[0, 0] == whole.values[i, j]
    Y = Matrix(37, 70, np.float32, 3)
    combine(zero, 0, 0, *A.at, 1, *Y.at, *whole.at, 9, 70, 37)
    for i, j in ((0, 0), (8, 69), (5, 66)):
        factors = (A.flat, A.first + i * A.ld, A.ld, 1)
        combine(zero, 0, 0, *factors, Y.flat, Y.first + j, Y.ld, *one.at, 1, 1, 37)
        assert one.values[0, 0] == whole.values[i, j]


@sweep(sums=2)
def _weighed(x: Lanes, marked: Lanes, factor: Lanes) -> tuple[tuple[Lanes, ...], Sums]:
    return (x * factor,), ((x, marked), (x, x))


@jit
def weighed(x: Any, marked: Any, out: Any, start: int, count: int, factor: float) -> Any:
    return _weighed((x, marked, out), (start, start, start), count, (factor,))


@pytest.mark.parametrize("count", [0, 1, 15, 16, 17, 100])
def test_a_sweep_writes_its_entries_and_sums_in_double_precision(count: int) -> None:
    chance = np.random.default_rng(count)
    x = np.full(3 + count, np.nan, np.float32)
    x[3:] = 1e25 * chance.normal(size=count)  # whose squares are no floats
    marked, out = chance.random(3 + count) < 0.5, np.full(3 + count, 7.0, np.float32)
    product, squares = weighed(x, marked, out, 3, count, 2.0)
    wide = x[3:].astype(np.float64)
    assert np.array_equal(out, np.concatenate([np.full(3, 7, np.float32), 2 * x[3:]]))
    assert product == pytest.approx(wide[marked[3:]].sum(), rel=1e-12, abs=1e12)
    assert squares == pytest.approx((wide**2).sum(), rel=1e-12)
