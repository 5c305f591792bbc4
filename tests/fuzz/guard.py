"""Watches what reading an input does: no code, no process, no connection, no file outside of its folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NEVER = (
    "pickle.find_class", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork",
    "socket.connect", "socket.bind", "ctypes.dlopen", "urllib.Request", "webbrowser.open",
)  # fmt: skip
CHANGES = (
    "os.remove",
    "os.rename",
    "os.rmdir",
    "os.mkdir",
    "os.symlink",
    "os.link",
    "os.truncate",
    "os.chmod",
)
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

_watching: list[tuple[tuple[Path, ...], list[str]]] = []
_hooked: list[bool] = []


@contextmanager
def guarded(*folders: Path) -> Iterator[list[str]]:
    """What is done inside that data must not do, as it happens; only these folders may be written to."""
    if not _hooked:
        sys.addaudithook(_audit)  # which stays for ever
        _hooked.append(True)
    seen: list[str] = []
    _watching.append((tuple(folder.resolve() for folder in folders), seen))
    try:
        yield seen
    finally:
        _watching.pop()


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    if not _watching:
        return
    folders, seen = _watching[-1]
    if event == "ctypes.dlopen" and str(arguments[0]).startswith(sys.prefix):
        return  # a package of ours that is used for the first time
    if event in NEVER:
        seen.append(f"{event} {arguments[:2]}")
    elif event == "open":
        path, mode, flags = arguments
        if isinstance(path, (str, bytes)) and (flags & WRITING or (mode and set(mode) & set("wax+"))):
            _outside(event, path, folders, seen)
    elif event in CHANGES:
        _outside(event, arguments[0], folders, seen)


def _outside(event: str, path: Any, folders: tuple[Path, ...], seen: list[str]) -> None:
    place = Path(os.path.realpath(os.fsdecode(path)))
    compiled = "__pycache__" in place.parts  # is kept beside its module
    if not (any(map(place.is_relative_to, folders)) or compiled or str(place) == os.devnull):
        seen.append(f"{event} {place}")
