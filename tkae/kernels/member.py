"""One member of the ensemble: the prior from the drawn block, the fitted mixture, and how many are stored."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tkae.data.collection import Bools, Floats, Ints
from tkae.kernels.draws import Draw
from tkae.storage import Arrays


class Mixture(NamedTuple):
    """A fitted mixture on the steps [start, start + T) of some variates; mu has the rows t V + v."""

    start: int
    steps: int
    variates: Ints  # (V)
    theta: Floats  # (C)
    mu: Floats  # (T V, C)
    s2: Floats  # (V, C)


def fit_member(values: Floats, observed: Bools, draw: Draw, iterations: int) -> Mixture:
    """The MAP-EM mixture of one draw from the series `values`, `observed` (N, T, V).

    A variate with no spread among the drawn entries (constant, or seen less than twice) says nothing about
    clusters and would have the prior variance 0: it is left out of the member.
    """
    from tkae.kernels.mixture import list_entries, map_em

    steps, variates = draw.stop - draw.start, draw.variates
    entries = list_entries(values, observed, draw.rows, draw.start, draw.stop, variates)
    means, s0 = _moments(entries[2], entries[3], len(variates))
    spread = s0 > 1e-12 * np.abs(means)
    if not spread.all():
        variates, means, s0 = variates[spread], means[spread], s0[spread]
        entries = list_entries(values, observed, draw.rows, draw.start, draw.stop, variates)
    _, position, _, x = entries
    size = steps * len(variates)
    counts = np.bincount(position, minlength=size).reshape(steps, -1)
    sums = np.bincount(position, x, minlength=size).reshape(steps, -1)
    # a step that nobody has observed takes the mean of its variate over the segment
    mean0 = np.where(counts > 0, sums / np.maximum(counts, 1), means)
    prior = (mean0, s0, precision(draw.a0, steps), draw.b0, draw.n0)
    theta, mu, s2 = map_em(*entries, draw.clusters, draw.components, iterations, *prior)
    return Mixture(draw.start, steps, variates, theta, mu, s2)


def precision(a0: float, steps: int) -> Floats:
    """The inverse of exp(-a0 (t - u)^2) (T, T), with 0.1 on the diagonal where rcond is below 1e-8."""
    from tkae.kernels.mixture import inverse

    lags = np.array([math.exp(-a0 * lag * lag) for lag in range(steps)])  # np.exp depends on the processor
    correlation = lags[np.abs(np.subtract.outer(np.arange(steps), np.arange(steps)))]
    found = inverse(correlation)
    condition = np.abs(correlation).sum(axis=0).max() * np.abs(found).sum(axis=0).max()
    return np.asarray(found if condition <= 1e8 else inverse(correlation + 0.1 * np.eye(steps)))


def member_posteriors(mixture: Mixture, values: Floats, observed: Bools) -> Floats:
    """The posteriors (N, C) of any series; one with nothing observed here has the mixture's theta."""
    from tkae.kernels.mixture import list_entries, posteriors

    rows = np.arange(len(values))
    stop = mixture.start + mixture.steps
    entries = list_entries(values, observed, rows, mixture.start, stop, mixture.variates)
    return np.asarray(posteriors(*entries, mixture.theta, mixture.mu, mixture.s2))


def pack(mixtures: Sequence[Mixture]) -> Arrays:
    """All mixtures as five arrays, to be stored: `sizes_` has the rows (start, T, V, C)."""
    return {
        "sizes_": np.array([(m.start, m.steps, len(m.variates), len(m.theta)) for m in mixtures]),
        "variates_": np.concatenate([m.variates for m in mixtures]),
        "theta_": np.concatenate([m.theta for m in mixtures]),
        "mu_": np.concatenate([m.mu.ravel() for m in mixtures]),
        "s2_": np.concatenate([m.s2.ravel() for m in mixtures]),
    }


def unpack(sizes: Ints, variates: Ints, theta: Floats, mu: Floats, s2: Floats) -> list[Mixture]:
    """What `pack` was given."""
    _, steps, width, components = sizes.T
    by_v, by_c = np.cumsum(width)[:-1], np.cumsum(components)[:-1]
    by_mu, by_s2 = np.cumsum(steps * width * components)[:-1], np.cumsum(width * components)[:-1]
    split = (np.split(variates, by_v), np.split(theta, by_c), np.split(mu, by_mu), np.split(s2, by_s2))
    return [
        Mixture(int(size[0]), int(size[1]), v, th, m.reshape(-1, len(th)), s.reshape(-1, len(th)))
        for size, v, th, m, s in zip(sizes, *split, strict=True)
    ]


def fits(mixture: Mixture, steps: int, width: int) -> bool:
    """Whether a mixture is of a part of series with so many steps and variates, and of the right shapes."""
    start, own, variates, theta, mu, s2 = mixture
    within = start >= 0 and own >= 1 and start + own <= steps and ((variates >= 0) & (variates < width)).all()
    kinds = variates.dtype == np.int64 and all(part.dtype == np.float64 for part in (theta, mu, s2))
    shapes = mu.shape == (own * len(variates), len(theta)) and s2.shape == (len(variates), len(theta))
    return bool(within and kinds and shapes)


def _moments(variate: npt.NDArray[np.uint32], x: Floats, width: int) -> tuple[Floats, Floats]:
    """The mean and the standard deviation (N - 1 in the denominator) of each variate; 0 for no entry."""
    counts = np.bincount(variate, minlength=width)
    means = np.bincount(variate, x, minlength=width) / np.maximum(counts, 1)
    squares = np.bincount(variate, (x - means[variate]) ** 2, minlength=width)
    return means, np.sqrt(squares / np.maximum(counts - 1, 1))
