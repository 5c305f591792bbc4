"""Fig. pca_blood: every patient is a point of the figure."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from tests.report.figures.drawn import assert_drawn
from tkae.commands.run import main
from tkae.evaluation.density import overlap

# Cheap cells: the shape that other tests compile anyway, a step or two of training.
CHEAP = ["budget=smoke", "model.layers=1"]


def test_densities_are_drawn_from_the_authors_patients(tmp_path: Path, mirror: Path) -> None:
    words = ["experiment=ehr_density", *CHEAP, f"results_dir={tmp_path}", f"data.mirror={mirror}"]
    assert main([*words, "budget.series=null"]) == 0
    with (tmp_path / "figures" / "ehr_density.paper.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for method in dict.fromkeys(row["method"] for row in rows):
        own = [row for row in rows if row["method"] == method]
        assert sum(row["class"] == "infected" for row in own) == 46
        assert sum(row["class"] == "not infected" for row in own) == 130
        points = np.array([[float(row["component_1"]), float(row["component_2"])] for row in own])
        labels = np.array([row["class"] == "infected" for row in own]).astype(int)
        assert overlap(points, labels) == pytest.approx(float(own[0]["overlap"]))
    assert_drawn(tmp_path, "ehr_density.paper")
