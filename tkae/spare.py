"""Files that may be lost, caches and checkpoints: used if they are whole, written if the disk lets us."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy.typing as npt

from tkae.errors import DataError
from tkae.storage import Arrays, Described, believed, load_arrays, save_arrays

Fits = Callable[[Arrays], bool]
log = logging.getLogger("tkae")
_told: set[Path] = set()  # folders that could not be written to


def recall(path: Path, then: str, fits: Fits = lambda arrays: True) -> Described | None:
    """What is at `path`, if it is whole, was made for this place and `fits`; else that is said.

    What is damaged is removed; `then` says what happens now.
    """
    try:
        found = load_arrays(path, path.name)
        with believed(path, "what belongs there"):
            if not fits(found[0]):
                raise ValueError("other arrays")
        return found
    except DataError as error:
        if os.path.lexists(path):  # and was not just removed by another process
            log.warning("%s (%s)", error, then)
            if not isinstance(error.__cause__, OSError):  # one that cannot be read may still be whole
                with suppress(OSError):
                    path.unlink()
        return None


def keep(path: Path, arrays: Mapping[str, npt.NDArray[Any]], about: Mapping[str, Any], setting: str) -> None:
    """Write what `recall` gives back, or say once a folder that it cannot be: whoever made it goes on.

    `setting` is what the user sets to have another folder.
    """
    try:
        save_arrays(path, arrays, about, path.name)
    except DataError as error:
        if path.parent not in _told:
            _told.add(path.parent)
            why = getattr(error.__cause__, "strerror", None) or error.__cause__
            log.warning(
                "cannot write to %s (%s): nothing is kept there, and the work goes on; free some space "
                "or set %s to another folder", path.parent, why, setting,
            )  # fmt: skip
