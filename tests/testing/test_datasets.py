"""Every registered dataset keeps the contract, and the check finds each way to break it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from tests.experiments.test_everything import own_file
from tests.mirror import MIRROR, MISSING
from tkae.data.collection import Collection
from tkae.data.dataset import Extent, Splits
from tkae.data.files import Files
from tkae.data.heartbeats import DETECTORS
from tkae.data.sets.generated import Generated
from tkae.settings.registry import GROUPS, lookup
from tkae.testing import check_dataset


@pytest.mark.parametrize("name", [name for name in GROUPS["dataset"] if name != "file"])
def test_a_registered_dataset_keeps_it(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = lookup("dataset", name)()
    if dataset.remotes and not MIRROR.is_dir():
        pytest.skip(MISSING)
    # gqrs takes minutes for all of Physionet, sleepecg seconds
    monkeypatch.setitem(DETECTORS, "gqrs", replace(DETECTORS["gqrs"], find=DETECTORS["sleepecg"].find))
    mirror = MIRROR if MIRROR.is_dir() else None
    check_dataset(dataset, Files(mirror, tmp_path, offline=True), draws=isinstance(dataset, Generated))


def test_a_file_of_one_s_own_keeps_it(tmp_path: Path) -> None:
    dataset = lookup("dataset", "file")(path=str(own_file(tmp_path)))
    check_dataset(dataset, Files(cache=tmp_path, offline=True))


@dataclass
class Noise(Generated):
    """A sound dataset."""

    name: ClassVar[str] = "noise"
    title: ClassVar[str] = "Noise"

    def load(self, files: Files, seed: int) -> Splits:
        train, test = (self.chance(seed, split).normal(size=(8, 5, 2)) for split in ("train", "test"))
        labels = np.arange(8) % 2
        return self.finished(Collection(train, labels=labels), Collection(test, labels=labels), ("a", "b"))


class Clock(Noise):
    calls: ClassVar[itertools.count[int]] = itertools.count()

    def load(self, files: Files, seed: int) -> Splits:
        return super().load(files, seed + next(self.calls))


class Uneven(Noise):
    def load(self, files: Files, seed: int) -> Splits:
        made = super().load(files, seed)
        return replace(made, test=made.test.padded(7))


class Nameless(Noise):
    def load(self, files: Files, seed: int) -> Splits:
        return replace(super().load(files, seed), classes=("a",))


class Strange(Noise):
    def load(self, files: Files, seed: int) -> Splits:
        return replace(super().load(files, seed), positive=2)


class Leaky(Noise):
    def load(self, files: Files, seed: int) -> Splits:
        made = super().load(files, seed)
        object.__setattr__(made.train, "values", np.full(made.train.shape, np.nan))
        return made


class Boasting(Noise):
    def extent(self, files: Files) -> Extent:
        return Extent.of(9, 2, [5])


class Restless(Noise):
    calls: ClassVar[itertools.count[int]] = itertools.count()

    def fingerprint(self, files: Files) -> str:
        return str(next(self.calls))


BROKEN = {
    Clock: "loaded twice, the series differ",
    Uneven: "pad them alike",
    Nameless: "a label has no name",
    Strange: "is none of its classes",
    Leaky: "not finite",
    Boasting: "extent says",
    Restless: "its fingerprint changes",
}


def test_a_sound_dataset_passes(tmp_path: Path) -> None:
    check_dataset(Noise(), Files(cache=tmp_path), draws=True)
    with pytest.raises(AssertionError, match="another seed changes its series"):
        check_dataset(Noise(), Files(cache=tmp_path), draws=False)


@pytest.mark.parametrize("cls", BROKEN, ids=lambda cls: cls.__name__)
def test_a_broken_dataset_is_told_what_is_wrong(cls: type[Noise], tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=BROKEN[cls]):
        check_dataset(cls(), Files(cache=tmp_path))
