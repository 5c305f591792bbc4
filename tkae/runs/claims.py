"""Claims: of several commands on one results folder each cell is computed by one, and the others wait for it.

A claim is a file that its owner touches while it computes. One whose process is gone, or that was not touched
for long (its machine may be gone), is nobody's. At worst a cell is computed twice, to the same record.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tkae.owners import is_gone, me

FOLDER = "claims"  # of the results
TOUCH = 10.0  # seconds between two touches
LOOK = 0.5  # seconds between two looks of a command that waits for another
UNSIGNED = 5.0  # seconds that a claim may be without its owner's name: one that was killed never writes it
LOST = 600.0  # seconds without one: Numba may compile for minutes, and lets no other thread run meanwhile


@dataclass(frozen=True)
class Claims:
    """Below a results folder; without one that can be written to, everything is free."""

    results: Path | None

    @property
    def folder(self) -> Path | None:
        return self.results and self.results / FOLDER

    @contextmanager
    def held(self, keys: Iterable[str]) -> Iterator[set[str]]:
        """Those of the cells that nobody computes: they are claimed until the end."""
        mine = {key for key in keys if self._take(key)}
        ended = threading.Event()
        touching = threading.Thread(target=self._touch, args=(mine, ended), daemon=True)
        touching.start()
        try:
            yield mine
        finally:
            ended.set()
            for key in mine:
                self._give_back(key)

    def of_others(self, keys: Iterable[str]) -> set[str]:
        """Those of the cells that somebody computes now."""
        return {key for key in keys if self.folder is not None and not _is_free(self.folder / key)}

    def clear(self) -> None:
        """Remove what nobody holds, and the folder with the last claim."""
        if self.folder is None:
            return
        for path in self.folder.glob("*"):
            if _is_free(path):
                with suppress(OSError):  # gone already, or a folder, which is nobody's claim
                    path.unlink()
        with suppress(OSError):
            self.folder.rmdir()

    def _take(self, key: str) -> bool:
        if self.folder is None:
            return True
        path = self.folder / key
        for _ in range(2):
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                with path.open("x", encoding="utf-8") as file:
                    file.write(me())
                return True
            except FileExistsError:
                if not _is_free(path):
                    return False
                with suppress(OSError):
                    path.unlink()
            except OSError:  # a folder that can only be read, or a full disk
                return True
        return path.is_dir()  # which cannot be taken away, and is nobody's claim

    def _give_back(self, key: str) -> None:
        if self.folder is not None:
            with suppress(OSError):
                (self.folder / key).unlink()

    def _touch(self, keys: set[str], ended: threading.Event) -> None:
        while not ended.wait(TOUCH):
            for key in keys:
                with suppress(OSError):
                    os.utime(self.folder / key)  # type: ignore[operator]


def _is_free(path: Path) -> bool:
    """Whether nobody holds this claim, or nobody that still lives."""
    try:
        if not path.is_file():  # to read a pipe would never end
            return True
        owner, touched = path.read_text(encoding="utf-8", errors="replace"), path.stat().st_mtime
    except OSError:
        return True
    return is_gone(owner) or time.time() - touched > (LOST if owner else UNSIGNED)
