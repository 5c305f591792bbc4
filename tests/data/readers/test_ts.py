"""The `.ts` reader: ragged, incomplete and broken files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tkae.data.readers.ts import read_ts
from tkae.errors import DataError

HEAD = "#comment: with, signs\n@problemName Some\n@univariate false\n\n@classLabel true a b\n@DATA\n"


def written(folder: Path, text: str) -> Path:
    path = folder / "some.ts"
    path.write_text(text, encoding="utf-8")
    return path


def test_series_may_differ_in_everything_but_their_variates(tmp_path: Path) -> None:
    text = HEAD + "1,2.5,-3e-2:4,?,6: a \n\n# a comment\n7:NaN:b\n1,2,3:4:a\n"
    series, labels = read_ts(written(tmp_path, text))
    assert labels == ["a", "b", "a"]
    nan = np.nan
    expected = [[[1, 4], [2.5, nan], [-0.03, 6]], [[7, nan]], [[1, 4], [2, nan], [3, nan]]]
    for got, wanted in zip(series, expected, strict=True):
        assert np.array_equal(got, np.array(wanted), equal_nan=True)


def test_windows_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "some.ts"
    path.write_bytes((HEAD + "1,2:b\n").replace("\n", "\r\n").encode())
    series, labels = read_ts(path)
    assert labels == ["b"] and np.array_equal(series[0], [[1.0], [2.0]])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + "1,2:a\n1,x:a\n", r"some\.ts, line 8: could not convert string to float: 'x'"),
        (HEAD + "1,,2:a\n", r"some\.ts, line 7: could not convert"),
        (HEAD + "1,2:a\n1,2,3\n", r"some\.ts, line 8: no ':' before the class name"),
        ("@problemName x\n1,2:a\n", r"some\.ts, line 2: a header line starts with '@'"),
        (HEAD, r"some\.ts: no series after '@data'"),
        ("", r"some\.ts: no series after '@data'"),
        (HEAD + "1,2:3,4:a\n1,2:a\n", r"some\.ts, line 8: 1 variate, the first series has 2"),
        (HEAD + "1,inf:a\n", r"some\.ts, line 7: an infinite value"),
        (HEAD + "1,2:c\n", r"some\.ts, line 7: the class 'c' is not in '@classLabel' \(a, b\)"),
        ("@timeStamps true\n@data\n(0,1):a\n", r"some\.ts, line 2: a \.ts file with time stamps"),
        ("@targetLabel true\n@data\n1,2:0.5\n", r"some\.ts, line 2: a regression target"),
    ],
)
def test_errors_name_file_and_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_ts(written(tmp_path, text))


def test_a_file_without_classes(tmp_path: Path) -> None:
    series, labels = read_ts(written(tmp_path, "@classLabel false\n@data\n1,2:3,4\n"))
    assert series[0].tolist() == [[1, 3], [2, 4]] and labels == []


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"absent\.ts: no such file"):
        read_ts(tmp_path / "absent.ts")
