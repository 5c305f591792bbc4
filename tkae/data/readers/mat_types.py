"""A look at a MATLAB 5 file before SciPy reads it: what it unpacks to, and what its numbers are.

A number type that does not exist ends SciPy's process (found by `make fuzz`). Each variable is an element:
its kind and size, flags, dimensions, name, and then kind and size of its numbers. Files of version 4 are read
in Python and never packed, and need no look.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

from tkae.data.readers.limits import refuse_bomb
from tkae.errors import DataError

MATRIX, COMPRESSED = 14, 15
NUMERIC = range(6, 16)  # classes of arrays: double to uint64
NUMBERS = (1, 2, 3, 4, 5, 6, 7, 9, 12, 13)  # kinds of numbers
NUMBER = 8  # bytes that a number takes in memory
FIRST = 4096  # bytes of an element that tell all of this


def refuse_unfit(path: Path) -> None:
    """Raise a sentence if a variable is no array of real numbers, or all of them would fill the memory."""
    with path.open("rb") as file:
        head = file.read(128)
    if len(head) == 128 and head[126:128] in (b"IM", b"MI") and 0 not in head[:4]:
        order, size = "<" if head[126:128] == b"IM" else ">", 0
        try:
            for start in _elements(path, order):
                size += _look(start, order, path)
                refuse_bomb(path, size)
        except zlib.error as error:
            raise DataError(f"{path}: not a MATLAB file that can be read ({error})") from None


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


def _look(start: bytes, order: str, path: Path) -> int:
    """Bytes of the variable that starts so, unpacked."""
    try:
        (kind,) = struct.unpack_from(f"{order}I", start)
        (flags,) = struct.unpack_from(f"{order}I", start, 16)
        at = _after(start, 24, order)
        _, length, small = _tag(start, 24, order)
        shape = struct.unpack_from(f"{order}{length // 4}I", start, 28 if small else 32)
        numbers, held, _ = _tag(start, _after(start, at, order), order)  # the name stands between
    except struct.error:
        raise DataError(f"{path}: not a whole MATLAB file") from None
    is_complex = bool(flags & 0x800)
    if kind != MATRIX or flags & 0xFF not in NUMERIC or is_complex or numbers not in NUMBERS:
        raise DataError(f"{path}: holds something else than arrays of real numbers")
    return max(NUMBER * math.prod(map(int, shape)), held)


def _after(start: bytes, at: int, order: str) -> int:
    """Where the part ends that begins here."""
    _, size, small = _tag(start, at, order)
    return at + (8 if small else 8 + -(-size // 8) * 8)


def _tag(start: bytes, at: int, order: str) -> tuple[int, int, bool]:
    """Kind and size of a part, and whether its content stands within the tag."""
    kind, size = struct.unpack_from(f"{order}II", start, at)
    return (kind & 0xFFFF, kind >> 16, True) if kind >> 16 else (kind, size, False)
