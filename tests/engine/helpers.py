"""Small ragged problems, and the two ways to a gradient."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from tkae.engine import step
from tkae.engine.architecture import Architecture
from tkae.engine.batch import Series, coins
from tkae.engine.reference import Batch, Network
from tkae.engine.replicas import OwnHyperparameters


class Problem:
    """N ragged series with holes, a kernel, and parameters that are not small."""

    def __init__(
        self, architecture: Architecture, dtype: Any = np.float64, n: int = 21, steps: int = 9, seed: int = 0
    ):
        chance = np.random.default_rng(seed)
        self.shape, self.dtype, self.n, self.steps = architecture, dtype, n, steps
        self.lengths = chance.integers(1, steps + 1, n)
        self.lengths[0] = steps
        self.x = chance.normal(size=(n, steps, architecture.variates)).astype(dtype)
        valid = np.arange(steps) < self.lengths[:, None]
        self.counted = (chance.random(self.x.shape) < 0.7) & valid[:, :, None]
        factor = chance.normal(size=(n, 3))
        self.kernel = (factor @ factor.T).astype(dtype)
        self.theta = (
            architecture.initial(seed) + 0.1 * chance.normal(size=architecture.parameter_count)
        ).astype(dtype)
        self.decay = architecture.decay(biases=False).astype(dtype)
        self.key = np.uint64(77)

    def kernels(
        self, p_s: float, alpha: float = 0.3, penalty: float = 0.01, padded: int = 0
    ) -> tuple[float, Any, Any]:
        """Loss, parts and gradient from the fused kernels."""
        spec = self.shape.spec(self.steps, self.n)
        grad, parts = np.zeros_like(self.theta), np.zeros(3)
        series = Series(self.x, self.counted, self.lengths, self.kernel, padded)
        own = OwnHyperparameters(alpha, penalty, p_s, self.key, self.decay)
        work, whole = step.workspace(spec, self.theta), np.zeros((0, 0), self.dtype)
        loss = step.gradient(spec, work, self.theta, series, own, np.arange(self.n), whole, grad, parts)
        return loss, parts, grad

    def autograd(
        self, p_s: float, alpha: float = 0.3, penalty: float = 0.01, padded: int = 0
    ) -> tuple[float, Any, Any]:
        """The same from torch, in double precision."""
        theta = torch.tensor(self.theta.astype(np.float64))[None].requires_grad_()
        drawn = coins(self.key, np.arange(self.n), self.steps + 1)
        batch = Batch(
            torch.tensor(self.x.astype(np.float64))[None],
            torch.tensor(self.counted.astype(np.float64))[None],
            torch.tensor(self.lengths)[None],
            torch.tensor(drawn < p_s)[None],
            torch.tensor(self.kernel.astype(np.float64))[None],
        )
        decay = torch.tensor(self.decay.astype(np.float64))
        parts, _, _ = Network(self.shape).loss(theta, batch, decay, bool(padded))
        loss = parts.reconstruction + penalty * parts.l2 + alpha * parts.alignment
        loss.sum().backward()
        assert theta.grad is not None
        return float(loss.detach()), [float(part.detach()) for part in parts], theta.grad[0].numpy()


def relative_error(a: Any, b: Any) -> float:
    """|a - b| / |b|."""
    return float(np.linalg.norm(np.asarray(a, float) - b) / np.linalg.norm(b))
