"""Controls: rows that the paper does not have and a careful reader asks for.

A config file names each by its model and the settings that make it what it is, by their keys:

    controls:
      pca_locf: {model: pca, title: LOCF + PCA, settings: {model.fill: locf}, datasets: [ehr]}

They are ordinary cells, run where an experiment runs with its own models, and marked in its tables.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tkae.errors import UserError, unknown
from tkae.settings.registry import GROUPS
from tkae.settings.schema import build

if TYPE_CHECKING:
    from tkae.settings.call import Call


@dataclass
class Control:
    """One extra row, for some or all of an experiment's datasets and protocols."""

    name: str
    model: str
    title: str
    settings: dict[str, Any] = field(default_factory=dict)
    datasets: list[str] = field(default_factory=list)  # none named: all
    protocols: list[str] = field(default_factory=list)  # none named: all


def controls(call: Call) -> list[Call]:
    """A call for each control and dataset that it concerns under this protocol."""
    made = []
    for name, given in call.experiment.controls.items():
        where = f"experiment.controls.{name}"
        one = build(Control, {"name": name, **given}, where)
        _check(one, where)
        if one.protocols and call.protocol.name not in one.protocols:
            continue
        for dataset in call.datasets:
            if not one.datasets or dataset in one.datasets:
                made.append(replace(call.at(dataset, one.model, one.settings), control=one))
    return made


def _check(one: Control, where: str) -> None:
    named = {"model": [one.model], "dataset": one.datasets, "protocol": one.protocols}
    for group, names in named.items():
        for name in names:
            if name not in GROUPS[group]:
                raise unknown(group, name, GROUPS[group])
    for key in one.settings:
        if key.partition(".")[0] not in ("model", "dataset", "missingness"):
            raise UserError(f"{where}.settings: '{key}' is no key of a setting; such as: model.fill")
