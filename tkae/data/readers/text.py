"""Readers of the plain number tables of the UCI archive: Libras rows, Arabic blocks, Auslan files."""

from __future__ import annotations

import io

import numpy as np

from tkae.data.collection import Floats
from tkae.errors import DataError


def parse_table(content: bytes, width: int, where: str, delimiter: str | None = None) -> Floats:
    """(rows, width) of the numbers in a text; blank lines are passed over."""
    try:
        table = np.loadtxt(io.BytesIO(content), delimiter=delimiter, ndmin=2)
    except ValueError as error:
        raise DataError(f"{where}: {error}") from error
    if table.shape[1] != width:
        raise DataError(f"{where}: {table.shape[1]} columns, {width} were expected")
    return table


def parse_libras(content: bytes, where: str) -> tuple[Floats, list[str]]:
    """Series (N, 45, 2) and classes: a row is x and y of 45 points in turn, then the class."""
    table = parse_table(content, 91, where, delimiter=",")
    return table[:, :90].reshape(len(table), 45, 2), [str(int(label)) for label in table[:, 90]]


def parse_blocks(content: bytes, width: int, where: str) -> list[Floats]:
    """Series (T_i, width), a step a line, with a blank line before each series."""
    blank = np.array([not line.strip() for line in content.splitlines()])
    table = parse_table(content, width, where)
    block = np.cumsum(blank)[~blank]  # the number of blank lines so far says which series a line is of
    starts = np.flatnonzero(np.diff(block)) + 1
    return np.split(table, starts)
