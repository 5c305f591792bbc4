"""Arrays of any layout become one kind of data; those that do not fit are refused."""

from __future__ import annotations

import numpy as np
import pytest

from tkae.engine.sets import data_of
from tkae.errors import DataError

X = np.arange(24.0).reshape(4, 3, 2)
ALL, LENGTHS = np.ones(X.shape, bool), np.full(4, 3)


def test_layout_and_writability_do_not_show() -> None:
    frozen = np.asfortranarray(X)
    frozen.flags.writeable = False
    data, same = data_of(frozen, ALL, LENGTHS, np.eye(4)), data_of(X, ALL, LENGTHS, np.eye(4))
    for a, b in zip(data[:4], same[:4], strict=True):
        assert np.array_equal(a, b) and a.dtype == b.dtype
        assert a.flags.c_contiguous and a.flags.writeable
    assert data.x.shape == (1, 4, 3, 2) and not np.shares_memory(data.x, X)


@pytest.mark.parametrize(
    "arguments",
    [(X[0], ALL, LENGTHS), (X, ALL[:3], LENGTHS), (X, ALL, LENGTHS[:2]), (X, ALL, LENGTHS, np.eye(3)),
     (X, ALL, LENGTHS + 1), (X, ALL, LENGTHS * 0)],
)  # fmt: skip
def test_what_does_not_fit_is_refused(arguments: tuple) -> None:
    with pytest.raises(DataError, match=r"fit|shape"):
        data_of(*arguments)
