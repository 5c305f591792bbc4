"""Bytes that kernels take, to be compared with the memory there is."""

from __future__ import annotations

BLOCK_COLUMNS = 256  # components whose posteriors are held at a time where blocks of the kernel are made


def whole_bytes(rows: int, columns: int | None = None, itemsize: int = 4) -> int:
    """Of a kernel matrix, square without `columns`, and of the copy that is written to disk."""
    return 2 * itemsize * rows * (rows if columns is None else columns)


def held_bytes(series: int, itemsize: int = 4) -> int:
    """Of the posteriors that are held at a time where only blocks of the kernel are made."""
    return itemsize * BLOCK_COLUMNS * series
