"""Series of 50 to 200 steps (Fig. T_incr): the error of the TAE grows with their length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tkae.experiments.reconstruction import Reconstruction

if TYPE_CHECKING:
    from tkae.report.drawing import Drawing, Kept
    from tkae.report.summary import Row


@dataclass
class LongSeries(Reconstruction):
    """The figure has MSE over T, a line for each method."""

    name: ClassVar[str] = "long_series"
    title: ClassVar[str] = "reconstruction over T = 50 to 200: PCA, AE, TAE (Fig. T_incr)"
    place: ClassVar[str] = "fig:T_incr"
    caption: ClassVar[str] = "Reconstruction MSE when the length T of the series in ODE15 increases"

    def drawing(self, rows: Sequence[Row], kept: Kept, about: str) -> Drawing | None:
        from tkae.report.lengths import over_lengths

        return over_lengths(rows, f"{self.caption}. {about}")
