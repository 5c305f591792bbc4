"""Checkpoints of a long fit: its state on disk, with which it goes on after a stop."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from tkae.errors import UserError
from tkae.models.listener import Listener
from tkae.spare import keep, recall
from tkae.stopping import Stopped, stop_requested
from tkae.storage import Arrays

NAMES = f"{'[0-9a-f]' * 24}.safetensors"  # of checkpoints: what else lies there is not ours
SECONDS = "TKAE_CHECKPOINT_SECONDS"  # how often: it changes no number


def _seconds() -> float:
    """Between checkpoints: TKAE_CHECKPOINT_SECONDS, or two minutes."""
    given = os.environ.get(SECONDS) or "120"
    with suppress(ValueError):
        if (seconds := float(given)) >= 0:
            return seconds
    raise UserError(f"{SECONDS}={given} is not a number of seconds")


@dataclass
class Watch:
    """Without a folder nothing is kept; without a listener nobody hears how far it is.

    A checkpoint holds the state of all replicas that are fitted together, one row each. Whoever fits
    some of them later goes on from it: what else was fitted with them does not change their numbers.
    """

    folder: Path | None = None  # of the checkpoints
    keys: Sequence[str] = ()  # of what is fitted, one a replica: a checkpoint of something else is not used
    listener: Listener = field(default_factory=Listener)
    ticket: str = ""  # of the command that it is fitted for, which may be asked to stop
    whole: bool = True  # nothing else is fitted after these replicas, before they are stored
    keep_every: float = field(default_factory=_seconds)
    tell_every: float = 0.5  # seconds
    _kept: float = field(default_factory=time.monotonic)
    _told: float = field(default_factory=time.monotonic)
    _used: dict[Path, Sequence[str]] = field(default_factory=dict)  # files written or read, and their keys

    def part(self, rows: Sequence[int]) -> Watch:
        """The watch of some of the replicas; its checkpoints end with those of this one."""
        keys = [self.keys[i] for i in rows] if self.keys else ()
        return replace(self, keys=keys, whole=len(keys) == len(self.keys))

    @property
    def path(self) -> Path | None:
        """Where the checkpoint of these replicas is kept."""
        if self.folder is None:
            return None
        return self.folder / f"{hashlib.sha256(' '.join(self.keys).encode()).hexdigest()[:24]}.safetensors"

    def earlier(self) -> Arrays | None:
        """What an interrupted fit of these replicas, alone or among others, had kept."""
        if self.folder is None or self.path is None:
            return None
        self._used[self.path] = self.keys
        for path in sorted(self.folder.glob(NAMES), key=lambda path: path != self.path):
            arrays, keys = _held(path)
            if keys and set(self.keys) <= set(keys):
                self._used[path] = keys
                rows = [keys.index(key) for key in self.keys]
                return {name: array[rows] if array.ndim else array for name, array in arrays.items()}
        return None

    def keep(self, state: Callable[[], Arrays]) -> None:
        """Store the state (one row a replica, or one number for all) if the last time is long enough ago.

        Or if a stop was asked for, which is then raised.
        """
        stop = stop_requested(self.ticket)
        if stop or time.monotonic() - self._kept >= self.keep_every:
            self._keep(state)
        if stop:
            raise Stopped

    def ended(self, state: Callable[[], Arrays]) -> None:
        """Store the last state, if others are fitted before it is used: a stop may come meanwhile."""
        if not self.whole:
            self._keep(state)

    def _keep(self, state: Callable[[], Arrays]) -> None:
        if self.path is not None:
            keep(self.path, state(), {"keys": list(self.keys)}, "results_dir")
            self._used[self.path] = self.keys
            self._kept = time.monotonic()

    def tell(self, text: Callable[[], str], share: float) -> None:
        """Tell how far it is, now and then."""
        if time.monotonic() - self._told >= self.tell_every:
            self.listener.reached(text(), share)
            self._told = time.monotonic()

    def done(self, stored: Callable[[str], bool]) -> None:
        """A checkpoint has served when all that it holds is stored elsewhere, says `stored` of each key."""
        for path, keys in self._used.items():
            if all(stored(key) for key in keys):
                with suppress(OSError):  # gone already, or a folder that can only be read
                    path.unlink()


def by_checkpoint(folder: Path | None, keys: Sequence[str]) -> list[list[int]]:
    """Positions of the keys in groups: those that one checkpoint holds go on from it together.

    Groups may be formed anew after an interruption, and no training can go on from two checkpoints.
    """
    held: dict[str, Path] = {}
    for path in sorted(folder.glob(NAMES)) if folder else []:
        held |= {key: path for key in _held(path)[1] if key not in held}
    groups: dict[Path | None, list[int]] = {}
    for i, key in enumerate(keys):
        groups.setdefault(held.get(key), []).append(i)
    return list(groups.values())


def forget(folder: Path, stored: Callable[[str], bool]) -> None:
    """Remove the checkpoints that have served: `stored` says so of all keys that they hold."""
    for path in folder.glob(NAMES):
        if all(stored(key) for key in _held(path)[1]):
            with suppress(OSError):  # gone already, or a folder that can only be read
                path.unlink()


def _held(path: Path) -> tuple[Arrays, list[str]]:
    """What a checkpoint holds, and of which keys; of none if it is damaged."""
    arrays, about = recall(path, "the training starts afresh") or ({}, {})
    keys = about.get("keys")
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        return {}, []
    rows = all(len(array) == len(keys) for array in arrays.values() if array.ndim)
    return (arrays, keys) if rows else ({}, [])
