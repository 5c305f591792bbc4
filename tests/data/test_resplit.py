"""Repeated splits: every series once, the classes' shares kept, another split for another seed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from tkae.data.collection import Collection
from tkae.data.dataset import Splits
from tkae.data.files import Files
from tkae.data.missingness import Untouched
from tkae.data.prepare import prepare
from tkae.data.resplit import held_out, resplit
from tkae.data.scaling import Standardiser
from tkae.data.sets.ehr import EHR
from tkae.errors import UserError
from tkae.protocol import Protocol


def content(x: Collection) -> Counter[bytes]:
    """Every series with its class, whatever its name."""
    assert x.labels is not None
    parts = zip(x.values, x.observed, x.lengths, x.labels, strict=True)
    return Counter(b"".join(np.ascontiguousarray(part).tobytes() for part in one) for one in parts)


@pytest.fixture
def splits(complete: Collection, ragged: Collection) -> Splits:
    return Splits(complete, ragged, ("a", "b", "c"), positive=1)


def test_every_series_is_in_one_of_the_two(splits: Splits) -> None:
    for seed in range(5):
        parted = resplit(splits, 0.25, seed, "some")
        assert not set(parted.train.names) & set(parted.test.names)
        assert content(parted.train) + content(parted.test) == content(splits.train) + content(splits.test)
        assert (parted.classes, parted.positive, parted.scaled) == (splits.classes, 1, False)
        assert list(np.bincount(parted.test.labels)) == [2, 2, 2]  # type: ignore[arg-type]


def test_the_seed_and_the_name_decide_and_nothing_else(splits: Splits) -> None:
    tests = {
        (seed, name): resplit(splits, 0.25, seed, name).test.names for seed in range(4) for name in ("a", "b")
    }
    assert len(set(tests.values())) > 6
    assert all(resplit(splits, 0.25, *key).test.names == names for key, names in tests.items())


@pytest.mark.parametrize("share", [0.0, 0.1, 0.2, 0.5, 1.0])
def test_shares_hold_within_one_series_of_each_class(share: float) -> None:
    labels = np.random.default_rng(1).integers(0, 4, 101)
    held = held_out(labels, share, 0)
    assert np.array_equal(held, np.unique(held))
    for label in range(4):
        assert abs((labels[held] == label).sum() - share * (labels == label).sum()) <= 0.5


@pytest.fixture(scope="module")
def files(mirror: Path, tmp_path_factory: pytest.TempPathFactory) -> Files:
    return Files(mirror, tmp_path_factory.mktemp("cache"), offline=True)


def test_ehr_parts_its_patients_anew_for_every_seed(files: Files) -> None:
    given, repeated = EHR().load(files, 0), EHR(splits="repeated")
    assert EHR().load(files, 1).train.fingerprint == given.train.fingerprint
    everyone = content(given.train) + content(given.test)
    tests = []
    for seed in (0, 1, 2):
        parted = repeated.load(files, seed)
        assert (len(parted.train), len(parted.test)) == (707, 176)
        assert list(np.bincount(parted.test.labels)) == [130, 46]  # type: ignore[arg-type]
        assert not set(parted.train.names) & set(parted.test.names)
        assert content(parted.train) + content(parted.test) == everyone
        assert repeated.load(files, seed).test.fingerprint == parted.test.fingerprint
        tests.append(set(parted.test.names))
    assert all(len(one & other) < 100 for one in tests for other in tests if one is not other)
    assert (
        len(list((files.folder / "parsed").glob("*.safetensors"))) == 2
    )  # one for each setting, none a seed


def test_statistics_are_those_of_the_patients_that_are_trained_on(files: Files) -> None:
    dataset = EHR(splits="repeated")
    for seed in (0, 1):
        raw, task = dataset.load(files, seed), prepare(dataset, Untouched(), Protocol("clean"), files, seed)
        scaler = Standardiser.of(raw.train)
        assert np.array_equal(task.train.given.values, scaler.scale(raw.train).values)
        assert np.array_equal(task.test.given.values, scaler.scale(raw.test).values)


def test_values_that_know_the_given_split_are_not_parted_anew() -> None:
    with pytest.raises(UserError, match=r"prepared=true has the statistics of the given split"):
        EHR(prepared=True, splits="repeated")
