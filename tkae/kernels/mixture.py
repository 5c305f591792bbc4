"""One diagonal Gaussian mixture with time-dependent means, fitted by MAP-EM in log space (Numba).

Only observed entries are ever visited: they are listed once a member, series after series, so that the
cost falls with the share of missing entries. The innermost loops run over the components, padded to a
multiple of `LANES` so that they vectorise; a padded component has the prior probability 0. The position of
step t of the v-th drawn variate is t V + v, and an array of J positions has J = T V rows.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from tkae.compiled.jit import jit
from tkae.data.collection import Bools, Floats, Ints

Indices = npt.NDArray[np.uint32]

LANES = 8  # components are padded to a multiple of this
BLOCK = 32  # systems solved side by side
FLOOR = -0.5 * math.log(2 * math.pi) - 4.5  # log phi(3): no single entry counts as less likely
LN2_HIGH, LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10  # whose sum is ln(2); e LN2_HIGH is exact
NOTHING = -45.0  # a posterior below exp(-45) of the largest is 0

_jit: Any = jit  # Numba finds the types of what follows


@jit
def list_entries(
    values: Floats, observed: Bools, rows: Ints, start: int, stop: int, variates: Ints
) -> tuple[Ints, Indices, Indices, Floats]:
    """The observed entries of a member's block: where each series begins, then position, variate, value."""
    width = len(variates)
    most = len(rows) * (stop - start) * width
    begins = np.zeros(len(rows) + 1, np.int64)
    position, variate, x = np.empty(most, np.uint32), np.empty(most, np.uint32), np.empty(most)
    e = np.uint64(0)  # unsigned: Numba need not look for negative indices
    for i in range(len(rows)):
        for t in range(start, stop):
            seen, now = observed[rows[i], t], values[rows[i], t]
            for v in range(width):
                if seen[variates[v]]:
                    position[e] = (t - start) * width + v
                    variate[e] = v
                    x[e] = now[variates[v]]
                    e += np.uint64(1)
        begins[i + 1] = e
    return begins, position[:e], variate[:e], x[:e]


@_jit
def posteriors(begins, position, variate, x, theta, mu, s2):  # type: ignore[no-untyped-def]
    """P(component | observed entries) (n, C) under theta (C), mu (J, C), s2 (V, C)."""
    components = len(theta)
    lanes = _padded(components)
    wide = np.zeros(lanes), np.zeros((len(mu), lanes)), np.ones((len(s2), lanes))
    wide[0][:components], wide[1][:, :components], wide[2][:, :components] = theta, mu, s2
    q = np.empty((len(begins) - 1, lanes))
    _e_step(begins, position, variate, x, wide[0], wide[1], wide[2], q)
    return q[:, :components].copy()


@_jit
def map_em(  # type: ignore[no-untyped-def]
    begins, position, variate, x, clusters, components, iterations, mean0, s0, precision, b0, n0
):
    """theta (C), mu (J, C), s2 (V, C) after `iterations` M steps from the first assignment `clusters` (n).

    mean0 (T, V) and s0 (V) are the empirical means and standard deviations, `precision` (T, T) the inverse
    of the prior's correlation over time: the prior on a mean is N(mean0_v, s0_v b0 precision^-1). As in the
    reference, an M step's s2 uses the means of the step before, and these start at 0.
    """
    n, (steps, width) = len(clusters), mean0.shape
    lanes = _padded(components)
    centre = mean0.sum(axis=0) / steps  # values are taken from here, so that squares lose no digits
    x = x.copy()
    squares = np.zeros((n, width))
    for i in range(n):
        for e in range(begins[i], begins[i + 1]):
            x[e] -= centre[variate[e]]
            squares[i, variate[e]] += x[e] * x[e]
    q, theta, s2 = np.zeros((n, lanes)), np.empty(lanes), np.empty((width, lanes))
    mu, moments = np.empty((steps * width, lanes)), np.empty((steps * width, 2, lanes))
    for j in range(len(mu)):
        mu[j] = -centre[j % width]
    for i in range(n):
        q[i, clusters[i]] = 1.0
    pull = np.zeros((steps, width))
    for t in range(steps):
        for u in range(steps):
            pull[t] += precision[t, u] * (mean0[u] - centre)
    gain, room = np.empty((width, lanes)), np.empty((steps, steps, BLOCK))
    for iteration in range(iterations):
        if iteration > 0:
            _e_step(begins, position, variate, x, theta, mu, s2, q)
        for c in range(lanes):
            theta[c] = q[:, c].sum() / n
        _moments(begins, position, x, q, moments)
        _variances(squares, q, moments, mu, n0, s0, s2)
        for v in range(width):
            for c in range(lanes):
                gain[v, c] = s0[v] * b0 / s2[v, c]
        _means(precision, pull, moments, gain, room, mu)
    for j in range(len(mu)):
        mu[j] += centre[j % width]
    return theta[:components].copy(), mu[:, :components].copy(), s2[:, :components].copy()


