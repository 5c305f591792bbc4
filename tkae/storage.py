"""How anything is stored: written aside, flushed, then moved into place, so that no file is half a file.

Arrays go into safetensors files with a JSON description in the header; nothing is ever pickled.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tkae.errors import DataError

Arrays = dict[str, npt.NDArray[Any]]


def write_atomically(path: Path, content: bytes | str) -> None:
    """Put `content` at `path` in one step: a reader sees the old file or the new, never a part."""
    data = content.encode() if isinstance(content, str) else content
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, data)
    except OSError as error:
        raise DataError(
            f"cannot write {path} ({error.strerror or error}): free some space or choose another folder"
        ) from error


def _write(path: Path, data: bytes) -> None:
    handle, aside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(aside, 0o666 & ~_umask())
        os.replace(aside, path)
    except BaseException:
        Path(aside).unlink(missing_ok=True)
        raise


def save_arrays(path: Path, arrays: Mapping[str, npt.NDArray[Any]], about: Mapping[str, Any]) -> None:
    """Arrays and a JSON description in one safetensors file."""
    from safetensors.numpy import save

    tensors = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    write_atomically(Path(path), save(tensors, metadata={"about": json.dumps(about, sort_keys=True)}))


def load_arrays(path: Path) -> tuple[Arrays, dict[str, Any]]:
    """What `save_arrays` wrote: the arrays and their description."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(str(path), framework="numpy") as file:
            about = json.loads((file.metadata() or {})["about"])
            return {name: file.get_tensor(name) for name in file.keys()}, about  # noqa: SIM118
    except FileNotFoundError:
        raise DataError(f"{path}: no such file") from None
    except (SafetensorError, KeyError, ValueError, OSError) as error:
        raise DataError(f"{path}: not a file that tkae wrote, or damaged ({error})") from error


def _umask() -> int:
    now = os.umask(0)
    os.umask(now)
    return now
