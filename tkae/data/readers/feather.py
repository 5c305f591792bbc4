"""What a Feather file unpacks to, by its own account: its packed buffers say how long they are unpacked.

pyarrow tells this only once it has unpacked them. The file ends with a list of its blocks, and each block
begins with a list of its buffers; both are FlatBuffers, whose tables say where each of their fields is.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from tkae.data.readers.limits import refuse_bomb

END = b"ARROW1"  # of a file in this format; older ones are never packed
BLOCK = 24  # bytes that tell of a block: where it is, how long its description is, how long its content
BUFFER = 16  # bytes that tell of a buffer: where it is in the content, and how long
DICTIONARY = 2  # the kind of a block that holds the words of a column
HERE = -1  # instead of a length: this buffer is not packed


def refuse_packed_bomb(path: Path) -> None:
    """Add up what all blocks unpack to; pyarrow reads a block as often as it is listed."""
    size = 0
    with path.open("rb") as file:
        for start, described, content in _blocks(file):
            size += content
            refuse_bomb(path, size)
            for length in _packed(file, start, described):
                size += length
                refuse_bomb(path, size)


def _blocks(file: IO[bytes]) -> Iterator[tuple[int, int, int]]:
    """Of each block: where it starts, and the lengths of its description and its content."""
    end = file.seek(0, 2)
    tail = _read(file, max(0, end - 10), 10)
    if tail[4:] != END:
        return
    (length,) = struct.unpack_from("<i", tail)
    footer = _read(file, max(0, end - 10 - length), length)
    for field in (2, 3):  # dictionaries, record batches
        for at in _vector(footer, _field(footer, _table(footer, 0), field), BLOCK):
            start, described, content = struct.unpack_from("<qi4xq", footer, at)
            yield start, described, content


def _packed(file: IO[bytes], start: int, described: int) -> Iterator[int]:
    """The lengths that the packed buffers of a block have when they are unpacked."""
    about = _read(file, start, described)
    about = about[8:] if about[:4] == b"\xff\xff\xff\xff" else about[4:]  # the length of the rest
    message = _table(about, 0)
    kind, batch = _field(about, message, 1), _field(about, message, 2)
    if batch is None or kind is None:
        return
    batch = _table(about, batch)
    if about[kind] == DICTIONARY:
        words = _field(about, batch, 1)
        if words is None:
            return
        batch = _table(about, words)
    if _field(about, batch, 3) is None:  # says how its buffers are packed
        return
    for at in _vector(about, _field(about, batch, 2), BUFFER):
        place, length = struct.unpack_from("<qq", about, at)
        if length >= 8:
            (unpacked,) = struct.unpack("<q", _read(file, start + described + place, 8))
            yield length if unpacked == HERE else unpacked


def _read(file: IO[bytes], start: int, length: int) -> bytes:
    """So many bytes of the file, of which there cannot be more than it has."""
    if length < 0 or start < 0:
        raise ValueError("it tells of a negative length")
    end = file.seek(0, 2)
    file.seek(min(start, end))
    return file.read(min(length, end))


def _table(data: bytes, at: int) -> int:
    """Where the table is that is referred to from here."""
    return at + int(struct.unpack_from("<I", data, at)[0])


def _field(data: bytes, table: int, number: int) -> int | None:
    """Where the field of a table is, if it has it."""
    fields = table - struct.unpack_from("<i", data, table)[0]
    (size,) = struct.unpack_from("<H", data, fields)
    place = 4 + 2 * number
    offset = struct.unpack_from("<H", data, fields + place)[0] if place + 2 <= size else 0
    return table + int(offset) if offset else None


def _vector(data: bytes, at: int | None, width: int) -> Iterator[int]:
    """Where each entry of a list is."""
    if at is not None:
        start = _table(data, at)
        (count,) = struct.unpack_from("<I", data, start)
        yield from (start + 4 + width * i for i in range(count))
