"""A file of a user's own series, read by its ending."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tkae.data.readers.frame import Roles
from tkae.data.readers.long import PACKED, Long, read_binary, read_text
from tkae.data.readers.npz import read_npz
from tkae.data.readers.table import Table
from tkae.data.readers.ts import read_ts
from tkae.errors import DataError
from tkae.storage import refuse_special


def _read_ts(path: Path) -> Table:
    series, labels = read_ts(path)
    names, variates = [str(i) for i in range(len(series))], [str(v) for v in range(series[0].shape[1])]
    return Table(series, names, variates, labels)


READERS: dict[str, Callable[[Path], Table | Long]] = {
    ".csv": read_text,
    ".tsv": read_text,
    ".parquet": read_binary,
    ".feather": read_binary,
    ".npz": read_npz,
    ".ts": _read_ts,
}
TEXTS = (".csv", ".tsv")  # which may be packed


def read_own(path: Path, roles: Roles) -> Table:
    """The series of a file, with their names and what else it says of them."""
    found = read_as_it_is(path)
    return found.table(roles) if isinstance(found, Long) else found


def read_as_it_is(path: Path) -> Table | Long:
    """The table that stands in the file, or else its series."""
    ending = refuse_unknown(path)
    refuse_special(path)
    return READERS[ending](path)


def refuse_unknown(path: Path) -> str:
    """The ending that says how the file is read, where there is one: else it is not even opened."""
    packed = path.suffix.lower() in PACKED
    ending = (path.with_suffix("") if packed else path).suffix.lower()
    if ending not in READERS or (packed and ending not in TEXTS):
        raise DataError(
            f"{path}: cannot read '{path.suffix}' files; known: {', '.join(READERS)}, and .csv.gz"
        )
    return ending
