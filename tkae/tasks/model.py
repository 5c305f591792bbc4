"""The model of a command: that of a file, or one with settings that suit data which nobody tuned for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import yaml

from tkae.data.collection import Collection
from tkae.errors import DataError, UserError
from tkae.models.base import Model
from tkae.models.files import load
from tkae.settings.registry import GROUPS, config_folder, lookup, settings_of
from tkae.settings.schema import build
from tkae.settings.values import Budget
from tkae.tasks.base import Task
from tkae.tasks.options import Options

# A budget by size. A training makes so many steps, unless their series have more than so many steps of time
# altogether: those cost about a minute of one core.
UPDATES = 10_000
STEPS = 100_000_000
EPOCHS = (20, 2000)  # the least and the most
MIXTURES = 10  # of each size in the cluster kernel
LOOKS = 50  # at the held-out series in a whole training
PATIENCE = 10  # looks without improvement that end it
HELD_OUT = 0.15  # of the series
ENOUGH, MANY = 20, 5000  # series: with fewer or more, none is held out. Many are seen in few epochs, and a
# selection of weights would need the whole kernel


def settings(name: str, task: str, budget: str, train: Collection) -> dict[str, Any]:
    """What a model is made with if the user says nothing: only settings that it has.

    Errors count at observed entries alone: otherwise missing values would be learned as zeros. To complete
    series takes a larger code than to tell them apart.
    """
    epochs, mixtures = _size(train) if budget == "auto" else _named(budget)
    chosen: dict[str, Any] = {"epochs": epochs, "G": mixtures, "loss": "observed"}
    if task == "impute":
        chosen["code_size"] = 32
    if ENOUGH <= len(train) <= MANY:
        every = max(1, epochs // LOOKS)
        chosen |= {"select_every": every, "patience": PATIENCE, "validation": HELD_OUT}
    return {key: value for key, value in chosen.items() if key in settings_of("model", name)}


def made(options: Options, name: str, task: Task, given: dict[str, Any], train: Collection) -> Model:
    """A model that is yet to be fitted; `given` are the settings that the command says."""
    kind = options.model or "tkae"
    if not task.suits(lookup("model", kind)):
        able = [other for other in GROUPS["model"] if task.suits(lookup("model", other))]
        raise UserError(f"model={kind} cannot {task.verb} series; these can: {', '.join(able)}")
    chosen = settings(kind, name, options.budget, train) | given
    if "device" in settings_of("model", kind):
        chosen = {"device": options.device} | chosen
    model: Model = build(lookup("model", kind), chosen, "model")
    model.set_params(random_state=options.seed)
    if hasattr(model, "n_seeds"):
        model.set_params(n_seeds=options.n_seeds)
    elif options.n_seeds > 1:
        raise UserError(f"n_seeds={options.n_seeds}: model={kind} is no network, one of it is enough")
    return model


def loaded(options: Options, task: Task, given: dict[str, Any]) -> Model:
    """The model of a file."""
    if given or options.n_seeds > 1:
        raise UserError("load=FILE brings a fitted model with its settings: leave out model.* and n_seeds=")
    model: Model = load(Path(str(options.load)))
    if not task.suits(type(model)):
        raise UserError(
            f"{options.load} holds a model of the kind {model.name}, which cannot {task.verb} series"
        )
    return model


def fitting(series: Collection, model: Model, where: str, told: str) -> Collection:
    """The series with their variates in the order of the model's, or the sentence that says what differs."""
    known, own = model.variate_names_, series.variates
    if set(known) != set(own):
        lacks = [name for name in known if name not in own]
        strange = [name for name in own if name not in known]
        told_of = {"lacks": lacks, "has besides": strange}
        parts = [f"{verb} {_listed(names)}" for verb, names in told_of.items() if names]
        raise DataError(
            f"{where} {' and '.join(parts)}: the model of {told} was fitted on {_listed(known)}, "
            "and takes tables with these variates alone"
        )
    order = [own.index(name) for name in known]
    return Collection(
        series.values[:, :, order],
        series.observed[:, :, order],
        series.lengths,
        series.labels,
        series.names,
        known,
    )


def _size(train: Collection) -> tuple[int, int]:
    """Epochs and mixtures by the number of series and their lengths: the same on every machine."""
    steps = int(train.lengths.sum())
    epochs = min(UPDATES * 32 // len(train), STEPS // steps)
    return int(np.clip(epochs, *EPOCHS)), MIXTURES


def _named(budget: str) -> tuple[int, int]:
    """Those of a budget of tkae-run."""
    text = (config_folder() / "budget" / f"{budget}.yaml").read_text(encoding="utf-8")
    given = {key: value for key, value in yaml.safe_load(text).items() if key != "_target_"}
    found = build(Budget, given, "budget")
    return found.epochs, found.mixtures


def _listed(names: Any) -> str:
    return ", ".join(f"'{name}'" for name in names)
