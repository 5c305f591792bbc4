"""Schemas of what is plain values: budget, where data are, and what a command does with its plan.

The other groups are described by the dataclasses that they configure: see `tkae.settings.registry`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tkae.fields import setting

MOST_CELLS = 1_000_000  # of one command: planning more takes an hour, and nobody has the time to compute them
MOST_CALLS = 100_000  # combinations of values that are swept


@dataclass
class Budget:
    """How much work a cell is worth."""

    name: str = "paper"
    epochs: int = setting(5000, at_least=1, at_most=10_000_000)  # of the models that train
    seeds: int = setting(10, at_least=1, at_most=MOST_CELLS)  # runs a cell is repeated in
    mixtures: int = setting(30, at_least=1, at_most=10_000)  # of each size in a cluster kernel (G)
    series: int | None = setting(None, at_least=1)  # at most so many of each split; null: all
    values: int | None = setting(None, at_least=1)  # at most so many of each axis of a grid; null: all

    def shortened(self, settings: dict[str, Any]) -> dict[str, Any]:
        """Settings of a config file, which speak of the paper's budget, with what this one leaves of them."""
        paper = Budget()
        shares = {"epochs": self.epochs / paper.epochs, "G": self.mixtures / paper.mixtures}
        left = {key: max(1, round(settings[key] * share)) for key, share in shares.items() if key in settings}
        return settings | left


@dataclass
class Sources:
    """Where source files are looked for."""

    mirror: str | None = None  # a folder laid out as <host>/<path>; TKAE_MIRROR is the default
    offline: bool = False  # never ask the network


@dataclass
class Options:
    """What a call does with its plan; none of it changes a number."""

    results_dir: str = "results"
    seeds: Any = None  # how many (0, 1, ...), or a list of them; null: as many as the budget says
    dry_run: bool = False  # print the plan and stop
    collect: bool = False  # only write tables from what is stored
    open: bool = False  # show the page of all results in a browser
    force: bool = False  # compute again what is stored
    keep_models: bool = False  # keep the fitted model of every cell beside its record
    hours: float | None = setting(
        None, at_least=0, at_most=100_000
    )  # stop after so many, to go on later; null: no limit
    device: str = setting("cpu", one_of=("cpu", "cuda", "mps"))  # of the recurrent models
