"""The TCK written out as the reference has it: slow, in plain numpy, in products of densities."""

from __future__ import annotations

import numpy as np
from scipy.stats import norm

from tkae.data.collection import Collection, Floats
from tkae.kernels.draws import Draw, Ranges, draw


class OracleMember:
    """One mixture fitted to X (N, T, V) with NaN where missing."""

    def __init__(self, X: Floats, drawn: Draw, iterations: int) -> None:
        self.drawn, C = drawn, drawn.components
        sX = self.part(X[drawn.rows])
        (sN, sT, sV), R = sX.shape, ~np.isnan(sX)
        mu_0, s_0 = np.nanmean(sX, axis=0), np.nanstd(sX, axis=(0, 1), ddof=1)
        t = np.arange(sT)
        inv_S_0 = []
        for v in range(sV):
            S_0 = s_0[v] * drawn.b0 * np.exp(-drawn.a0 * (t[:, None] - t) ** 2)
            rcond = 1 / (np.linalg.norm(S_0, 1) * np.linalg.norm(np.linalg.inv(S_0), 1))
            if rcond < 1e-8:
                S_0 = S_0 + 0.1 * S_0[0, 0] * np.eye(sT)
            inv_S_0.append(np.linalg.inv(S_0))
        self.theta, self.mu, self.s2 = np.ones(C) / C, np.zeros((sT, sV, C)), np.zeros((sV, C))
        Q = np.eye(C)[drawn.clusters]
        filled = np.where(R, sX, -100000.0)
        for i in range(iterations):
            if i > 0:
                Q = self.posterior(X[drawn.rows])
            for c in range(C):
                q = Q[:, c]
                self.theta[c] = q.sum() / sN
                for v in range(sV):
                    x, r = filled[:, :, v], R[:, :, v]
                    var1 = q @ (r * (x - self.mu[:, v, c]) ** 2).sum(axis=1)
                    s2 = (drawn.n0 * s_0[v] ** 2 + var1) / (drawn.n0 + q @ r.sum(axis=1))
                    A = inv_S_0[v] + np.diag(r.T @ q / s2)
                    b = inv_S_0[v] @ mu_0[:, v] + (r * x).T @ q / s2
                    self.s2[v, c], self.mu[:, v, c] = s2, np.linalg.solve(A, b)

    def part(self, X: Floats) -> Floats:
        return X[:, self.drawn.start : self.drawn.stop][:, :, self.drawn.variates]

    def posterior(self, X: Floats) -> Floats:
        x = self.part(X)
        Q = np.empty((len(x), len(self.theta)))
        for c in range(len(self.theta)):
            p = norm.pdf(np.where(np.isnan(x), -100000.0, x), self.mu[:, :, c], np.sqrt(self.s2[:, c]))
            p = np.maximum(np.where(np.isnan(x), 1.0, p), norm.pdf(3))
            Q[:, c] = self.theta[c] * p.reshape(len(x), -1).prod(axis=1)
        return Q / Q.sum(axis=1, keepdims=True)


def oracle_members(train: Collection, G: int, C: int, iterations: int, seed: int) -> list[OracleMember]:
    steps = int(train.lengths.max())
    shape = (len(train), steps, train.shape[2])
    ranges = Ranges.of(shape, 0.8, (2, 15), (6, 25))
    X = with_nan(train)[:, :steps]
    index = [(c, q) for c in range(2, C + 1) for q in range(G)]
    return [OracleMember(X, draw(seed, c, q, ranges, shape), iterations) for c, q in index]


def oracle_kernel(
    members: list[OracleMember], X: Collection, Y: Collection, normalised: bool = True
) -> Floats:
    K = np.zeros((len(X), len(Y)))
    for member in members:
        p, r = member.posterior(with_nan(X)), member.posterior(with_nan(Y))
        if normalised:
            p, r = (q / np.linalg.norm(q, axis=1, keepdims=True) for q in (p, r))
        K += p @ r.T
    return K


def with_nan(x: Collection) -> Floats:
    return np.where(x.observed, x.values, np.nan)
