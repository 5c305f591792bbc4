"""Your own series: `dataset=file dataset.path=FILE`, a table (CSV, TSV, Parquet, Feather), `.npz` or `.ts`.

The split is that of the file (an array or column `split`), or a second file's (`test_path`), or made here:
a share of the series, class by class, by a seed of its own.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, TypeVar

import numpy as np

from tkae.data.collection import Bools
from tkae.data.dataset import Dataset, Splits
from tkae.data.files import Files
from tkae.data.readers.frame import Roles
from tkae.data.readers.own import READERS, read_own, refuse_unknown
from tkae.data.readers.table import Table
from tkae.data.sets.source import make_splits
from tkae.errors import DataError
from tkae.fields import setting
from tkae.seeding import stream
from tkae.storage import refuse_special

T = TypeVar("T")


@dataclass
class File(Dataset):
    """A user's file, refused with file, line and reason where it cannot be right."""

    name: ClassVar[str] = "file"
    title: ClassVar[str] = "file"
    version: ClassVar[int] = 1
    own: ClassVar[bool] = True

    path: str = setting("", identity=False)
    test_path: str | None = setting(None, identity=False)  # the test split, if it is a file of its own
    test_share: float = setting(0.2, at_least=0.01, at_most=0.99)  # of the series, where no split is given
    split_seed: int = setting(0, at_least=0)  # of the split that is made here; the run's seed does not enter
    series_column: str = "series"  # these five: of tables
    time_column: str = "time"
    label_column: str = "label"
    split_column: str = "split"
    elapsed: bool = False  # the time since the step before as a further variate
    positive: str | None = None  # the class that a binary F1 takes as positive; null: the last of two

    @property
    def called(self) -> str:
        return " + ".join(Path(path).name for path in (self.path, self.test_path) if path)

    def fingerprint(self, files: Files) -> str:
        """Of the bytes of the files, not of where they are."""
        paths = [self._path, *([Path(self.test_path)] if self.test_path else [])]
        return hashlib.sha256(json.dumps([self.version, *map(_sha256, paths)]).encode()).hexdigest()

    def load(self, files: Files, seed: int) -> Splits:
        train = self._read(self._path)
        if self.test_path:
            test = self._read(Path(self.test_path))
            if test.variates != train.variates:
                raise DataError(f"{self.test_path}: its variates are {test.variates}, not {train.variates}")
            if bool(test.labels) != bool(train.labels):
                raise DataError(
                    f"{self.test_path if train.labels else self.path}: has no labels, the other file has"
                )
        else:
            train, test = self._divided(train)
        observed = np.any([~np.isnan(series).all(axis=0) for series in train.series], axis=0)
        if not observed.all():
            empty = train.variates[int(np.argmin(observed))]
            raise DataError(
                f"{self.path}: the variate '{empty}' is missing in every training series; leave it out"
            )
        names = (train.names, test.names)
        splits = make_splits(train.series, test.series, train.labels, test.labels, names, train.variates)
        return Splits(
            splits.train,
            splits.test,
            splits.classes,
            self._positive(splits.classes),
            guessed=not self.positive,
        )

    @property
    def _path(self) -> Path:
        if not self.path:
            raise DataError(
                f"dataset=file needs dataset.path=FILE ({', '.join(READERS)}; texts may be packed)"
            )
        return Path(self.path)

    def _read(self, path: Path) -> Table:
        columns = (self.series_column, self.time_column, self.label_column, self.split_column)
        return read_own(path, Roles(*columns, elapsed=self.elapsed, keys="dataset.{}_column"))

    def _divided(self, table: Table) -> tuple[Table, Table]:
        """By the split that the file gives, or one that is drawn class by class."""
        n = len(table.series)
        if table.split:
            for name, word in zip(table.names, table.split, strict=True):
                if word not in ("train", "test"):
                    raise DataError(
                        f"{self.path}: series '{name}' has the split '{word}', not 'train' or 'test'"
                    )
            in_test = np.array([word == "test" for word in table.split])
        else:
            rng = stream(self.split_seed, "dataset", "file", "split")
            key = rng.random(n)
            classes = np.array(table.labels or [""] * n)
            in_test = np.zeros(n, dtype=bool)
            for label in np.unique(classes):
                rows = np.flatnonzero(classes == label)
                in_test[rows[np.argsort(key[rows])][: round(self.test_share * len(rows))]] = True
        if in_test.all() or not in_test.any():
            raise DataError(
                f"{self.path}: {in_test.sum()} of {n} series for the test split; both splits need some"
            )
        return _rows(table, ~in_test), _rows(table, in_test)

    def _positive(self, classes: tuple[str, ...]) -> int | None:
        if self.positive is None:
            return 1 if len(classes) == 2 else None
        if self.positive not in classes:
            raise DataError(f"dataset.positive: no class '{self.positive}' in {self.path}; it has {classes}")
        return classes.index(self.positive)


def _rows(table: Table, where: Bools) -> Table:
    def chosen(column: list[T]) -> list[T]:
        return [value for value, take in zip(column, where, strict=True) if take] if column else []

    return Table(chosen(table.series), chosen(table.names), table.variates, chosen(table.labels))


def _sha256(path: Path) -> str:
    try:
        refuse_special(path)
        refuse_unknown(path)
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise DataError(f"{path}: {error.strerror or error}") from None
