"""EHR: blood samples over the 20 days after surgery, of patients with and without an infection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tkae.data.collection import Collection
from tkae.data.dataset import Kernels, PaperRow, Splits
from tkae.data.files import Files, Remote
from tkae.data.readers.mat import read_authors, read_mat
from tkae.data.resplit import resplit
from tkae.data.sets.authors import CITATION, published
from tkae.data.sets.source import SourceDataset, renumbered
from tkae.errors import UserError
from tkae.fields import setting

_DATA = "https://raw.githubusercontent.com/FilippoMB/TCK_AE/master/Data/"
X = Remote(
    _DATA + "x.mat", "2c818eb48c40b9194afecbccc5472b300e0fdccde48c4446a289916aa390f704", size=1_131_384
)
XTE = Remote(
    _DATA + "xte.mat", "dd3146225f378dd8891fd554e1fa2f34633353589ccaec0ed7f8cf6c68c4625b", size=281_784
)
Y = Remote(_DATA + "Y.mat", "5db087798cf6a50ac4e56c7fb23d2aedd565b525ad5165cbaea270eb64fb0d45", size=5_840)
YTE = Remote(
    _DATA + "Yte.mat", "5f351f5541e90c668a20544dc45901d5be2610db7e1c7ae3922d86788bef4d02", size=1_592
)
LPS = published(
    "Blood/Blood_LPS.mat", "9d35769d6ab0eb13fbdf802d6be5f95ab4604092a42415eb15906275bdfda58c", 1_251_225
)

TEST_SHARE = 0.2  # the text: 80 % for training


@dataclass
class EHR(SourceDataset):
    """883 patients, ten measurements, most of them not taken on most days."""

    name: ClassVar[str] = "ehr"
    title: ClassVar[str] = "EHR"
    remotes: ClassVar[tuple[Remote, ...]] = (X, XTE, Y, YTE, LPS)
    licence: ClassVar[str] = "none stated (patient-derived)"
    citation: ClassVar[str] = f"Mikalsen et al. 2018; {CITATION}"
    paper_row: ClassVar[PaperRow | None] = PaperRow(
        10, 892, 223, 2, 20, 20, "Mikalsen et al. 2018",
        "the paper's text says 883 patients, 80 % for training: 707 + 176 is what exists",
    )  # fmt: skip
    notice: ClassVar[str] = "EHR: these data derive from patients, and their source states no licence."

    prepared: bool = False  # the authors' file, standardised with training statistics
    splits: str = setting("given", one_of=("given", "repeated"))  # or all patients parted anew for every seed

    def __post_init__(self) -> None:
        if self.prepared and self.splits == "repeated":
            raise UserError(
                "dataset.ehr: prepared=true has the statistics of the given split in its values, and "
                "splits=repeated would mix them into another: choose one of the two"
            )

    def sources(self) -> tuple[Remote, ...]:
        return (LPS,) if self.prepared else (X, XTE, Y, YTE)

    def parse(self, files: Files) -> Splits:
        if self.prepared:
            train, test = read_authors(files.get(LPS))
        else:
            train, test = _split(files, X, "x", Y, "Y"), _split(files, XTE, "xte", YTE, "Yte")
        return renumbered(train, test, {0: "not infected", 1: "infected"}, positive=1, scaled=self.prepared)

    def load(self, files: Files, seed: int) -> Splits:
        given = super().load(files, seed)
        return given if self.splits == "given" else resplit(given, TEST_SHARE, seed, self.name, "split")

    def kernels(self, rate: float | None) -> Kernels | None:
        """Not a TCK but the learned pattern similarity (LPS), which is in no other file."""
        return Kernels(LPS, unit=True) if rate is None and self.splits == "given" else None


def _split(files: Files, source: Remote, name: str, classes: Remote, label: str) -> Collection:
    """One split: rows of 200 numbers are 20 days of 10 measurements, the days running fastest."""
    [flat] = read_mat(files.get(source), name)
    [labels] = read_mat(files.get(classes), label)
    values = flat.reshape(len(flat), 20, 10, order="F")
    return Collection(values, np.isfinite(values), labels=labels.ravel().astype(np.int64))