@_jit
def _padded(components):  # type: ignore[no-untyped-def]
    return (components + LANES - 1) // LANES * LANES


@_jit
def _e_step(begins, position, variate, x, theta, mu, s2, q):  # type: ignore[no-untyped-def]
    """q (n, lanes): theta_c times the product of max(N(x | mu, s2), phi(3)) over entries, normalised."""
    lanes = len(theta)
    root, peak = np.empty_like(s2), np.empty_like(s2)  # 1 / sqrt(2 s2), the log density at the mean
    for v in range(len(s2)):
        for c in range(lanes):
            root[v, c] = 1.0 / math.sqrt(2.0 * s2[v, c])
            peak[v, c] = -0.5 * log(2.0 * math.pi * s2[v, c])
    log_theta = np.empty(lanes)
    for c in range(lanes):  # a component that is empty or padding has the posterior 0
        log_theta[c] = log(theta[c]) if theta[c] > 0.0 else -np.inf
    for n in range(len(q)):
        total = q[n]
        total[:] = log_theta
        for e in range(begins[n], begins[n + 1]):
            value, mean, scale, top = x[e], mu[position[e]], root[variate[e]], peak[variate[e]]
            for c in range(lanes):
                d = (value - mean[c]) * scale[c]
                density = top[c] - d * d
                total[c] += density if density > FLOOR else FLOOR
        _softmax(total)


@_jit
def log(x):  # type: ignore[no-untyped-def]
    """ln(x) to two units in the last place, for x > 0: the C library's own bits depend on the processor.

    x = m 2^e with m near 1, and ln(m) = 2 artanh(s) with s = (m - 1) / (m + 1), |s| < 0.172, by its series.
    """
    m, e = math.frexp(x)
    if m < math.sqrt(0.5):
        m, e = 2.0 * m, e - 1
    s = (m - 1.0) / (m + 1.0)
    square, series = s * s, 0.0
    for k in range(21, 1, -2):
        series = square * (series + 1.0 / k)
    return e * LN2_HIGH + (2.0 * s + (2.0 * s * series + e * LN2_LOW))


@_jit
def _softmax(row):  # type: ignore[no-untyped-def]
    """In place. exp(gap) = exp(gap / 128)^128 by a Taylor series: good to 1e-13, and unlike math.exp it
    vectorises."""
    top = row[0]
    for c in range(len(row)):
        top = row[c] if row[c] > top else top
    for c in range(len(row)):
        gap = row[c] - top
        r = (gap if gap > NOTHING else NOTHING) * (1.0 / 128)
        p = 1.0 + r * (1.0 / 11) * (1.0 + r * (1.0 / 12))
        p = 1.0 + r * (1.0 / 9) * (1.0 + r * (1.0 / 10) * p)
        p = 1.0 + r * (1.0 / 7) * (1.0 + r * (1.0 / 8) * p)
        p = 1.0 + r * (1.0 / 5) * (1.0 + r * (1.0 / 6) * p)
        p = 1.0 + r * (1.0 / 3) * (1.0 + r * (1.0 / 4) * p)
        p = 1.0 + r * (1.0 + r * (1.0 / 2) * p)
        p2 = p * p
        p8 = p2 * p2 * p2 * p2
        p32 = p8 * p8 * p8 * p8
        power = p32 * p32 * p32 * p32 if gap > NOTHING else 0.0
        row[c] = power
    total = 0.0
    for c in range(0, len(row), LANES):
        lower, upper = (row[c] + row[c + 1]) + (row[c + 2] + row[c + 3]), row[c + 4] + row[c + 5]
        total += lower + (upper + (row[c + 6] + row[c + 7]))
    for c in range(len(row)):
        row[c] *= 1.0 / total


