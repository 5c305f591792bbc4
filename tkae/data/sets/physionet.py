"""Physionet: intervals between heartbeats, from the ECGs of the 2017 AF challenge."""

from __future__ import annotations

import csv
import hashlib
from dataclasses import dataclass
from importlib.resources import files as package_files
from typing import ClassVar

import numpy as np

from tkae.data.archives import members
from tkae.data.array_cache import kept
from tkae.data.collection import Collection, Floats
from tkae.data.dataset import PaperRow, Splits
from tkae.data.files import Files, Remote
from tkae.data.heartbeats import DETECTORS, Detector, Record, differences, find_all, intervals, spans
from tkae.data.readers.wfdb import parse_record
from tkae.data.sets.source import SourceDataset
from tkae.fields import setting
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
RR = "RR interval (s)"
VARIATES = {
    "intervals": (RR,),
    "intervals+span": (RR, "peak to peak (mV)"),  # the ECG's span from a beat to the next
    "intervals+differences": (RR, "difference of RR intervals (s)"),
}


@dataclass
class Physionet(SourceDataset):
    """A step is the time from one heartbeat to the next, in s.

    The paper's table has two variates, and its text says "peak-to-peak and RR intervals": what the other one
    is remains open, and the authors' program read an array with one.
    """

    name: ClassVar[str] = "physionet"
    title: ClassVar[str] = "Physionet"
    remotes: ClassVar[tuple[Remote, ...]] = (ARCHIVE, *LABELS.values())
    licence: ClassVar[str] = "ODC-BY 1.0"
    citation: ClassVar[str] = "Clifford et al. 2017, AF classification from a short single lead ECG recording"
    paper_row: ClassVar[PaperRow | None] = PaperRow(
        2, 8524, 298, 4, 5, 176, "Clifford et al. 2017",
        "RR intervals, derived here from the raw ECGs by gqrs: the paper names neither its detector of "
        "heartbeats nor its second variate",
    )  # fmt: skip

    labels: str = setting("v2", one_of=("v2", "original", "v3"))  # the challenge corrected its labels twice
    shortest: int = setting(5, at_least=1)  # series with fewer steps are left out
    exclude_test_from_train: bool = False  # the paper's test records are in its training set as well
    exclude_positive_from_train: bool = False  # class A, which one-class models must not have seen
    # Of heartbeats, which the paper does not name; RR intervals alone, or with a second variate.
    detector: str = setting("gqrs", one_of=tuple(DETECTORS), absent="sleepecg")
    variates: str = setting("intervals", one_of=tuple(VARIATES), absent="intervals+span")

    def sources(self) -> tuple[Remote, ...]:
        return (ARCHIVE,) if self.labels == "original" else (ARCHIVE, LABELS[self.labels])

    def tools(self) -> str:
        return DETECTORS[self.detector].version

    def ensure_files(self, files: Files) -> None:
        """The heartbeats as well: here all cores look for them, while workers would wait for one of them."""
        super().ensure_files(files)
        if not self._parsed(files).exists():
            self._beats(files)

    def parse(self, files: Files) -> Splits:
        series, label = self._series(files)
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
        both = [
            Collection.from_series(
                [series[name] for name in names],
                [list(CLASSES).index(label[name]) for name in names],
                names,
                VARIATES[self.variates],
                longest,
            )
            for names in (train, test)
        ]
        return Splits(both[0], both[1], tuple(CLASSES.values()), positive=list(CLASSES).index("A"))

    def _series(self, files: Files) -> tuple[dict[str, Floats], dict[str, str]]:
        """(T_i, V) of each record, and the labels in the archive."""
        arrays, about = self._beats(files)
        labels: dict[str, str] = about["labels"]
        beats = np.split(arrays["beats"], np.cumsum(arrays["counts"])[:-1])
        columns = [[intervals(*record)] for record in zip(beats, arrays["frequencies"], strict=True)]
        if self.variates == "intervals+differences":
            columns = [[rr, differences(rr)] for (rr,) in columns]
        if self.variates == "intervals+span":
            ecgs = (parse_record(header, signal, name)[0] for name, header, signal in _records(files)[0])
            columns = [[rr, spans(ecg, at)] for (rr,), ecg, at in zip(columns, ecgs, beats, strict=True)]
        return dict(zip(labels, (np.stack(column, axis=1) for column in columns), strict=True)), labels

    def _beats(self, files: Files) -> Described:
        """The heartbeats of all records end to end: found once for a detector, whatever else is set."""
        parts = ["beats", str(self.version), self.detector, self.tools(), ARCHIVE.sha256]
        key = hashlib.sha256(" ".join(parts).encode()).hexdigest()
        return kept(self.parsed_path(files, key), lambda: _detected(DETECTORS[self.detector], files))


def _detected(detector: Detector, files: Files) -> Described:
    detector.check()  # before anything large is fetched
    records, labels = _records(files)
    beats, frequencies = zip(*find_all(detector, records), strict=True)
    counts = np.array([len(beat_times) for beat_times in beats])
    arrays = {"beats": np.concatenate(beats), "counts": counts, "frequencies": np.array(frequencies)}
    return arrays, {"labels": labels}


def _records(files: Files) -> tuple[list[Record], dict[str, str]]:
    """Every record in the archive, and their labels there, in the same order."""
    content = dict(members(files.get(ARCHIVE), ARCHIVE.members))
    reference = content["training2017/REFERENCE.csv"].decode()
    labels = {row[0]: row[1] for row in csv.reader(reference.splitlines())}
    place = "training2017/{}.{}".format
    return [(name, content[place(name, "hea")], content[place(name, "mat")]) for name in labels], labels
