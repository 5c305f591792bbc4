"""Which process a file belongs to: the name says host and number, so that whoever finds it can tell that its
process is gone.
"""

from __future__ import annotations

import os
import socket
import time
from contextlib import suppress
from pathlib import Path

PART = ".part"  # how the names of files end that are being written
OLD = 86_400.0  # seconds: nobody writes one file for so long, on whatever machine


def me() -> str:
    """This process, as names of files have it."""
    return f"{socket.gethostname()}-{os.getpid()}"


def is_gone(owner: str) -> bool:
    """Whether that process was on this machine and ended; of others nothing is known."""
    host, _, number = owner.rpartition("-")
    if host != socket.gethostname() or not number.isdigit():
        return False
    import psutil

    try:  # one that was killed is there until its parent looks, but does nothing any more
        return bool(psutil.Process(int(number)).status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True
    except psutil.Error:  # it is another user's, for instance
        return False


def part_prefix() -> str:
    """How the name of a file begins that this process is writing."""
    return f".{me()}."


def remove_parts(folder: Path) -> None:
    """Remove the files below it that a process which is gone was writing, or that are a day old."""
    for path in folder.rglob(f".*{PART}"):
        owner = path.name.removeprefix(".").rpartition(PART)[0].rpartition(".")[0]
        if owner.rpartition("-")[2].isdigit():  # not a fetched file's, with which a fetch goes on
            with suppress(OSError):
                if is_gone(owner) or time.time() - path.stat().st_mtime > OLD:
                    path.unlink()
