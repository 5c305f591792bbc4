"""Whom a fit tells how far it is."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tkae.engine.trainer import EpochReport


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


def losses_of(report: EpochReport) -> dict[str, float]:
    """The parts of the loss of an epoch, on average over the replicas that still train."""
    parts = report.parts[report.live]
    means = parts.mean(axis=0) if len(parts) else [math.nan] * 3
    return dict(zip(("L_r", "L_2", "L_k"), map(float, means), strict=True))


def told(report: EpochReport) -> str:
    """The epoch, and the mean loss of the replicas that still train."""
    losses = report.total[report.live]
    loss = f", loss {losses.mean():.4f}" if len(losses) else ""
    return f"epoch {report.epoch}/{report.epochs}{loss}"
