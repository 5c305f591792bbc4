"""A dataset in figures and in a picture, to hold beside the paper's table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tkae.data.collection import Collection
from tkae.data.dataset import PaperRow, Splits
from tkae.data.scaling import Standardiser
from tkae.terminal import count

COLUMNS = ("V", "Train", "Test", "Classes", "Tmin", "Tmax")


def measured(splits: Splits) -> dict[str, Any]:
    """The columns of the paper's table as these data have them, and the share of missing entries."""
    lengths = np.concatenate([splits.train.lengths, splits.test.lengths])
    missing = sum(int(x.missing.sum()) for x in (splits.train, splits.test))
    valid = sum(int(x.valid.sum()) for x in (splits.train, splits.test))
    counts = (splits.train.shape[2], len(splits.train), len(splits.test), len(splits.classes))
    figures = dict(zip(COLUMNS, (*counts, int(lengths.min()), int(lengths.max())), strict=True))
    return figures | {"missing": missing / valid}


def printed(row: PaperRow) -> dict[str, Any]:
    """The columns of the paper's table as it prints them."""
    numbers = (row.variates, row.train, row.test, row.classes, row.shortest, row.longest)
    return dict(zip(COLUMNS, numbers, strict=True))


def plot(splits: Splits, title: str, path: Path) -> None:
    """A few training series of different classes, one panel each, every variate standardised."""
    from matplotlib.figure import Figure
    from matplotlib.text import Text

    x = Standardiser.of(splits.train).scale(splits.train)
    rows = _examples(splits.train)
    figure = Figure(figsize=(8.0, 1.7 * len(rows) + 0.4), layout="constrained")
    panels = figure.subplots(len(rows), 1, sharex=True, squeeze=False)[:, 0]
    for panel, i in zip(panels, rows, strict=True):
        series = x.series(i)
        panel.plot(np.arange(len(series)), series, linewidth=0.8, marker=".", markersize=2)
        label = "" if splits.train.labels is None else f" ({splits.classes[splits.train.labels[i]]})"
        panel.set_title(
            f"series {splits.train.names[i]}{label}, {count(len(series), 'step')}", fontsize=8, loc="left"
        )
        panel.xaxis.get_major_locator().set_params(integer=True)
        panel.tick_params(labelsize=7)
    panels[-1].set_xlabel("step", fontsize=8)
    figure.suptitle(f"{title}: {x.shape[2]} variate(s), standardised", fontsize=9)
    for text in figure.findobj(Text):  # names of users: `$` in them begins no formula
        text.set_parse_math(False)
    figure.savefig(path, dpi=120)


def _examples(x: Collection, count: int = 4) -> list[int]:
    """The first series of each of the first classes, or just the first series."""
    if x.labels is None:
        return list(range(min(count, len(x))))
    first = sorted(int(np.argmax(x.labels == label)) for label in np.unique(x.labels)[:count])
    return (first + [i for i in range(len(x)) if i not in first])[:count]
