"""Disks that are really full and folders that really can only be read, where that is allowed.

They are mounted in a namespace of this process and its children: nobody else sees them, and they end with it.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CLONE_NEWNS = 0x00020000


def own_mounts() -> bool:
    """Whether from now on this process may mount what nobody else sees."""
    try:
        if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNS) != 0:
            return False
        _mount("--make-rprivate", "/")
        return True
    except (AttributeError, OSError, subprocess.CalledProcessError):  # not Linux, or no `mount`
        return False


def are_allowed() -> bool:
    """The same of a process that is started for that."""
    command = ["unshare", "--mount", "mount", "--make-rprivate", "/"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@contextmanager
def disk(folder: Path, size: int) -> Iterator[Path]:
    """A disk of so many bytes at this place."""
    folder.mkdir(parents=True, exist_ok=True)
    _mount("-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder))
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True, capture_output=True)


def remount(folder: Path, *options: str) -> None:
    """Another size (`size=...`), `ro` or `rw`."""
    _mount("-o", ",".join(("remount", *options)), str(folder))


def used(folder: Path) -> int:
    """Bytes of all files below it, in whole pages, as a disk counts them."""
    page = os.sysconf("SC_PAGE_SIZE")
    return sum(-(-path.stat().st_size // page) * page for path in folder.rglob("*") if path.is_file())


def _mount(*words: str) -> None:
    subprocess.run(["mount", *words], check=True, capture_output=True)
