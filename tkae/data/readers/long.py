"""Reader of long-form tables, by pandas: a row is one step of one series.

Text files may be CSV or TSV, packed (`.csv.gz`) or not, with any usual separator and a decimal comma where
the separator is another; Parquet and Feather files are read as well. `frame.py` says what a column means.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from tkae.data.readers.arrow import refuse_feather, refuse_parquet
from tkae.data.readers.frame import Place, Roles, table_of
from tkae.data.readers.limits import lines, refuse_bomb, refuse_wide
from tkae.data.readers.table import Table
from tkae.errors import DataError
from tkae.terminal import count

if TYPE_CHECKING:
    import pandas

UTF8 = "utf-8-sig"  # with or without a mark at its beginning
SEPARATORS = ",;\t|"
UNNAMED = "Unnamed: 0"  # what pandas calls a column without a name when it reads one
PACKED: dict[str, Callable[..., IO[Any]]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}


@dataclass(frozen=True)
class Long:
    """A table as it stands in its file: a row is one step of one series, cells of a text file are texts."""

    frame: pandas.DataFrame
    where: str  # its file, for errors
    place: Place
    separator: str = ""  # of a text file
    counted: bool = False  # the first column counts the rows and has no name: pandas writes such a one

    def table(self, roles: Roles) -> Table:
        """Its series, in the order in which they first appear."""
        frame = self.frame.iloc[:, 1:] if self.counted else self.frame
        return table_of(frame, roles, self.where, self.place, decimal_comma=self.decimal_comma)

    @property
    def decimal_comma(self) -> bool:
        """Whether its numbers may have one: the separator is another."""
        return self.separator not in ("", ",")


def read_text(path: Path) -> Long:
    """A CSV or TSV file."""
    import pandas

    try:
        header, separator = _checked(path)
        frame = pandas.read_csv(
            path,
            sep=separator,
            header=None,
            names=header,
            skiprows=1,
            dtype=str,
            na_filter=False,
            encoding=UTF8,
        )
    except pandas.errors.ParserError as error:
        raise DataError(f"{path}: {str(error).removeprefix('Error tokenizing data. C error: ')}") from None
    except (UnicodeError, EOFError, csv.Error, lzma.LZMAError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"{path}: not a text file in UTF-8 ({error})") from None
    except OSError as error:
        raise DataError(f"{path}: {str(error.strerror or error).lower()}") from None

    def place(i: int) -> str:
        for number, _ in islice(_rows(path, separator), i + 1, i + 2):
            return f"line {number}"
        raise AssertionError(i)

    return Long(frame, str(path), place, separator, counted=_counted(frame, path))


def read_binary(path: Path) -> Long:
    """A Parquet or Feather file."""
    import pandas

    read = pandas.read_feather if path.suffix.lower() == ".feather" else pandas.read_parquet
    kind = "Feather" if path.suffix.lower() == ".feather" else "Parquet"
    try:
        refuse_feather(path) if kind == "Feather" else refuse_parquet(path)
        frame = read(path)
    except DataError:
        raise
    except ImportError:
        raise DataError(
            f"{path}: {kind} files need pyarrow: pip install pyarrow, or write a CSV file"
        ) from None
    except FileNotFoundError:
        raise DataError(f"{path}: no such file") from None
    except Exception as error:  # pyarrow's own errors have no common parent, and it need not be installed
        said = (str(error) or type(error).__name__).splitlines()[0]
        raise DataError(f"{path}: not a {kind} file ({said})") from error
    if frame.empty:
        raise DataError(f"{path}: no rows")
    try:
        "".join(map(str, [*frame.index.names, *frame.columns])).encode()
    except UnicodeError as error:  # what pandas keeps beside the columns may say so
        raise DataError(
            f"{path}: a column's name holds signs that are no text ({error}): rename it"
        ) from None
    if frame.index.names != [None]:  # an index with a name was a column once
        for name in [name for name in frame.index.names if name in frame.columns][:1]:
            raise DataError(
                f"{path}: its index and a column are both called '{name}': rename one, or leave the index out"
            )
        frame = frame.reset_index(allow_duplicates=True)  # which are refused with those among the columns
    return Long(frame, str(path), lambda i: f"row {i + 1}")


def _checked(path: Path) -> tuple[list[str], str]:
    """The column names and what separates them, in a file of which every row has as many cells.

    pandas fills rows that are too short, and counts no lines: these are looked at here.
    """
    if path.suffix.lower() in PACKED:
        _refuse_bomb(path)
    with _opened(path) as file:
        line = next(lines(file, str(path)), "")
    separator = max(SEPARATORS, key=line.count)
    refuse_wide(path, line.count(separator) + 1)
    rows = _rows(path, separator)
    header = [name.strip() for name in next(rows, (1, [""]))[1]]
    if header == [""] or len(set(header)) < len(header) or "" in header[1:]:
        raise DataError(f"{path}, line 1: a header of different column names is needed, not {header}")
    below = 0
    for number, row in rows:
        below += 1
        if len(row) != len(header):
            raise DataError(f"{path}, line {number}: {count(len(row), 'cell')}, the header has {len(header)}")
    if not below:
        raise DataError(f"{path}: no rows below the header")
    return header, separator


def _rows(path: Path, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Every row that is not blank, the header among them, with the line that it ends in."""
    with _opened(path) as file:
        reader = csv.reader(lines(file, str(path)), delimiter=separator)
        yield from ((reader.line_num, row) for row in reader if row)


def _refuse_bomb(path: Path) -> None:
    """Unpack it once, block by block, before pandas does so at one go."""
    size = 0
    with PACKED[path.suffix.lower()](path, "rb") as file:
        while block := file.read(2**20):
            size += len(block)
            refuse_bomb(path, size)


def _opened(path: Path) -> IO[str]:
    opened: IO[str] = PACKED.get(path.suffix.lower(), open)(path, "rt", encoding=UTF8, newline="")
    return opened


def _counted(frame: pandas.DataFrame, path: Path) -> bool:
    """Whether the first column only counts the rows: pandas writes it without a name."""
    if frame.columns[0] not in ("", UNNAMED):
        return False
    counts = list(frame.iloc[:, 0].str.strip()) == [str(i) for i in range(len(frame))]
    if frame.columns[0] == "" and not counts:
        raise DataError(f"{path}, line 1: the first column has no name; give it one, or leave it out")
    return counts
