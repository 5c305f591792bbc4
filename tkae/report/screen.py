"""A grid on the terminal: all of it where there is room, else what the paper prints, and no figure in two.

A narrow screen leaves out our own columns first, then abbreviates, then puts what a block shares above it,
and at last shows the columns in several tables below each other.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from tkae.errors import printable
from tkae.report.grid import Grid, TableCell
from tkae.report.tables import VERDICTS
from tkae.terminal import console, showable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

UNBOUNDED = 10_000  # columns
GAP = 2  # spaces between columns
LONG = 24  # characters; a column with longer texts is wrapped, if most of them are no figures
SHORT = {"Accuracy": "Acc.", "F1 score": "F1", "no verdict": "none", "does not hold": "fails"}
SHORT |= {name: sign for name, (sign, _) in VERDICTS.items()}
NONE = "–"
STAR = "* ours, not in the paper"

Block = list[list[TableCell]]


@dataclass(frozen=True)
class Part:
    """Some columns of a grid, each with its width; what the lines of a block share stands above it."""

    header: list[str]
    blocks: list[Block]
    widths: list[int]
    above: list[str]  # one for each block; empty where nothing is


@dataclass(frozen=True)
class Fit:
    """What a screen shows of a grid."""

    caption: str
    shown: list[int]  # columns
    parts: list[Part]


def show(table: Grid) -> None:
    """The grid on standard output; in a file or a pipe nothing has to fit a screen."""
    there = console(sys.stdout)
    if not there.is_terminal:
        there.width = UNBOUNDED
    draw(table, there)


def draw(table: Grid, there: Console) -> None:
    """The caption, the table as it fits, what its signs mean, and the notes."""
    from rich.text import Text

    table = _showable(table, there)
    fit = fitted(table, there.width)
    there.print(Text(fit.caption))
    for part in fit.parts:
        there.print()
        for drawn in _drawn(part):
            there.print(drawn)
    lines = list(_legend(table, fit))
    there.print(*map(Text, ["", *lines]), sep="\n") if lines else None


def fitted(table: Grid, width: int) -> Fit:
    """The columns that a screen of this width shows, in one table if they fit."""
    small, same = _compact(table), _same(table)
    ours, more = ({i for columns in table.spare[:n] for i in columns} for n in (1, 2))
    told = "".join(f" {table.header[i]}={table.blocks[0][0][i].text}." for i in same)
    for grid, left_out in ((table, set()), (table, ours), (small, {*ours, *same}), (small, {*more, *same})):
        columns = [i for i in range(len(table.header)) if i not in left_out]
        if widths := _widths(grid, columns, width):
            part = Part(*_of(grid, columns), widths, [""] * len(grid.blocks))
            return Fit(table.caption + told * (grid is small), columns, [part])
    columns = [i for i in range(len(table.header)) if i not in {*ours, *same}]
    return Fit(table.caption + told, columns, list(_parts(small, columns, table.header, width)))


def _parts(table: Grid, columns: Sequence[int], names: Sequence[str], width: int) -> Iterator[Part]:
    """Tables below each other: each has the columns that say what a line is of, and as many others as fit."""
    shared = [i for i in _shared(table) if i in columns]
    above = [_above(block[0], shared, names) for block in table.blocks]
    keys = [i for i in columns if i < table.keys and i not in shared]
    units: list[list[int]] = []  # a figure and the paper's, which stand together
    for i in (i for i in columns if i >= table.keys):
        if units and table.header[i] == "paper":
            units[-1].append(i)
        else:
            units.append([i])
    part: list[int] = []
    for unit in units:
        if part and not _widths(table, [*keys, *part, *unit], width, wrapped=keys):
            yield _part(table, [*keys, *part], width, keys, above)
            part = []
        part += unit
    yield _part(table, [*keys, *part], width, keys, above)


def _part(table: Grid, columns: Sequence[int], width: int, keys: Sequence[int], above: list[str]) -> Part:
    """As wide as figures need; what says of which line they are gives way, if need be within its words."""
    widths, natural = _least(table, columns, keys)
    while (
        sum(widths) > (room := width - GAP * (len(columns) - 1)) and max(widths[: len(keys)], default=1) > 1
    ):
        widths[widths.index(max(widths[: len(keys)]))] -= 1
    return Part(*_of(table, columns), _spread(widths, natural, room), above)


def _of(table: Grid, columns: Sequence[int]) -> tuple[list[str], list[Block]]:
    blocks = [[[line[i] for i in columns] for line in block] for block in table.blocks]
    return [table.header[i] for i in columns], blocks


def _widths(table: Grid, columns: Sequence[int], width: int, wrapped: Sequence[int] = ()) -> list[int] | None:
    """Of each column, so that all fit; None: they do not."""
    least, natural = _least(table, columns, wrapped)
    room = width - GAP * (len(columns) - 1)
    return _spread(least, natural, room) if sum(least) <= room else None


def _least(table: Grid, columns: Sequence[int], wrapped: Sequence[int]) -> tuple[list[int], list[int]]:
    """The least and the natural width of each column: heads and long texts are wrapped between words."""
    least, natural = [], []
    for i in columns:
        texts = [_text(line[i]) for block in table.blocks for line in block]
        whole = i not in wrapped and not _is_long(texts)
        words = texts if whole else [word for text in texts for word in text.split()]
        least.append(max(map(len, [*table.header[i].split(), *words]), default=0))
        natural.append(max(map(len, [table.header[i], *texts])))
    return least, natural


def _spread(widths: Sequence[int], natural: Sequence[int], room: int) -> list[int]:
    """The widths; what room there is goes to the first that want it."""
    found, left = [], max(room - sum(widths), 0)
    for least, wanted in zip(widths, natural, strict=True):
        found.append(least + min(wanted - least, left))
        left -= found[-1] - least
    return found


def _is_long(texts: Sequence[str]) -> bool:
    figures = sum(bool(re.match(r"[-+]?\d", text)) for text in texts)
    return max(map(len, texts), default=0) > LONG and 2 * figures < len(texts)


def _shared(table: Grid) -> list[int]:
    """The first columns, as far as every block has one text in each of them, for several lines."""
    found: list[int] = []
    if 2 * len(table.blocks) > sum(map(len, table.blocks)):
        return found
    for i in range(table.keys - 1):
        if any(one[i].text != other[i].text for block in table.blocks for one, other in pairwise(block)):
            break
        found.append(i)
    return found


def _above(line: list[TableCell], columns: Sequence[int], names: Sequence[str]) -> str:
    """What stands in these columns; a setting with its name, if it is one of this line's."""
    found = []
    for i in columns:
        section, _, name = names[i].rpartition(".")
        if not (section and line[i].text == NONE):
            found.append(f"{name}={line[i].text}" if section else line[i].text)
    return ", ".join(found)


