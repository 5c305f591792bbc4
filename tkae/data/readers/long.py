"""Reader of long-form tables, CSV or Parquet: a row is one step of one series.

Columns: the series' id, the time, one column a variate, and optionally a label and a split (`train` or
`test`), which are the same in all rows of a series. An empty cell is missing. Rows may come in any order;
the steps of a series are its rows in the order of time, so a step without any value is a row of empty cells.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from tkae.data.collection import Floats
from tkae.data.readers.table import Table
from tkae.errors import DataError, nearest

EMPTY = ("", "nan", "NaN", "NA", "null", "None")


@dataclass(frozen=True)
class Roles:
    """Which column is what."""

    series: str = "series"
    time: str = "time"
    label: str = "label"
    split: str = "split"


def read_long(path: Path, roles: Roles) -> Table:
    """The series of a long-form file, in the order in which they first appear."""
    columns, places = (_parquet if path.suffix == ".parquet" else _csv)(path)
    for role in (roles.series, roles.time):
        if role not in columns:
            raise DataError(
                f"{path}: no column '{role}'{nearest(role, columns)}; it has: {', '.join(columns)}"
            )
    ids = [_text(cell) for cell in columns[roles.series]]
    for place, name in zip(places, ids, strict=True):
        if not name:
            raise DataError(
                f"{path}, {place}: no series id, so that nothing says whose values and label these are"
            )
    rows: dict[str, list[int]] = {}
    for i, name in enumerate(ids):
        rows.setdefault(name, []).append(i)
    variates = [name for name in columns if name not in vars(roles).values()]
    if not variates:
        raise DataError(f"{path}: no column is left for a variate beside {', '.join(columns)}")
    times = _numbers(columns[roles.time], roles.time, path, places)
    missing = np.flatnonzero(np.isnan(times))
    if len(missing):
        raise DataError(f"{path}, {places[missing[0]]}: no time")
    values = np.stack([_numbers(columns[name], name, path, places) for name in variates], axis=1)
    series = []
    for name, of in rows.items():
        order = sorted(of, key=lambda i: times[i])
        for before, after in pairwise(order):
            if times[before] == times[after]:
                first, again = sorted((before, after))
                raise DataError(
                    f"{path}, {places[again]}: series '{name}' has the time {times[after]:g} twice "
                    f"(first in {places[first]})"
                )
        series.append(values[order])
    labels = _constant(columns, roles.label, rows, path, places)
    return Table(series, list(rows), variates, labels, _constant(columns, roles.split, rows, path, places))


def _csv(path: Path) -> tuple[dict[str, Sequence[Any]], list[str]]:
    """Columns of texts by name, and where each row stands."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file)
            header = [name.strip() for name in next(reader, [])]
            if not header or len(set(header)) < len(header) or "" in header:
                raise DataError(f"{path}, line 1: a header of different column names is needed, not {header}")
            cells: list[list[str]] = []
            places: list[str] = []
            for row in reader:
                if not row:
                    continue
                if len(row) != len(header):
                    raise DataError(
                        f"{path}, line {reader.line_num}: {len(row)} cells, the header has {len(header)}"
                    )
                cells.append(row)
                places.append(f"line {reader.line_num}")
    except OSError as error:
        raise DataError(f"{path}: {str(error.strerror).lower()}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{path}: not a CSV file in UTF-8 ({error})") from error
    if not cells:
        raise DataError(f"{path}: no rows below the header")
    return dict(zip(header, zip(*cells, strict=True), strict=True)), places


def _parquet(path: Path) -> tuple[dict[str, Sequence[Any]], list[str]]:
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import read_table
    except ImportError:
        raise DataError(
            f"{path}: Parquet files need pyarrow: pip install pyarrow, or write a CSV file"
        ) from None
    try:
        table = read_table(path)
    except FileNotFoundError:
        raise DataError(f"{path}: no such file") from None
    except (ArrowException, OSError) as error:
        raise DataError(f"{path}: not a Parquet file ({error})") from error
    if not table.num_rows:
        raise DataError(f"{path}: no rows")
    columns = {name: table[name].to_pylist() for name in table.column_names}
    return columns, [f"row {i}" for i in range(1, table.num_rows + 1)]


def _text(cell: Any) -> str:
    return "" if cell is None else str(cell).strip()


def _numbers(cells: Sequence[Any], column: str, path: Path, places: list[str]) -> Floats:
    """The cells of a column as numbers, NaN where empty."""
    numbers = np.empty(len(cells))
    for i, cell in enumerate(cells):
        text = _text(cell)
        try:
            numbers[i] = np.nan if text in EMPTY else float(text)
        except ValueError:
            raise DataError(f"{path}, {places[i]}: '{text}' in column '{column}' is not a number") from None
    infinite = np.flatnonzero(np.isinf(numbers))
    if len(infinite):
        raise DataError(
            f"{path}, {places[infinite[0]]}: column '{column}' is infinite; leave it empty if missing"
        )
    return numbers


def _constant(
    columns: dict[str, Sequence[Any]], column: str, rows: dict[str, list[int]], path: Path, places: list[str]
) -> list[str]:
    """The one text that each series has in this column; nothing if there is no such column."""
    if column not in columns:
        return []
    texts = []
    for name, of in rows.items():
        first = _text(columns[column][of[0]])
        for i in of:
            text = _text(columns[column][i])
            if not text:
                raise DataError(f"{path}, {places[i]}: series '{name}' has no {column}")
            if text != first:
                raise DataError(
                    f"{path}, {places[i]}: series '{name}' has the {column} '{text}', "
                    f"and '{first}' in {places[of[0]]}"
                )
        texts.append(first)
    return texts
