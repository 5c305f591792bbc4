"""What went wrong by the user's hand or the user's data: one sentence, never a traceback."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

LONGEST = 4000  # characters of a sentence that a command prints


class UserError(ValueError):
    """A mistake that the user can correct; the command line prints its sentence and exits with 2."""


class DataError(UserError):
    """Data that cannot be used as they are: the sentence names the file or series and the reason."""


class NotSupported(UserError, AttributeError):
    """A model was asked for something that it has not (a code from LOCF, say)."""


def told(error: Exception) -> str:
    """What went wrong in one line of printable characters, whatever names are in it.

    Of one that is very long (it may quote a cell of a file) the beginning and the end are told.
    """
    text = str(error)
    if isinstance(error, OSError) and error.filename is not None:
        text = f"{error.filename}: {error.strerror}"
    if isinstance(error, MemoryError):
        text = f"out of memory ({text or 'of this process'}): take less data, or a smaller model"
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]} ... {text[-LONGEST // 2 :]}"
    return printable(text)


def printable(text: str) -> str:
    """A text in one line, without signs that command a terminal or end a line of a file."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in " ".join(text.split()))


def nearest(name: str, known: Iterable[str]) -> str:
    """`" (did you mean 'x'?)"` for the known name that looks most like `name`, else nothing."""
    match = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f" (did you mean '{match[0]}'?)" if match else ""


def unknown(kind: str, name: str, known: Iterable[str]) -> UserError:
    """The one sentence for every name that is not among the known ones."""
    names = list(known)
    return UserError(f"unknown {kind} '{name}'{nearest(name, names)}; known: {', '.join(names)}")
