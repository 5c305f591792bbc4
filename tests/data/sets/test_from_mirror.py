"""The real datasets, from a mirror of their official files: the paper's table, its deterministic figures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.mirror import MIRROR, needs_mirror
from tkae.data.collection import Collection
from tkae.data.files import Files, Remote
from tkae.data.masks import read_published
from tkae.data.readers.mat import read_authors, read_kernels
from tkae.data.sets.authors import published
from tkae.data.sets.ecg2 import ECG2
from tkae.data.sets.ecg5000 import ECG5000
from tkae.data.sets.ehr import EHR, LPS
from tkae.data.sets.libras import Libras
from tkae.data.sets.physionet import Physionet
from tkae.data.summary import measured, printed
from tkae.errors import DataError
from tkae.settings.registry import GROUPS, lookup

pytestmark = [needs_mirror, pytest.mark.xdist_group("sets")]  # one worker looks for Physionet's beats
NAMES = [name for name in GROUPS["dataset"] if lookup("dataset", name).paper_row is not None]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return Files(mirror=MIRROR, cache=tmp_path_factory.mktemp("cache"), offline=True)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("ehr", "physionet")])
def test_the_paper_s_row(name: str, files: Files) -> None:
    dataset = lookup("dataset", name)()
    splits = dataset.load(files, 0)
    ours = measured(splits)
    assert {key: ours[key] for key in printed(dataset.paper_row)} == printed(dataset.paper_row)
    assert ours["missing"] == 0 and splits.train.shape[1:] == splits.test.shape[1:]
    again = dataset.load(files, 1)  # from the parsed copy, and no matter of the seed
    assert again.train.fingerprint == splits.train.fingerprint
    assert again.test.fingerprint == splits.test.fingerprint
    assert (again.classes, again.positive, again.scaled) == (splits.classes, splits.positive, splits.scaled)


def test_ehr_is_the_883_patients(files: Files, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    files = replace(files, cache=tmp_path)  # they are used for the first time
    splits = EHR().load(files, 0)
    assert "patients" in caplog.text and "no licence" in caplog.text
    caplog.clear()
    EHR().load(files, 0)
    assert caplog.text == ""
    ours = measured(splits)
    assert (ours["Train"], ours["Test"], ours["V"], ours["Tmax"]) == (707, 176, 10, 20)
    assert 0.85 < ours["missing"] < 0.87
    assert splits.positive is not None and splits.classes[splits.positive] == "infected"
    infected = sum(int((x.labels == 1).sum()) for x in (splits.train, splits.test) if x.labels is not None)
    assert infected == 232


def test_ehr_prepared_is_ehr_standardised(files: Files) -> None:
    raw, prepared = EHR().load(files, 0), EHR(prepared=True).load(files, 0)
    assert prepared.scaled and not raw.scaled
    seen = [np.concatenate([raw.train.series(i)[:, v] for i in range(707)]) for v in range(10)]
    mean, deviation = [np.nanmean(v) for v in seen], [np.nanstd(v, ddof=1) for v in seen]
    for a, b in ((raw.train, prepared.train), (raw.test, prepared.test)):
        np.testing.assert_array_equal(a.observed, b.observed)
        scaled = np.where(a.observed, (a.values - mean) / deviation, 0.0)
        np.testing.assert_allclose(scaled, b.values, atol=1e-12)
        np.testing.assert_array_equal(a.labels, b.labels)


def test_libras_split_is_the_authors(files: Files) -> None:
    splits = Libras().load(files, 0)
    sha256 = "e40832a0be07143228cd6719787512a95b0d3fe142590648a012bf1f2868993e"
    theirs = read_authors(files.get(published("Libras/LIB_full.mat", sha256, 118_932)))
    for ours, other in zip((splits.train, splits.test), theirs, strict=True):
        # the authors took the few values of exactly 0 for missing, and put the mean there
        kept = np.where(ours.values == 0, np.nan, ours.values)
        scaled = (kept - np.nanmean(kept, axis=(0, 1))) / np.nanstd(kept, axis=(0, 1), ddof=1)
        np.testing.assert_allclose(np.nan_to_num(scaled), other.values, atol=1e-9)
        assert ours.labels is not None and other.labels is not None
        np.testing.assert_array_equal(ours.labels + 1, other.labels)


def carried_forward(x: Collection) -> np.ndarray:
    """The last observation, 0 before the first: literally, entry by entry."""
    filled = np.zeros(x.shape)
    for i, t, v in np.ndindex(x.shape):
        before = filled[i, t - 1, v] if t else 0.0
        filled[i, t, v] = x.values[i, t, v] if x.observed[i, t, v] else before
    return filled


def per_series(x: Collection, filled: np.ndarray) -> tuple[float, float]:
    errors, correlations = [], []
    for i, length in enumerate(x.lengths):
        a, b = x.values[i, :length].ravel(), filled[i, :length].ravel()
        errors.append(np.mean((a - b) ** 2))
        correlations.append(np.corrcoef(a, b)[0, 1])
    return round(float(np.mean(errors)), 3), round(float(np.mean(correlations)), 3)


@pytest.mark.parametrize(
    ("dataset", "mean", "locf"),
    [
        (Libras(prepared=True), (0.505, 0.666), (0.085, 0.949)),
        (ECG2(prepared=True), (0.883, 0.702), (0.393, 0.884)),
    ],
)
def test_imputation_baselines_to_three_digits(
    dataset: Libras | ECG2, mean: tuple[float, float], locf: tuple[float, float], files: Files
) -> None:
    original = dataset.load(files, 0).train
    removed = read_published(files.get(dataset.published[0.5]))["train"]
    given = original.without(removed & original.observed)
    assert per_series(original, given.values) == mean
    assert per_series(original, carried_forward(given)) == locf


def test_pca_on_ehr(files: Files) -> None:
    from sklearn.decomposition import PCA
    from sklearn.metrics import accuracy_score, f1_score
    from sklearn.neighbors import KNeighborsClassifier
    from threadpoolctl import threadpool_limits

    splits = EHR(prepared=True).load(files, 0)
    train, test = (carried_forward(x).reshape(len(x), -1) for x in (splits.train, splits.test))
    with threadpool_limits(1):
        pca = PCA(10, svd_solver="full").fit(train)
        knn = KNeighborsClassifier(3).fit(pca.transform(train), splits.train.labels)
        found = knn.predict(pca.transform(test))
    accuracy = accuracy_score(splits.test.labels, found)
    f1 = f1_score(splits.test.labels, found, pos_label=splits.positive)
    assert (round(100 * accuracy, 1), round(100 * f1, 1)) == (83.5, 65.1)
    train_kernel, test_kernel = read_kernels(files.get(LPS))
    assert train_kernel.shape == (707, 707) and test_kernel.shape == (176, 176)


@pytest.fixture(scope="module")
def physionet(files: Files) -> Files:
    """With the faster detector: the default takes minutes for all records (tests/data/test_heartbeats.py)."""
    pytest.importorskip("sleepecg")
    Physionet(detector="sleepecg").load(files, 0)
    return files


def test_physionet_is_near_the_paper(physionet: Files) -> None:
    splits = Physionet(detector="sleepecg").load(physionet, 0)
    ours = measured(splits)
    assert (ours["V"], ours["Classes"], ours["Test"], ours["Tmin"]) == (1, 4, 298, 5)
    assert abs(ours["Train"] - 8524) < 60
    assert splits.positive is not None and splits.classes[splits.positive] == "atrial fibrillation"
    assert set(splits.test.names) <= set(splits.train.names)
    assert 0.5 < np.median(splits.train.values[splits.train.observed]) < 1.1  # seconds: human hearts


def test_physionet_labels_and_the_clean_split(physionet: Files) -> None:
    default = Physionet(detector="sleepecg").load(physionet, 0)
    clean = Physionet(detector="sleepecg", exclude_test_from_train=True).load(physionet, 0)
    assert not set(clean.train.names) & set(clean.test.names)
    assert clean.test.fingerprint == default.test.fingerprint
    assert len(clean.train) == len(default.train) - len(default.test)
    counts = {}
    for labels in ("v2", "original", "v3"):
        splits = Physionet(detector="sleepecg", labels=labels, shortest=1).load(physionet, 0)
        assert splits.train.labels is not None and len(splits.train) == 8528
        counts[labels] = np.bincount(splits.train.labels).tolist()
    assert counts["v2"] == [5050, 738, 2456, 284]
    assert len({tuple(count) for count in counts.values()}) == 3


def test_damaged_parsed_copies_are_made_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    files = Files(mirror=MIRROR, cache=tmp_path, offline=True)
    right = ECG2().load(files, 0).train.fingerprint
    [path] = tmp_path.rglob("*.safetensors")
    whole = path.read_bytes()
    for damage in (whole[:100], whole[:-64] + bytes(64), b""):
        path.write_bytes(damage)
        assert ECG2().load(files, 0).train.fingerprint == right
        assert "make it again (done now, from the source)" in caplog.text
        caplog.clear()
        assert path.read_bytes() == whole


def test_other_values_than_expected_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ECG5000, "values", "0" * 64)
    with pytest.raises(DataError, match="does not hold the values that it should"):
        ECG5000().load(Files(mirror=MIRROR, cache=tmp_path, offline=True), 0)
    assert list(tmp_path.rglob("*.safetensors")) == []


@pytest.mark.parametrize("name", NAMES)
def test_without_mirror_and_network(name: str, tmp_path: Path) -> None:
    files = Files(cache=tmp_path, offline=True)
    dataset = lookup("dataset", name)()
    assert dataset.fingerprint(files)  # needs no file
    if name == "japanese_vowels":
        assert len(dataset.load(files, 0).train) == 270
    else:
        with pytest.raises(DataError, match=r"tkae-data fetch.*data\.mirror=PATH or TKAE_MIRROR"):
            dataset.load(files, 0)


def test_every_checksum_stands_in_the_mirror_s_list() -> None:
    known = (MIRROR / "SHA256SUMS").read_text()
    for name in NAMES:
        cls = lookup("dataset", name)
        for remote in [*cls.remotes, *cls.published.values()]:
            assert isinstance(remote, Remote) and (MIRROR / remote.place).is_file()
            assert remote.members or remote.words or remote.sha256 in known
            assert (remote.sha256 or cls.values) and remote.fault(MIRROR / remote.place) == ""
