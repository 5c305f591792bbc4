"""Physionet: intervals between heartbeats and their amplitudes, from the ECGs of the 2017 AF challenge."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import metadata
from importlib.resources import files as package_files
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tkae.data.archives import members
from tkae.data.collection import Collection, Floats
from tkae.data.dataset import Row, Splits
from tkae.data.files import Files, Remote
from tkae.data.parsed import kept
from tkae.data.readers.wfdb import parse_record
from tkae.data.sets.source import SourceDataset
from tkae.errors import DataError
from tkae.fields import setting
from tkae.stopping import ends_with_this_process
from tkae.storage import Described

_HOST = "https://physionet.org/files/challenge-2017/1.0.0/"
ARCHIVE = Remote(
    _HOST + "training2017.zip",
    "79ce1fe10886fab56b99ac360cd5be329df06a66e7deb85d8efe8fc102806193",
    r"(?:.*/)?(training2017/(?:A\d{5}\.(?:mat|hea)|REFERENCE\.csv))",
    99_150_680,
)
LABELS = {
    "v2": Remote(
        _HOST + "REFERENCE-v2.csv",
        "b3485eff2fade9aa4806a410a651a2b9dfc5401decf236188800022fb5cf7f66",
        size=76_752,
        words=True,
    ),
    "v3": Remote(
        _HOST + "REFERENCE-v3.csv",
        "5de387b82436d5d67e1095541da42b05e5de8a079a40c9f9b12a8da520b5f731",
        size=76_752,
        words=True,
    ),
}
CLASSES = {"N": "normal", "A": "atrial fibrillation", "O": "other", "~": "noisy"}
VARIATES = ("RR interval (s)", "peak to peak (mV)")
CHUNK = 256  # records handed to a worker at once


@dataclass
class Physionet(SourceDataset):
    """A step is the time from one R peak to the next, in s, and the span of the ECG between them, in mV."""

    name: ClassVar[str] = "physionet"
    title: ClassVar[str] = "Physionet"
    remotes: ClassVar[tuple[Remote, ...]] = (ARCHIVE, *LABELS.values())
    licence: ClassVar[str] = "ODC-BY 1.0"
    citation: ClassVar[str] = "Clifford et al. 2017, AF classification from a short single lead ECG recording"
    row: ClassVar[Row | None] = Row(
        2, 8524, 298, 4, 5, 176, "Clifford et al. 2017",
        "derived here from the raw ECGs: the paper does not name its detector of heartbeats",
    )  # fmt: skip

    labels: str = setting("v2", one_of=("v2", "original", "v3"))  # the challenge corrected its labels twice
    shortest: int = setting(5, at_least=1)  # series with fewer steps are left out
    exclude_test_from_train: bool = False  # the paper's test records are in its training set as well
    exclude_positive_from_train: bool = False  # class A, which one-class models must not have seen
    variates: str = setting("both", one_of=("both", "intervals"))  # or without the amplitudes

    def sources(self) -> tuple[Remote, ...]:
        return (ARCHIVE,) if self.labels == "original" else (ARCHIVE, LABELS[self.labels])

    def tools(self) -> str:
        """The detector's version: another one may find other beats."""
        try:
            return f"sleepecg {metadata.version('sleepecg')}"
        except metadata.PackageNotFoundError:
            return ""

    def parse(self, files: Files) -> Splits:
        series, label = self._beats(files)
        if self.labels != "original":
            text = files.get(LABELS[self.labels]).read_text()
            label = {row[0]: row[1] for row in csv.reader(text.splitlines())}
        kept_records = [name for name in label if len(series[name]) >= self.shortest]
        text = package_files("tkae.data.sets").joinpath("physionet_validation_records.csv").read_text()
        validation = set(text.split()[1:])
        test = [name for name in kept_records if name in validation]
        train = [name for name in kept_records if not (self.exclude_test_from_train and name in validation)]
        train = [name for name in train if not (self.exclude_positive_from_train and label[name] == "A")]
        longest = max(len(series[name]) for name in kept_records)
        names_of = VARIATES[:1] if self.variates == "intervals" else VARIATES
        both = [
            Collection.from_series(
                [series[name][:, : len(names_of)] for name in names],
                [list(CLASSES).index(label[name]) for name in names],
                names,
                names_of,
                longest,
            )
            for names in (train, test)
        ]
        return Splits(both[0], both[1], tuple(CLASSES.values()), positive=list(CLASSES).index("A"))

    def _beats(self, files: Files) -> tuple[dict[str, Floats], dict[str, str]]:
        """The series (T_i, 2) and the original label of each record; detected once, whatever the settings."""
        parts = ["beats", str(self.version), self.tools(), ARCHIVE.sha256]
        key = hashlib.sha256(" ".join(parts).encode()).hexdigest()
        arrays, about = kept(self.parsed_path(files, key), lambda: _detected(files))
        series = np.split(arrays["values"], np.cumsum(arrays["lengths"])[:-1])
        return dict(zip(about["labels"], series, strict=True)), about["labels"]


def _detected(files: Files) -> Described:
    """The steps of all records end to end, their numbers, and the labels in the archive."""
    content = dict(members(files.get(ARCHIVE), ARCHIVE.members))
    reference = content["training2017/REFERENCE.csv"].decode()
    labels = {row[0]: row[1] for row in csv.reader(reference.splitlines())}
    records = [
        (name, content[f"training2017/{name}.hea"], content[f"training2017/{name}.mat"]) for name in labels
    ]
    series = beat_series(records)
    lengths = np.array([len(one) for one in series])
    return {"values": np.concatenate(series), "lengths": lengths}, {"labels": labels}


def beat_series(records: Sequence[tuple[str, bytes, bytes]]) -> list[Floats]:
    """(T_i, 2) of each record (name, header, signal), on all cores."""
    try:
        import sleepecg  # noqa: F401
    except ImportError:
        raise DataError(
            "physionet needs the heartbeat detector: pip install 'tkae[ecg]' (sleepecg)"
        ) from None
    from joblib import Parallel, delayed
    from rich.console import Console
    from rich.progress import track

    chunks = [records[i : i + CHUNK] for i in range(0, len(records), CHUNK)]
    work = Parallel(n_jobs=-1, return_as="generator", **ends_with_this_process())(
        delayed(_chunk)(chunk) for chunk in chunks
    )
    shown = Console(stderr=True)
    results: Iterable[list[Floats]] = track(
        work, "heartbeats", len(chunks), console=shown, transient=True, disable=not shown.is_terminal
    )
    return [one for chunk in results for one in chunk]


def _chunk(records: Sequence[tuple[str, bytes, bytes]]) -> list[Floats]:
    from sleepecg.heartbeats import detect_heartbeats

    results = []
    for name, header, signal in records:
        ecg, frequency = parse_record(header, signal, name)
        results.append(beats_to_series(ecg, frequency, detect_heartbeats(ecg, frequency)))
    return results


def beats_to_series(ecg: Floats, frequency: float, beats: npt.NDArray[np.int64]) -> Floats:
    """(len(beats) - 1, 2): the interval from each R peak to the next, and the ECG's span over it."""
    if len(beats) < 2:
        return np.empty((0, 2))
    last = ecg[beats[1:]]  # the peak that ends an interval belongs to it
    highest = np.maximum(np.maximum.reduceat(ecg, beats)[:-1], last)
    lowest = np.minimum(np.minimum.reduceat(ecg, beats)[:-1], last)
    return np.stack([np.diff(beats) / frequency, highest - lowest], axis=1)
