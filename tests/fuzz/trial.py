"""One spoiled input and what came of it."""

from __future__ import annotations

import contextlib
import io
import logging
import shutil
import traceback
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tests.fuzz.guard import guarded
from tests.fuzz.targets import Target


def spoiled(target: Target, seed: int) -> bytes:
    """The input of this number, the same on every machine; every twentieth is a valid one."""
    chance, seeds = np.random.default_rng([seed, 17]), target.seeds()
    content = seeds[int(chance.integers(0, len(seeds)))]
    return content if seed % 20 == 0 else target.spoil(content, seeds, chance)


def warm(target: Target, folder: Path) -> None:
    """Read what is right once: what reading imports and compiles is no deed of an input."""
    for number, content in enumerate(target.seeds()):
        place = folder / str(number)
        place.mkdir(parents=True)
        (place / target.name).write_bytes(content)
        with quiet(), contextlib.suppress(*target.allowed):
            target.read(place / target.name)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Nothing that a reader says on the way is shown."""
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(logging.NOTSET)


def fault(target: Target, content: bytes, folder: Path) -> str:
    """What is wrong with how the input was taken; nothing where it was read, or refused with a sentence."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    path = folder / target.name
    path.write_bytes(content)
    told = ""
    with guarded(folder) as seen, quiet():
        try:
            target.read(path)
        except target.allowed as error:
            if not str(error).strip():
                told = f"an empty {type(error).__name__}"
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            last = ([frame for frame in frames if "/tkae/" in frame.filename] or frames)[-1]
            place = f"{Path(last.filename).name}:{last.lineno}"
            told = f"{type(error).__name__}: {str(error)[:120]} (at {place})"
    return told or "; ".join(seen)
