"""Reading zip and tar archives without trusting them.

Members are read into memory and never unpacked, so that no name can lead out of a folder. Links, folders
and devices are passed over, and sizes are limited, so that a hostile archive cannot fill the memory.
"""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

MEMBER_LIMIT = 256 * 2**20  # the largest wanted member, 28 MB, has room to spare
TOTAL_LIMIT = 2 * 2**30
COUNT_LIMIT = 100_000  # members, wanted or not; the largest archive of ours has 17 thousand


# What the readers raise of damaged, encrypted (RuntimeError) or foreign bytes, and of names that are no text.
READING_FAILS = (
    zipfile.BadZipFile,
    tarfile.TarError,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
    lzma.LZMAError,
    zlib.error,
)


class BrokenArchive(Exception):
    """Reads on after the file's name: `is not a complete zip file`."""


def members(path: Path, pattern: str) -> Iterator[tuple[str, bytes]]:
    """(name, content) of every member whose whole name matches.

    The name is the pattern's first group, so that an archive with one more folder on top reads the same.
    A name that comes twice is refused: it would not be clear which one counts.
    """
    wanted = re.compile(pattern)
    with path.open("rb") as file:
        zipped = file.read(2) == b"PK"  # by its start, which a truncated one has too
    read = _zip_members if zipped else _tar_members
    seen: set[str] = set()
    total = 0
    try:
        for full, size, load in read(path):
            match = wanted.fullmatch(full)
            if match is None:
                continue
            name = match.group(1)
            name.encode()  # a name that is no text cannot be told to anybody
            total += size
            if size > MEMBER_LIMIT or total > TOTAL_LIMIT:
                raise BrokenArchive(f"holds more than can be right ({name}: {size} bytes)")
            if name in seen:
                raise BrokenArchive(f"holds the member {name} twice")
            seen.add(name)
            with load() as file:
                content = file.read(size + 1)
            if len(content) != size:
                raise BrokenArchive(f"is damaged (the size of its member {name} is not as stated)")
            yield name, content
    except READING_FAILS as error:
        kind = "zip file" if zipped else "tar archive"
        raise BrokenArchive(f"is not a complete {kind} ({str(error) or type(error).__name__})") from error
    if not seen:
        raise BrokenArchive("holds none of the wanted members")


def digest(path: Path, pattern: str) -> str:
    """The sha256 of the sorted list `<sha256>  <name>` of the members that match: blind to packing."""
    lines = sorted(
        f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in members(path, pattern)
    )
    return hashlib.sha256("".join(lines).encode()).hexdigest()


PACKED: dict[bytes, Any] = {  # by the first bytes: what opens it
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\x00": lzma.open,
}
_Entry = tuple[str, int, Callable[[], IO[bytes]]]  # name, stated size, opener


def _zip_members(path: Path) -> Iterator[_Entry]:
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            kind = (info.external_attr >> 16) & 0o170000
            if not info.is_dir() and kind in (0, 0o100000):  # unknown or a regular file, not a link
                yield info.filename, info.file_size, lambda info=info: archive.open(info)  # type: ignore[misc]


def _tar_members(path: Path) -> Iterator[_Entry]:
    with path.open("rb") as file:
        start = file.read(6)
    opened = next((opened for mark, opened in PACKED.items() if start.startswith(mark)), open)
    with opened(path, "rb") as stream, tarfile.open(fileobj=_Limited(stream), mode="r:") as archive:
        for number, info in enumerate(archive):
            if number == COUNT_LIMIT:
                raise tarfile.ReadError(f"more than {COUNT_LIMIT} members")
            if info.isreg():
                yield info.name, info.size, lambda info=info: _opened(archive, info)  # type: ignore[misc]


class _Limited(io.RawIOBase):
    """A stream of unpacked bytes that ends before they fill the memory, or take for ever to pass over."""

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__()
        self.stream = stream

    def tell(self) -> int:
        return self.stream.tell()

    def read(self, size: int = -1) -> bytes:
        if size > MEMBER_LIMIT:
            raise tarfile.ReadError(f"a header of {size} bytes")
        return self.stream.read(size)

    def seek(self, to: int, whence: int = 0) -> int:
        if to > TOTAL_LIMIT:
            raise tarfile.ReadError(f"more than {TOTAL_LIMIT} bytes")
        return self.stream.seek(to, whence)


def _opened(archive: tarfile.TarFile, info: tarfile.TarInfo) -> IO[bytes]:
    file = archive.extractfile(info)
    if file is None:
        raise tarfile.TarError(f"cannot read {info.name}")
    return file
