"""Series of 50 to 200 steps (Fig. T_incr): the error of the TAE grows with their length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from tkae.experiments.reconstruction import Reconstruction, label

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tkae.report.drawing import Drawing, Kept
    from tkae.report.summary import Row

LENGTH = "dataset.steps"


@dataclass
class LongSeries(Reconstruction):
    """The figure has MSE over T, a line for each method, with the standard deviation over runs."""

    name: ClassVar[str] = "long_series"
    title: ClassVar[str] = "reconstruction over T = 50 to 200: PCA, AE, TAE (Fig. T_incr)"
    place: ClassVar[str] = "fig:T_incr"
    caption: ClassVar[str] = "Reconstruction MSE when the length T of the series in ODE15 increases"

    def drawing(self, rows: Sequence[Row], kept: Kept, about: str) -> Drawing | None:
        from tkae.report.drawing import Drawing

        numbers = [_point(row) for row in rows if LENGTH in row.axes and row.mean is not None]
        if not numbers:
            return None

        def draw(figure: Figure) -> None:
            axes = figure.subplots()
            for method in dict.fromkeys(one["method"] for one in numbers):
                line = sorted((one for one in numbers if one["method"] == method), key=lambda one: one["T"])
                steps, means = [one["T"] for one in line], [one["mean"] for one in line]
                (drawn,) = axes.plot(steps, means, marker="o", label=method)
                low = [one["mean"] - (one["std"] or 0.0) for one in line]
                high = [one["mean"] + (one["std"] or 0.0) for one in line]
                axes.fill_between(steps, low, high, color=drawn.get_color(), alpha=0.2, linewidth=0)
            axes.set(xlabel="length T (steps)", ylabel="test MSE", ylim=(0, None))
            axes.set_xticks(sorted({one["T"] for one in numbers}))
            axes.legend(title="mean ± std over runs")

        return Drawing(f"{self.caption}. {about}", numbers, draw, (5.0, 3.5))


def _point(row: Row) -> dict[str, Any]:
    """A point of the figure."""
    return {
        "dataset": row.dataset_title,
        "method": label(row),
        "T": row.axes[LENGTH],
        "mean": row.mean,
        "std": row.std,
        "n": row.n,
    }
