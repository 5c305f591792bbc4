"""From a long-form data frame to series: a row is one step of one series.

Columns: the series' id, the time, one column a variate, and optionally a label and a split (`train` or
`test`), which are the same in all rows of a series. An empty cell is missing. Rows may come in any order; the
steps of a series are its rows in the order of time, so a step without any value is a row of empty cells. How
far apart two steps are does not count, unless `elapsed` asks for it as a further variate.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from tkae.data.collection import Floats, Ints
from tkae.data.readers.table import Table
from tkae.errors import DataError, nearest

if TYPE_CHECKING:
    import pandas

Column = Any  # a pandas.Series: one cell a row
Place = Callable[[int], str]  # row -> where it stands, for people
MISSING = frozenset(
    ("", "nan", "-nan", "na", "n/a", "#n/a", "#na", "<na>", "<nan>", "nat", "null", "none", "?", "-")
)
ELAPSED = "elapsed"
UNITS = {"ns": 10**9, "us": 10**6, "ms": 10**3}  # of time, and how many are a second: the finer, the better
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Roles:
    """Which column is what; upper or lower case does not matter where only one column fits."""

    series: str = "series"
    time: str = "time"
    label: str = "label"
    split: str = "split"
    elapsed: bool = False  # whether the time since the step before is a variate, too
    keys: str = "{}"  # how a user says which column it is; of a file: dataset.{}_column


def table_of(
    frame: pandas.DataFrame, roles: Roles, where: str, place: Place, decimal_comma: bool = False
) -> Table:
    """The series of a frame, in the order in which they first appear; `where` and `place` are for errors.

    The frame's index holds the rows as `place` knows them.
    """
    frame = frame.set_axis([str(name).strip() for name in frame.columns], axis=1)
    for name in frame.columns[frame.columns.duplicated()][:1]:
        raise DataError(f"{where}: two columns are called '{name}': rename one, or leave it out")
    names = {role: column_of(frame, getattr(roles, role)) for role in ("series", "time", "label", "split")}
    for role in ("series", "time"):
        if names[role] is None:
            wanted = getattr(roles, role)
            raise DataError(
                f"{where}: no column '{wanted}'{nearest(wanted, frame.columns)}; it has: "
                f"{', '.join(frame.columns)}; {roles.keys.format(role)}=NAME says which one is meant"
            )
    variates = [name for name in frame.columns if name not in names.values()]
    if not variates:
        raise DataError(f"{where}: no column is left for a variate beside {', '.join(frame.columns)}")
    rows = np.asarray(frame.index)
    reader = _Cells(where, place, rows, decimal_comma)
    ids = _texts(frame[names["series"]])
    for i in np.flatnonzero(ids == "")[:1]:
        raise reader.wrong(i, "no series id, so that nothing says whose values and label these are")
    times = reader.times(frame[names["time"]])
    values = np.stack([reader.numbers(frame[name]) for name in variates], axis=1)
    order, starts, named = _in_order(ids, times, reader)
    series = np.split(values[order], starts[1:])
    if roles.elapsed:
        series, variates = _with_elapsed(series, np.split(times[order], starts[1:])), [*variates, ELAPSED]
    else:
        _say_if_uneven(times[order], starts, where)
    labels, split = (
        reader.constant(frame[name], role, order, starts, named) if name is not None else []
        for role, name in (("label", names["label"]), ("split", names["split"]))
    )
    return Table(series, named, variates, labels, split, np.split(order, starts[1:]))


def column_of(frame: pandas.DataFrame, wanted: str) -> str | None:
    """The column of this name, or the only one that differs from it in upper and lower case alone."""
    if wanted in frame.columns:
        return wanted
    alike = [str(name) for name in frame.columns if str(name).lower() == wanted.lower()]
    return alike[0] if len(alike) == 1 else None


def _texts(column: Column) -> Any:
    """(rows): the cells as text, "" where there is none."""
    absent = column.isna().to_numpy()  # a None, a NaN, or what pandas itself writes where nothing is
    return np.array(
        ["" if gone else str(cell).strip() for cell, gone in zip(column, absent, strict=True)], dtype=object
    )


def _in_order(ids: Any, times: Floats, reader: _Cells) -> tuple[Ints, Ints, list[str]]:
    """The rows by series (as they first appear) and time, where each series starts, and its name."""
    import pandas

    codes, named = pandas.factorize(ids)
    order = np.lexsort((np.arange(len(times)), times, codes)).astype(np.int64)
    same = (codes[order][1:] == codes[order][:-1]) & (times[order][1:] == times[order][:-1])
    for i in np.flatnonzero(same)[:1]:
        first, again = order[i], order[i + 1]
        raise reader.wrong(
            again,
            f"series '{ids[again]}' has the time {times[again]:.15g} twice "
            f"(first in {reader.place_of(first)})",
        )
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1)).astype(np.int64)
    return order, starts, [str(name) for name in named]


def _with_elapsed(series: list[Floats], times: list[Floats]) -> list[Floats]:
    """Each series (T, V) with one variate more: the time since the step before, 0 at the first."""
    return [
        np.column_stack([values, np.diff(at, prepend=at[:1])])
        for values, at in zip(series, times, strict=True)
    ]


def _say_if_uneven(times: Floats, starts: Ints, where: str) -> None:
    """Models see steps, not times: say so where steps are not equally far apart."""
    gaps = np.delete(np.diff(times), starts[1:] - 1)
    if len(gaps) and not np.allclose(gaps, gaps[0], rtol=1e-6):
        _say_uneven(where)


@cache  # a file is read for every seed
def _say_uneven(where: str) -> None:
    log.warning(
        "%s: steps are not equally far apart; times are used as an order only "
        "(dataset.elapsed=true adds the time since the step before as a variate)",
        where,
    )


@dataclass(frozen=True)
class _Cells:
    """Turns columns into numbers and texts, and says where a cell stands that cannot be."""

    where: str
    place: Place
    rows: Any  # (rows): as `place` knows them
    decimal_comma: bool

    def place_of(self, i: int) -> str:
        return self.place(int(self.rows[i]))

    def wrong(self, i: int, reason: str) -> DataError:
        return DataError(f"{self.where}, {self.place_of(i)}: {reason}")

    def numbers(self, column: Column) -> Floats:
        """(rows): the cells as numbers, NaN where missing."""
        numbers, texts, missing = self._read(column)
        for i in np.flatnonzero(np.isnan(numbers) & ~missing)[:1]:
            raise self.wrong(i, f"'{texts[i]}' in column '{column.name}' is not a number")
        for i in np.flatnonzero(np.isinf(numbers))[:1]:
            raise self.wrong(i, f"column '{column.name}' is infinite; leave it empty if missing")
        return numbers

    def times(self, column: Column) -> Floats:
        """(rows): numbers as they are; dates, times and durations in seconds."""
        import pandas

        if pandas.api.types.is_datetime64_any_dtype(column):
            return self._seconds(column, column, "datetime64")
        if pandas.api.types.is_timedelta64_dtype(column):
            return self._seconds(column, column, "timedelta64")
        numbers, texts, missing = self._read(column)
        for i in np.flatnonzero(missing)[:1]:
            raise self.wrong(i, "no time")
        bad = ~np.isfinite(numbers)
        if not bad.any():
            return numbers
        if bad.all():
            durations = pandas.to_timedelta(pandas.Series(texts), errors="coerce")  # 00:01:30
            if durations.notna().all():
                return self._seconds(durations, texts, "timedelta64")
            stamps = pandas.to_datetime(pandas.Series(texts), format="ISO8601", errors="coerce", utc=True)
            return self._seconds(stamps, texts, "datetime64")
        i = int(np.argmax(bad))
        raise self.wrong(i, f"'{texts[i]}' in column '{column.name}' is not a number, others there are")

    def constant(self, column: Column, role: str, order: Ints, starts: Ints, named: list[str]) -> list[str]:
        """(series): the text that all rows of a series have in this column."""
        texts, found = _texts(column), []
        for name, of in zip(named, np.split(order, starts[1:]), strict=True):
            of = np.sort(of)
            for i in of:
                if texts[i] == "":
                    raise self.wrong(i, f"series '{name}' has no {role}")
                if texts[i] != texts[of[0]]:
                    first = f"'{texts[of[0]]}' in {self.place_of(of[0])}"
                    raise self.wrong(i, f"series '{name}' has the {role} '{texts[i]}', and {first}")
            found.append(str(texts[of[0]]))
        return found

    def _read(self, column: Column) -> tuple[Floats, Any, Any]:
        """(rows) each: the cells as numbers where they are some, as text, and whether they are missing."""
        import pandas

        if pandas.api.types.is_numeric_dtype(column) and not pandas.api.types.is_complex_dtype(column):
            numbers = column.to_numpy(dtype=np.float64, na_value=np.nan)
            return numbers, numbers, np.isnan(numbers)
        texts = _texts(column)
        missing = np.array([text.lower() in MISSING for text in texts], dtype=bool)
        plain = pandas.Series(np.where(missing, None, texts), dtype="str")
        if self.decimal_comma and not plain.str.contains(".", regex=False, na=False).any():
            plain = plain.str.replace(",", ".", regex=False)
        return pandas.to_numeric(plain, errors="coerce").to_numpy(dtype=np.float64), texts, missing

    def _seconds(self, stamps: Column, texts: Any, kind: str) -> Floats:
        """(rows): time stamps or durations in seconds."""
        for i in np.flatnonzero(stamps.isna())[:1]:
            shown = list(texts)[i]
            raise self.wrong(
                i,
                f"'{shown}' is no time: a number, a date such as 2020-01-31T12:00 or a duration such as "
                "00:01:30 is needed",
            )
        whole: Ints = stamps.to_numpy(dtype=f"{kind}[s]").astype(np.int64)
        for unit, in_a_second in UNITS.items():
            if np.abs(whole).max() < np.iinfo(np.int64).max // in_a_second:
                finer: Ints = stamps.to_numpy(dtype=f"{kind}[{unit}]").astype(np.int64)
                return finer / in_a_second
        return whole.astype(np.float64)
