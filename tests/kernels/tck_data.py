"""Small standardised collections with classes, holes and different lengths."""

from __future__ import annotations

import numpy as np

from tkae.data.collection import Collection


def waves(
    n: int, steps: int = 14, width: int = 3, missing: float = 0.0, ragged: bool = False, seed: int = 0
) -> Collection:
    """Noisy sines of three phases; series differ in length by up to half if `ragged`."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 3
    t = np.arange(steps)[None, :, None]
    phase = 2.1 * labels[:, None, None] + 0.8 * np.arange(width)
    values = np.sin(0.6 * t + phase) + 0.3 * rng.normal(size=(n, steps, width))
    lengths = rng.integers(steps // 2, steps, endpoint=True, size=n) if ragged else np.full(n, steps)
    lengths[0] = steps
    valid = (np.arange(steps) < lengths[:, None])[:, :, None]
    return Collection(values, valid & (rng.random(values.shape) >= missing), lengths, labels)
