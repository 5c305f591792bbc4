"""From a dataset to what a model sees: load, standardise, remove.

The order is the paper's: variates are standardised first, then entries are removed. Under
`scaling_entries=observed` the statistics come only from what is left, as they would for real gaps.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tkae.config import Protocol
from tkae.data.collection import Bools, Collection
from tkae.data.dataset import Dataset
from tkae.data.files import Files, Remote
from tkae.data.masks import Masks, fitting, read_published
from tkae.data.missingness import Missingness
from tkae.data.scaling import Standardiser


@dataclass(frozen=True)
class Split:
    """One split of a task, all (N, T, V)."""

    original: Collection  # before removal: what imputed values are compared with
    given: Collection  # with the removed entries missing: all that a model may see
    removed: Bools


@dataclass(frozen=True)
class Task:
    """What every model of a comparison gets."""

    train: Split
    test: Split
    classes: tuple[str, ...]
    positive: int | None
    masks_from: str  # "drawn here" or the file that the holes come from


def prepare(dataset: Dataset, missingness: Missingness, protocol: Protocol, files: Files, seed: int) -> Task:
    """The task of run `seed`; the same for every model."""
    source = dataset.load(files, seed)
    splits = {"train": source.train, "test": source.test}
    scaled = splits if source.scaled else _standardise(splits, None, protocol)
    published = published_masks(dataset, missingness, protocol, files)
    if published is None:
        masks = missingness.masks(dataset.name, scaled, seed)
        masks_from = "drawn here"
    else:
        path, remote = published
        held = read_published(path)
        masks = {split: fitting(held, split, x, path) for split, x in scaled.items()}
        masks_from = remote.url.rsplit("/", 1)[-1]
    if protocol.scaling_entries == "observed" and not source.scaled:
        scaled = _standardise(splits, masks, protocol)
    made = {
        split: Split(scaled[split], scaled[split].without(masks[split]), masks[split]) for split in scaled
    }
    return Task(made["train"], made["test"], source.classes, source.positive, masks_from)


def fingerprint(
    dataset: Dataset, missingness: Missingness, protocol: Protocol, files: Files, seed: int
) -> dict[str, str]:
    """Identifies the data of `prepare` without loading them."""
    published = published_masks(dataset, missingness, protocol, files)
    holes = missingness.fingerprint(dataset.name, seed) if published is None else published[1].sha256
    return {"source": dataset.fingerprint(files, seed), "masks": holes}


def published_masks(
    dataset: Dataset, missingness: Missingness, protocol: Protocol, files: Files
) -> tuple[Path, Remote] | None:
    """The authors' own holes for this dataset and rate, if the protocol wants them and they are at hand."""
    if protocol.masks != "published" or missingness.name != "uniform":
        return None
    remote = dataset.published.get(getattr(missingness, "rate", math.nan))
    path = None if remote is None else files.find(remote)
    return None if remote is None or path is None else (path, remote)


def _standardise(
    splits: Mapping[str, Collection], masks: Masks | None, protocol: Protocol
) -> dict[str, Collection]:
    """Each split scaled; with `masks`, statistics come only from what they leave."""
    scalers = {
        split: Standardiser.of(x, None if masks is None else ~masks[split]) for split, x in splits.items()
    }
    use = scalers if protocol.scaling == "own" else dict.fromkeys(splits, scalers["train"])
    return {split: use[split].scale(x) for split, x in splits.items()}
