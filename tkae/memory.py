"""How much memory this machine has for a run: what needs more is refused before anything is fitted."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tkae.errors import UserError

LIMIT = "TKAE_MEMORY_GB"
SYSTEM = Path("/sys/fs/cgroup")
GROUPS = Path("/proc/self/cgroup")


def available() -> int:
    """Bytes: what TKAE_MEMORY_GB says, else the machine's memory, or less where this process may use less.

    Containers and batch systems set such limits by control groups. What others use now does not count, so
    that a run is refused today if it was yesterday.
    """
    said = os.environ.get(LIMIT)
    if said:
        with suppress(ValueError):
            if 0 < (found := float(said) * 1e9) < math.inf:
                return int(found)
        raise UserError(f"{LIMIT}={said} is not allowed: it takes a number above 0")
    import psutil

    return min([int(psutil.virtual_memory().total), *_limits()])


def in_words(number: int) -> str:
    """12 MB, 1.5 GB or 160 GB."""
    unit, divisor = ("GB", 1e9) if number >= 1e9 else ("MB", 1e6)
    scaled = number / divisor
    return f"{scaled:.1f} {unit}" if scaled < 10 else f"{scaled:.0f} {unit}"


def too_large(needed: int, what: str, instead: str) -> str:
    """The sentence for what needs so many bytes, if there are fewer."""
    have = available()
    if needed <= have:
        return ""
    return (
        f"{what} needs about {in_words(needed)} of memory, and there are {in_words(have)} "
        f"({LIMIT} may say otherwise): {instead}"
    )


def refuse_beyond(needed: int, what: str, instead: str) -> None:
    """Raise that sentence."""
    if reason := too_large(needed, what, instead):
        raise UserError(reason)


def _limits() -> Iterator[int]:
    """Those of this process's control groups and of all above them, in both versions of the interface."""
    try:
        lines = GROUPS.read_text(encoding="utf-8").splitlines()
    except OSError:  # no Linux
        return
    for line in lines:
        _, controllers, place = line.split(":", 2)
        version_one = "memory" in controllers.split(",")
        if controllers and not version_one:
            continue
        folder = SYSTEM / "memory" if version_one else SYSTEM
        name = "memory.limit_in_bytes" if version_one else "memory.max"
        group = Path(place.strip("/"))
        for part in (group, *group.parents):
            with suppress(OSError, ValueError):  # not there, or "max"
                yield int((folder / part / name).read_text(encoding="utf-8"))
