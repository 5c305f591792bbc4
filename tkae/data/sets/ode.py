"""The ODE system dy/dt = A tanh(y): series of fixed or variable length from random starts.

`ode` is the generator with all its settings. The paper's six datasets are presets of it, such as
conf/dataset/ode5.yaml. All draw from the same streams: run s has one A and one set of starts for each V.
ODEvar is ODEfix cut short, and ODE10 with `steps=90` is ODEfix. Datasets are compared on the same systems.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tkae.data.collection import Collection, Floats, refuse_too_large
from tkae.data.dataset import Splits
from tkae.data.files import Files
from tkae.data.sets.generated import Generated
from tkae.errors import UserError
from tkae.fields import setting

FIELDS = {"tanh": np.tanh, "sin": np.sin}
TOLERANCE = 1e-9


@dataclass
class ODE(Generated):
    """Every seed has its own A (V, V): half of its entries 0, the rest U(-0.5, 0.5), spectral radius 0.8."""

    name: ClassVar[str] = "ode"
    title: ClassVar[str] = "ODE"
    labelled: ClassVar[bool] = False  # of one system, as they are by default
    generator: ClassVar[str] = "ode"

    train: int = setting(400, at_least=1, at_most=1_000_000)
    test: int = setting(1000, at_least=1, at_most=1_000_000)
    variates: int = setting(10, at_least=1, at_most=10_000)
    steps: int = setting(90, at_least=2, at_most=100_000)  # of the longest series
    shortest: int | None = setting(
        None, at_least=2
    )  # lengths are drawn from here to `steps`; null: all alike
    duration: float | None = setting(None, at_least=0.0)  # t runs from 0 to here; null: half a unit a step
    warped: bool = False  # a shorter series runs through the whole duration, instead of being cut
    start: str = setting("uniform", one_of=("uniform", "normal"))  # y(0) ~ U(0, 1) or N(0, 1)
    function: str = setting("tanh", one_of=tuple(FIELDS))
    # Series are shared out among so many A, which are then classes.
    systems: int = setting(1, at_least=1, at_most=10_000)
    sparsity: float = setting(0.5, at_least=0, at_most=0.99)
    radius: float = setting(0.8, at_least=0)

    def __post_init__(self) -> None:
        if self.shortest is not None and self.shortest > self.steps:
            raise UserError(
                f"{self.name}: shortest={self.shortest} is above steps={self.steps}: exchange them"
            )
        if self.duration == 0:
            raise UserError(f"{self.name}: duration=0 is not allowed: it takes a number above 0, or null")

    def load(self, files: Files, seed: int) -> Splits:
        systems = [
            random_system(self.variates, self.sparsity, self.radius, self.chance(seed, "A", k))
            for k in range(self.systems)
        ]
        both = [self._split(systems, self.chance(seed, split), n) for split, n in self._sizes().items()]
        classes = tuple(str(k) for k in range(self.systems)) if self.systems > 1 else ()
        return self.finished(both[0], both[1], classes)

    def _sizes(self) -> dict[str, int]:
        return {"train": self.train, "test": self.test}

    def _split(self, systems: list[Floats], rng: np.random.Generator, count: int) -> Collection:
        refuse_too_large(count, self.steps, self.variates)
        shape = (count, self.variates)
        starts = rng.random(shape) if self.start == "uniform" else rng.standard_normal(shape)
        low = self.steps if self.shortest is None else self.shortest
        lengths = rng.integers(low, self.steps, endpoint=True, size=count)
        which = np.arange(count) % self.systems
        duration = self.steps / 2 if self.duration is None else self.duration
        values = np.zeros((count, self.steps, self.variates))
        points = lengths if self.warped else np.full(count, self.steps)  # on which a series is integrated
        for k in range(self.systems):
            for n in np.unique(points[which == k]):
                rows = np.flatnonzero((which == k) & (points == n))
                times = np.linspace(0.0, duration, n)
                values[rows, :n] = integrate(systems[k], starts[rows], times, self.function)
        labels = which if self.systems > 1 else None
        return Collection(values, _within(lengths, values.shape), lengths, labels)


def random_system(width: int, sparsity: float, radius: float, rng: np.random.Generator) -> Floats:
    """A (V, V) with this share of zeros and this spectral radius; drawn again if it had none (nilpotent)."""
    while True:
        a = rng.uniform(-0.5, 0.5, width * width)
        a[rng.permutation(a.size)[: round(sparsity * a.size)]] = 0.0
        a = a.reshape(width, width)
        size = np.abs(np.linalg.eigvals(a)).max()
        if size > 1e-6:
            return np.asarray(a * (radius / size))


def integrate(a: Floats, starts: Floats, times: Floats, function: str = "tanh") -> Floats:
    """Solutions (N, T, V) of dy/dt = A f(y) from `starts` (N, V) at `times` (T), all series at once."""
    from scipy.integrate import solve_ivp
    from threadpoolctl import threadpool_limits

    f = FIELDS[function]

    def slope(_: float, y: Floats) -> Floats:
        return np.asarray(np.einsum("ij,jn->in", a, f(y.reshape(a.shape[0], -1)))).ravel()

    with threadpool_limits(1):  # sums in one order, whatever the number of threads
        solved = solve_ivp(
            slope, (times[0], times[-1]), starts.T.ravel(), "DOP853", times, rtol=TOLERANCE, atol=TOLERANCE
        )
    return np.asarray(solved.y.reshape(a.shape[0], len(starts), len(times)).transpose(1, 2, 0))


def _within(lengths: npt.NDArray[np.int64], shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    return np.broadcast_to((np.arange(shape[1]) < lengths[:, None])[:, :, None], shape).copy()
