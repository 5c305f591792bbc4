"""Reader of the `.ts` text format of the UCR/UEA archive (also what aeon and sktime carry).

One series a line: variates separated by `:`, values by `,`, the class after the last `:`. A value `?`
is missing. Series, and even the variates of one series, may differ in length.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tkae.data.collection import Floats
from tkae.errors import DataError


def read_ts(path: Path) -> tuple[list[Floats], list[str]]:
    """The series, each (T_i, V) with NaN where missing, and their class names."""
    series: list[Floats] = []
    labels: list[str] = []
    in_data = False
    with path.open(encoding="utf-8", errors="replace") as lines:
        for number, raw in enumerate(lines, start=1):
            line = raw.strip()
            if not line or line.startswith("#"):
                continue
            if not in_data:
                in_data = line.lower() == "@data"
                if not in_data and not line.startswith("@"):
                    raise DataError(f"{path}, line {number}: a header line starts with '@'")
                continue
            *variates, label = line.split(":")
            if not variates:
                raise DataError(f"{path}, line {number}: no ':' before the class name")
            series.append(_series(variates, f"{path}, line {number}"))
            labels.append(label.strip())
    if not series:
        raise DataError(f"{path}: no series after '@data'")
    return series, labels


def _series(variates: list[str], where: str) -> Floats:
    """(T, V) from one text a variate; a shorter variate is missing at its end."""
    try:
        columns = [
            [np.nan if value.strip() in ("?", "NaN") else float(value) for value in text.split(",")]
            for text in variates
        ]
    except ValueError as error:
        raise DataError(f"{where}: {error}") from error
    values = np.full((max(map(len, columns)), len(columns)), np.nan)
    for v, column in enumerate(columns):
        values[: len(column), v] = column
    return values
