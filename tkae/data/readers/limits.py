"""Limits of what a user's file may unpack to: a few megabytes of a packed file can fill any memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO

from tkae.errors import DataError

UNPACKED = 2**28  # bytes that any file may unpack to: as Python's objects they take ten times as much
RATIO = 50  # and a larger file by how much: numbers as text shrink to a third or a tenth
COLUMNS = 50_000  # of a table: each takes a millisecond, however short it is
LINE = 2**28  # characters: a series of ten million steps


def refuse_bomb(path: Path, size: int) -> None:
    """`size` is what the file unpacks to, in bytes, or what it is known to have at least."""
    if size > max(UNPACKED, RATIO * path.stat().st_size):
        raise DataError(f"{path}: unpacks to more than {RATIO} times its size, which can hardly be data")


def refuse_wide(path: Path, columns: int) -> None:
    """More columns than any series has variates."""
    if columns > COLUMNS:
        raise DataError(
            f"{path}: {columns} columns, of {COLUMNS} at most: a row is one step of one series, and a column "
            "is one variate"
        )


def lines(file: IO[str], where: str) -> Iterator[str]:
    """The lines of a text, none of which fills the memory."""
    while line := file.readline(LINE):
        if len(line) == LINE:
            raise DataError(f"{where}: a line of {LINE} characters or more")
        yield line
