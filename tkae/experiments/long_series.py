"""Series of 50 to 200 steps (Fig. T_incr): the error of the TAE grows with their length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tkae.experiments.reconstruction import Reconstruction


@dataclass
class LongSeries(Reconstruction):
    """The figure has MSE over T, a line for each method."""

    name: ClassVar[str] = "long_series"
    title: ClassVar[str] = "reconstruction over T = 50 to 200: PCA, AE, TAE (Fig. T_incr)"
    place: ClassVar[str] = "fig:T_incr"
    caption: ClassVar[str] = "Reconstruction MSE when the length T of the series in ODE15 increases"
