"""Tables and pictures into files, each in one step."""

from __future__ import annotations

import gzip
import io
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tkae.errors import UserError
from tkae.report.drawing import DATELESS
from tkae.storage import write_atomically

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

TEXTS = {".csv": ",", ".tsv": "\t"}  # what separates the cells, if nothing else is said
TYPED = (".parquet", ".feather")
PACKED = ".gz"


def check_ending(path: Path) -> None:
    """Before anything is computed: whether `write_frame` can write such a file."""
    ending = _ending(path)
    if ending not in TEXTS and (ending not in TYPED or path.suffix.lower() == PACKED):
        known = ", ".join([*TEXTS, *TYPED])
        raise UserError(f"{path}: cannot write '{path.suffix}' files; known: {known}, and .csv.gz")
    if ending in TYPED:
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            raise UserError(
                f"{path}: {ending} files need pyarrow: pip install pyarrow, or name a .csv"
            ) from None


def check_picture(path: Path) -> None:
    """Before anything is computed: whether `write_figure` can write such a file."""
    if path.suffix.lower().removeprefix(".") not in DATELESS:
        raise UserError(f"picture={path}: cannot write '{path.suffix}' files; known: .png, .pdf; null: none")


def check_place(path: Path) -> None:
    """Before anything is computed: whether a file can be put there, as far as that can be told."""
    with suppress(FileNotFoundError, NotADirectoryError):
        if stat.S_ISDIR(os.stat(path).st_mode):  # which raises where a name is too long
            raise UserError(f"{path} is a folder: name a file in it")
    there = next(folder for folder in path.absolute().parents if folder.exists())
    if not there.is_dir():
        raise UserError(f"{path}: {there} is a file, and no folder to write to")
    if not os.access(there, os.W_OK | os.X_OK):
        raise UserError(f"{path}: {there} cannot be written to: choose another folder")


def is_typed(path: Path) -> bool:
    """Whether columns of such a file have types."""
    return _ending(path) in TYPED


def write_frame(frame: pandas.DataFrame, path: Path, separator: str = "", decimal: str = ".") -> None:
    """A table without its index; a CSV file has the separator and the decimal sign that are told."""
    ending, content = _ending(path), io.BytesIO()
    if ending == ".parquet":
        frame.to_parquet(content, index=False)
    elif ending == ".feather":
        frame.to_feather(content)
    else:
        cells = (ending == ".csv" and separator) or TEXTS[ending]
        text = frame.to_csv(sep=cells, decimal=decimal, index=False, lineterminator="\n").encode()
        content.write(gzip.compress(text, mtime=0) if path.suffix.lower() == PACKED else text)
    write_atomically(path, content.getvalue())


def write_figure(figure: Figure, path: Path) -> None:
    """A picture, with nothing of the day in it."""
    kind, content = path.suffix.lower().removeprefix("."), io.BytesIO()
    figure.savefig(content, format=kind, dpi=150, metadata=DATELESS[kind])
    write_atomically(path, content.getvalue())


def _ending(path: Path) -> str:
    return (path.with_suffix("") if path.suffix.lower() == PACKED else path).suffix.lower()
