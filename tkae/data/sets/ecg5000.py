"""ECG5000: single heartbeats of one patient, the paper's "ECG"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tkae.data.archives import members
from tkae.data.dataset import PaperRow, Splits
from tkae.data.files import Files, Remote
from tkae.data.readers.ts import parse_ts
from tkae.data.sets.source import SourceDataset, make_splits

ARCHIVE = Remote(
    "https://timeseriesclassification.com/aeon-toolkit/ECG5000.zip",
    "",  # its text is written in more than one way: `values` below is checked instead
    r"(?:.*/)?(ECG5000_(?:TRAIN|TEST)\.ts)",
    3_406_490,
)


@dataclass
class ECG5000(SourceDataset):
    """Each heartbeat was standardised over its 140 steps by those who published it."""

    name: ClassVar[str] = "ecg5000"
    title: ClassVar[str] = "ECG"
    remotes: ClassVar[tuple[Remote, ...]] = (ARCHIVE,)
    licence: ClassVar[str] = "none stated"
    citation: ClassVar[str] = "Chen et al. 2015, The UCR time series classification archive"
    paper_row: ClassVar[PaperRow | None] = PaperRow(1, 500, 4500, 5, 140, 140, "UCR")
    values: ClassVar[str] = "6ba96c9575839aaaf0838b37acb105d539e9125162f29d636a9af5b0e3dc784c"

    def parse(self, files: Files) -> Splits:
        texts = dict(members(files.get(ARCHIVE), ARCHIVE.members))
        (train, train_classes), (test, test_classes) = (
            parse_ts(texts[name].decode().splitlines(), name)
            for name in ("ECG5000_TRAIN.ts", "ECG5000_TEST.ts")
        )
        return make_splits(train, test, train_classes, test_classes)
