"""Figures: numbers as a CSV file, and the same drawn by matplotlib as PDF and PNG."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tkae.experiments.base import Arrays
from tkae.report.style import COLUMN, settings
from tkae.report.tables import as_csv
from tkae.storage import write_atomically

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

    from tkae.report.summary import Row

StoredArrays = Callable[["Row"], Mapping[int, Arrays]]  # the arrays of a row's cells that have some, by seed
StoredArraysOfKind = Callable[[str, "Row"], Mapping[int, Arrays]]  # those of a kind: `figure` or `outcome`

DOTS = 150  # an inch of a PNG
# Nothing of the day or the machine enters a file: the same numbers give the same bytes.
DATELESS: dict[str, dict[str, Any]] = {"pdf": {"CreationDate": None}, "png": {"Software": None}}


@dataclass(frozen=True)
class Drawing:
    """A figure that is ready to be drawn."""

    caption: str
    numbers: list[dict[str, Any]]  # the rows of its CSV file
    draw: Callable[[Canvas], None]
    size: tuple[float, float] = (COLUMN, 2.6)  # inches, as in print


def write_drawing(folder: Path, stem: str, drawing: Drawing) -> list[Path]:
    """`<stem>.csv`, `.pdf` and `.png` in `folder`."""
    import matplotlib
    from matplotlib.figure import Figure

    contents: dict[str, bytes | str] = {"csv": as_csv(drawing.numbers)}
    with matplotlib.rc_context(settings()):
        figure = Figure(figsize=drawing.size, layout="constrained")
        drawing.draw(figure)
        _take_as_it_stands(figure)
        for ending, metadata in DATELESS.items():
            buffer = io.BytesIO()
            figure.savefig(buffer, format=ending, dpi=DOTS, metadata=metadata)
            contents[ending] = buffer.getvalue()
    paths = []
    for ending, content in contents.items():
        paths.append(folder / f"{stem}.{ending}")
        write_atomically(paths[-1], content)
    return paths


def _take_as_it_stands(figure: Canvas) -> None:
    """Texts that are no formulas though they have signs of one: a dataset has the name of its file."""
    from matplotlib.mathtext import MathTextParser
    from matplotlib.text import Text

    parser = MathTextParser("path")
    for text in figure.findobj(Text):
        if isinstance(text, Text) and "$" in text.get_text():
            try:
                parser.parse(text.get_text())
            except ValueError:
                text.set_parse_math(False)
