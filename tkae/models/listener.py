"""Whom a fit tells how far it is."""

from __future__ import annotations

import sys


def clock(seconds: float) -> str:
    """2:05 or 1:02:05."""
    hours, rest = divmod(round(seconds), 3600)
    minutes, rest = divmod(rest, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


class Listener:
    """Whom a fit tells how far it is; this one does nothing with it."""

    def reached(self, text: str, share: float) -> None:
        """What it is at now (`epoch 37/100`), and the share of it that is done."""

    def note(self, text: str) -> None:
        """What is to be read once."""


class ToStderr(Listener):
    """For people who fit a model by themselves."""

    def reached(self, text: str, share: float) -> None:
        self.note(text)

    def note(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)
