"""Libras: hand movements of the Brazilian sign language, as points in the plane."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from importlib.resources import files as package_files
from typing import ClassVar

from tkae.data.archives import members
from tkae.data.dataset import PaperRow, Splits
from tkae.data.files import Files, Remote
from tkae.data.readers.mat import read_authors
from tkae.data.readers.text import parse_libras
from tkae.data.sets.authors import CITATION, published
from tkae.data.sets.source import SourceDataset, make_splits, renumbered

ARCHIVE = Remote(
    "https://archive.ics.uci.edu/static/public/181/libras+movement.zip",
    "573a77382e1ced7eb68ec13d49748f51e3869e5ddda3ae4f1fd01aa32508fe84",
    r"(?:.*/)?(movement_libras\.data)",
    164_761,
)
HALF = published(
    "Libras/LIB_miss05.mat", "d1be0770282434897b2af21895858e222493dbd17ead8d34e49b59f90d047c1c", 695_499
)
MOVEMENTS = range(1, 16)


@dataclass
class Libras(SourceDataset):
    """The 360 rows of the source hold only 330 distinct series; the paper's split keeps all."""

    name: ClassVar[str] = "libras"
    title: ClassVar[str] = "Libras"
    remotes: ClassVar[tuple[Remote, ...]] = (ARCHIVE, HALF)
    licence: ClassVar[str] = "CC BY 4.0"
    citation: ClassVar[str] = (
        f"Dias et al. 2009, Libras movement, UCI; split of Baydogan & Runger 2016; {CITATION}"
    )
    paper_row: ClassVar[PaperRow | None] = PaperRow(2, 180, 180, 15, 45, 45, "Baydogan & Runger 2016")
    published: ClassVar[dict[float, Remote]] = {0.5: HALF}

    prepared: bool = False  # the originals of the authors' imputation file, each split standardised by itself

    def sources(self) -> tuple[Remote, ...]:
        return (HALF,) if self.prepared else (ARCHIVE,)

    def parse(self, files: Files) -> Splits:
        if self.prepared:
            train, test = read_authors(files.get(HALF), original=True)
            return renumbered(train, test, {k: str(k) for k in MOVEMENTS}, scaled=True)
        [(name, content)] = members(files.get(ARCHIVE), ARCHIVE.members)
        series, classes = parse_libras(content, name)
        text = package_files("tkae.data.sets").joinpath("libras_split.csv").read_text()
        rows: dict[str, list[int]] = {"train": [], "test": []}
        for entry in csv.DictReader(text.splitlines()):
            rows[entry["split"]].append(int(entry["uci_row"]))
        of = {split: [classes[i] for i in chosen] for split, chosen in rows.items()}
        names = [[f"row {i}" for i in chosen] for chosen in (rows["train"], rows["test"])]
        both = list(series[rows["train"]]), list(series[rows["test"]])
        return make_splits(*both, of["train"], of["test"], (names[0], names[1]), ("x", "y"))
