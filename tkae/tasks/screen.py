"""`tkae-apply screen`: how unlike the others every series is, the most anomalous first."""

from __future__ import annotations

import numpy as np

from tkae.models.base import Model
from tkae.tasks.base import Made, Task
from tkae.tasks.options import Options
from tkae.tasks.pictures import most_anomalous
from tkae.tasks.source import Source, rounded

SHOWN = 4  # series in the picture


def run(model: Model, source: Source, options: Options) -> Made:
    """The larger the score, the less a series is like those that the model learned from."""
    scores = rounded(-model.score_samples(source.series))
    order = np.argsort(-scores, kind="stable")
    ranks = np.empty(len(scores), dtype=np.int64)
    ranks[order] = np.arange(1, len(scores) + 1)
    first = ", ".join(f"{source.series.names[i]} ({scores[i]:.3g})" for i in order[:SHOWN])
    return Made(
        source.told({"score": scores, "rank": ranks}).iloc[order],
        [f"the most anomalous of {len(scores)} series: {first}; the median score is {np.median(scores):.3g}"],
        lambda figure: most_anomalous(figure, source.series, scores, order[:SHOWN]),
        (8.0, 1.5 * min(SHOWN, len(scores)) + 2.0),
    )


TASK = Task("screen", ("screen",), run)
