"""Controls: rows that the paper does not have and a careful reader asks for.

A config file names each by its model and the settings that make it what it is, by their keys:

    controls:
      pca_locf: {models: [pca], title: LOCF + PCA, settings: {model.fill: locf}, datasets: [ehr]}
      "{model}_unseen": {models: [ocsvm, pca], title: "{title} (clean split)", settings: {...}}

In the name, `{model}` is the model's name; in the title, `{title}` is what the paper's tables call it.
They are ordinary cells, run where an experiment runs with its own models, and marked in its tables.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tkae.errors import UserError, unknown
from tkae.settings.registry import GROUPS, lookup
from tkae.settings.schema import build

if TYPE_CHECKING:
    from tkae.settings.call import Call


@dataclass
class Control:
    """An extra row of each of some models, for some or all of an experiment's datasets and protocols."""

    name: str
    models: list[str]
    title: str
    settings: dict[str, Any] = field(default_factory=dict)
    datasets: list[str] = field(default_factory=list)  # none named: all
    protocols: list[str] = field(default_factory=list)  # none named: all

    def of(self, model: str) -> Control:
        """The row of one model."""
        title = self.title.replace("{title}", lookup("model", model).title)
        return replace(self, name=self.name.replace("{model}", model), title=title, models=[model])


def controls(call: Call) -> list[Call]:
    """A call for each control, model and dataset that it concerns under this protocol."""
    made = []
    for name, given in call.experiment.controls.items():
        where = f"experiment.controls.{name}"
        control = build(Control, {"name": name, **given}, where)
        _check(control, where)
        if control.protocols and call.protocol.name not in control.protocols:
            continue
        for model in control.models:
            for dataset in call.datasets:
                if not control.datasets or dataset in control.datasets:
                    row = call.for_pair(dataset, model, control.settings, f"control {name}")
                    made.append(replace(row, control=control.of(model)))
    return made


def _check(control: Control, where: str) -> None:
    if len(control.models) > 1 and "{model}" not in control.name:
        raise UserError(
            f"{where} is of several models: its name needs {{model}}, such as {control.name}_{{model}}"
        )
    named = {"model": control.models, "dataset": control.datasets, "protocol": control.protocols}
    for group, names in named.items():
        for name in names:
            if name not in GROUPS[group]:
                raise unknown(group, name, GROUPS[group])
    for key in control.settings:
        if key.partition(".")[0] not in ("model", "dataset", "missingness"):
            raise UserError(f"{where}.settings: '{key}' is no key of a setting; such as: model.fill")
