"""The geometry of a chart: values become places in a square of 1000 by 1000, with y downwards as in SVG."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tkae.report.style import DECADE

SIDE = 1000
MOST = 6  # marks on an axis


@dataclass(frozen=True)
class Axis:
    """From `low` to `high`; marks are chosen by matplotlib, as in the printed figures."""

    low: float
    high: float
    logarithmic: bool = False

    @classmethod
    def around(cls, values: Iterable[float], logarithmic: bool | None = None, room: float = 0.05) -> Axis:
        """With all of these and some room; whether it is logarithmic follows from them if not said."""
        known = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
        low, high = min(known), max(known)
        if logarithmic is None:
            logarithmic = low > 0 and high > DECADE * low
        if logarithmic:
            share = (high / low) ** room if high > low else 1.1
            return cls(low / share, high * share, True)
        more = room * ((high - low) or abs(high) or 1.0)
        return cls(low - more, high + more)

    def at(self, value: float) -> float:
        """0 at its low end, 1 at its high one."""
        if self.logarithmic:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def x(self, value: float) -> int:
        return round(SIDE * self.at(value))

    def y(self, value: float) -> int:
        return round(SIDE * (1 - self.at(value)))

    @property
    def marks(self) -> list[tuple[float, str]]:
        """Values and their texts."""
        from matplotlib.ticker import LogLocator, MaxNLocator

        if self.logarithmic:
            decades = math.log10(self.high / self.low)
            subs = (1.0, 2.0, 5.0) if decades < 2.5 else (1.0,)
            values = LogLocator(subs=subs, numticks=MOST + 3).tick_values(self.low, self.high)
        else:
            values = MaxNLocator(MOST).tick_values(self.low, self.high)
        return [(float(v), f"{float(v):.6g}") for v in values if self.low <= v <= self.high]


@dataclass(frozen=True)
class Dot:
    """A marked point: where it is, and what is said of it."""

    x: int
    y: int
    says: str
    low: int | None = None  # the ends of its interval
    high: int | None = None


@dataclass(frozen=True)
class Line:
    """A line of a chart: its path, its marked points, the band around it and what the paper prints."""

    name: str
    path: str
    dots: Sequence[Dot] = ()
    band: str = ""
    printed: Sequence[Dot] = ()


@dataclass(frozen=True)
class Chart:
    """Lines over one axis."""

    title: str
    x: Axis
    y: Axis
    x_title: str
    y_title: str
    lines: Sequence[Line]
    values: Sequence[float] = field(default=())  # marks of the x axis, where these are given


def path(points: Iterable[tuple[int, int]]) -> str:
    """Of an SVG path: `M0 12L30 50`."""
    return "".join(f"{'L' if i else 'M'}{x} {y}" for i, (x, y) in enumerate(points))


def band(x: Sequence[int], low: Sequence[int], high: Sequence[int]) -> str:
    """The area between two lines."""
    there, back = zip(x, high, strict=True), zip(reversed(x), reversed(low), strict=True)
    return path([*there, *back]) + "Z"
