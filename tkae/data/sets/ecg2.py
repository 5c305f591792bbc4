"""ECG2: heartbeats on two leads, the set behind the "ECG" row of the paper's imputation table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tkae.data.collection import Collection
from tkae.data.dataset import PaperRow, Splits
from tkae.data.files import Files, Remote
from tkae.data.readers.mat import read_authors
from tkae.data.sets.authors import CITATION, published
from tkae.data.sets.source import SourceDataset, renumbered

FULL = published(
    "ECG2/ECG_full.mat", "dd809f9e96332c25aecda6d2ad1d2bb25c3b3b3b1069920d83e3bf78b4e2b52c", 99_293
)
HALF = published(
    "ECG2/ECG_miss05.mat", "b876ade695380f363a6e97eb3ce3cd63172b86abf2a9982e7a89796df00fdd56", 327_977
)


@dataclass
class ECG2(SourceDataset):
    """Only known from the authors' files, where each split is standardised with its own statistics."""

    name: ClassVar[str] = "ecg2"
    title: ClassVar[str] = "ECG2"
    remotes: ClassVar[tuple[Remote, ...]] = (FULL, HALF)
    licence: ClassVar[str] = "none stated"
    citation: ClassVar[str] = f"Olszewski 2001, ECG; from {CITATION}"
    paper_row: ClassVar[PaperRow | None] = PaperRow(
        2, 100, 100, 2, 39, 152, "UCR", "commented out in the paper's source"
    )
    published: ClassVar[dict[float, Remote]] = {0.5: HALF}

    prepared: bool = False  # the originals of the imputation file, which was scaled again with its padding
    padding: bool = False  # models take padding for data, as the authors' imputation programs do

    def sources(self) -> tuple[Remote, ...]:
        return (HALF,) if self.prepared else (FULL,)

    def parse(self, files: Files) -> Splits:
        train, test = read_authors(files.get(self.sources()[0]), original=self.prepared)
        return renumbered(train, test, {1: "abnormal", 2: "normal"}, positive=0, scaled=self.prepared)

    def seen(self, x: Collection) -> Collection:
        """With its padding, if models see that: 0, where the authors' file has 0.02."""
        return Collection(x.values, x.observed | ~x.valid, labels=x.labels) if self.padding else x
