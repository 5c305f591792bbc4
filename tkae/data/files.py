"""Where source files come from: a mirror laid out as `<host>/<path>`, verified by sha256."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tkae.errors import DataError


@dataclass(frozen=True)
class Remote:
    """A public file: where it is and what its bytes are."""

    url: str
    sha256: str


@dataclass(frozen=True)
class Files:
    """Finds source files on this machine."""

    mirror: Path | None = None  # a folder laid out as <host>/<path of the URL>

    def find(self, remote: Remote) -> Path | None:
        """The local copy of a public file, checked; None if there is none."""
        if self.mirror is None:
            return None
        parts = urlsplit(remote.url)
        path = self.mirror / parts.netloc / unquote(parts.path).lstrip("/")
        if not path.is_file():
            return None
        if hashlib.sha256(path.read_bytes()).hexdigest() != remote.sha256:
            raise DataError(f"{path}: its sha256 is not that of {remote.url}; copy the file again")
        return path
