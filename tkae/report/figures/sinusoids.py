"""Figs. sin_test and AEsins: a sinusoid with its reconstructions, and codes of the AE at two frequencies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from tkae.data.collection import Floats
from tkae.experiments.base import Experiment
from tkae.experiments.sinusoids import FREQUENCIES, PHASES
from tkae.report.drawing import Drawing, StoredArrays
from tkae.report.figures.shared_run import first_shared_run, method_label
from tkae.report.style import COLUMN
from tkae.report.summary import Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Codes = dict[float, Floats]  # frequency -> activations (phases, D_z)


def figure(experiment: Experiment, rows: Sequence[Row], arrays: StoredArrays, about: str) -> Drawing | None:
    """The series of the first run that all methods have; the codes where there is an AE among them."""
    shared = first_shared_run(rows, arrays)
    if shared is None:
        return None
    seed, runs = shared
    series = next(iter(runs.values()))["series"]
    curves = {"original": series}
    for name, run in runs.items():  # of other data, where a command has several, nothing is shown
        if np.array_equal(run["series"], series):
            curves[name] = run["reconstruction"]
    dense = [method_label(row) for row in rows if row.method == "ae" and method_label(row) in runs]
    codes = dict(zip(FREQUENCIES, runs[dense[0]]["codes"], strict=True)) if dense else {}
    below = " Below: the code of the AE for sinusoids of two frequencies, over their phase." if codes else ""
    caption = f"Reconstructions of a sample sinusoid, the first test series of seed {seed}.{below} {about}"
    size = (COLUMN, 3.6 if codes else 1.9)
    return Drawing(caption, _numbers(curves, codes), partial(_draw, curves, codes), size)


def _numbers(curves: Mapping[str, Floats], codes: Codes) -> list[dict[str, Any]]:
    """Every curve of the figure, point by point."""
    points = [
        {"panel": "sample", "curve": name, "x": t, "y": float(y)}
        for name, curve in curves.items()
        for t, y in enumerate(curve)
    ]
    return points + [
        {"panel": f"a={a}", "curve": f"neuron {k + 1}", "x": float(b), "y": float(z)}
        for a, patterns in codes.items()
        for b, code in zip(PHASES, patterns, strict=True)
        for k, z in enumerate(code)
    ]


def _draw(curves: Mapping[str, Floats], codes: Codes, figure: Figure) -> None:
    panels: dict[Any, Any] = figure.subplot_mosaic(
        [["sample"] * len(codes), list(codes)] if codes else [["sample"]]
    )
    for name, curve in curves.items():
        panels["sample"].plot(curve, "k--" if name == "original" else "-", linewidth=0.9, label=name)
    panels["sample"].set(xlabel="t (steps)", ylabel="y(t)")
    figure.legend(loc="outside upper center", ncols=4 if max(map(len, curves)) < 12 else 2)
    for a, patterns in codes.items():
        extent = (0.0, 2 * np.pi, patterns.shape[1] + 0.5, 0.5)
        image = panels[a].imshow(
            patterns.T,
            cmap="coolwarm",
            vmin=-1,
            vmax=1,
            aspect="auto",
            extent=extent,
            interpolation="nearest",
        )
        panels[a].set(title=f"AE, sin({a} t + b)", xlabel="b (rad)", ylabel="neuron")
        panels[a].grid(visible=False)
    if codes:
        figure.colorbar(image, ax=[panels[a] for a in codes], label="activation")
