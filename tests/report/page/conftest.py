"""A results folder with a page, made once: two protocols, a sweep, curves, a failed run, missing ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.report.made_up import run_of
from tkae.report.drawing import Drawing
from tkae.report.write import write_report
from tkae.runs.cell import Cell
from tkae.runs.store import Store
from tkae.storage import write_atomically

RUNS = ["experiment=imputation", "protocol=paper,authors", "dataset=japanese_vowels", "model=[mean,pca,tkae]"]
SWEEP = ["experiment=imputation", "dataset=japanese_vowels", "model=tkae", "model.alpha=0,0.5", "seeds=3"]


def curve(cell: Cell) -> dict[str, np.ndarray]:
    """Losses that fall, those of seed 1 to an early end."""
    epochs = np.arange(1, 5001, 25, dtype=np.int32)
    losses = np.stack([1 / epochs**0.3, epochs * 0.01, 0.5 + 1 / epochs], axis=1).astype(np.float32)
    losses[150 if cell.seed == 1 else 200 :] = np.nan
    return {"curve.epochs": epochs, "curve.losses": losses * (1 + 0.01 * cell.seed)}


def empty_files(folder: Path, stem: str, drawing: Drawing) -> list[Path]:
    """In the place of pictures, which take seconds; whether they are drawn well is tested elsewhere."""
    paths = [folder / f"{stem}.{ending}" for ending in ("csv", "pdf", "png")]
    for path in paths:
        write_atomically(path, drawing.caption)
    return paths


@pytest.fixture(scope="session")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder; its page is report/index.html."""
    folder = tmp_path_factory.mktemp("page")
    for words in (RUNS, SWEEP):
        run = run_of(words, folder)
        for cell in run.cells:
            record = {**run.records[cell.key], "seconds": {"total": 60.0}}
            if (cell.model.name, cell.protocol.name, cell.seed) == ("pca", "authors", 3):
                record |= {"status": "failed", "error": "out of memory <here>"}
            run.store.write(cell.entry(record), curve(cell) if cell.model.name == "tkae" else {})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tkae.report.write.write_drawing", empty_files)
        write_report(Store(folder))
    return folder


@pytest.fixture(scope="session")
def html(results: Path) -> str:
    return (results / "report" / "index.html").read_text(encoding="utf-8")
