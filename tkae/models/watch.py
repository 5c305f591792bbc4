"""What a long fit is watched by: where it keeps its checkpoint, and whom it tells how far it is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy.typing as npt

from tkae.errors import DataError
from tkae.storage import load_arrays, save_arrays

Arrays = dict[str, npt.NDArray[Any]]


def clock(seconds: float) -> str:
    """2:05 or 1:02:05."""
    hours, rest = divmod(round(seconds), 3600)
    minutes, rest = divmod(rest, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def quiet(text: str) -> None:
    """Says nothing."""


def to_stderr(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@dataclass
class Watch:
    """Without a checkpoint file nothing is kept; without `say` nothing is said."""

    checkpoint: Path | None = None
    key: str = ""  # of what is fitted: a checkpoint of something else is not used
    say: Callable[[str], None] = quiet
    keep_every: float = 120.0  # seconds
    say_every: float = 10.0
    _kept: float = field(default_factory=time.monotonic)
    _said: float = field(default_factory=time.monotonic)

    def earlier(self) -> Arrays | None:
        """What an interrupted fit of the same thing had kept."""
        if self.checkpoint is None or not self.checkpoint.exists():
            return None
        try:
            arrays, about = load_arrays(self.checkpoint)
        except DataError:
            return None  # damaged: the fit starts afresh
        return arrays if about.get("key") == self.key else None

    def keep(self, state: Callable[[], Arrays]) -> None:
        """Store the state if the last time is long enough ago."""
        if self.checkpoint is not None and time.monotonic() - self._kept >= self.keep_every:
            save_arrays(self.checkpoint, state(), {"key": self.key})
            self._kept = time.monotonic()

    def tell(self, text: Callable[[], str]) -> None:
        """Say how far it is, now and then."""
        if time.monotonic() - self._said >= self.say_every:
            self.say(text())
            self._said = time.monotonic()

    def done(self) -> None:
        """What was fitted is stored elsewhere: the checkpoint has served."""
        if self.checkpoint is not None:
            self.checkpoint.unlink(missing_ok=True)
