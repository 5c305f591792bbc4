"""Sinusoids of different frequencies (in-text figures, Figs. AEsins, sin_test): PCA, AE and TAE."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tkae.config import Protocol
from tkae.data.collection import Collection, Floats
from tkae.data.dataset import Dataset
from tkae.data.prepare import Task
from tkae.experiments.reconstruction import Reconstruction, label
from tkae.models.base import Model

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tkae.report.drawing import Arrays, Drawing, Kept
    from tkae.report.summary import Row

SAMPLE = 0  # the test series that the figure shows: the first, whatever it looks like
FREQUENCIES = (0.2, 0.6)  # a of the sinusoids whose codes it compares
PHASES = np.linspace(0.0, 2 * np.pi, 64, endpoint=False)  # b of these


@dataclass
class Sinusoids(Reconstruction):
    """The figure has a test series of the first run, what each method makes of it, and codes of the AE."""

    name: ClassVar[str] = "sinusoids"
    title: ClassVar[str] = (
        "reconstruction of sinusoids: PCA, AE, TAE (in the text, Figs. AEsins and sin_test)"
    )
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
        made = {
            "series": task.test.original.values[SAMPLE, :steps, 0],
            "reconstruction": model.reconstruct(one)[0, :steps, 0],
        }
        if model.can("encode"):  # (frequencies, phases, D_z)
            codes = model.encode(_probes(*task.test.given.shape[1:]))
            made["codes"] = codes.reshape(len(FREQUENCIES), len(PHASES), -1)
        return made

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
        dense = [label(row) for row in rows if row.method == "ae" and label(row) in sample]
        codes = sample[dense[0]]["codes"] if dense else np.zeros((0, 0, 0))
        caption = (
            f"Reconstructions of a sample sinusoid: the first test series of seed {min(seeds)}. Below, where "
            f"there is an AE: its code for sinusoids of two frequencies a, over their phase. {about}"
        )
        return Drawing(caption, _numbers(curves, codes), partial(_draw, curves, codes), (6.0, 4.4))


def _probes(steps: int, width: int) -> Collection:
    """Sinusoids of every frequency and phase, one after the other, the same in each variate."""
    a, b = (grid.ravel()[:, None] for grid in np.meshgrid(FREQUENCIES, PHASES, indexing="ij"))
    return Collection(np.repeat(np.sin(a * np.arange(steps) + b)[:, :, None], width, axis=2))


def _numbers(curves: Mapping[str, Floats], codes: Floats) -> list[dict[str, Any]]:
    """Every curve of the figure, point by point."""
    points = [
        {"panel": "sample", "curve": name, "x": t, "y": float(y)}
        for name, curve in curves.items()
        for t, y in enumerate(curve)
    ]
    return points + [
        {"panel": f"a={a}", "curve": f"neuron {k + 1}", "x": float(b), "y": float(z)}
        for a, patterns in zip(FREQUENCIES, codes, strict=False)
        for b, code in zip(PHASES, patterns, strict=True)
        for k, z in enumerate(code)
    ]


def _draw(curves: Mapping[str, Floats], codes: Floats, figure: Figure) -> None:
    panels = figure.subplot_mosaic([["sample"] * 2, list(FREQUENCIES)] if len(codes) else [["sample"]])
    for name, curve in curves.items():
        panels["sample"].plot(curve, "k--" if name == "original" else "-", label=name)
    panels["sample"].set(xlabel="t (steps)", ylabel="y(t)")
    figure.legend(loc="outside upper center", ncols=4 if max(map(len, curves)) < 12 else 2)
    for a, patterns in zip(FREQUENCIES, codes, strict=False):
        extent = (0.0, 2 * np.pi, patterns.shape[1] + 0.5, 0.5)
        image = panels[a].imshow(patterns.T, cmap="coolwarm", vmin=-1, vmax=1, aspect="auto", extent=extent)
        panels[a].set(title=f"AE, sin({a} t + b)", xlabel="phase b (rad)", ylabel="neuron of the code")
        panels[a].grid(visible=False)
    if len(codes):
        figure.colorbar(image, ax=[panels[a] for a in FREQUENCIES], label="activation")
