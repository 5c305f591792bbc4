"""A look at a MATLAB 5 file before SciPy reads it: a number type that does not exist ends SciPy's process.

Found by `make fuzz`. Each variable is an element: its kind and size, flags, dimensions, name, and then the
kind of its numbers. Files of version 4 are read in Python, and need no look.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

from tkae.errors import DataError

MATRIX, COMPRESSED = 14, 15
NUMERIC = range(6, 16)  # classes of arrays: double to uint64
NUMBERS = (1, 2, 3, 4, 5, 6, 7, 9, 12, 13)  # kinds of numbers
FIRST = 4096  # bytes of an element that tell all of this


def refuse_unknown_numbers(path: Path) -> None:
    """Raise a sentence if a variable is no array of real numbers of a kind that there is."""
    with path.open("rb") as file:
        head = file.read(128)
    if len(head) == 128 and head[126:128] in (b"IM", b"MI") and 0 not in head[:4]:
        order = "<" if head[126:128] == b"IM" else ">"
        for start in _elements(path, order):
            _look(start, order, path)


def _elements(path: Path, order: str) -> Iterator[bytes]:
    """The first bytes of each variable, unpacked."""
    with path.open("rb") as file:
        at = 128
        while True:
            file.seek(at)
            tag = file.read(8)
            if len(tag) < 8:
                return
            kind, size = struct.unpack(f"{order}II", tag)
            start = file.read(min(size, FIRST))
            if kind == COMPRESSED:
                yield zlib.decompressobj().decompress(start, FIRST)
            else:
                yield tag + start
            at += 8 + size


def _look(start: bytes, order: str, path: Path) -> None:
    try:
        (kind,) = struct.unpack_from(f"{order}I", start)
        (flags,) = struct.unpack_from(f"{order}I", start, 16)
        at = 24
        for _ in ("dimensions", "name"):
            _, size, small = _tag(start, at, order)
            at += 8 if small else 8 + -(-size // 8) * 8
        numbers, _, _ = _tag(start, at, order)
    except struct.error:
        raise DataError(f"{path}: not a whole MATLAB file") from None
    is_complex = bool(flags & 0x800)
    if kind != MATRIX or flags & 0xFF not in NUMERIC or is_complex or numbers not in NUMBERS:
        raise DataError(f"{path}: holds something else than arrays of real numbers")


def _tag(start: bytes, at: int, order: str) -> tuple[int, int, bool]:
    """Kind and size of a part, and whether its content stands within the tag."""
    kind, size = struct.unpack_from(f"{order}II", start, at)
    return (kind & 0xFFFF, kind >> 16, True) if kind >> 16 else (kind, size, False)
