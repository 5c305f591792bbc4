"""Readers: small files written here, with the known answer and with every fault that should be refused."""

from __future__ import annotations

import struct
import tracemalloc
import zlib
from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat

from tkae.data.readers.mat import read_authors, read_kernels, read_mat
from tkae.data.readers.text import parse_blocks, parse_libras, parse_table
from tkae.data.readers.wfdb import parse_record
from tkae.errors import DataError


def test_blocks_are_separated_by_blank_lines() -> None:
    blocks = parse_blocks(b"      \n1 2\n3 4\n  \n5 6\n\n7 8\n9 10\n", 2, "x")
    assert [block.tolist() for block in blocks] == [[[1, 2], [3, 4]], [[5, 6]], [[7, 8], [9, 10]]]
    with pytest.raises(DataError, match=r"^x"):
        parse_blocks(b"1 2\n3\n", 2, "x")
    with pytest.raises(DataError, match="x: 2 columns, 13"):
        parse_table(b"1 2\n", 13, "x")


def test_libras_rows_hold_points_in_turn() -> None:
    row = ",".join(str(i) for i in range(90)) + ",7\n"
    series, classes = parse_libras(row.encode(), "x")
    assert series.shape == (1, 45, 2) and classes == ["7"]
    assert series[0, 3].tolist() == [6, 7]


def test_authors_files(tmp_path: Path) -> None:
    path = tmp_path / "x.mat"
    x = np.arange(12.0).reshape(2, 3, 2)
    holes = x.copy()
    holes[0, 1, 0] = np.nan
    lengths, labels = np.array([[3], [2]], np.uint8), np.array([[1], [2]], np.uint8)
    one = {"X": holes, "X_orig": x, "X_len": lengths, "Y": labels}
    content = one | {f"Xte{key[1:]}": value for key, value in one.items() if key != "Y"} | {"Yte": labels}
    savemat(path, content | {"Ktrtr": np.eye(2, dtype=np.int32), "Ktete": 2 * np.eye(2)})
    train, test = read_authors(path)
    assert train.lengths.tolist() == [3, 2] and train.labels is not None and train.labels.tolist() == [1, 2]
    assert train.missing.sum() == 1 and train.missing[0, 1, 0]
    assert not train.observed[1, 2].any() and train.fingerprint == test.fingerprint
    original, _ = read_authors(path, original=True)
    assert not original.missing.any() and original.values[0, 1, 0] == 2
    assert [kernel.dtype for kernel in read_kernels(path)] == [np.float64] * 2
    with pytest.raises(DataError, match="has no variable 'Z'"):
        read_mat(path, "Z")
    path.write_bytes(b"not MATLAB at all" * 20)
    with pytest.raises(DataError, match="not a MATLAB file"):
        read_mat(path, "X")


@pytest.mark.parametrize("name", ["X", "other"])
def test_arrays_that_would_fill_the_memory_are_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "x.mat"
    savemat(path, {name: np.zeros((7000, 100, 50))}, do_compression=True)
    assert path.stat().st_size < 10**6
    tracemalloc.start()
    with pytest.raises(DataError, match=r"x\.mat: unpacks to more than 50 times its size"):
        read_mat(path, "X")
    assert tracemalloc.get_traced_memory()[1] < 10**7
    tracemalloc.stop()


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("shape", [(2**16, 2**16), (1, 1), (2**31, 2**31)])
def test_what_an_array_says_of_its_size_counts(tmp_path: Path, order: str, shape: tuple[int, int]) -> None:
    """Both its dimensions and the bytes of its numbers: SciPy believes either."""
    held = 8 if shape != (1, 1) else 2**30
    parts = (6, 8, 6, 0, 5, 8, *shape, 1, 1, 0x58 if order == "<" else 0x58000000, 0, 9, held)
    body = struct.pack(f"{order}{len(parts)}I", *parts) + bytes(8)
    packed = zlib.compress(struct.pack(f"{order}II", 14, len(body)) + body)
    head = b"MATLAB 5.0".ljust(124) + struct.pack(f"{order}HH", 0x100, 0x4D49)
    path = tmp_path / "x.mat"
    path.write_bytes(head + struct.pack(f"{order}II", 15, len(packed)) + packed)
    with pytest.raises(DataError, match="unpacks to more than"):
        read_mat(path, "X")


def test_wfdb_record() -> None:
    signal = bytes(24) + np.array([100, -50, 0], "<i2").tobytes()
    header = b"A1 1 300 3 05:05:15 1/05/2000 \nA1.mat 16+24 1000/mV 16 0 -127 0 0 ECG \n"
    ecg, frequency = parse_record(header, signal, "A1")
    assert frequency == 300 and ecg.tolist() == [0.1, -0.05, 0.0]
    with pytest.raises(DataError, match="record A1"):
        parse_record(header, signal[:-2], "A1")
    with pytest.raises(DataError, match="record A1"):
        parse_record(b"nonsense", signal, "A1")
    with pytest.raises(DataError, match="one 16-bit channel"):
        parse_record(header.replace(b"A1 1", b"A1 2"), signal, "A1")
