"""How anything is stored: written aside, flushed, then moved into place, so that no file is half a file.

Arrays go into safetensors files with a JSON description in the header; nothing is ever pickled. The header
also says what the content is for and holds a digest of all other bytes of the file: one that was damaged,
edited or put in another's place is told from what was written before anything of it is believed.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tkae.errors import DataError, UserError
from tkae.memory import too_large
from tkae.owners import PART, part_prefix

Arrays = dict[str, npt.NDArray[Any]]
Described = tuple[Arrays, dict[str, Any]]  # arrays, and a description that JSON can hold

MARK = b'"tkae":"'  # the digest follows; nothing else in a header looks so, since quotes in it are escaped
# What taking apart a file raises that is not what it was taken for.
MISTAKEN = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, MemoryError)
LARGE = 2**28  # bytes of a file that may not fit into memory: of smaller ones that is not asked
HEADER = 10**8  # bytes: safetensors writes no longer ones
DIGITS = 64  # of a sha256: processors compute it, so that it takes less than half as long as blake2b


def cache_folder() -> Path:
    """What can be made or fetched again: TKAE_CACHE, else the user's cache folder (XDG)."""
    if os.environ.get("TKAE_CACHE"):
        return Path(os.path.expanduser(os.environ["TKAE_CACHE"]))
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(os.path.expanduser(base)) / "tkae"


def write_atomically(path: Path, content: bytes | str) -> None:
    """Put `content` at `path` in one step: a reader sees the old file or the new, never a part."""
    _put(path, [content.encode() if isinstance(content, str) else content])


def save_arrays(
    path: Path, arrays: Mapping[str, npt.NDArray[Any]], about: Mapping[str, Any], name: str
) -> None:
    """Arrays and a JSON description in one safetensors file; `name` says what they are for."""
    from safetensors.numpy import save

    tensors = {key: np.asarray(array, order="C") for key, array in arrays.items()}
    told = json.dumps({"name": name, "about": about}, sort_keys=True)
    content = save(tensors, metadata={"tkae": "0" * DIGITS + told})
    before, _, after = _parts(content)
    _put(path, [before, _digest(before, after), after])


def load_arrays(path: Path, name: str) -> Described:
    """What `save_arrays` wrote under this name, bit for bit; anything else is refused with a sentence."""
    from safetensors.numpy import load

    try:
        refuse_foreign(path)
        content = path.read_bytes()
    except FileNotFoundError:
        raise DataError(f"{path}: no such file") from None
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror or error}): make it again") from error
    if MARK not in content:
        raise _foreign(path)
    before, digest, after = _parts(content)
    if digest != _digest(before, after):
        raise DataError(f"{path}: damaged (its checksum is wrong): make it again")
    with believed(path, "a file that tkae wrote"):
        header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
        told = json.loads(header["__metadata__"]["tkae"][DIGITS:])
        held, about = str(told["name"]), dict(told["about"])
        arrays: Arrays = load(content)
    if held != name:
        raise DataError(f"{path}: holds '{held}', not '{name}': name another file, or make it again")
    return arrays, about


def refuse_special(path: Path, copies: int = 1) -> None:
    """Only plain files are read: a pipe or a device may never end, and a folder has no bytes.

    Nor are files that do not fit into memory, with so many `copies` of what is in them.
    """
    if path.exists() and not path.is_file():
        raise DataError(f"{path}: not a plain file")
    size = path.stat().st_size if path.exists() else 0
    if size > LARGE and (reason := too_large(copies * size, f"{path}: to read it", "make it again")):
        raise DataError(reason)


def refuse_foreign(path: Path) -> None:
    """Before a large file is read: only one whose header says that it is ours, and as long as it is."""
    refuse_special(path, copies=2)
    size = path.stat().st_size
    if size <= LARGE:
        return
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        header = file.read(min(length, HEADER))
    if MARK not in header:
        raise _foreign(path)
    with believed(path, "a file that tkae wrote"):
        told = json.loads(header).items()
        end = max(tensor["data_offsets"][1] for name, tensor in told if name != "__metadata__")
        if 8 + length + end != size:
            raise DataError(f"{path}: damaged (its header tells of another size): make it again")


def _foreign(path: Path) -> DataError:
    return DataError(f"{path}: not a file that tkae wrote, or one of an older version: make it again")


@contextmanager
def believed(path: Path, what: str) -> Iterator[None]:
    """Taking apart what a file says it is: where it is not, that is told.

    A checksum is no signature: a file may come from anybody, whole and yet not what its reader expects.
    """
    from safetensors import SafetensorError

    try:
        yield
    except UserError:  # which is a ValueError, too
        raise
    except (*MISTAKEN, RecursionError, SafetensorError) as error:
        raise DataError(f"{path}: not {what} ({type(error).__name__}): make it again") from error


def _parts(content: bytes) -> tuple[memoryview, memoryview, memoryview]:
    """What comes before the digest, the digest, and what comes after it; no copies, since files are large."""
    view, start = memoryview(content), content.index(MARK) + len(MARK)
    return view[:start], view[start : start + DIGITS], view[start + DIGITS :]


def _digest(before: memoryview, after: memoryview) -> bytes:
    digest = hashlib.sha256(before)
    digest.update(after)
    return digest.hexdigest().encode()


def _put(path: Path, parts: Iterable[bytes | memoryview]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, parts)
    except OSError as error:
        raise DataError(
            f"cannot write {path} ({error.strerror or error}): free some space or choose another folder"
        ) from error


def _write(path: Path, parts: Iterable[bytes | memoryview]) -> None:
    handle, aside = tempfile.mkstemp(dir=path.parent, prefix=part_prefix(), suffix=PART)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(aside, 0o666 & ~_umask())
        os.replace(aside, path)
    except BaseException:
        Path(aside).unlink(missing_ok=True)
        raise


def _umask() -> int:
    now = os.umask(0)
    os.umask(now)
    return now
