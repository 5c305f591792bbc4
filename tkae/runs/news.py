"""What groups under way tell of themselves: small files that workers write and the command's display reads.

That works for every executor whose workers reach the results folder. It may be lost: nothing rests on it.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from tkae.models.watch import Listener

FOLDER = "progress"  # of the results
STALE = 86_400.0  # seconds: a folder without news for so long was left by a command that was killed


@dataclass(frozen=True)
class News:
    """How far a group is."""

    text: str  # what it is at: `epoch 37/100, loss 0.1660`
    share: float  # of the group that is done
    host: str
    pid: int

    @property
    def lost(self) -> bool:
        """Whether its process was on this machine and is gone."""
        if self.host != socket.gethostname():
            return False
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        except OSError:
            return False
        return False


@dataclass(frozen=True)
class Board:
    """A folder with two files a group: the latest news, and a line for each note."""

    folder: Path

    def post(self, group: str, text: str, share: float) -> None:
        """Put the news of a group in the place of its last ones."""
        news = News(text, share, socket.gethostname(), os.getpid())
        path = self.folder / f"{group}.json"
        aside = path.with_suffix(f".{news.host}-{news.pid}")
        with suppress(OSError):  # a worker elsewhere, or a full disk: the work goes on without
            aside.write_text(json.dumps(asdict(news)), encoding="utf-8")
            aside.replace(path)

    def note(self, group: str, text: str) -> None:
        """Add what is to be read once."""
        with suppress(OSError), (self.folder / f"{group}.txt").open("a", encoding="utf-8") as file:
            file.write(f"{text}\n")

    def news(self, group: str) -> News | None:
        """The latest of a group, if it is at work."""
        try:
            found = News(**json.loads((self.folder / f"{group}.json").read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None
        return None if found.lost else found

    def notes(self, group: str) -> list[str]:
        """All notes of a group so far."""
        try:
            return (self.folder / f"{group}.txt").read_text(encoding="utf-8").splitlines()
        except OSError:
            return []


@contextmanager
def board(results: Path, ticket: str) -> Iterator[Board]:
    """A board for one command, which takes it away at its end, and with it what killed commands left."""
    mine = Board(results / FOLDER / ticket)
    with suppress(OSError):
        mine.folder.mkdir(parents=True, exist_ok=True)
        for other in mine.folder.parent.iterdir():
            if time.time() - max(path.stat().st_mtime for path in (other, *other.iterdir())) > STALE:
                shutil.rmtree(other, ignore_errors=True)
    try:
        yield mine
    finally:
        shutil.rmtree(mine.folder, ignore_errors=True)
        with suppress(OSError):  # others may be at work
            mine.folder.parent.rmdir()


@dataclass(frozen=True)
class Teller(Listener):
    """Tells the board of a group how far some of its fits are, after `before` of them, of `count`."""

    board: Board | None
    group: str
    before: int
    fits: int
    count: int

    def at(self, text: str, share: float) -> None:
        if self.board is not None:
            self.board.post(self.group, text, (self.before + share * self.fits) / self.count)

    def note(self, text: str) -> None:
        if self.board is not None:
            self.board.note(self.group, text)
