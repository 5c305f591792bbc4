"""From a dataset to what a model sees: nothing leaks, and each value of a protocol does what it says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from tkae.data.collection import Collection
from tkae.data.dataset import Dataset, Splits
from tkae.data.files import Files
from tkae.data.masks import read_published
from tkae.data.missingness import MAR, Block, FromFile, Missingness, Uniform, Untouched
from tkae.data.prepare import Task, ensure_files, fingerprint, prepare
from tkae.data.scaling import Standardiser
from tkae.data.sets.ecg2 import ECG2
from tkae.data.sets.japanese_vowels import JapaneseVowels
from tkae.errors import DataError
from tkae.protocol import Protocol
from tkae.settings.compose import compose

PATTERNS: list[Missingness] = [Uniform(rate=0.4), Block(rate=0.4), MAR(rate=0.4), Untouched()]
EVERY = pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.name)


@dataclass
class Given(Dataset):
    """A dataset of collections that are at hand."""

    name: ClassVar[str] = "given"
    splits: Any = None

    def fingerprint(self, files: Files) -> str:
        return "given"

    def load(self, files: Files, seed: int) -> Splits:
        return Splits(*self.splits, classes=("a", "b", "c"), positive=1)


@pytest.fixture
def data(half_missing: Collection, ragged: Collection) -> Given:
    return Given(splits=(half_missing, ragged.take(range(7)).replace(ragged.values[:7] * 3 + 50)))


@cache
def protocol(name: str) -> Protocol:
    """As the config files have it."""
    call = compose(["experiment=imputation", f"protocol={name}"], sweep=False)[0]
    return call.protocol


def made(data: Dataset, pattern: Missingness, name: str = "clean", run: int = 0, **values: str) -> Task:
    return prepare(data, pattern, replace(protocol(name), **values), Files(), run)  # type: ignore[arg-type]


@EVERY
@pytest.mark.parametrize("name", ["paper", "authors", "clean"])
def test_given_is_the_original_without_the_removed(data: Given, pattern: Missingness, name: str) -> None:
    task = made(data, pattern, name)
    for split, source in zip((task.train, task.test), data.splits, strict=True):
        assert np.array_equal(split.given.observed, source.observed & ~split.removed)
        assert (split.given.values[split.removed] == 0).all()
        assert np.array_equal(split.given.values, np.where(split.given.observed, split.original.values, 0))
        assert np.array_equal(split.original.observed, source.observed)
        assert split.given.names == source.names and np.array_equal(split.given.labels, source.labels)
    assert task.classes == ("a", "b", "c") and task.positive == 1 and task.masks_from == pattern.source


@EVERY
@pytest.mark.parametrize("name", ["paper", "authors", "clean"])
def test_the_test_split_never_changes_what_is_trained_on(
    data: Given, pattern: Missingness, name: str, complete: Collection
) -> None:
    before = made(data, pattern, name).train.given.fingerprint
    after = made(Given(splits=(data.splits[0], complete.take([1, 2]))), pattern, name).train.given.fingerprint
    assert before == after


@EVERY
def test_removed_values_change_nothing_that_a_clean_model_sees(data: Given, pattern: Missingness) -> None:
    """Overwrite every removed value: neither split's input may move."""
    before = made(data, pattern)
    rng = np.random.default_rng(0)
    changed = [
        source.replace(np.where(split.removed, rng.normal(size=source.shape) * 1e3, source.values))
        for split, source in zip((before.train, before.test), data.splits, strict=True)
    ]
    after = made(Given(splits=changed), pattern)
    for old, new in ((before.train, after.train), (before.test, after.test)):
        assert np.array_equal(old.removed, new.removed)
        assert old.given.fingerprint == new.given.fingerprint
        if old.removed.any():
            assert old.original.fingerprint != new.original.fingerprint


def test_under_the_paper_removed_values_do_enter_the_scale(data: Given) -> None:
    """The text standardises first and removes then; the test above would fail, and that is the point."""
    before = made(data, Uniform(), "paper")
    source = data.splits[0]
    changed = source.replace(np.where(before.train.removed, 1e3, source.values))
    after = made(Given(splits=(changed, data.splits[1])), Uniform(), "paper")
    assert before.train.given.fingerprint != after.train.given.fingerprint


def test_training_statistics_scale_the_test_split(data: Given) -> None:
    train, test = data.splits
    task = made(data, Uniform(), "paper")
    assert np.array_equal(task.test.original.values, Standardiser.of(train).scale(test).values)
    assert np.array_equal(task.train.original.values, Standardiser.of(train).scale(train).values)


def test_own_statistics(data: Given) -> None:
    train, test = data.splits
    task = made(data, Uniform(), "paper", scaling="own")
    assert np.array_equal(task.test.original.values, Standardiser.of(test).scale(test).values)
    assert np.array_equal(task.train.original.values, Standardiser.of(train).scale(train).values)
    assert protocol("authors").scaling == "own"


