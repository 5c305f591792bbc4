"""Fig. alignment: matrices are drawn, and the means of their blocks written."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from tests.report.figures.drawn import assert_drawn
from tkae.commands.run import main
from tkae.evaluation.similarity import block_means, in_own_units
from tkae.runs.store import Store

# Cheap cells: the shape that other tests compile anyway, a step or two of training.
CHEAP = ["budget=smoke", "model.layers=1"]


def test_matrices_are_drawn_and_their_blocks_written(tmp_path: Path) -> None:
    words = ["experiment=kernel_matrices", *CHEAP, f"results_dir={tmp_path}"]
    assert main(words) == 0
    with (tmp_path / "figures" / "kernel_matrices.paper.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    matrices = list(dict.fromkeys(row["matrix"] for row in rows))
    assert [name.split()[0].strip(",") for name in matrices] == ["TCK", "TAE", "TKAE"]
    assert len(rows) == 3 * 9 * 9 and {row["seed"] for row in rows} == {"0"}
    store = Store(tmp_path)
    stored = [store.arrays(one, "figure") for one in store.entries() if one.story["model"] == "tkae"]
    blocks = [
        block_means(in_own_units(a["codes"] @ a["codes"].T).astype(np.float64), a["labels"]).ravel()
        for a in stored
    ]
    drawn = np.array([float(row["mean"]) for row in rows if row["matrix"] == matrices[-1]])
    assert any(np.allclose(drawn, one) for one in blocks) and len(blocks) == 2
    assert_drawn(tmp_path, "kernel_matrices.paper")
    assert all(len(row["mean"].lstrip("-0.").replace(".", "").partition("e")[0]) <= 9 for row in rows)
    # Nothing of a figure is left to chance: the same cells give the same bytes.
    before = {path.name: path.read_bytes() for path in (tmp_path / "figures").iterdir()}
    assert main([*words, "collect=true"]) == 0
    assert before == {path.name: path.read_bytes() for path in (tmp_path / "figures").iterdir()}