@_jit
def _moments(begins, position, x, q, moments):  # type: ignore[no-untyped-def]
    """moments (J, 2, lanes): the posterior-weighted count and sum of the entries at every position."""
    moments[:] = 0.0
    for n in range(len(q)):
        row = q[n]
        for e in range(begins[n], begins[n + 1]):
            value, at = x[e], moments[position[e]]
            for c in range(len(row)):
                at[0, c] += row[c]
                at[1, c] += row[c] * value


@_jit
def _variances(squares, q, moments, mu, n0, s0, s2):  # type: ignore[no-untyped-def]
    """s2 (V, lanes) = (n0 s0^2 + sum of q (x - mu)^2) / (n0 + sum of q), from squares (n, V) and moments."""
    width, lanes = s2.shape
    count = np.full((width, lanes), n0)
    s2[:] = 0.0
    for n in range(len(q)):
        for v in range(width):
            for c in range(lanes):
                s2[v, c] += q[n, c] * squares[n, v]
    for j in range(len(mu)):
        for c in range(lanes):
            count[j % width, c] += moments[j, 0, c]
            s2[j % width, c] += mu[j, c] * (mu[j, c] * moments[j, 0, c] - 2.0 * moments[j, 1, c])
    for v in range(width):
        for c in range(lanes):
            s2[v, c] = (n0 * s0[v] * s0[v] + max(s2[v, c], 0.0)) / count[v, c]


@_jit
def _means(precision, pull, moments, gain, room, mu):  # type: ignore[no-untyped-def]
    """mu of (precision + diag(gain count)) mu = pull + gain sum, a T x T system a variate and component.

    An LDL' factorisation of `BLOCK` systems side by side, innermost; `room` (T, T, BLOCK) holds L below the
    diagonal (L D in the rows still to come) and the inverse of D on it.
    """
    steps, width = pull.shape
    lanes = mu.shape[1]
    a, b = room, np.empty((steps, BLOCK))
    for first in range(0, width * lanes, BLOCK):
        block = min(BLOCK, width * lanes - first)
        for s in range(block):
            v, c = (first + s) // lanes, (first + s) % lanes
            for t in range(steps):
                a[t, t, s] = precision[t, t] + gain[v, c] * moments[t * width + v, 0, c]
                b[t, s] = pull[t, v] + gain[v, c] * moments[t * width + v, 1, c]
        for i in range(steps):
            for j in range(i):
                for s in range(block):
                    a[i, j, s] = precision[i, j]
        for j in range(steps):
            for k in range(j):
                for s in range(block):
                    scaled = a[j, k, s] * a[k, k, s]
                    a[j, j, s] -= a[j, k, s] * scaled
                    a[j, k, s] = scaled
                    b[j, s] -= scaled * b[k, s]
            for s in range(block):
                a[j, j, s] = 1.0 / a[j, j, s]
            for i in range(j + 1, steps):
                for k in range(0, j - 3, 4):  # four at a time: fewer passes over a[i, j]
                    for s in range(block):
                        a[i, j, s] -= (a[i, k, s] * a[j, k, s] + a[i, k + 1, s] * a[j, k + 1, s]) + (
                            a[i, k + 2, s] * a[j, k + 2, s] + a[i, k + 3, s] * a[j, k + 3, s]
                        )
                for k in range(j // 4 * 4, j):
                    for s in range(block):
                        a[i, j, s] -= a[i, k, s] * a[j, k, s]
        for i in range(steps - 1, -1, -1):
            for s in range(block):
                b[i, s] *= a[i, i, s]
        for i in range(steps - 1, 0, -1):
            for k in range(i):
                for s in range(block):
                    b[k, s] -= a[i, k, s] * b[i, s]
        for t in range(steps):
            for s in range(block):
                mu[t * width + (first + s) // lanes, (first + s) % lanes] = b[t, s]


@_jit
def inverse(matrix):  # type: ignore[no-untyped-def]
    """Of a symmetric positive definite matrix, by elimination; not finite where it is singular."""
    n = len(matrix)
    left, right = matrix.copy(), np.eye(n)
    for k in range(n):
        pivot = 1.0 / left[k, k]
        for j in range(n):
            left[k, j] *= pivot
            right[k, j] *= pivot
        for i in range(n):
            factor = left[i, k]
            if i != k:
                for j in range(n):
                    left[i, j] -= factor * left[k, j]
                    right[i, j] -= factor * right[k, j]
    return right
