"""The networks of plain PyTorch in JAX: the same weights, and a check that it is the same training."""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np
import torch

from scripts.bench.apart import TimedJax
from scripts.bench.networks import P_S, Tae
from scripts.bench.plain import PlainTraining


def has_jax() -> bool:
    return all(importlib.util.find_spec(name) for name in ("jax", "optax"))


def jax_training(process: Any, network: Tae, plain: PlainTraining) -> TimedJax:
    """A training from the same weights and with the same series as the plain one, compiled."""
    states = [one.state_dict() for one in plain.networks]
    weights = {name: np.stack([state[name].numpy() for state in states]) for name in states[0]}
    training: TimedJax = process.jax(weights, network.cell, network.layers, P_S, plain.x.numpy())
    _check_same(network, plain, training)
    training.step()
    return training


def _check_same(network: Tae, plain: PlainTraining, training: TimedJax) -> None:
    """From the same weights, series and coins both must find the same losses and norms of gradients."""
    fed, found = torch.rand(plain.x.shape[:3]) < P_S, []
    for one, x, coins in zip(plain.networks, plain.x, fed, strict=True):
        one.zero_grad()
        loss = torch.nn.functional.mse_loss(one(x, coins), x)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(one.parameters(), float("inf"))
        found.append((loss.item(), norm.item()))
    theirs = np.stack(training.errors(fed.numpy()), 1)
    if not np.allclose(theirs, found, rtol=1e-4):
        raise SystemExit(
            f"{network}: JAX and PyTorch do not train the same network. Losses and norms of gradients are"
            f" {theirs.tolist()} and {found}; put scripts/bench/jax_step.py and scripts/bench/plain.py right"
        )
