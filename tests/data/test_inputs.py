"""Series in every form that users have, into a collection and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas
import pytest

from tkae.data.collection import Collection
from tkae.data.inputs import as_given, collection_of
from tkae.errors import DataError

NAN = np.nan
RAGGED = [np.array([[1.0, 2.0], [NAN, 4.0], [5.0, 6.0]]), np.array([[7.0, NAN]])]


def test_a_list_of_arrays_of_different_lengths() -> None:
    x = collection_of(RAGGED)
    assert x.shape == (2, 3, 2) and list(x.lengths) == [3, 1] and int(x.missing.sum()) == 2
    back = as_given(x.replace(np.where(x.observed, x.values, 9.0), x.valid), RAGGED)
    assert [array.shape for array in back] == [(3, 2), (1, 2)] and back[0][1, 0] == 9.0 == back[1][0, 1]


def test_one_variate_needs_no_axis_of_its_own() -> None:
    x = collection_of([[1.0, NAN, 3.0], [4.0]])
    assert x.shape == (2, 3, 1) and [array.shape for array in as_given(x, [[1.0, NAN, 3.0], [4.0]])] == [
        (3,),
        (1,),
    ]
    array = np.array([[1.0, NAN], [3.0, 4.0]])
    assert collection_of(array).shape == (2, 2, 1) and as_given(collection_of(array), array).shape == (2, 2)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_an_array_keeps_its_precision_and_all_its_steps(dtype: Any) -> None:
    array = np.array([[[0.1], [NAN]], [[0.3], [0.7]]], dtype=dtype)
    x = collection_of(array)
    assert list(x.lengths) == [2, 2] and int(x.missing.sum()) == 1  # NaN at the end is missing, no padding
    back = as_given(x, array)
    assert back.dtype == dtype and np.array_equal(back[~np.isnan(array)], array[~np.isnan(array)])
    assert as_given(collection_of(np.ones((1, 2, 1), int)), np.ones((1, 2, 1), int)).dtype == np.float64


def test_a_frame_keeps_its_rows_index_and_other_columns() -> None:
    frame = pandas.DataFrame(
        {
            "pressure": [3.0, NAN, 1.0, 5.0],
            "series": ["b", "a", "b", "a"],
            "time": [1, 0, 0, 1],
            "label": ["x", "y", "x", "y"],
            "count": [1, 2, 3, 4],
        },
        index=[10, 11, 12, 13],
    )
    x = collection_of(frame)
    assert x.names == ("b", "a") and x.variates == ("pressure", "count")
    back = as_given(x.replace(np.where(x.observed, x.values, 9.0), x.valid), frame)
    expected = frame.assign(pressure=[3.0, 9.0, 1.0, 5.0])
    pandas.testing.assert_frame_equal(back, expected)  # a column without a hole stays as it is, whole numbers
    assert frame["pressure"].isna().sum() == 1, "the user's frame was changed"


@pytest.mark.parametrize(
    ("X", "sentence"),
    [
        ([np.ones((2, 2)), np.ones((2, 2)), np.ones((4, 3))], "series '2' has 3 variates, others 2"),
        ([np.ones((2, 2)), np.ones((0, 2))], "series '1' is empty"),
        ([np.ones((2, 2)), np.array([[1.0, np.inf]])], "series '1' has an observed entry that is not finite"),
        ([np.ones((2, 2)), [["high", 1.0]]], "series '1' is no array of numbers"),
        ([np.ones((2, 2)), np.ones((1, 2, 2))], r"series '1' has the shape \(1, 2, 2\)"),
        (np.ones(3), r"not \(3,\)\. Reshape your data"),
        (np.ones((2, 3, 1), complex), "holds real numbers, not complex128"),
        (np.array([[["a"]]]), "holds real numbers, not <U1"),
        ([], "a collection needs series"),
        ("series.csv", "str is no series"),
        (3.0, "float is no series"),
        (pandas.DataFrame({"series": ["a"], "value": [1.0]}), "no column 'time'"),
    ],
)
def test_what_is_wrong_is_said_with_the_series(X: Any, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        collection_of(X)


def test_what_is_masked_is_missing() -> None:
    values = np.arange(12.0).reshape(2, 3, 2)
    masked = np.ma.masked_greater(values, 9)
    for x in (collection_of(masked), collection_of(list(masked))):
        assert np.array_equal(x.observed, values <= 9) and x.values.max() == 9


def test_two_columns_of_one_name_are_refused() -> None:
    for columns in (
        ["series", "time", "u", "u"],
        ["series", "time", 5, "5"],
        ["series", "series", "time", "u"],
    ):
        with pytest.raises(DataError, match="two columns are called"):
            collection_of(pandas.DataFrame([[1, 2, 3, 4]], columns=columns))


def test_rows_are_taken_as_scikit_learn_takes_them(ragged: Collection) -> None:
    by_take = ragged.take([3, 1])
    for rows in ([3, 1], np.array([3, 1]), (np.array([3, 1]), ...)):
        assert ragged[rows].fingerprint == by_take.fingerprint
    assert ragged[2:5].names == ragged.names[2:5] and ragged[4].names == (ragged.names[4],)
    assert ragged[np.arange(len(ragged)) < 2].names == ragged.names[:2]
