"""What groups under way tell of themselves: small files that workers write and the command's display reads.

That works for every executor whose workers reach the results folder. It may be lost: nothing rests on it.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from tkae.errors import DataError, printable
from tkae.models.listener import Listener
from tkae.owners import OLD, is_gone, me
from tkae.storage import MISTAKEN, refuse_special

FOLDER = "progress"  # of the results


@dataclass(frozen=True)
class News:
    """How far a group is."""

    text: str  # what it is at: `epoch 37/100, loss 0.1660`
    share: float  # of the group that is done
    owner: str  # the process that is at it


@dataclass(frozen=True)
class Board:
    """A folder with two files a group: the latest news, and a line for each note."""

    folder: Path

    def post(self, group: str, text: str, share: float) -> None:
        """Put the news of a group in the place of its last ones."""
        news = News(text, share, me())
        path = self.folder / f"{group}.json"
        aside = path.with_suffix(f".{news.owner}")
        with suppress(OSError):  # a worker elsewhere, or a full disk: the work goes on without
            aside.write_text(json.dumps(asdict(news)), encoding="utf-8")
            aside.replace(path)

    def note(self, group: str, text: str) -> None:
        """Add what is to be read once."""
        with suppress(OSError), (self.folder / f"{group}.txt").open("a", encoding="utf-8") as file:
            file.write(f"{text}\n")

    def heard_of(self) -> set[str]:
        """The groups that have told anything: a few, while very many wait."""
        with suppress(OSError):
            return {name.partition(".")[0] for name in os.listdir(self.folder)}
        return set()

    def news(self, group: str) -> News | None:
        """The latest of a group, if it is at work."""
        try:
            told = json.loads(_text(self.folder / f"{group}.json"))
            found = News(printable(told["text"]), float(told["share"]), str(told["owner"]))
        except (DataError, OSError, RecursionError, *MISTAKEN):
            return None
        return found if 0 <= found.share <= 1 and not is_gone(found.owner) else None

    def notes(self, group: str) -> list[str]:
        """All notes of a group so far."""
        try:
            return [printable(line) for line in _text(self.folder / f"{group}.txt").splitlines()]
        except (DataError, OSError):
            return []


def _text(path: Path) -> str:
    """A small file that anybody may have written, and that goes to a terminal."""
    refuse_special(path)
    return path.read_text(encoding="utf-8", errors="replace")


@contextmanager
def board(results: Path, ticket: str) -> Iterator[Board]:
    """A board for one command, which takes it away at its end."""
    mine = Board(results / FOLDER / f"{ticket}.{me()}")
    with suppress(OSError):
        mine.folder.mkdir(parents=True, exist_ok=True)
    try:
        yield mine
    finally:
        shutil.rmtree(mine.folder, ignore_errors=True)
        with suppress(OSError):  # others may be at work
            mine.folder.parent.rmdir()


def clear_boards(results: Path) -> None:
    """Take away the boards of commands that were killed."""
    with suppress(OSError):
        for other in (results / FOLDER).iterdir():
            last = max(path.stat().st_mtime for path in (other, *other.iterdir()))
            if is_gone(other.name.partition(".")[2]) or time.time() - last > OLD:
                shutil.rmtree(other, ignore_errors=True)
        (results / FOLDER).rmdir()


@dataclass(frozen=True)
class Teller(Listener):
    """Tells the board of a group how far some of its fits are, after `before` of them, of `count`."""

    board: Board | None
    group: str
    before: int
    fits: int
    count: int

    def reached(self, text: str, share: float) -> None:
        if self.board is not None:
            self.board.post(self.group, text, (self.before + share * self.fits) / self.count)

    def note(self, text: str) -> None:
        if self.board is not None:
            self.board.note(self.group, text)
