"""A table before it is written: what tables of Markdown, LaTeX, the terminal and CSV files are made from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class TableCell:
    """A text, and how it is marked."""

    text: str
    best: bool = False
    verdict: str = ""


@dataclass(frozen=True)
class Grid:
    """A table ready to be drawn: a header, and lines that belong together in blocks (one a dataset)."""

    caption: str
    label: str
    header: list[str]
    blocks: list[list[list[TableCell]]]
    notes: list[str] = field(default_factory=list)
    long: list[dict[str, Any]] = field(default_factory=list)  # the rows of the CSV file
    keys: int = 1  # how many columns, from the left, say what a line is of
    spare: list[list[int]] = field(default_factory=list)  # columns that a narrow screen leaves out, in turn
