"""What tests of figures share."""

from __future__ import annotations

from pathlib import Path

import numpy as np

# Cheap cells: the shape that other tests compile anyway, a step or two of training.
CHEAP = ["budget=smoke", "model.layers=1"]


def assert_drawn(results: Path, stem: str) -> None:
    """Something other than an empty page."""
    from matplotlib.image import imread

    picture = imread(results / "figures" / f"{stem}.png")
    assert len(np.unique(picture.reshape(-1, picture.shape[2]), axis=0)) > 100
    assert (results / "figures" / f"{stem}.pdf").read_bytes().startswith(b"%PDF")
