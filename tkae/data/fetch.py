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
INSTEAD = (
    "fetch it by other means into a mirror folder (data.mirror=PATH or TKAE_MIRROR, laid out as <host>/<path>)"
)


def fetch(remote: Remote, path: Path) -> Path:
    """The checked file at `path`, fetched unless another process has done so meanwhile."""
    part = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_name(f".{path.name}.lock")):
            if not path.is_file():
                _fetch(remote, part)
                os.replace(part, path)
    except DataError:
        part.unlink(missing_ok=True)
        raise
    except OSError as error:
        part.unlink(missing_ok=True)
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        what = "no disk space left" if full else error.strerror or str(error)
        raise DataError(
            f"cannot write {path} ({what}): free some space or set TKAE_CACHE to another folder"
        ) from error
    return path


def _fetch(remote: Remote, part: Path) -> None:
    """Fill `part` with the right bytes, or raise the sentence that says why not."""
    for attempt in range(ATTEMPTS):
        resumed = part.exists()
        trouble = _download(remote.url, part)
        if not trouble:
            trouble = remote.fault(part)
            if not trouble:
                with part.open("rb+") as file:
                    os.fsync(file.fileno())
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
            if left > shutil.disk_usage(part.parent).free:
                raise OSError(errno.ENOSPC, "No space left on device")
            with part.open("ab" if have else "wb") as file, _progress(url, have, left) as advance:
                got = _copy(answer, file.write, advance)
            return "" if left in (-1, got) else f"the connection was cut after {have + got} bytes"
    except urllib.error.HTTPError as error:
        if error.code == 416:  # the part is no part of this file: start over
            part.unlink(missing_ok=True)
            return "the part that was there did not fit"
        if error.code < 500 and error.code != 429:
            raise DataError(
                f"cannot fetch {url} (the server says {error.code} {error.reason}): if it has moved, {INSTEAD}"
            ) from None
        return f"the server says {error.code} {error.reason}"
    except urllib.error.URLError as error:
        return f"no connection: {error.reason}"
    except (http.client.HTTPException, ConnectionError, TimeoutError) as error:
        return f"the connection was cut: {error or type(error).__name__}"


def _copy(
    source: http.client.HTTPResponse, write: Callable[[bytes], int], advance: Callable[[int], None]
) -> int:
    got = 0
    while block := source.read1(BLOCK):
        write(block)
        got += len(block)
        advance(len(block))
    return got


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
