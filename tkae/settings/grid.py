"""The grid of an experiment: values that it sweeps by itself, as `-m key=a,b` does on the command line.

Its keys are those of the command line, written as nested mappings:

    grid:
      missingness: {rate: [0.1, 0.5]} # for every dataset and model
      model:
        layers: [1, 2] # every model that has such a setting
        tkae: {alpha: [0.1, 0.5]} # one model; dataset: {ode: {steps: [50, 90]}} likewise

A value that the user asks for takes the place of its axis.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

from tkae.errors import UserError, nearest, unknown
from tkae.settings.registry import GROUPS, settings_of
from tkae.settings.schema import unknown_key
from tkae.settings.values import MOST_CALLS

if TYPE_CHECKING:
    from tkae.settings.call import Call

SECTIONS = ("experiment", "dataset", "missingness", "model", "protocol")
Axes = dict[str, list[Any]]


def points(call: Call, user_keys: Container[str]) -> list[Call]:
    """One call for each dataset, model and grid point; `user_keys` are the keys that the user gave values.

    A value that the user gave is a point of its axis like any other.
    """
    if not call.experiment.grid:
        return [call]
    made: list[Call] = []
    where = f"experiment={call.experiment.name} grid"
    for dataset, model in call.pairs():
        given = {f"dataset.{key}" for key in call.user_values["dataset"].get(dataset, {})}
        given |= {f"model.{key}" for key in call.user_values["model"].get(model, {})}
        found = swept_values(call.experiment.grid, dataset, model)
        if call.keeps_its_holes(dataset):  # nothing is removed from it, at whatever rate
            found = {key: values for key, values in found.items() if not key.startswith("missingness.")}
        free = {
            key: some(values, call.budget.values)
            for key, values in found.items()
            if key not in given and key not in user_keys
        }
        many = len(made) + math.prod(map(len, free.values()))
        if many > MOST_CALLS:
            raise UserError(
                f"experiment.grid has {many} points or more; a command takes at most {MOST_CALLS}"
            )
        for point in product(*free.values()):
            chosen = call.for_pair(dataset, model, dict(zip(free, point, strict=True)), where)
            (setup,) = chosen.setups
            made.append(replace(chosen, point={key: setup.settings[key] for key in found}))
    return made


def some(values: list[Any], most: int | None) -> list[Any]:
    """At most so many of them, the first and the last among them."""
    if most is None or len(values) <= most:
        return values
    return [values[i * (len(values) - 1) // max(most - 1, 1)] for i in range(most)]


def swept_values(grid: Mapping[str, Any], dataset: str, model: str) -> Axes:
    """The axes that concern this pair, by the keys that its settings have in tables: `model.alpha`."""
    chosen = {"dataset": dataset, "model": model}
    found: Axes = {}
    for path, values in _leaves(grid, ()):
        key = ".".join(path)
        _check(path, key, values)
        section, name = path[0], path[-1]
        if section not in chosen:
            found[key] = values
        elif len(path) == 3 and path[1] == chosen[section]:
            found[f"{section}.{name}"] = values
        elif len(path) == 2 and name in settings_of(section, chosen[section]):
            found[key] = values
    return found


def _leaves(tree: Mapping[str, Any], above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in tree.items():
        path = (*above, *str(key).split("."))
        if isinstance(value, Mapping):
            yield from _leaves(value, path)
        else:
            yield path, value


def _check(path: tuple[str, ...], key: str, values: Any) -> None:
    """A slip in a grid must not pass for an axis that concerns nobody."""
    section, *rest = path
    if section not in SECTIONS:
        raise UserError(
            f"experiment.grid: unknown section '{section}'{nearest(section, SECTIONS)}; "
            f"known: {', '.join(SECTIONS)}"
        )
    if not isinstance(values, list) or not values:
        raise UserError(f"experiment.grid.{key}={values} is not allowed: it takes a list of values")
    members = GROUPS[section] if section in ("dataset", "model") else {}
    if len(rest) == 2 and members and rest[0] not in members:
        raise unknown(section, rest[0], members)
    if len(rest) == 1 and members:
        known = dict.fromkeys(name for member in members for name in settings_of(section, member))
        if rest[0] not in known:
            raise unknown_key(f"experiment.grid.{key}", rest[0], known)
    if len(rest) != 1 and not (len(rest) == 2 and members):
        raise UserError(f"experiment.grid.{key} is no key of a setting; such as: model.tkae.alpha")
