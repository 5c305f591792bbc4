"""The authors' own kernels: only under a protocol that wants them, only for the very series they are of."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.io import loadmat, savemat

from tkae.data.authors_files import published_kernels, with_published_kernels
from tkae.data.dataset import Dataset, Kernels
from tkae.data.files import Files, Remote
from tkae.data.missingness import Block, Missingness, Uniform, Untouched
from tkae.data.prepare import ensure_files, fingerprint, prepare
from tkae.data.sets.ecg2 import ECG2
from tkae.data.sets.ehr import EHR, LPS
from tkae.data.sets.japanese_vowels import JapaneseVowels
from tkae.data.sets.libras import Libras
from tkae.errors import DataError
from tkae.experiments.search import SearchClassification
from tkae.protocol import Protocol

AUTHORS = Protocol("authors", scaling="own", masks="published", kernels="published")
THEIRS: list[tuple[Dataset, Missingness]] = [
    (JapaneseVowels(stretch=True), Uniform(rate=0.8)),
    (JapaneseVowels(stretch=True), Uniform(rate=0.5)),
    (Libras(prepared=True), Uniform(rate=0.5)),
    (ECG2(prepared=True), Uniform(rate=0.5)),
    (EHR(prepared=True), Untouched()),
]
OURS: list[tuple[Dataset, Missingness, Protocol]] = [
    (JapaneseVowels(stretch=True), Uniform(rate=0.7), AUTHORS),
    (JapaneseVowels(stretch=True), Block(rate=0.8), AUTHORS),
    (JapaneseVowels(stretch=True), Untouched(), AUTHORS),
    (JapaneseVowels(), Uniform(rate=0.8), AUTHORS),  # theirs are stretched
    (EHR(prepared=True), Uniform(rate=0.5), AUTHORS),
    (EHR(splits="repeated"), Untouched(), AUTHORS),
    # a kernel of the same series with other holes would know what was removed
    (JapaneseVowels(stretch=True), Uniform(rate=0.8), replace(AUTHORS, masks="drawn")),
    (JapaneseVowels(stretch=True), Uniform(rate=0.8), replace(AUTHORS, kernels="tck")),
    (EHR(prepared=True), Untouched(), replace(AUTHORS, kernels="tck")),
    (EHR(prepared=True), Untouched(), Protocol()),
]


@pytest.mark.parametrize(("dataset", "missingness", "protocol"), OURS)
def test_elsewhere_the_kernel_is_our_own(
    dataset: Dataset, missingness: Missingness, protocol: Protocol
) -> None:
    assert published_kernels(dataset, missingness, protocol) is None
    assert set(fingerprint("", dataset, missingness, protocol, 0)) == {"source", "masks"}


@pytest.mark.parametrize(("dataset", "missingness"), THEIRS, ids=lambda one: getattr(one, "name", ""))
def test_series_carry_the_kernel_of_the_file(mirror: Path, dataset: Any, missingness: Any) -> None:
    files = Files(mirror, offline=True)
    task = prepare(dataset, missingness, AUTHORS, files, 0)
    kernels = published_kernels(dataset, missingness, AUTHORS)
    assert kernels is not None and task.kernel_from == kernels.title
    content = loadmat(files.get(kernels.remote))
    for split, series, name in ((task.train, "X", "Ktrtr"), (task.test, "Xte", "Ktete")):
        stored, carried = content[name].astype(float), split.given.kernel
        assert carried is not None and split.original.kernel is None
        if dataset.name == "ehr":
            assert carried.min() == 0 and carried.max() == 1
            spread = stored.max() - stored.min()
            np.testing.assert_allclose(carried, (stored - stored.min()) / spread, rtol=1e-12)
        else:
            assert np.array_equal(carried, stored)
        # Row by row these are the series that the kernel is of, with the same entries missing.
        x = content[series][:, : split.given.shape[1]]
        assert np.array_equal(split.given.observed, ~np.isnan(x) & split.given.valid)
        gaps = np.abs(np.where(split.given.observed, x - split.given.values, 0)).max(axis=(1, 2))
        assert np.sum(gaps > 1e-6) <= 1  # one vowel differs in the authors' file
    again = prepare(dataset, missingness, AUTHORS, files, 1)
    assert again.train.given.fingerprint == task.train.given.fingerprint
    printed = fingerprint(dataset.fingerprint(files), dataset, missingness, AUTHORS, 0)
    assert kernels.remote.sha256 in printed["kernels"]


def test_a_fold_of_the_search_has_its_part_of_the_kernel(mirror: Path) -> None:
    whole = prepare(*THEIRS[0], AUTHORS, Files(mirror, offline=True), 0)
    task = SearchClassification().arrange(whole, 3)
    of = [int(name) for name in task.train.given.names]
    assert (
        len(of) == 270 - 53 and task.train.given.kernel is not None and whole.train.given.kernel is not None
    )
    assert np.array_equal(task.train.given.kernel, whole.train.given.kernel[np.ix_(of, of)])
    assert task.kernel_from == whole.kernel_from == "Ktrtr of TCK_data_0.8.mat"


def test_without_the_file_a_sentence_says_what_to_do(tmp_path: Path) -> None:
    nowhere = Files(cache=tmp_path, offline=True)
    dataset = EHR(prepared=True)
    parsed = dataset._parsed(nowhere)
    parsed.parent.mkdir(parents=True)
    parsed.touch()  # the series are there, the kernel is not
    ensure_files(dataset, Untouched(), replace(AUTHORS, kernels="tck"), nowhere)
    with pytest.raises(DataError, match=r"Blood_LPS\.mat is neither.*protocol\.kernels=tck"):
        ensure_files(dataset, Untouched(), AUTHORS, nowhere)


def test_a_kernel_of_other_series_is_refused(tmp_path: Path, complete: Any) -> None:
    path = tmp_path / "host" / "K.mat"
    path.parent.mkdir()
    savemat(path, {"Ktrtr": np.eye(12), "Ktete": np.eye(4)})
    files, kernels = Files(tmp_path, offline=True), Kernels(Remote("https://host/K.mat", ""))
    train, test = with_published_kernels(kernels, complete, complete.take(range(4)), files)
    assert np.array_equal(train.kernel, np.eye(12)) and np.array_equal(test.kernel, np.eye(4))  # type: ignore[arg-type]
    with pytest.raises(DataError, match=r"K\.mat: its kernel does not fit these series: .*\(5, 5\), not \(4"):
        with_published_kernels(kernels, complete, complete.take(range(5)), files)


def test_titles_say_what_was_done_to_it() -> None:
    assert Kernels(LPS, unit=True).title == "Ktrtr of Blood_LPS.mat (min-max)"
    assert Kernels(LPS).title == "Ktrtr of Blood_LPS.mat"
