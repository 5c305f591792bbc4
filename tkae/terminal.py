"""How the program speaks: plurals, what a terminal can show, and output that somebody stopped reading."""

from __future__ import annotations

import codecs
import os
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

# What an encoding without our signs has in their place.
PLAIN = {"±": "+-", "–": "-", "—": "-", "×": "x", "…": "~", "✓": "=", "▲": "+", "▼": "-", "≠": "!", "○": "o"}


def count(number: int, noun: str, several: str = "") -> str:
    """`1 cell`, `2 cells`; `several` is a plural that is not the noun with an s."""
    return f"{number} {noun if number == 1 else several or noun + 's'}"


def are(number: int) -> str:
    """`is` of one, `are` of several."""
    return "is" if number == 1 else "are"


def console(stream: IO[str]) -> Console:
    """Rich's, which knows the width, the colours and what NO_COLOR and TERM ask for."""
    from rich.console import Console

    return Console(file=stream, highlight=False, markup=False, emoji=False)


def redraws(stream: IO[str]) -> bool:
    """Whether lines on it can be drawn again: a file, a pipe and a dumb terminal keep what they got."""
    there = console(stream)
    return there.is_terminal and not there.is_dumb_terminal


@contextmanager
def meanwhile(text: str) -> Iterator[None]:
    """On a terminal the text is there for so long, with a sign that something goes on."""
    if not redraws(sys.stderr):
        yield
        return
    with console(sys.stderr).status(text):
        yield


def print_columns(rows: Sequence[Sequence[str]]) -> None:
    """Rows with their columns below each other; on a terminal the last column is wrapped where it ends."""
    *widths, _ = (max(map(len, column)) for column in zip(*rows, strict=True))
    there = console(sys.stdout)
    left = there.width - sum(widths) - 2 * len(widths)
    for *cells, last in rows:
        head = "".join(cell.ljust(width + 2) for cell, width in zip(cells, widths, strict=True))
        for text in textwrap.wrap(last, left) or [""] if there.is_terminal and left > 0 else [last]:
            print((head + text).rstrip())
            head = " " * len(head)


def showable(text: str, stream: IO[str]) -> str:
    """The text as this stream can show it."""
    try:
        text.encode(getattr(stream, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return "".join(PLAIN.get(sign, sign) for sign in text)
    return text


def _plainly(error: UnicodeError) -> tuple[str, int]:
    """A handler of `codecs` for signs that an encoding does not have."""
    assert isinstance(error, UnicodeEncodeError)
    lost = error.object[error.start : error.end]
    return "".join(PLAIN.get(sign, "?") for sign in lost), error.end


codecs.register_error("plainly", _plainly)


class Spoken:
    """A stream that takes what is written to it, whatever becomes of it: nobody reads on, the disk is full.

    What was asked for is computed and stored all the same.
    """

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self.fault: OSError | None = None
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="plainly")

    def write(self, text: str) -> int:
        try:
            return self._stream.write(text)
        except OSError as error:
            self._give_up(error)
            return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        """Let what is still kept for it, and what comes, go nowhere: Python flushes once more at its end."""
        self.fault = self.fault or error
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def speak(program: str, act: Callable[[], int]) -> int:
    """The exit code of a program that nothing it prints can end.

    A pipe that is closed early (`| head -1`) is no fault, a disk that is full is one.
    """
    with _spoken() as out:
        code = act()
    if out.fault is None or isinstance(out.fault, BrokenPipeError):
        return code
    print(f"{program}: the output cannot be written ({out.fault.strerror})", file=sys.stderr)
    return code or 1


def _nowhere(number: int) -> IO[str]:
    """In place of a stream that was closed (`>&-`), with its number, which a file of ours would get else."""
    place = os.open(os.devnull, os.O_WRONLY)
    os.dup2(place, number)
    return open(number, "w", encoding="utf-8", closefd=False)


@contextmanager
def _spoken() -> Iterator[Spoken]:
    before = sys.stdout, sys.stderr
    out, err = (Spoken(stream or _nowhere(number)) for number, stream in enumerate(before, start=1))
    sys.stdout, sys.stderr = out, err
    try:
        yield out
    finally:
        out.flush()
        err.flush()
        sys.stdout, sys.stderr = before