def test_statistics_of_what_is_left(data: Given) -> None:
    task = made(data, Uniform(), "clean")
    left = Standardiser.of(task.train.given)
    np.testing.assert_allclose(left.mean, 0, atol=1e-12)
    np.testing.assert_allclose(left.deviation, 1, rtol=1e-12)
    assert np.abs(Standardiser.of(task.train.original).mean).max() > 1e-3


@EVERY
def test_protocols_see_the_same_holes(data: Given, pattern: Missingness) -> None:
    tasks = [made(data, pattern, name, run=3) for name in ("paper", "authors", "clean")]
    for task in tasks[1:]:
        assert np.array_equal(task.train.removed, tasks[0].train.removed)
        assert np.array_equal(task.test.removed, tasks[0].test.removed)


def test_the_same_run_is_the_same_task(data: Given) -> None:
    one, same, other = (made(data, Uniform(), run=run) for run in (2, 2, 3))
    assert one.train.given.fingerprint == same.train.given.fingerprint
    assert one.test.given.fingerprint == same.test.given.fingerprint
    assert one.test.given.fingerprint != other.test.given.fingerprint


PUBLISHED = [("authors", Uniform(rate=0.8), True), ("authors", Uniform(rate=0.5), True)]
DRAWN = [
    ("authors", Uniform(rate=0.7), False),
    ("authors", Block(rate=0.8), False),
    ("paper", Uniform(rate=0.8), False),
    ("clean", Uniform(rate=0.8), False),
]


@pytest.mark.parametrize(("name", "pattern", "theirs"), PUBLISHED + DRAWN)
def test_published_masks_are_the_authors_alone(
    mirror: Path, name: str, pattern: Uniform, theirs: bool
) -> None:
    dataset, files = JapaneseVowels(stretch=name == "authors"), Files(mirror)
    tasks = [prepare(dataset, pattern, protocol(name), files, run) for run in (0, 1)]
    prints = [fingerprint("", dataset, pattern, protocol(name), run)["masks"] for run in (0, 1)]
    if not theirs:
        without = prepare(dataset, pattern, protocol(name), Files(), 0)
        assert np.array_equal(tasks[0].train.removed, without.train.removed)
        assert tasks[0].masks_from == "drawn here" and prints == ["", ""]
        return
    remote = JapaneseVowels.published[pattern.rate]
    path = files.find(remote)
    assert path is not None and tasks[0].masks_from == path.name and prints == [remote.sha256] * 2
    masks = read_published(path)
    for task in tasks:
        assert np.array_equal(task.train.removed, masks["train"])
        assert np.array_equal(task.test.removed, masks["test"])
    # Which holes are meant does not hang on what is at hand: without the file there is no task.
    nowhere = Files(cache=Path("/nowhere"), offline=True)
    assert fingerprint("", dataset, pattern, protocol(name), 0)["masks"] == remote.sha256
    with pytest.raises(DataError, match="offline"):
        prepare(dataset, pattern, protocol(name), nowhere, 0)
    with pytest.raises(DataError, match=r"protocol\.masks=drawn"):
        ensure_files(dataset, pattern, protocol(name), nowhere)


def test_a_task_is_thinned_evenly_and_with_its_holes(data: Given) -> None:
    n, most = len(data.splits[0]), 4
    rows = [int(n / most * i) for i in range(most)]
    few = Given(splits=(data.splits[0].take(rows), data.splits[1].take([0, 1, 3, 5])))
    whole, task = made(few, Uniform()), prepare(data, Uniform(), protocol("clean"), Files(), 0, most)
    for part in ("given", "original"):
        ours, all_ = getattr(task.train, part), getattr(whole.train, part)
        assert np.array_equal(ours.values, all_.values)
        assert np.array_equal(ours.observed, all_.observed)
    assert np.array_equal(task.train.removed, whole.train.removed)
    assert np.array_equal(task.test.removed, whole.test.removed)


def test_holes_of_a_file_are_those_of_the_series_that_are_left(data: Given, tmp_path: Path) -> None:
    made(data, Uniform(write_to=str(tmp_path)))
    held = FromFile(path=str(tmp_path))
    whole, task = made(data, held), prepare(data, held, protocol("clean"), Files(), 0, 4)
    rows = [len(whole.train) * i // 4 for i in range(4)]
    assert np.array_equal(task.train.removed, whole.train.removed[rows])
    assert np.array_equal(task.train.given.values, whole.train.given.values[rows])


def test_padding_that_models_take_for_data_loses_entries_and_no_error_is_taken_there(data: Given) -> None:
    @dataclass
    class Padded(Given):
        def seen(self, x: Collection) -> Collection:
            return ECG2(padding=True).seen(x)

    plain, padded = (made(each(splits=data.splits), Uniform(rate=0.5)) for each in (Given, Padded))
    own, split = plain.test, padded.test  # the ragged one
    steps, padding = own.original.shape[1], ~own.original.valid
    assert split.original.fingerprint == own.original.fingerprint
    assert (split.given.lengths == steps).all() and (own.given.lengths < steps).any()
    assert 0.2 < split.given.observed[padding].mean() < 0.8 and not split.given.values[padding].any()
    assert split.removed.any() and not (split.removed & ~own.original.observed).any()
    assert not (split.given.observed & split.removed).any()
