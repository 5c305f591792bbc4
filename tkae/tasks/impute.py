"""`tkae-apply impute`: the table with its gaps filled."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tkae.data.collection import Collection
from tkae.models.base import Model
from tkae.tasks.base import Made, Task
from tkae.tasks.check import check, hidden
from tkae.tasks.options import Options
from tkae.tasks.pictures import completed_series
from tkae.tasks.source import Source, rounded
from tkae.tasks.writing import is_typed

if TYPE_CHECKING:
    import pandas


def run(model: Model, source: Source, options: Options) -> Made:
    """What was observed stays as it is; of several networks the mean is filled in."""
    x, spread = source.series, None
    if model.replicas_:
        done, spread = model.impute(x, return_std=True)
    else:
        done = model.impute(x)
    count, whole = int(x.missing.sum()), int(x.valid.sum())
    said = [
        f"{count} of {whole} values ({count / whole:.1%}) were missing and are filled in",
        check(model, x, hidden(x, options.seed)),
    ]
    panels = _examples(x)
    return Made(
        source.completed(done, as_numbers=is_typed(Path(options.output))),
        said,
        lambda figure: completed_series(figure, x, done, spread, panels),
        (8.0, 1.6 * len(panels) + 0.5),
        _filled(source, done, spread),
    )


TASK = Task("complete", ("complete",), run)


def _filled(source: Source, done: Collection, spread: Collection | None) -> pandas.DataFrame:
    """A row for each value that was missing."""
    import pandas

    i, t, v = np.nonzero(source.series.missing)
    before = np.concatenate([[0], np.cumsum(source.series.lengths)])
    times = source.long.frame.iloc[:, source.columns.index(source.column("time"))]
    columns = {
        source.column("series"): np.array(done.names, dtype=object)[i],
        source.column("time"): times.iloc[source.rows[before[i] + t]].to_numpy(),
        "variate": np.array(done.variates, dtype=object)[v],
        "value": rounded(done.values[i, t, v]),
    }
    return pandas.DataFrame(
        columns if spread is None else {**columns, "spread": rounded(spread.values[i, t, v])}
    )


def _examples(x: Collection, count: int = 5) -> list[tuple[int, int]]:
    """Series and variates to look at: as different ones as there are, with gaps and something around them."""
    gaps, seen = x.missing.sum(axis=1), x.observed.sum(axis=1)  # (N, V)
    worth = np.where((gaps > 0) & (seen > 1), np.minimum(gaps, seen), 0).astype(np.float64)
    chosen: list[tuple[int, int]] = []
    while len(chosen) < count and worth.any():
        i, v = (int(place) for place in np.unravel_index(np.argmax(worth), worth.shape))
        chosen.append((i, v))
        worth[i] = 0
        worth[:, v] /= gaps.sum()  # a variate that was shown comes after all others
    return chosen or [(0, 0)]
