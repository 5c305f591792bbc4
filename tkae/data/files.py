"""Where source files come from: the cache, then a mirror laid out as `<host>/<path>`, then the network."""

from __future__ import annotations

import hashlib
import logging
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import unquote, urlsplit

from tkae.errors import DataError
from tkae.storage import cache_folder

log = logging.getLogger("tkae")


@dataclass(frozen=True)
class Remote:
    """A public file: where it is and what its bytes are.

    An archive may be packed anew without its content changing. For those `members` is a pattern for the
    names of the members that matter, and `sha256` is that of their list (see `archives.digest`). A file
    whose text may differ while its values do not (ECG5000) has an empty `sha256`: whoever parses it
    checks the values.
    """

    url: str
    sha256: str
    members: str = ""
    size: int = 0  # bytes, about
    words: bool = False  # a text whose line ends may differ: `sha256` is of its words, one a line

    @property
    def place(self) -> Path:
        """`<host>/<path>` below a mirror or the cache."""
        parts = urlsplit(self.url)
        return Path(parts.netloc) / unquote(parts.path).lstrip("/")

    def fault(self, path: Path) -> str:
        """What is wrong with the bytes at `path`; nothing if they are right."""
        with path.open("rb") as file:
            start = file.read(512).lstrip().lower()
        if re.match(rb"<!doctype html|<html|<\?xml", start):
            return "is a web page, not the file"
        if self.members:
            from tkae.data.archives import BrokenArchive, digest

            try:
                found = digest(path, self.members)
            except BrokenArchive as error:
                return str(error)
            what = "the checksum of its members"
        elif self.words:
            found = hashlib.sha256(b"\n".join(path.read_bytes().split())).hexdigest()
            what = "the checksum of its text"
        else:
            with path.open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
            what = "its checksum"
        return (
            "" if found == self.sha256 or not self.sha256 else f"is not what it should be ({what} is wrong)"
        )


@dataclass(frozen=True)
class Files:
    """Finds source files on this machine, or fetches them; what it hands out has been checked."""

    mirror: Path | None = None  # a folder laid out as <host>/<path of the URL>
    cache: Path | None = None  # None: TKAE_CACHE, else the user's cache folder (XDG)
    offline: bool = False  # never ask the network

    @classmethod
    def standard(cls, mirror: str | Path | None = None, offline: bool = False) -> Self:
        """With the mirror given, or else the one that TKAE_MIRROR names."""
        folder = mirror or os.environ.get("TKAE_MIRROR") or None
        if folder is not None and not Path(folder).is_dir():
            raise DataError(f"data.mirror={folder}: there is no such folder")
        return cls(None if folder is None else Path(folder).resolve(), None, offline)

    @property
    def folder(self) -> Path:
        """The cache of this machine: fetched files below `files/`, parsed datasets below `parsed/`."""
        return cache_folder() if self.cache is None else self.cache

    def cached(self, remote: Remote) -> Path:
        """Where the cache keeps this file, whether it is there or not."""
        return self.folder / "files" / remote.place

    def has(self, remote: Remote) -> Path | None:
        """The local copy, unchecked; None if there is none."""
        mirrored = None if self.mirror is None else self.mirror / remote.place
        places = [self.cached(remote), mirrored]
        return next((path for path in places if path is not None and path.is_file()), None)

    def find(self, remote: Remote) -> Path | None:
        """The local copy of a public file, checked; None if there is none. Never asks the network."""
        path = self.has(remote)
        fault = "" if path is None else remote.fault(path)
        if path is None or not fault:
            return path
        if path != self.cached(remote):
            raise DataError(f"{path} {fault}: copy it again from {remote.url}")
        log.warning("%s %s: dropped from the cache", path, fault)  # the cache is ours: it heals itself
        path.unlink(missing_ok=True)
        return self.find(remote)

    def get(self, remote: Remote) -> Path:
        """The local copy, fetched if there is none; or the sentence that says how to get it."""
        path = self.find(remote)
        if path is not None:
            return path
        if self.offline:
            raise DataError(
                f"{remote.url} is neither in the cache ({self.folder}) nor in a mirror, and the network "
                "may not be asked (offline): fetch it on a machine with network by `tkae-data fetch`, or "
                "name a folder that has it by data.mirror=PATH or TKAE_MIRROR"
            )
        from tkae.data.fetch import fetch

        return fetch(remote, self.cached(remote))
