"""Fig. miss c: over the weight of the L2 penalty."""

from __future__ import annotations

from collections.abc import Sequence

from tkae.experiments.base import Experiment
from tkae.report.drawing import Drawing, StoredArrays
from tkae.report.figures.accuracy_and_error import accuracy_and_error
from tkae.report.summary import Row


def figure(experiment: Experiment, rows: Sequence[Row], arrays: StoredArrays, about: str) -> Drawing | None:
    return accuracy_and_error(
        rows,
        axis="model.l2",
        axis_title=r"$\lambda$",
        caption=f"{experiment.caption}. {about}",
        logarithmic=True,
    )
