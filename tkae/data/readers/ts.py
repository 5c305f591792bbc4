"""Reader of the `.ts` text format of the UCR/UEA archive (also what aeon and sktime carry).

One series a line: variates separated by `:`, values by `,`, the class after the last `:`. A value `?`
is missing. Series, and even the variates of one series, may differ in length.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from tkae.data.collection import Floats
from tkae.data.readers.limits import lines
from tkae.errors import DataError
from tkae.terminal import count


def read_ts(path: Path) -> tuple[list[Floats], list[str]]:
    """The series, each (T_i, V) with NaN where missing, and their class names (none if it has no classes)."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return parse_ts(lines(file, str(path)), str(path))
    except OSError as error:
        raise DataError(f"{path}: {str(error.strerror).lower()}") from None


def parse_ts(lines: Iterable[str], where: str) -> tuple[list[Floats], list[str]]:
    """As `read_ts`, from lines; `where` names their source in errors."""
    header: dict[str, list[str]] = {}
    series: list[Floats] = []
    labels: list[str] = []
    in_data = False
    for number, raw in enumerate(lines, start=1):
        line, here = raw.strip(), f"{where}, line {number}"
        if not line or line.startswith(("#", "%")):
            continue
        if in_data:
            variates, label = _split(line, header, here)
            array = _series(variates, here)
            if series and array.shape[1] != series[0].shape[1]:
                had = series[0].shape[1]
                raise DataError(f"{here}: {count(array.shape[1], 'variate')}, the first series has {had}")
            series.append(array)
            labels += label
        elif line.lower() == "@data":
            in_data = True
            _refuse_header(header, here)
        elif line.startswith("@"):
            key, *words = line[1:].split() or [""]
            if not key or (key.lower() == "classlabel" and not words):
                raise DataError(f"{here}: '{line}' says nothing; such as: @classLabel true a b")
            header[key.lower()] = words
        else:
            raise DataError(f"{here}: a header line starts with '@'")
    if not series:
        raise DataError(f"{where}: no series after '@data'")
    return series, labels


def _refuse_header(header: dict[str, list[str]], here: str) -> None:
    if (header.get("timestamps") or ["false"])[0].lower() == "true":
        raise DataError(f"{here}: a .ts file with time stamps; write the values alone, in the order of time")
    if (header.get("targetlabel") or ["false"])[0].lower() == "true":
        raise DataError(f"{here}: a regression target where a class was expected; set '@targetlabel false'")


def _split(line: str, header: dict[str, list[str]], here: str) -> tuple[list[str], list[str]]:
    """The texts of the variates, and the class name if the file has classes."""
    switch, *classes = header.get("classlabel", ["true"])
    if switch.lower() == "false":
        return line.split(":"), []
    *variates, label = line.split(":")
    if not variates:
        raise DataError(f"{here}: no ':' before the class name")
    label = label.strip()
    if classes and label not in classes:
        raise DataError(f"{here}: the class '{label}' is not in '@classLabel' ({', '.join(classes)})")
    return variates, [label]


def _series(variates: list[str], here: str) -> Floats:
    """(T, V) from one text a variate; a shorter variate is missing at its end."""
    columns = [_numbers(text, here) for text in variates]
    values = np.full((max(map(len, columns)), len(columns)), np.nan)
    for v, column in enumerate(columns):
        values[: len(column), v] = column
    return values


def _numbers(text: str, here: str) -> Floats:
    """(T) of one variate."""
    try:
        numbers = np.array([float(cell) for cell in text.replace("?", "nan").split(",")])
    except ValueError as error:
        raise DataError(f"{here}: {error}") from None
    if np.isinf(numbers).any():
        raise DataError(f"{here}: an infinite value; write '?' where a value is missing")
    return numbers
