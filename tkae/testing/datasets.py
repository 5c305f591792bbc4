"""What every dataset keeps to, whatever it holds: `check_dataset`."""

from __future__ import annotations

import numpy as np

from tkae.data.collection import Collection
from tkae.data.dataset import Dataset, Splits
from tkae.data.files import Files
from tkae.data.missingness import Uniform
from tkae.data.prepare import prepare
from tkae.protocol import Protocol


def check_dataset(dataset: Dataset, files: Files | None = None, draws: bool | None = None) -> None:
    """Raise an AssertionError that says in which way a dataset breaks the contract, if it does.

    `draws` says whether every seed has series of its own: then another seed must change them, else it must
    not. Without `files`, source files are looked for as the commands do.
    """
    files = Files.standard() if files is None else files
    name = getattr(dataset, "name", "")
    assert name, f"{type(dataset).__name__} has no name: set the class variable `name`"
    assert dataset.called, f"{name} has no title: tables need what to call it"
    _check_fingerprint(dataset, files)
    splits = dataset.load(files, 0)
    _check_splits(name, splits)
    _check_classes(name, splits)
    assert _prints(dataset.load(files, 0)) == _prints(splits), f"{name}: loaded twice, the series differ"
    changed = _prints(dataset.load(files, 1)) != _prints(splits)
    assert draws is None or changed == draws, (
        f"{name}: another seed {'changes' if changed else 'does not change'} its series"
    )
    _check_extent(dataset, files, splits.train)
    _check_task(dataset, files)


def _prints(splits: Splits) -> tuple[object, ...]:
    about = splits.classes, splits.positive, splits.scaled
    return splits.train.fingerprint, splits.test.fingerprint, *about


def _check_fingerprint(dataset: Dataset, files: Files) -> None:
    told = dataset.fingerprint(files)
    assert isinstance(told, str) and told, f"{dataset.name}: its fingerprint is no text, or empty"
    assert told == dataset.fingerprint(files), f"{dataset.name}: its fingerprint changes from call to call"


def _check_splits(name: str, splits: Splits) -> None:
    for split, x in (("training", splits.train), ("test", splits.test)):
        assert isinstance(x, Collection), f"{name}: its {split} split is no Collection"
        assert np.isfinite(x.values).all(), f"{name}: its {split} split holds a number that is not finite"
        assert not x.values[~x.observed].any(), f"{name}: there are numbers where its {split} split has none"
        assert x.observed.any(), f"{name}: nothing is observed in its {split} split"
    train, test = splits.train.shape[1:], splits.test.shape[1:]
    assert train == test, f"{name}: its splits have (steps, variates) {train} and {test}: pad them alike"
    assert splits.train.variates == splits.test.variates, f"{name}: the variates of its splits differ"


def _check_classes(name: str, splits: Splits) -> None:
    labels = splits.train.labels, splits.test.labels
    assert (labels[0] is None) == (labels[1] is None), f"{name}: only one of its splits has labels"
    for own in labels:
        known = own is None or (own.min() >= 0 and own.max() < max(len(splits.classes), 1))
        assert known, f"{name}: a label has no name in `classes`: label i is class i, from 0 on"
    named = splits.positive is None or 0 <= splits.positive < len(splits.classes)
    assert named, f"{name}: its positive class {splits.positive} is none of its classes"


def _check_extent(dataset: Dataset, files: Files, train: Collection) -> None:
    told = dataset.extent(files)
    have = len(train), train.shape[2], int(train.lengths.max())
    promised = told.train, told.variates, told.longest
    assert promised == have, (
        f"{dataset.name}: extent says (series, variates, longest) {promised}, but it has {have}"
    )


def _check_task(dataset: Dataset, files: Files) -> None:
    """What a model gets of it: removed entries are missing, and every other is as it was."""
    task = prepare(dataset, Uniform(rate=0.5), Protocol(), files, 0, most=20)
    for split in (task.train, task.test):
        gone = not (split.given.observed & split.removed).any()
        assert gone, f"{dataset.name}: entries that were removed can be seen"
        rest = np.array_equal(split.given.observed, split.original.observed & ~split.removed)
        assert rest, f"{dataset.name}: other entries than the removed are missing"
        kept = np.where(split.given.observed, split.original.values, 0.0)
        assert np.array_equal(split.given.values, kept), f"{dataset.name}: removal changed a value"
