"""A user's file: its series as a collection, and tables of what a task says of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tkae.data.collection import Bools, Collection, Floats, Ints
from tkae.data.readers.frame import Roles, column_of
from tkae.data.readers.long import Long
from tkae.data.readers.own import read_as_it_is
from tkae.data.readers.table import Table
from tkae.errors import DataError
from tkae.tasks.options import Options

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Source:
    """The series of a file, and the table in long form that they stand in."""

    series: Collection
    long: Long  # of a file in another form, the table that it stands for
    rows: Ints  # the rows of all steps in that table, series by series
    roles: Roles
    classes: tuple[str, ...] = ()  # the name of label i
    learned: Bools | None = None  # (N): the series to learn from, where the file has a split

    @classmethod
    def read(cls, options: Options) -> Source:
        """The file that a command names."""
        path = Path(options.path)
        names = (options.series_column, options.time_column, options.label_column, options.split_column)
        roles = Roles(*names, elapsed=options.elapsed, keys="{}_column")
        found = read_as_it_is(path)
        long = found if isinstance(found, Long) else _long(found, roles, str(path))
        table = long.table(roles)
        classes, labels = np.unique(table.labels, return_inverse=True)
        series = Collection.from_series(
            table.series, labels if table.labels else None, table.names, table.variates
        )
        learned = np.array([word != "test" for word in table.split]) if table.split else None
        if learned is not None and not learned.any():
            raise DataError(f"{path}: all series have the split 'test': none is left to learn from")
        return cls(series, long, np.concatenate(table.rows), roles, tuple(classes.tolist()), learned)

    @property
    def labels(self) -> list[str]:
        """(N): the class of each series, or nothing where the file has none."""
        return [] if self.series.labels is None else [self.classes[label] for label in self.series.labels]

    def completed(self, done: Collection, as_numbers: bool) -> pandas.DataFrame:
        """The table with its gaps filled: all else stays, observed cells of a text file letter by letter.

        A file with typed columns wants a text file's variates and times `as_numbers`.
        """
        import pandas

        frame = self.long.frame.copy()
        steps, is_text = done.valid[:, :, 0], bool(self.long.separator)
        for v, name in enumerate(done.variates):
            if name not in self.columns:  # the elapsed time is a variate, and no column
                continue
            place = self.columns.index(name)
            gaps = ~self.series.observed[:, :, v][steps]
            values = rounded(done.values[:, :, v][steps][gaps])
            if is_text and not as_numbers:
                column = frame.iloc[:, place].copy()
                texts = [repr(float(value)).replace(".", self.decimal) for value in values]
                column.iloc[self.rows[gaps]] = texts
                frame.isetitem(place, column)
            elif gaps.any() or is_text:
                numbers = np.empty(len(frame))
                numbers[self.rows] = done.values[:, :, v][steps]
                numbers[self.rows[gaps]] = values
                frame.isetitem(place, numbers)
        if is_text and as_numbers:
            times = pandas.to_numeric(frame[self.column("time")], errors="coerce")
            if times.notna().all():
                frame[self.column("time")] = times
        return frame

    def told(self, columns: dict[str, Any]) -> pandas.DataFrame:
        """A row for each series: its id, what is said of it, and its label if there is one."""
        import pandas

        labels = {self.column("label"): self.labels} if self.labels else {}
        return pandas.DataFrame({self.column("series"): list(self.series.names), **columns, **labels})

    def column(self, role: str) -> str:
        """What the column of a role is called in the file."""
        wanted = str(getattr(self.roles, role))
        return column_of(self.long.frame.set_axis(self.columns, axis=1), wanted) or wanted

    @cached_property
    def columns(self) -> list[str]:
        """The names of the table's columns as variates have them."""
        return [str(name).strip() for name in self.long.frame.columns]

    @cached_property
    def decimal(self) -> str:
        """The sign in the numbers of the table: a comma where some of them have one."""
        numbers = self.long.frame.loc[:, [name in self.series.variates for name in self.columns]]
        commas = self.long.decimal_comma and any(numbers[name].str.contains(",").any() for name in numbers)
        return "," if commas else "."


def rounded(values: Floats) -> Floats:
    """To seven digits: as many as the networks compute with."""
    return np.array([float(f"{value:.7g}") for value in values.ravel()]).reshape(values.shape)


def _long(table: Table, roles: Roles, where: str) -> Long:
    """The table in long form that a file of another form stands for."""
    import pandas

    steps = [len(series) for series in table.series]
    frame = pandas.DataFrame(np.concatenate(table.series), columns=table.variates)
    _refuse_taken(frame, table, roles, where)
    frame.insert(0, roles.series, np.repeat(np.array(table.names, dtype=object), steps))
    frame.insert(1, roles.time, np.concatenate([np.arange(count) for count in steps]))
    for name, words in ((roles.label, table.labels), (roles.split, table.split)):
        if words:
            frame[name] = np.repeat(np.array(words, dtype=object), steps)
    return Long(frame, where, lambda i: f"row {i + 1}")


def _refuse_taken(frame: pandas.DataFrame, table: Table, roles: Roles, where: str) -> None:
    """A variate that has the name of another column, or would be taken for one."""
    given = {"series": True, "time": True, "label": bool(table.labels), "split": bool(table.split)}
    for role, there in given.items():
        wanted = str(getattr(roles, role))
        taken = wanted if there else column_of(frame, wanted)
        if taken in frame.columns:
            raise DataError(
                f"{where}: a variate is called '{taken}', as is the column of the {role} in a table: rename "
                f"it, or name the column with {roles.keys.format(role)}=NAME"
            )