def _same(table: Grid) -> list[int]:
    """Columns of settings that have the same value in all lines."""
    lines = [line for block in table.blocks for line in block]
    keys = [i for i in range(table.keys) if "." in table.header[i]]
    return [i for i in keys if len(lines) > 1 and len({line[i].text for line in lines}) == 1]


def _compact(table: Grid) -> Grid:
    """The same in fewer characters."""
    header = [name.removeprefix("fact ").removeprefix("claim ") for name in table.header]
    blocks = [
        [[replace(cell, text=_shortened(cell.text)) for cell in line] for line in block]
        for block in table.blocks
    ]
    return replace(table, header=[SHORT.get(name, name.rpartition(".")[2]) for name in header], blocks=blocks)


def _shortened(text: str) -> str:
    text = re.sub(r" \((\d+) of (\d+) seeds\)", r" (\1/\2)", text)
    return re.sub(r" (±|\+-) ", r"\1", text).replace(" (ours)", "*")


def _drawn(part: Part) -> Iterator[Table | Text]:
    """The header, and the blocks with what stands above each."""
    from rich.text import Text

    yield _table(part, [], header=True)
    for number, (block, above) in enumerate(zip(part.blocks, part.above, strict=True)):
        if number and any(len(block) > 1 for block in part.blocks):
            yield Text()
        if above:
            yield Text(above, "bold")
        yield _table(part, block)


def _table(part: Part, lines: Block, header: bool = False) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(
        box=box.SIMPLE_HEAD, show_header=header, show_edge=False, pad_edge=False, padding=(0, GAP - 1, 0, 0)
    )
    for name, width in zip(part.header, part.widths, strict=True):
        table.add_column(name, width=width, overflow="fold")
    for line in lines:
        table.add_row(*map(_coloured, line))
    return table


def _coloured(cell: TableCell) -> Text:
    from rich.text import Text

    return Text(_text(cell), "bold" if cell.best else VERDICTS.get(cell.verdict, ("", ""))[1])


def _text(cell: TableCell) -> str:
    return f"{cell.text} {VERDICTS.get(cell.verdict, ('', ''))[0]}".strip()


def _legend(table: Grid, fit: Fit) -> Iterator[str]:
    """What the signs mean, which columns are not shown, and the notes on those that are."""
    cells = [cell for part in fit.parts for block in part.blocks for line in block for cell in line]
    heads = {name for part in fit.parts for name in part.header}
    given = {cell.verdict for cell in cells} | {name for name in VERDICTS if VERDICTS[name][0] in heads}
    signs = [f"{sign} {name}" for name, (sign, _) in VERDICTS.items() if name in given]
    signs += [STAR] if any(cell.text.endswith("*") for cell in cells) else []
    yield from ["  ".join(signs)] if signs else []
    left_out = [table.header[i] for columns in table.spare for i in columns if i not in fit.shown]
    left_out = [name for name in left_out if name != "paper"]
    yield from [f"In the files, and on a wider terminal: {', '.join(left_out)}."] if left_out else []
    for note in table.notes:
        head = note.partition(":")[0]
        if any(head in table.header[i] for i in fit.shown) or not any(head in name for name in left_out):
            yield note


def _showable(table: Grid, there: Console) -> Grid:
    """In signs that the screen has; what has one in the place of each is left to the stream."""
    stream = there.file
    blocks = [
        [[replace(cell, text=showable(printable(cell.text), stream)) for cell in line] for line in block]
        for block in table.blocks
    ]
    return replace(table, blocks=blocks)
