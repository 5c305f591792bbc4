"""Heartbeats in ECGs: where detectors of public libraries find them, and the series that they make."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec

import numpy as np

from tkae.data.collection import Floats, Ints
from tkae.data.readers.wfdb import parse_record
from tkae.errors import DataError
from tkae.stopping import ends_with_this_process

log = logging.getLogger("tkae")
CHUNK = 64  # records handed to a worker at once
Record = tuple[str, bytes, bytes]  # name, header, signal
Found = tuple[Ints, float]  # the samples of the beats, and how many samples a second has


@dataclass(frozen=True)
class Detector:
    """Finds the samples of the heartbeats in an ECG in mV of so many samples a second."""

    package: str  # which has it; the extra `ecg` installs it
    find: Callable[[Floats, float], Ints]

    @property
    def version(self) -> str:
        """For caches and cells: another version may find other beats. Empty where it is not installed."""
        try:
            return f"{self.package} {metadata.version(self.package)}"
        except metadata.PackageNotFoundError:
            return ""

    def check(self) -> None:
        """Whether it can be used here, or the sentence that says what to install."""
        if find_spec(self.package) is None:
            raise DataError(
                f"heartbeats cannot be found in the ECGs, because {self.package} is not installed: "
                "pip install 'tkae[ecg]'"
            )


def _gqrs(ecg: Floats, frequency: float) -> Ints:
    """As it is: it marks beats 10 samples before their peak, but the last one at the peak."""
    from wfdb.processing import gqrs_detect

    return np.asarray(gqrs_detect(sig=ecg, fs=frequency), dtype=np.int64)


def _sleepecg(ecg: Floats, frequency: float) -> Ints:
    from sleepecg.heartbeats import detect_heartbeats

    return np.asarray(detect_heartbeats(ecg, frequency), dtype=np.int64)


DETECTORS = {"gqrs": Detector("wfdb", _gqrs), "sleepecg": Detector("sleepecg", _sleepecg)}


def find_all(detector: Detector, records: Sequence[Record]) -> list[Found]:
    """The heartbeats of each record, on all cores: gqrs is plain Python, a tenth of a second for each."""
    from joblib import Parallel, delayed
    from rich.console import Console
    from rich.progress import track

    detector.check()
    chunks = [records[i : i + CHUNK] for i in range(0, len(records), CHUNK)]
    work = Parallel(n_jobs=-1, return_as="generator", **ends_with_this_process())(
        delayed(_chunk)(detector, chunk) for chunk in chunks
    )
    shown = Console(stderr=True)
    what = f"heartbeats by {detector.package}"
    if not shown.is_terminal:
        log.warning("%s in %d ECGs: once, which may take some minutes", what, len(records))
    results: Iterable[list[Found]] = track(
        work, what, len(chunks), console=shown, transient=True, disable=not shown.is_terminal
    )
    return [beats for chunk in results for beats in chunk]


def _chunk(detector: Detector, records: Sequence[Record]) -> list[Found]:
    ecgs = (parse_record(header, signal, name) for name, header, signal in records)
    return [(detector.find(ecg, frequency), frequency) for ecg, frequency in ecgs]


def intervals(beats: Ints, frequency: float) -> Floats:
    """(beats - 1): the seconds from each heartbeat to the next."""
    return np.diff(beats) / frequency


def spans(ecg: Floats, beats: Ints) -> Floats:
    """(beats - 1): the highest minus the lowest value of the ECG from each heartbeat to the next."""
    if len(beats) < 2:
        return np.empty(0)
    last = ecg[beats[1:]]  # the beat that ends an interval belongs to it
    highest = np.maximum(np.maximum.reduceat(ecg, beats)[:-1], last)
    lowest = np.minimum(np.minimum.reduceat(ecg, beats)[:-1], last)
    span: Floats = highest - lowest
    return span


def differences(intervals: Floats) -> Floats:
    """How much longer each interval is than the one before; the first has none before it and is missing."""
    return np.diff(intervals, prepend=np.nan)
