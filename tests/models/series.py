"""Easy series, and short ways to fit networks to them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tkae.data.collection import Collection
from tkae.models.base import Model
from tkae.settings.registry import lookup

NETWORKS = ("tae", "tkae", "encdec_ad", "ae", "ae_tied", "dae")
QUICK: dict[str, Any] = {"epochs": 4, "batch": 16, "code_size": 4}


def sines(n: int = 40, steps: int = 16, ragged: bool = False, seed: int = 0) -> Collection:
    """Two variates of one sine each, that differ in phase: two numbers say all about a series."""
    chance = np.random.default_rng(seed)
    phase, t = chance.uniform(0, 2 * np.pi, (n, 1)), np.arange(steps)
    values = 1.4 * np.stack([np.sin(phase + 0.5 * t), np.cos(phase + 0.5 * t)], axis=2)
    if not ragged:
        return Collection(values)
    lengths = chance.integers(3, steps + 1, n)
    lengths[0] = steps
    valid = (np.arange(steps) < lengths[:, None])[:, :, None]
    return Collection(values, valid & (chance.random(values.shape) < 0.7), lengths)


def make(name: str, **settings: Any) -> Any:
    """A network with settings that only cost little; a small kernel where it has one."""
    kernel = {"G": 2, "C": 4} if name == "tkae" else {}
    return lookup("model", name)(**{**QUICK, **kernel, **settings})


def weights(model: Model | Exception) -> bytes:
    assert isinstance(model, Model), model
    theta: bytes = model.theta_.tobytes()  # type: ignore[attr-defined]
    return theta


def error(output: Any, x: Collection) -> float:
    """The mean squared error at observed entries."""
    return float(np.mean((output - x.values)[x.observed] ** 2))
