"""What the datasets from public files share: provenance, the paper's row, parsing once."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tkae.data.array_cache import kept, pack, unpack
from tkae.data.collection import Collection
from tkae.data.dataset import Dataset, Splits
from tkae.data.files import Files, Remote
from tkae.errors import DataError
from tkae.storage import Arrays, Described, believed

log = logging.getLogger("tkae")


@dataclass
class SourceDataset(Dataset):
    """A dataset from public files: subclasses say which and parse them into splits."""

    version: ClassVar[int] = 1  # raised whenever parsing gives other numbers
    values: ClassVar[str] = ""  # sha256 of the parsed values, where the files' bytes cannot be checked
    notice: ClassVar[str] = ""  # said once, when the data are first used

    def sources(self) -> tuple[Remote, ...]:
        """The files that these settings need."""
        return self.remotes

    def tools(self) -> str:
        """What else the numbers depend on: the version of a library that derives them, say."""
        return ""

    def parse(self, files: Files) -> Splits:
        """The splits from the source files."""
        raise NotImplementedError

    def fingerprint(self, files: Files) -> str:
        parts = [self.version, self.tools(), self.values, [remote.sha256 for remote in self.sources()]]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def ensure_files(self, files: Files) -> None:
        if not self._parsed(files).exists():
            for remote in self.sources():
                files.get(remote)

    def load(self, files: Files, seed: int) -> Splits:
        """From the parsed copy in the cache, or from the source files, which are then parsed once."""
        path = self._parsed(files)
        found = kept(path, lambda: self._first(files))
        with believed(path, "a parsed dataset; remove it"):
            return unpack(*found)

    def _parsed(self, files: Files) -> Path:
        """Of the files and the settings; the same for every seed, also where the splits are not."""
        text = self.fingerprint(files) + json.dumps(asdict(self), sort_keys=True)
        return self.parsed_path(files, hashlib.sha256(text.encode()).hexdigest())

    def parsed_path(self, files: Files, key: str) -> Path:
        """Where the cache keeps what is derived from the files, by a hash of all that it depends on."""
        return files.folder / "parsed" / f"{self.name}-{key[:16]}.safetensors"

    def value_fault(self, files: Files) -> str:
        """What is wrong with the values in the source files; nothing if they are right, or not known."""
        return self._fault(pack(self.parse(files))[0])

    def _first(self, files: Files) -> Described:
        """On first use: parse, check, and say what there is to say."""
        arrays, about = pack(self.parse(files))
        if fault := self._fault(arrays):
            raise DataError(f"{self.sources()[0].url} {fault}: fetch it again")
        if self.notice:
            log.warning("%s", self.notice)
        return arrays, about

    def _fault(self, arrays: Arrays) -> str:
        right = not self.values or _sha256(arrays) == self.values
        return "" if right else "does not hold the values that it should"


def make_splits(
    train: Sequence[npt.ArrayLike],
    test: Sequence[npt.ArrayLike],
    train_classes: Sequence[str],
    test_classes: Sequence[str],
    names: tuple[Sequence[str], Sequence[str]] = ((), ()),
    variates: Sequence[str] = (),
) -> Splits:
    """Both splits padded to the longest series of all, with one numbering of the classes."""
    known = sorted({*train_classes, *test_classes}, key=_in_order)
    number = {name: i for i, name in enumerate(known)}
    longest = max(len(np.asarray(series)) for series in [*train, *test])
    both = [
        Collection.from_series(series, [number[c] for c in classes] if known else None, of, variates, longest)
        for series, classes, of in ((train, train_classes, names[0]), (test, test_classes, names[1]))
    ]
    return Splits(both[0], both[1], tuple(known))


def renumbered(
    train: Collection,
    test: Collection,
    names: dict[int, str],
    positive: int | None = None,
    scaled: bool = False,
) -> Splits:
    """Splits whose labels count from 0; `names` has the class behind each label of the file, in order."""
    order = list(names)
    both = []
    for x in (train, test):
        assert x.labels is not None
        labels = np.array([order.index(label) for label in x.labels], dtype=np.int64)
        both.append(Collection(x.values, x.observed, x.lengths, labels, x.names, x.variates))
    return Splits(both[0], both[1], tuple(names.values()), positive, scaled=scaled)


def _sha256(arrays: Arrays) -> str:
    """Of the values, whatever the order of the arrays."""
    total = hashlib.sha256()
    for name in sorted(arrays):
        total.update(f"{name} {arrays[name].dtype} {arrays[name].shape}".encode())
        total.update(np.ascontiguousarray(arrays[name]).data)
    return total.hexdigest()


def _in_order(name: str) -> tuple[bool, int, str]:
    """Numbers by size, then words by the alphabet."""
    return (False, int(name), name) if name.isdigit() else (True, 0, name)
