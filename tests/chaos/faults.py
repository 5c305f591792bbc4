"""What strikes a process: kill -9 at the nth time that it does something, a disk that is full or read-only.

`strike` is called in the process of the command, before it begins; of workers see `tests.chaos.in_workers`.
"""

from __future__ import annotations

import errno
import importlib
import io
import json
import os
import signal
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

# What a process does, and the function that is called then.
PLACES = {
    "preparing": "tkae.runs.worker:prepare",
    "training": "tkae.models.checkpoints:Watch.keep",
    "checkpointing": "tkae.models.checkpoints:keep",
    "measuring": "tkae.runs.worker:_finish",
    "storing": "tkae.runs.store:Store.write",
    "flushing a file": "tkae.storage:os.fsync",
    "moving a file": "tkae.storage:os.replace",
    "fetching": "tests.chaos.faults:Answer.read1",
    "writing tables": "tkae.report.write:write_tables",
}
DISK = {"full disk": errno.ENOSPC, "read-only disk": errno.EROFS}


def strike(asked: dict[str, Any]) -> None:
    """Do what is asked for: `place`, `nth` and `after` of a kill, or `disk` from the nth file on."""
    serve(asked["mirror"])
    if asked.get("count"):
        for place in PLACES:
            _wrap(place, _counter(place, asked["count"]))
    if asked.get("place"):
        kill_at(asked["place"], asked["nth"], asked["after"])
    if asked.get("disk"):
        _spoil_disk(DISK[asked["disk"]], asked["nth"])


def _wrap(place: str, how: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    module, _, path = PLACES[place].partition(":")
    *parents, name = path.split(".")
    owner = importlib.import_module(module)
    for parent in parents:
        owner = getattr(owner, parent)
    if parents == ["os"]:  # of this module alone
        owner = _own_os(importlib.import_module(module))
    setattr(owner, name, how(getattr(owner, name)))


def _own_os(module: Any) -> Any:
    """A module's own copy of `os`, so that what others call is not changed."""
    if not isinstance(module.os, _Os):
        module.os = _Os()
    return module.os


class _Os:
    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)


def kill_at(place: str, nth: int, after: bool, marks: Sequence[Path] | None = None) -> None:
    """Kill this process before its nth call there, or after it; of several that share marks, one for each."""
    calls = 0

    def strikes() -> bool:
        return calls == nth and (marks is None or any(map(_is_first, marks)))

    def how(function: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*arguments: Any, **named: Any) -> Any:
            nonlocal calls
            calls += 1
            if not after and strikes():
                die()
            result = function(*arguments, **named)
            if after and strikes():
                die()
            return result

        return wrapped

    _wrap(place, how)


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _is_first(mark: Path) -> bool:
    """Whether no other process has made this file."""
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def _counter(place: str, path: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Notes each call in a file: from how many a kill can be drawn."""

    def how(function: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*arguments: Any, **named: Any) -> Any:
            with open(path, "a", encoding="utf-8") as file:
                file.write(f"{json.dumps(place)}\n")
            return function(*arguments, **named)

        return wrapped

    return how


def _spoil_disk(error: int, nth: int) -> None:
    """From the nth file that is written on, the disk refuses all."""
    import tkae.storage

    calls, write = 0, tkae.storage._write

    def spoilt(path: Path, parts: Any) -> None:
        nonlocal calls
        calls += 1
        if calls >= nth:
            raise OSError(error, os.strerror(error), str(path))
        write(path, parts)

    tkae.storage._write = spoilt


def serve(mirror: str | None) -> None:
    """The network of a trial: what a mirror has, in small pieces; nothing without a mirror."""

    def urlopen(request: urllib.request.Request, timeout: float) -> Answer:
        place = urlsplit(request.full_url)
        path = Path(mirror or "", place.netloc + urllib.request.unquote(place.path))  # type: ignore[attr-defined]
        if mirror is None or not path.is_file():
            raise urllib.error.URLError("there is no network in a trial")
        start = int((request.get_header("Range") or "bytes=0-")[6:-1])
        return Answer(request.full_url, path.read_bytes(), start)

    urllib.request.urlopen = urlopen  # type: ignore[assignment]


class Answer(io.BytesIO):
    """A server's, from a byte on."""

    def __init__(self, url: str, content: bytes, start: int) -> None:
        super().__init__(content[start:])
        self.url, self.status = url, 206 if start else 200
        self.headers = {"Content-Length": str(len(content) - start)}

    def read1(self, size: int | None = -1) -> bytes:
        return self.read(4096)
