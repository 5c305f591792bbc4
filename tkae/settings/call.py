"""A checked call: what is to be run, with every setting in its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from tkae.data.dataset import Dataset
from tkae.data.missingness import Missingness, Untouched
from tkae.errors import UserError, unknown
from tkae.experiments.base import Experiment
from tkae.fields import identity
from tkae.models.base import Model
from tkae.protocol import Protocol
from tkae.runs.executors import Executor
from tkae.settings.ablations import Line
from tkae.settings.controls import Control
from tkae.settings.registry import GROUPS, lookup
from tkae.settings.schema import build, unknown_key
from tkae.settings.values import Budget, Data, Options

Settings = dict[str, Any]


@dataclass(frozen=True)
class Call:
    """One experiment on some datasets with some models; the values that were asked for win over others."""

    experiment: Experiment
    missingness: Missingness
    protocol: Protocol
    budget: Budget
    executor: Executor
    data: Data
    options: Options
    datasets: Mapping[str, Settings]  # as the config files have them
    models: Mapping[str, Settings]
    asked: Mapping[str, Mapping[str, Settings]]  # "dataset" and "model" -> member -> what the user set
    paper: Call | None = field(default=None, repr=False)  # the same without the user's values
    axes: Mapping[str, Any] = field(default_factory=dict)  # where on the experiment's own sweep this is
    control: Control | None = None  # the extra row that this is, if it is one
    line: Line | None = None  # of the ablations, where this is a change that they make

    def beside(self, paper: Call) -> Call:
        """This call, knowing the experiment's own settings, so that a table can tell what was changed."""
        call = replace(self, paper=paper)
        call.seeds()
        for table in (call.experiment.settings, call.protocol.models, call._own()):
            check_table(table)
        _check_datasets([*call.experiment.as_they_are, *call.protocol.datasets, *call._own_data()])
        for dataset, model in call.pairs():  # everything is built once: a wrong value fails before any run
            call.dataset(dataset)
            chosen = call.model(dataset, model)
            name, needs = call.experiment.name, call.experiment.needs
            if needs and not any(chosen.can(ability) for ability in needs):
                raise UserError(f"model={model} cannot {needs[0]}, which experiment={name} needs")
        return call

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Every dataset with every model."""
        if not self.datasets or not self.models:
            raise UserError("nothing to run: name at least one dataset and one model")
        return ((dataset, model) for dataset in self.datasets for model in self.models)

    def dataset(self, name: str) -> Dataset:
        """The dataset with its own settings, the protocol's and the user's; no more than the budget has."""
        cls: type[Dataset] = lookup("dataset", name)
        layers = [self.datasets[name]]
        for table in (self.protocol.datasets, self._own_data()):
            layers += [table.get(one, {}) for one in cls.lineage()]
        layers += [self.asked["dataset"].get(name, {})]
        made: Dataset = build(cls, _layered(layers), f"dataset.{name}")
        return made.at_most(self.budget.series)

    def check_missingness(self) -> None:
        """What is said of missingness must concern some dataset of the run."""
        if all(dataset in self.experiment.as_they_are for dataset in self.datasets):
            raise UserError(
                f"missingness has no effect: {', '.join(self.datasets)} keeps its own holes here and loses "
                "nothing else; add experiment.as_they_are=[] to remove entries from it as well"
            )

    def missingness_of(self, dataset: str) -> Missingness:
        """What is removed from this dataset: nothing where the experiment takes it as it is."""
        return Untouched() if dataset in self.experiment.as_they_are else self.missingness

    def model(self, dataset: str, name: str) -> Model:
        """The model with the paper's settings for this dataset, then the protocol's, then the user's."""
        cls = lookup("model", name)
        # Only a model that trains has epochs or a device; others are the same whatever these are.
        work = {"epochs": self.budget.epochs, "G": self.budget.mixtures, "device": self.options.device}
        layers = [self.models.get(name, {}), *_matching({"*": {"*": work}}, dataset, name, cls)]
        for table in (self.experiment.settings, self.protocol.models, self._own()):
            layers += [self._in_budget(layer) for layer in _matching(table, dataset, name, cls)]
        layers += [self.asked["model"].get(name, {})]
        made: Model = build(cls, _layered(layers), f"model.{name}")
        return made

    def _in_budget(self, settings: Settings) -> Settings:
        """Settings of a config file with as many epochs as the budget leaves of theirs."""
        if "epochs" not in settings:
            return settings
        return {**settings, "epochs": self.budget.shortened(settings["epochs"])}

    def series(self, dataset: str) -> int | None:
        """How many series of each split are used, if the budget leaves some of this dataset out."""
        most = None if self.experiment.whole else self.budget.series
        have = self.dataset(dataset).series
        return most if most is not None and (have is None or have > most) else None

    def shortened(self, dataset: str, model: str) -> bool:
        """Whether the budget gives the model other work than the paper's budget would."""
        whole = replace(self, budget=Budget())
        fewer = self.series(dataset) is not None or self.dataset(dataset) != whole.dataset(dataset)
        return fewer or self.model(dataset, model) != whole.model(dataset, model)

    def _own(self) -> Mapping[str, Any]:
        """What the experiment says of models under this protocol alone."""
        table: Mapping[str, Any] = self.experiment.by_protocol.get(self.protocol.name, {})
        return table

    def _own_data(self) -> Mapping[str, Any]:
        """What the experiment says of datasets under this protocol alone."""
        table: Mapping[str, Any] = self.experiment.data_by_protocol.get(self.protocol.name, {})
        return table

    def seeds(self) -> list[int]:
        given = self.budget.seeds if self.options.seeds is None else self.options.seeds
        seeds = list(range(given)) if type(given) is int else given if isinstance(given, list) else []
        if not seeds or len(set(map(str, seeds))) < len(seeds) or not all(map(_is_seed, seeds)):
            raise UserError(
                f"seeds={given} is not allowed: it takes how many (at least 1), or a list of different "
                "whole numbers from 0 on, such as [0,5]"
            )
        return seeds

    @property
    def wanted(self) -> int:
        """How many seeds the experiment has by itself, whatever the user asked for."""
        own = self.paper.options.seeds if self.paper else None
        return own if type(own) is int else self.budget.seeds

    def at(self, dataset: str, model: str, point: Settings) -> Call:
        """This call for one pair alone, with values of a config file by their keys (`model.alpha`)."""
        members = {"dataset": dataset, "model": model}
        asked = {group: {name: dict(self.asked[group].get(name, {}))} for group, name in members.items()}
        parts: dict[str, Any] = {}
        for key, value in point.items():
            section, _, name = key.partition(".")
            if section in asked:
                asked[section][members[section]] |= self._in_budget({name: value})
            else:
                part = parts.get(section, getattr(self, section))
                parts[section] = build(type(part), {**vars(part), name: value}, section)
        datasets, models = {dataset: self.datasets[dataset]}, {model: self.models.get(model, {})}
        return replace(self, datasets=datasets, models=models, asked=asked, **parts)

    def flat(self, dataset: str, model: str) -> Settings:
        """Every setting that can change a number, by its key."""
        parts = {
            "experiment": self.experiment,
            "dataset": self.dataset(dataset),
            "missingness": self.missingness_of(dataset),
            "model": self.model(dataset, model),
            "protocol": self.protocol,
        }
        flat = {
            f"{part}.{key}": value for part, thing in parts.items() for key, value in identity(thing).items()
        }
        return {"missingness": self.missingness_of(dataset).name, **flat}

    def changed(self, dataset: str, model: str) -> tuple[str, ...]:
        """The keys whose values differ from the experiment's own settings under this protocol.

        What it sweeps by itself, or what makes an extra row what it is, is no change.
        """
        assert self.paper is not None
        own, absent = self.paper.flat(dataset, model), object()
        meant = {*self.axes, *(self.control.settings if self.control else ())}
        return tuple(
            key
            for key, value in self.flat(dataset, model).items()
            if own.get(key, absent) != value and key not in meant
        )


