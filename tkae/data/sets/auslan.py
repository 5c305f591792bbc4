"""Auslan (high quality): signs of the Australian sign language, recorded with gloves on nine days."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tkae.data.archives import members
from tkae.data.collection import Floats
from tkae.data.dataset import PaperRow, Splits
from tkae.data.files import Files, Remote
from tkae.data.readers.text import parse_table
from tkae.data.sets.source import SourceDataset, make_splits

ARCHIVE = Remote(
    "https://archive.ics.uci.edu/ml/machine-learning-databases/auslan2-mld/tctodd.tar.gz",
    "bc74b1de1d943b1044bcf0c01a3ac111efb7a98bf5e03d104c765ffb73563f42",
    r"(?:.*/)?(tctodd[1-9]/[^/]+\.tsd)",
    7_967_023,
)
OTHERWISE = {"her": "his_hers"}  # on the first day this sign went by another name
TRAINING_DAYS = "1234"
_Split = tuple[list[Floats], list[str], list[str]]  # series, words, names


@dataclass
class Auslan(SourceDataset):
    """Trained on the first four days, tested on the other five; a file is `word-repetition.tsd`."""

    name: ClassVar[str] = "auslan"
    title: ClassVar[str] = "Auslan"
    remotes: ClassVar[tuple[Remote, ...]] = (ARCHIVE,)
    licence: ClassVar[str] = "none stated"
    citation: ClassVar[str] = "Kadous 2002, Australian Sign Language signs (high quality), UCI"
    paper_row: ClassVar[PaperRow | None] = PaperRow(22, 1140, 1425, 95, 45, 136, "UCI")

    def parse(self, files: Files) -> Splits:
        found = sorted(members(files.get(ARCHIVE), ARCHIVE.members))
        splits: dict[bool, _Split] = {True: ([], [], []), False: ([], [], [])}
        for name, content in found:
            day, file = name.split("/")
            word = file.removesuffix(".tsd").rsplit("-", 1)[0]
            series, words, names = splits[day[-1] in TRAINING_DAYS]
            series.append(parse_table(content, 22, name))
            words.append(OTHERWISE.get(word, word))
            names.append(name.removesuffix(".tsd"))
        train, test = splits[True], splits[False]
        return make_splits(train[0], test[0], train[1], test[1], (train[2], test[2]))
