"""From a dataset to what a model sees: load, standardise, remove.

The order is the paper's: variates are standardised first, then entries are removed. Under
`scaling_entries=observed` the statistics come only from what is left, as they would for real gaps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from tkae.data.authors_files import published_kernels, published_masks, with_published_kernels
from tkae.data.collection import Bools, Collection, Ints
from tkae.data.dataset import Dataset, Extent, Kernels
from tkae.data.files import Files
from tkae.data.masks import Masks, fitting, read_published
from tkae.data.missingness import Missingness
from tkae.data.scaling import Standardiser
from tkae.errors import DataError
from tkae.protocol import Protocol

Thinnable = TypeVar("Thinnable", Collection, "Split")


@dataclass(frozen=True)
class Split:
    """One split of a task, all (N, T, V)."""

    original: Collection  # before removal: what imputed values are compared with
    given: Collection  # with the removed entries missing: all that a model may see
    removed: Bools

    def __len__(self) -> int:
        return len(self.given)

    def take(self, rows: Ints) -> Split:
        """The series at these positions."""
        return Split(self.original.take(rows), self.given.take(rows), self.removed[rows])


@dataclass(frozen=True)
class Task:
    """What every model of a comparison gets."""

    train: Split
    test: Split
    classes: tuple[str, ...]
    positive: int | None
    masks_from: str  # how the holes came about, for people
    kernel_from: str = "TCK"  # what a TKAE is aligned to, for people
    guessed: bool = False  # nobody said which class is the positive one
    scaler: Standardiser | None = None  # what the training series were scaled by

    @property
    def extent(self) -> Extent:
        train, test = self.train.given, self.test.given
        return Extent.of(len(train), train.shape[2], train.lengths, len(test))


def _thinned(x: Thinnable, most: int | None) -> Thinnable:
    """At most so many series, evenly spread: files are often sorted by class."""
    n = len(x)
    return x if most is None or n <= most else x.take(np.arange(most) * n // most)


def prepare(
    dataset: Dataset,
    missingness: Missingness,
    protocol: Protocol,
    files: Files,
    seed: int,
    most: int | None = None,
) -> Task:
    """The task of run `seed`, with at most so many series of each split; the same for every model."""
    if _fits_files(dataset, missingness, protocol):
        whole = _prepared(dataset, missingness, protocol, files, seed, None)
        return replace(whole, train=_thinned(whole.train, most), test=_thinned(whole.test, most))
    return _prepared(dataset, missingness, protocol, files, seed, most)


def _fits_files(dataset: Dataset, missingness: Missingness, protocol: Protocol) -> bool:
    """Whether holes or kernels come from files, which speak of every series of the dataset."""
    held = published_masks(dataset, missingness, protocol), published_kernels(dataset, missingness, protocol)
    return missingness.name == "file" or held != (None, None)


def _prepared(
    dataset: Dataset,
    missingness: Missingness,
    protocol: Protocol,
    files: Files,
    seed: int,
    most: int | None,
) -> Task:
    source = dataset.load(files, seed)
    splits = {"train": _thinned(source.train, most), "test": _thinned(source.test, most)}
    scaled, scaler = (splits, None) if source.scaled else _scaled(splits, None, protocol)
    seen = {split: dataset.seen(x) for split, x in scaled.items()}
    remote = published_masks(dataset, missingness, protocol)
    if remote is None:
        masks = missingness.masks(dataset.name, seen, seed)
        masks_from = missingness.source
    else:
        path = files.get(remote)
        held = read_published(path)
        masks = {split: fitting(held, split, x, path) for split, x in seen.items()}
        masks_from = path.name
    if protocol.scaling_entries == "observed" and not source.scaled:
        scaled, scaler = _scaled(splits, masks, protocol)
    made = {
        split: Split(x, dataset.seen(x).without(masks[split]), masks[split] & x.observed)
        for split, x in scaled.items()
    }
    task = Task(
        made["train"],
        made["test"],
        source.classes,
        source.positive,
        masks_from,
        guessed=source.guessed,
        scaler=scaler,
    )
    kernels = published_kernels(dataset, missingness, protocol)
    return task if kernels is None else _with_kernels(task, kernels, files)


def fingerprint(
    source: str, dataset: Dataset, missingness: Missingness, protocol: Protocol, seed: int
) -> dict[str, str]:
    """Identifies the data of `prepare` without loading them; `source` is the dataset's own fingerprint."""
    remote = published_masks(dataset, missingness, protocol)
    holes = missingness.fingerprint(dataset.name, seed) if remote is None else remote.sha256
    kernels = published_kernels(dataset, missingness, protocol)
    known = {} if kernels is None else {"kernels": f"{kernels.title} {kernels.remote.sha256}"}
    return {"source": source, "masks": holes, **known}


def ensure_files(dataset: Dataset, missingness: Missingness, protocol: Protocol, files: Files) -> None:
    """Have every file that `prepare` needs on this machine, or raise the sentence that says why not."""
    dataset.ensure_files(files)
    remote = published_masks(dataset, missingness, protocol)
    if remote is not None:
        try:
            files.get(remote)
        except DataError as error:
            raise DataError(f"{error}; or draw other holes with protocol.masks=drawn") from None
    kernels = published_kernels(dataset, missingness, protocol)
    if kernels is not None:
        try:
            files.get(kernels.remote)
        except DataError as error:
            raise DataError(f"{error}; or let the kernel be computed with protocol.kernels=tck") from None


def _with_kernels(task: Task, kernels: Kernels, files: Files) -> Task:
    """The same task; the series that models see carry the authors' kernels."""
    train, test = with_published_kernels(kernels, task.train.given, task.test.given, files)
    return replace(
        task,
        train=replace(task.train, given=train),
        test=replace(task.test, given=test),
        kernel_from=kernels.title,
    )


def _scaled(
    splits: Mapping[str, Collection], masks: Masks | None, protocol: Protocol
) -> tuple[dict[str, Collection], Standardiser]:
    """Each split scaled, and by what the training split was; with `masks`, only what they leave tells."""
    scalers = {
        split: Standardiser.of(x, None if masks is None else ~masks[split]) for split, x in splits.items()
    }
    use = scalers if protocol.scaling == "own" else dict.fromkeys(splits, scalers["train"])
    return {split: use[split].scale(x) for split, x in splits.items()}, scalers["train"]
