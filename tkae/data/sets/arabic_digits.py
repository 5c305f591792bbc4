"""Spoken Arabic Digits: ten digits by 88 speakers, as 13 cepstral coefficients a frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tkae.data.archives import members
from tkae.data.dataset import PaperRow, Splits
from tkae.data.files import Files, Remote
from tkae.data.readers.text import parse_blocks
from tkae.data.sets.source import SourceDataset, make_splits
from tkae.errors import DataError

ARCHIVE = Remote(
    "https://archive.ics.uci.edu/static/public/195/spoken+arabic+digit.zip",
    "e0c0b8c0b80737aa824cafc723c9dd59c0403a7dab91af6937d4fde2304cfd4f",
    r"(?:.*/)?(T(?:rain|est)_Arabic_Digit\.txt)",
    14_828_298,
)
REPETITIONS = {"Train_Arabic_Digit.txt": 660, "Test_Arabic_Digit.txt": 220}  # blocks a digit, in order


@dataclass
class ArabicDigits(SourceDataset):
    """The files say nothing of the digits: they come in order, each as often as the others."""

    name: ClassVar[str] = "arabic_digits"
    title: ClassVar[str] = "Arab. Dig."
    remotes: ClassVar[tuple[Remote, ...]] = (ARCHIVE,)
    licence: ClassVar[str] = "CC BY 4.0"
    citation: ClassVar[str] = "Hammami & Bedda 2010, Spoken Arabic Digit, UCI"
    paper_row: ClassVar[PaperRow | None] = PaperRow(13, 6600, 2200, 10, 4, 93, "UCI")

    def parse(self, files: Files) -> Splits:
        texts = dict(members(files.get(ARCHIVE), ARCHIVE.members))
        series, classes = [], []
        for name, times in REPETITIONS.items():
            blocks = parse_blocks(texts[name], 13, name)
            if len(blocks) != 10 * times:
                raise DataError(f"{name}: {len(blocks)} blocks, {10 * times} were expected")
            series.append(blocks)
            classes.append([str(digit) for digit in range(10) for _ in range(times)])
        return make_splits(series[0], series[1], classes[0], classes[1])
