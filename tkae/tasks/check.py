"""How far a completed series can be trusted: errors at values that were hidden, beside two simple ways."""

from __future__ import annotations

import numpy as np

from tkae.data.collection import Bools, Collection
from tkae.data.scaling import Standardiser
from tkae.models.base import Model
from tkae.models.locf import LOCF
from tkae.models.mean import MeanFill
from tkae.seeding import stream

SHARE = 0.05  # of the observed entries
FEW = 20  # of them tell nothing


def hidden(x: Collection, seed: int) -> Bools:
    """(N, T, V): observed entries that the model does not see, neither to learn from nor to complete."""
    chosen = stream(seed, "apply", "check").random(x.shape) < SHARE
    return x.observed & chosen


def check(model: Model, x: Collection, hide: Bools) -> str:
    """A sentence: the error of the model, of the last value carried forward, and of the mean."""
    count = int(hide.sum())
    if count < FEW:
        return "no check: there are too few values to hide some"
    seen = x.without(hide)
    scale = Standardiser.of(seen).deviation
    errors = {
        name: float(np.sqrt(np.mean((((one.impute(seen).values - x.values) / scale)[hide]) ** 2)))
        for name, one in (
            (model.title, model),
            (LOCF.title, LOCF().fit(seen)),
            ("mean", MeanFill().fit(seen)),
        )
    }
    (own, mine), *others = errors.items()
    beside = ", ".join(f"{name} {error:.2f}" for name, error in others if name != own)
    told = (
        f"check: at {count} values that were hidden the error is {mine:.2f} standard deviations of a variate "
        f"({beside})"
    )
    best = min(errors, key=lambda name: errors[name])
    return told if best == own else f"{told}: here, {best} is better; try more epochs, or another model"
