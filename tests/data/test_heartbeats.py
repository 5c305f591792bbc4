"""Heartbeats: both detectors on ECGs whose beats are known, and the series that are made of them."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

from tkae.data.archives import digest
from tkae.data.collection import Floats, Ints
from tkae.data.dataset import Splits
from tkae.data.files import Files
from tkae.data.heartbeats import DETECTORS, differences, intervals, spans
from tkae.data.readers.wfdb import parse_record
from tkae.data.sets import physionet
from tkae.data.sets.physionet import Physionet
from tkae.errors import DataError

HZ = 300.0


def beating(seed: int, beats: int = 30) -> tuple[Floats, Ints]:
    """An ECG in mV with R and S waves at known samples, and a little noise."""
    rng = np.random.default_rng(seed)
    at = np.cumsum(rng.integers(180, 330, beats))  # 0.6 to 1.1 s from one to the next
    t = np.arange(at[-1] + 300)[:, None]
    waves = np.exp(-0.5 * ((t - at) / 4) ** 2) - 0.25 * np.exp(-0.5 * ((t - at - 12) / 5) ** 2)
    return waves.sum(axis=1) + 0.01 * rng.normal(size=len(t)), at


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", DETECTORS)
def test_known_beats_are_found(name: str, seed: int) -> None:
    pytest.importorskip(DETECTORS[name].package)
    ecg, at = beating(seed)
    found = DETECTORS[name].find(ecg, HZ)
    assert found.dtype == np.int64 and len(found) == len(at)
    off = np.abs(intervals(found, HZ) - intervals(at, HZ))
    assert off[1:-1].max() < 1.5 / HZ  # a sample
    assert off.max() < 0.15  # the first and the last beat stand at an edge


@pytest.mark.parametrize("name", DETECTORS)
def test_a_detector_that_is_not_installed_says_what_to_install(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = DETECTORS[name].package
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(DataError, match=rf"{package} is not installed: pip install 'tkae\[ecg\]'"):
        Physionet(detector=name).load(Files(cache=tmp_path, offline=True), 0)


def test_what_beats_become() -> None:
    ecg = np.zeros(1000)
    ecg[[100, 400, 550]] = [1.0, 2.0, 1.5]
    ecg[450] = -0.5
    beats = np.array([100, 400, 550])
    np.testing.assert_allclose(intervals(beats, HZ), [1.0, 0.5])
    np.testing.assert_allclose(spans(ecg, beats), [2.0, 2.5])
    np.testing.assert_allclose(differences(np.array([1.0, 0.5, 0.75])), [np.nan, -0.5, 0.25])
    for few in (beats[:1], beats[:0]):
        assert len(intervals(few, HZ)) == len(spans(ecg, few)) == len(differences(intervals(few, HZ))) == 0


RECORDS = {"A00001": "N", "A00004": "A", "A00006": "N", "A04000": "~", "A05000": "O", "A06000": "A"}
VALIDATION = ["A00001", "A00004", "A00006"]  # of these; the others were for training alone


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Files:
    """The challenge with six records of 22 to 27 known beats, made as its archive is."""
    for detector in DETECTORS.values():
        pytest.importorskip(detector.package)
    path = tmp_path / "mirror" / physionet.ARCHIVE.place
    path.parent.mkdir(parents=True)
    with ZipFile(path, "w") as archive:
        archive.writestr("training2017/REFERENCE.csv", "".join(f"{k},{v}\n" for k, v in RECORDS.items()))
        for i, name in enumerate(RECORDS):
            samples = np.rint(1000 * beating(i, 22 + i)[0]).astype("<i2")
            header = (
                f"{name} 1 300 {len(samples)} 05:05:15 1/05/2000 \r\n{name}.mat 16+24 1000/mV 16 0 0 0 0 ECG"
            )
            archive.writestr(f"training2017/{name}.hea", header)
            archive.writestr(f"training2017/{name}.mat", bytes(24) + samples.tobytes())
    here = replace(physionet.ARCHIVE, sha256=digest(path, physionet.ARCHIVE.members))
    monkeypatch.setattr(physionet, "ARCHIVE", here)
    return Files(mirror=tmp_path / "mirror", cache=tmp_path / "cache", offline=True)


def test_beats_are_looked_for_once_a_detector_whatever_is_made_of_them(
    small: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []

    def here(detector, records):  # type: ignore[no-untyped-def]
        looked.append(detector.package)
        ecgs = [parse_record(header, signal, name) for name, header, signal in records]
        return [(detector.find(ecg, frequency), frequency) for ecg, frequency in ecgs]

    monkeypatch.setattr(physionet, "find_all", here)

    def load(**settings: object) -> Splits:
        return Physionet(labels="original", **settings).load(small, 0)  # type: ignore[arg-type]

    alone = load()
    assert list(alone.train.names) == list(RECORDS) and list(alone.test.names) == VALIDATION
    assert list(alone.train.lengths) == [21, 22, 23, 24, 25, 26] and alone.train.variates == (physionet.RR,)
    for i in range(6):  # but for the ends, the intervals that were drawn
        known = np.diff(beating(i, 22 + i)[1]) / HZ
        np.testing.assert_allclose(alone.train.series(i)[1:-1, 0], known[1:-1], atol=1.5 / HZ)
    span, difference = load(variates="intervals+span"), load(variates="intervals+differences")
    for both in (span, difference):
        assert both.train.shape == (6, 26, 2) and np.array_equal(both.test.values[..., :1], alone.test.values)
        assert len(both.train.variates) == 2
    assert abs(span.train.values[..., 1][span.train.observed[..., 1]] - 1.2).max() < 0.2  # R and S, in mV
    assert not difference.train.observed[:, 0, 1].any()  # nothing comes before the first
    steps = np.diff(alone.train.values[5, :, 0])
    np.testing.assert_allclose(difference.train.values[5, 1:, 1], steps, atol=1e-12)
    assert len(load(shortest=23).train) == 4 and len(load(exclude_test_from_train=True).train) == 3
    assert looked == ["wfdb"]
    other = load(detector="sleepecg")
    assert looked == ["wfdb", "sleepecg"]
    np.testing.assert_allclose(other.train.series(3)[1:-1, 0], alone.train.series(3)[1:-1, 0], atol=1.5 / HZ)


def test_workers_find_the_beats_of_every_record_in_order(small: Files, caplog) -> None:  # type: ignore[no-untyped-def]
    dataset = Physionet(labels="original", detector="sleepecg")
    dataset.ensure_files(small)  # in the process that starts the workers, before they need them
    assert "heartbeats by sleepecg in 6 ECGs" in caplog.text
    caplog.clear()
    assert list(dataset.load(small, 0).train.lengths) == [21, 22, 23, 24, 25, 26] and caplog.text == ""


def test_real_records(mirror: Path) -> None:
    """On clean recordings both detectors find nearly the same beats."""
    for detector in DETECTORS.values():
        pytest.importorskip(detector.package)
    with ZipFile(mirror / physionet.ARCHIVE.place) as archive:
        for name, beats in {"A00001": 39, "A00002": 35, "A00003": 81}.items():
            record = [archive.read(f"training2017/{name}.{kind}") for kind in ("hea", "mat")]
            ecg, frequency = parse_record(record[0], record[1], name)
            found = {key: detector.find(ecg, frequency) for key, detector in DETECTORS.items()}
            assert frequency == HZ and len(found["gqrs"]) == beats
            assert abs(len(found["sleepecg"]) - beats) <= 2
            one, other = (np.median(intervals(at, HZ)) for at in found.values())
            assert abs(one - other) < 0.02