def _check_datasets(names: Iterable[str]) -> None:
    for name in names:
        if name not in GROUPS["dataset"]:
            raise unknown("dataset", name, GROUPS["dataset"])


def check_table(table: Mapping[str, Any]) -> None:
    """The datasets, models and settings that a table of settings speaks of must exist."""
    _check_datasets(name for name in table if name != "*")
    for dataset, models in table.items():
        for model, settings in (models or {}).items():
            known = {
                spec.name: None
                for name in (GROUPS["model"] if model == "*" else [model])
                for spec in fields(lookup("model", name))
            }
            for key in settings or {}:
                if key not in known:
                    raise unknown_key(f"{dataset}.{model}.{key}", key, known)


def _is_seed(seed: object) -> bool:
    return type(seed) is int and seed >= 0


def _layered(layers: Sequence[Mapping[str, Any]]) -> Settings:
    return {key: value for layer in layers for key, value in layer.items()}


def _matching(table: Mapping[str, Any], dataset: str, model: str, cls: type) -> list[Settings]:
    """The layers of a table `dataset -> model -> settings` that concern this pair; "*" is any, and first."""
    known = {spec.name for spec in fields(cls)}
    layers = []
    for row in ("*", dataset):
        for column in ("*", model):
            settings = (table.get(row) or {}).get(column) or {}
            # What is said of all models concerns those that have such a setting.
            layers.append({key: value for key, value in settings.items() if column != "*" or key in known})
    return layers
