"""Series of fixed and of variable length (Tab. ODE1): what padding costs models of a fixed input size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tkae.experiments.reconstruction import Reconstruction


@dataclass
class VariableLength(Reconstruction):
    """PCA and the AE see shorter series padded with zeros; the TAE stops where a series ends."""

    name: ClassVar[str] = "variable_length"
    title: ClassVar[str] = "reconstruction of series of fixed and variable length: PCA, AE, TAE (Tab. ODE1)"
    place: ClassVar[str] = "tab:ODE1"
    caption: ClassVar[str] = "Reconstruction MSE of series of fixed (ODEfix) and variable (ODEvar) length"
