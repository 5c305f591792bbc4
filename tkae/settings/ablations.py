"""Ablations: an experiment again with single choices made otherwise, to see which of them moves a figure.

A config file names lines. Each has an experiment, and what is changed there by the keys of the command line,
all combinations of some values (`grid`) or one value at a time (`each`):

    lines:
      memory:
        experiment: classification
        datasets: [japanese_vowels]
        models: [ae, tae]
        protocols: [paper]
        grid: {model: {memory: [code, zero], l2: [0.001, 0.0005]}} # where a model has such a setting
        each: {model: {output_bias: [false], code_size: [20, 40]}}

The cells are those of the experiment itself, and so are the unchanged ones that they are compared with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TYPE_CHECKING, Any

from tkae.errors import UserError, unknown
from tkae.settings.grid import some, swept_values
from tkae.settings.registry import GROUPS
from tkae.settings.schema import build

if TYPE_CHECKING:
    from tkae.settings.call import Call


@dataclass
class Line:
    """Changes of one experiment on some datasets, for some models, under some protocols."""

    name: str
    experiment: str
    datasets: list[str]
    models: list[str]
    protocols: list[str]
    grid: dict[str, Any] = field(default_factory=dict)
    each: dict[str, Any] = field(default_factory=dict)
    searched: int = 0  # how many settings were tried when this one was found; 0: it was not searched for

    def among(self, datasets: Sequence[str] | None, models: Sequence[str] | None) -> Line:
        """What is left of it where only these datasets and models are wanted; None: all."""
        return replace(
            self,
            datasets=[name for name in self.datasets if datasets is None or name in datasets],
            models=[name for name in self.models if models is None or name in models],
        )

    def calls(self, call: Call) -> Iterator[Call]:
        """The unchanged call of each dataset and model, and one for each change; `call` has all of them."""
        for dataset, model in call.pairs():
            yield call.for_pair(dataset, model, {})
            for point in self._points(dataset, model, call.budget.values):
                changed = call.for_pair(dataset, model, point, f"ablation {self.name}")
                if changed.setups[0].changed:  # else it is the protocol's own point of the grid
                    yield replace(changed, line=self)

    def _points(self, dataset: str, model: str, most: int | None) -> Iterator[dict[str, Any]]:
        grid = {key: some(values, most) for key, values in swept_values(self.grid, dataset, model).items()}
        if grid:
            yield from (dict(zip(grid, point, strict=True)) for point in product(*grid.values()))
        for key, values in swept_values(self.each, dataset, model).items():
            yield from ({key: value} for value in some(values, most))


def lines(given: Mapping[str, Any], protocol: str) -> list[Line]:
    """The lines of a config file that concern this protocol, all of them checked."""
    made = [
        build(Line, {"name": name, **settings}, f"experiment.lines.{name}")
        for name, settings in given.items()
    ]
    for line in made:
        _check(line)
    return [line for line in made if protocol in line.protocols]


def _check(line: Line) -> None:
    named = {
        "experiment": [line.experiment],
        "dataset": line.datasets,
        "model": line.models,
        "protocol": line.protocols,
    }
    for group, names in named.items():
        for name in names:
            if name not in GROUPS[group]:
                raise unknown(group, name, GROUPS[group])
    if not line.grid and not line.each:
        raise UserError(f"experiment.lines.{line.name} changes nothing: give it a grid or each")
