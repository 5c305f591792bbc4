"""What chance decides for a member of the ensemble: series, variates, segment, prior and first clusters."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tkae.data.collection import Ints
from tkae.seeding import stream


@dataclass(frozen=True)
class Ranges:
    """The least and the most of what a member draws."""

    series: tuple[int, int]
    variates: tuple[int, int]
    steps: tuple[int, int]

    @classmethod
    def of(
        cls, shape: tuple[int, int, int], share: float, variates: tuple[int, int], steps: tuple[int, int]
    ) -> Ranges:
        """The reference's ranges for the shape (N, T, V), defined also where there is little.

        A subset has at most 90 % of the variates and a segment 80 % of the steps, unless the least number
        asks for more, and nothing asks for more than there is. At least `share` of the series are drawn;
        up to 100 series, always 90 %.
        """
        n, length, width = shape
        few = max(1, _round(0.9 * n))
        least_v, least_t = min(variates[0], width), min(steps[0], length)
        return cls(
            series=(max(1, _round(share * n)), n) if n > 100 else (few, few),
            variates=(least_v, max(least_v, min(math.ceil(0.9 * width), variates[1]))),
            steps=(least_t, max(least_t, min(math.floor(0.8 * length), steps[1]))),
        )


@dataclass(frozen=True)
class Draw:
    """One member: `rows` and `variates` ascending, the segment [start, stop), the prior's a0, b0, n0."""

    components: int
    a0: float  # how fast the prior's correlation over time falls
    b0: float  # the scale of the prior on the means
    n0: float  # the weight of the prior on the variances
    rows: Ints
    variates: Ints
    start: int
    stop: int
    clusters: Ints  # the component that each of `rows` is assigned to at first


def draw(seed: int, components: int, q: int, ranges: Ranges, shape: tuple[int, int, int]) -> Draw:
    """Member (q, components) of this seed's ensemble: it has its own stream, so no member moves another.

    The authors' MATLAB program re-seeds the subsets, so that only their sizes vary; here they are drawn, as
    the paper's Alg. 1 says.
    """
    n, length, width = shape
    rng = stream(seed, "tck", components, q)
    a0, b0, n0 = (float(rng.uniform(*bounds)) for bounds in ((0.001, 1.0), (0.005, 0.2), (0.001, 0.2)))
    rows = _subset(rng, n, ranges.series)
    variates = _subset(rng, width, ranges.variates)
    least, most = ranges.steps
    start = int(rng.integers(0, length - least, endpoint=True))
    stop = int(rng.integers(start + least, min(length, start + most), endpoint=True))
    clusters = rng.integers(0, components, size=len(rows))
    return Draw(components, a0, b0, n0, rows, variates, start, stop, clusters)


def _subset(rng: np.random.Generator, n: int, sizes: tuple[int, int]) -> Ints:
    size = int(rng.integers(*sizes, endpoint=True))
    return np.sort(rng.choice(n, size, replace=False)).astype(np.int64)


def _round(x: float) -> int:
    """Half away from zero, as MATLAB has it."""
    return math.floor(x + 0.5)
