"""Fetching one public file over the network: part file, resume, retry, check, atomic move.

One process at a time fetches a file (a lock that dies with its process); a second one waits and then finds
it. A part file left by a killed process is continued; one left by a failure is removed.
"""

from __future__ import annotations

import errno
import http.client
import os
import shutil
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock

from tkae.data.files import Remote
from tkae.errors import DataError

ATTEMPTS = 4
TIMEOUT = 30.0  # seconds without a byte
PAUSE = 1.0  # before the second attempt, doubled each time
BLOCK = 1 << 16
INSTEAD = "put a copy below a mirror folder as <host>/<path> and name it by data.mirror=PATH or TKAE_MIRROR"


def fetch(remote: Remote, path: Path) -> Path:
    """The checked file at `path`, fetched unless another process has done so meanwhile."""
    part = path.with_name(f".{path.name}.part")
    with _disk(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_name(f".{path.name}.lock")):
            if not path.is_file():
                try:
                    _fetch(remote, part)
                except DataError:
                    part.unlink(missing_ok=True)
                    raise
                os.replace(part, path)
    return path


def _fetch(remote: Remote, part: Path) -> None:
    """Fill `part` with the right bytes, or raise the sentence that says why not."""
    for attempt in range(ATTEMPTS):
        resumed = part.exists()
        trouble = _download(remote.url, part)
        if not trouble:
            trouble = remote.fault(part)
            if not trouble:
                return
            part.unlink()
            if not resumed:
                raise DataError(f"what {remote.url} sent {trouble}: try again later, or {INSTEAD}")
        if attempt + 1 < ATTEMPTS:
            time.sleep(PAUSE * 2**attempt)
    raise DataError(
        f"cannot fetch {remote.url} ({trouble}; {ATTEMPTS} attempts): check the network, or {INSTEAD}"
    )


def _download(url: str, part: Path) -> str:
    """Append what is missing to `part`; what went wrong on the way, if a further attempt may help."""
    have = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(url, headers={"User-Agent": "tkae", "Accept-Encoding": "identity"})
    if have:
        request.add_header("Range", f"bytes={have}-")
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
            if answer.status != 206:  # the whole file, whatever was asked for
                have = 0
            left = int(answer.headers.get("Content-Length") or -1)
            got = _copy(answer, part, have, left)
            return "" if left in (-1, got) else f"the connection was cut after {have + got} bytes"
    except urllib.error.HTTPError as error:
        if error.code == 416:  # nothing is left to send: the part is whole, or of another file
            return ""
        if error.code < 500 and error.code != 429:
            raise DataError(
                f"cannot fetch {url} (the server says {error.code} {error.reason}): if it moved, {INSTEAD}"
            ) from None
        return f"the server says {error.code} {error.reason}"
    except urllib.error.URLError as error:
        return f"no connection: {error.reason}"
    except (http.client.HTTPException, OSError) as error:  # the disk's own faults are DataErrors by now
        return f"the connection was cut: {error or type(error).__name__}"


def _copy(answer: http.client.HTTPResponse, part: Path, have: int, left: int) -> int:
    """Write what comes to the end of `part`, flushed to the disk; how many bytes came."""
    with _disk(part):
        if left > shutil.disk_usage(part.parent).free:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        file = part.open("ab" if have else "wb", buffering=0)
    got = 0
    with file, _progress(answer.url, have, left) as advance:
        while block := answer.read1(BLOCK):
            with _disk(part):
                file.write(block)
            got += len(block)
            advance(len(block))
        with _disk(part):
            os.fsync(file.fileno())
    return got


@contextmanager
def _disk(path: Path) -> Iterator[None]:
    """Turns what the disk refuses into the sentence that says what to do."""
    try:
        yield
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        what = "no disk space left" if full else error.strerror or str(error)
        raise DataError(
            f"cannot write {path} ({what}): free some space or set TKAE_CACHE to another folder"
        ) from error


@contextmanager
def _progress(url: str, have: int, left: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on a terminal, silence elsewhere."""
    if not sys.stderr.isatty():
        yield lambda count: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(url.rsplit("/", 1)[-1], total=have + left if left >= 0 else None, completed=have)
        yield lambda count: bar.advance(task, count)
