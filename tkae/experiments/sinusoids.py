"""Sinusoids of different frequencies (in-text figures, Fig. sin_test): PCA, AE and TAE reconstruct them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from tkae.config import Protocol
from tkae.data.dataset import Dataset
from tkae.data.prepare import Task
from tkae.experiments.reconstruction import Reconstruction, label
from tkae.models.base import Model

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tkae.report.drawing import Arrays, Drawing, Kept
    from tkae.report.summary import Row

SAMPLE = 0  # the test series that the figure shows: the first, whatever it looks like


@dataclass
class Sinusoids(Reconstruction):
    """The figure has one test series of the first run, and what each method makes of it."""

    name: ClassVar[str] = "sinusoids"
    title: ClassVar[str] = "reconstruction of sinusoids: PCA, AE, TAE (in the text, Fig. sin_test)"
    place: ClassVar[str] = "fig:sin_test"
    caption: ClassVar[str] = "Reconstruction MSE of sinusoids of random frequency and phase"

    def notes(self, datasets: Sequence[Dataset]) -> list[str]:
        return [
            "The authors' program trained 30000 epochs here; under every protocol ours trains as many as the "
            "budget says."
        ]

    def arrays(self, model: Model, task: Task, protocol: Protocol) -> Arrays:
        one = task.test.given.take([SAMPLE])
        steps = int(one.lengths[0])
        return {
            "series": task.test.original.values[SAMPLE, :steps, 0],
            "reconstruction": model.reconstruct(one)[0, :steps, 0],
        }

    def drawing(self, rows: Sequence[Row], kept: Kept, about: str) -> Drawing | None:
        from tkae.report.drawing import Drawing

        held = {label(row): found for row in rows if (found := kept(row))}
        seeds = set.intersection(*map(set, held.values())) if held else set()
        if not seeds:
            return None
        sample = {name: by_seed[min(seeds)] for name, by_seed in held.items()}
        series = next(iter(sample.values()))["series"]
        curves = {"original": series}
        for name, one in sample.items():  # of other data, where a command has several, nothing is shown
            if np.array_equal(one["series"], series):
                curves[name] = one["reconstruction"]
        numbers = [
            {"t": t, **{name: float(curve[t]) for name, curve in curves.items()}} for t in range(len(series))
        ]

        def draw(figure: Figure) -> None:
            axes = figure.subplots()
            for name, curve in curves.items():
                axes.plot(curve, "k--" if name == "original" else "-", label=name)
            axes.set(xlabel="t (steps)", ylabel="y(t)")
            figure.legend(loc="outside upper center", ncols=len(curves))

        caption = f"Reconstructions of a sample sinusoid: the first test series of seed {min(seeds)}. {about}"
        return Drawing(caption, numbers, draw, (6.0, 2.6))
