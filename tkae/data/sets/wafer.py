"""Wafer: six sensors over the processing of a silicon wafer, normal or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tkae.data.dataset import PaperRow, Splits
from tkae.data.files import Files, Remote
from tkae.data.readers.mat import read_authors
from tkae.data.sets.authors import CITATION, published
from tkae.data.sets.source import SourceDataset, renumbered

FULL = published(
    "Wafer/WAF_full.mat", "5b51d68b964c4b52a879038329d0e942c06bce9f145d35a759bd0da07b6a69f5", 1_422_187
)


@dataclass
class Wafer(SourceDataset):
    """Only known from the authors' file, where each split is standardised with its own statistics."""

    name: ClassVar[str] = "wafer"
    title: ClassVar[str] = "Wafer"
    remotes: ClassVar[tuple[Remote, ...]] = (FULL,)
    licence: ClassVar[str] = "none stated"
    citation: ClassVar[str] = f"Olszewski 2001, wafer; from {CITATION}"
    paper_row: ClassVar[PaperRow | None] = PaperRow(6, 298, 896, 2, 104, 198, "UCR")

    def parse(self, files: Files) -> Splits:
        train, test = read_authors(files.get(FULL))
        return renumbered(train, test, {1: "abnormal", 2: "normal"}, positive=0)
