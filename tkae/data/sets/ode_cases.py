"""The paper's six ODE datasets: cases of the generator `ode` with other defaults.

All of them draw from the streams of `ode`, so run number s has one A and one set of starts for each V: ODEvar
is ODEfix cut short, and ODE10 with `steps=90` is ODEfix. Datasets are compared on the same systems.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tkae.data.sets.ode import ODE
from tkae.fields import setting


@dataclass
class ODEFix(ODE):
    """V = 10, T = 90: the generator as it is."""

    name: ClassVar[str] = "ode_fix"
    title: ClassVar[str] = "ODEfix"


@dataclass
class ODEVar(ODE):
    """V = 10, T from 30 to 90."""

    name: ClassVar[str] = "ode_var"
    title: ClassVar[str] = "ODEvar"

    shortest: int | None = setting(30, at_least=2)


@dataclass
class ODE5(ODE):
    """V = 5, T = 50."""

    name: ClassVar[str] = "ode5"
    title: ClassVar[str] = "ODE5"

    variates: int = setting(5, at_least=1)
    steps: int = setting(50, at_least=2)


@dataclass
class ODE10(ODE):
    """V = 10, T = 50."""

    name: ClassVar[str] = "ode10"
    title: ClassVar[str] = "ODE10"

    steps: int = setting(50, at_least=2)


@dataclass
class ODE15(ODE):
    """V = 15, T = 50."""

    name: ClassVar[str] = "ode15"
    title: ClassVar[str] = "ODE15"

    variates: int = setting(15, at_least=1)
    steps: int = setting(50, at_least=2)


@dataclass
class ODE20(ODE):
    """V = 20, T = 50."""

    name: ClassVar[str] = "ode20"
    title: ClassVar[str] = "ODE20"

    variates: int = setting(20, at_least=1)
    steps: int = setting(50, at_least=2)
