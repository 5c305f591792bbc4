"""A checked call: what is to be run, with every setting in its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from tkae.data.dataset import Dataset
from tkae.data.missingness import Missingness
from tkae.errors import UserError
from tkae.experiments.base import Experiment
from tkae.fields import identity
from tkae.models.base import Model
from tkae.protocol import Protocol
from tkae.settings.ablations import Line
from tkae.settings.controls import Control
from tkae.settings.overrides import Override
from tkae.settings.registry import lookup, settings_of, shown_file
from tkae.settings.schema import build
from tkae.settings.setup import Once, Setup
from tkae.settings.values import MOST_CELLS, Budget

Settings = dict[str, Any]
Layered = dict[str, tuple[Any, str]]  # setting -> its value and where it came from


@dataclass(frozen=True)
class Call:
    """One experiment on some datasets with some models; what the user set wins over all else."""

    experiment: Experiment
    missingness: str  # the member that was chosen
    protocol: Protocol
    budget: Budget
    how_many: Any  # seeds, as the user gave them: a number, a list of them, or None
    device: str  # where recurrent models are trained
    datasets: Mapping[str, Settings]  # as the config files have them
    models: Mapping[str, Settings]
    overrides: list[Override]  # of experiment and protocol, the strongest last
    holes: Settings  # of the missingness, as its config file has them
    user_values: Mapping[str, Mapping[str, Settings]]  # group -> member -> what the user set
    chose_missingness: bool = False  # the user did: then no override puts another in its place
    paper: Call | None = field(default=None, repr=False)  # the same without the user's values
    point: Mapping[str, Any] = field(default_factory=dict)  # where on the experiment's own sweep this is
    control: Control | None = None  # the extra row that this is, if it is one
    line: Line | None = None  # of the ablations, where this is a change that they make
    placed: Mapping[str, str] = field(default_factory=dict)  # keys that a grid, control or line sets -> which

    def beside(self, paper: Call) -> Call:
        """This call, knowing the experiment's own settings, so that a table can tell what was changed."""
        call = replace(self, paper=paper)
        call.seeds()
        name, needs = call.experiment.name, call.experiment.needs
        for setup in call.setups:  # everything is built: a wrong value fails before any run
            if needs and not any(setup.model.can(ability) for ability in needs):
                raise UserError(f"model={setup.model.name} cannot {needs[0]}, which experiment={name} needs")
        return call

    @cached_property
    def setups(self) -> tuple[Setup, ...]:
        """Every dataset with every model, resolved once: plans, tables and `--cfg` read nothing else."""
        return tuple(self._setup(dataset, model) for dataset, model in self.pairs())

    def _setup(self, dataset: str, model: str) -> Setup:
        return Setup(
            experiment=self.experiment,
            dataset=self.dataset(dataset),
            missingness=self.missingness_of(dataset),
            model=self.model(dataset, model),
            protocol=self.protocol,
            budget=self.budget,
            stands_for=self.stands_for(dataset),
            settings=self._flat(dataset, model),
            changed=self._changed(dataset, model),
            point=self.point,
            control=self.control,
            line=self.line,
            shortened=self._shortened(dataset, model),
            series=self._series(dataset),
            wanted=self._wanted,
        )

    @cached_property
    def once(self) -> Once:
        """What is resolved once, in this call and not in those that are made of it."""
        return Once()

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Every dataset with every model."""
        if not self.datasets or not self.models:
            raise UserError("nothing to run: name at least one dataset and one model")
        return ((dataset, model) for dataset in self.datasets for model in self.models)

    def replacement_of(self, dataset: str) -> str:
        """The dataset that stands in the place of this one under this protocol."""
        return str(self._put_in_place("dataset", dataset)[0] or dataset)

    def stands_for(self, dataset: str) -> str:
        """The experiment's dataset in whose place this one stands under this protocol, if it does."""
        for override in self.overrides:
            own = override.names("dataset")
            if own and override.set.get("dataset") == dataset and self.replacement_of(own[0]) == dataset:
                return own[0]
        return dataset

    def _put_in_place(self, group: str, dataset: str) -> tuple[str, str]:
        """The member of a group that the last override for this dataset chooses, and where it stands.

        Nothing, if it is as the experiment or the user has chosen it.
        """
        found = "", ""
        for override in self.overrides:
            if group in override.set and override.concerns(protocol=self.protocol.name, dataset=dataset):
                found = str(override.set[group]), override.source
        return found

    def dataset(self, name: str) -> Dataset:
        """The dataset with its own settings, the protocol's and the user's; no more than the budget has."""

        def make() -> Dataset:
            made: Dataset = build(lookup("dataset", name), _values(self.of_dataset(name)), f"dataset.{name}")
            return made.at_most(self.budget.series)

        return self.once(f"dataset {name}", make)

    def of_dataset(self, name: str) -> Layered:
        """Its settings, each with its source."""
        layered = _laid({}, self.datasets[name], shown_file("dataset", name))
        return self._over(layered, "dataset", name, dataset=name)

    def check_missingness(self) -> None:
        """What is said of missingness must concern some dataset of the run."""
        if self.datasets and all(map(self.keeps_its_holes, self.datasets)):
            raise UserError(
                f"missingness has no effect: {', '.join(self.datasets)} keeps its own holes here and loses "
                f"nothing else; add missingness={self.missingness} to remove entries from it as well"
            )

    def keeps_its_holes(self, dataset: str) -> bool:
        """Whether an override puts another missingness in the place of the one that was chosen."""
        return self._missingness(dataset) != self.missingness

    def _missingness(self, dataset: str) -> str:
        given = "" if self.chose_missingness else self._put_in_place("missingness", dataset)[0]
        return given or self.missingness

    def missingness_of(self, dataset: str) -> Missingness:
        """What is removed from this dataset: nothing where the experiment takes it as it is."""

        def make() -> Missingness:
            cls = lookup("missingness", self._missingness(dataset))
            made: Missingness = build(cls, _values(self.of_missingness(dataset)), "missingness")
            return made

        return self.once(f"missingness of {dataset}", make)

    def of_missingness(self, dataset: str) -> Layered:
        """Its settings for this dataset, each with its source."""
        name = self._missingness(dataset)
        if name != self.missingness:
            return {}
        layered = _laid({}, self.holes, shown_file("missingness", name))
        return self._over(layered, "missingness", name, dataset=dataset)

    def model(self, dataset: str, name: str) -> Model:
        """The model with the paper's settings for this dataset, then the protocol's, then the user's."""

        def make() -> Model:
            made: Model = build(lookup("model", name), _values(self.of_model(dataset, name)), f"model.{name}")
            made.check()
            return made

        return self.once(f"model {name} on {dataset}", make)

    def of_model(self, dataset: str, name: str) -> Layered:
        """Its settings for this dataset, each with its source."""
        layered = _laid({}, self.models.get(name, {}), shown_file("model", name))
        # Only a model that trains has epochs or a device; others are the same whatever these are.
        whole = vars(build(lookup("model", name), _values(layered), f"model.{name}"))
        work = self.budget.shortened({key: whole[key] for key in ("epochs", "G") if key in whole})
        layered = _laid(layered, work, f"budget={self.budget.name}")
        if "device" in whole:
            layered = _laid(layered, {"device": self.device}, "command line")
        return self._over(layered, "model", name, dataset=dataset, model=name)

    def _over(self, layered: Layered, section: str, name: str, **members: str) -> Layered:
        """Settings with what overrides say of them, and then the user."""
        known = settings_of(section, name)
        for override in self.overrides:
            if override.concerns(protocol=self.protocol.name, **members):
                values = self.budget.shortened(override.values(section, known))
                layered = _laid(layered, values, override.source)
        return _laid(layered, self.user_values[section].get(name, {}), "command line")

    def _series(self, dataset: str) -> int | None:
        """How many series of each split are used, if the budget leaves some of this dataset out."""
        most = None if self.experiment.whole else self.budget.series
        have = self.dataset(dataset).series
        return most if most is not None and (have is None or have > most) else None

    def _shortened(self, dataset: str, model: str) -> bool:
        """Whether the budget gives the model other work than the paper's budget would."""
        if self.budget == Budget():
            return False
        whole = replace(self, budget=Budget())
        fewer = self._series(dataset) is not None or self.dataset(dataset) != whole.dataset(dataset)
        return fewer or self.model(dataset, model) != whole.model(dataset, model)

    def seeds(self) -> list[int]:
        given = self.budget.seeds if self.how_many is None else self.how_many
        if type(given) is int and 0 < given <= MOST_CELLS:
            return list(range(given))
        if isinstance(given, list) and given and all(map(_is_seed, given)) and len(set(given)) == len(given):
            return given
        raise UserError(
            f"seeds={given} is not allowed: it takes how many (from 1 to {MOST_CELLS}), or a list of "
            "different whole numbers from 0 on, such as [0,5]"
        )

    @property
    def _wanted(self) -> int:
        """How many seeds the experiment has by itself, whatever the user asked for."""
        own = self.paper.how_many if self.paper else None
        return own if type(own) is int else self.budget.seeds

    def for_pair(self, dataset: str, model: str, values: Settings, source: str = "") -> Call:
        """This call for one pair alone, with values of a config file by their keys (`model.alpha`)."""
        members = {"dataset": dataset, "model": model, "missingness": self.missingness}
        user = {group: {name: dict(self.user_values[group].get(name, {}))} for group, name in members.items()}
        parts: dict[str, Any] = {}
        for key, value in values.items():
            section, _, name = key.partition(".")
            if section in user:
                user[section][members[section]] |= self.budget.shortened({name: value})
            else:
                part = parts.get(section, getattr(self, section))
                parts[section] = build(type(part), {**vars(part), name: value}, section)
        datasets, models = {dataset: self.datasets[dataset]}, {model: self.models.get(model, {})}
        placed = {**self.placed, **dict.fromkeys(values, source)}
        return replace(self, datasets=datasets, models=models, user_values=user, placed=placed, **parts)

    def _flat(self, dataset: str, model: str) -> Settings:
        """Every setting that can change a number, by its key."""
        return self.once(f"settings of {model} on {dataset}", lambda: self._all_settings(dataset, model))

    def _all_settings(self, dataset: str, model: str) -> Settings:
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
        return {"missingness": self._missingness(dataset), **flat}

    def sources(self, dataset: str, model: str) -> dict[str, str]:
        """Where the values of a setup come from, by their keys, as far as not from a class's own default."""
        parts = {
            "dataset": self.of_dataset(dataset),
            "missingness": self.of_missingness(dataset),
            "model": self.of_model(dataset, model),
        }
        found = {f"{part}.{key}": source for part, of in parts.items() for key, (_, source) in of.items()}
        file = shown_file("experiment", self.experiment.name)
        override = self._put_in_place("missingness", dataset)[1]
        chosen = "command line" if self.chose_missingness else override or file
        return {"missingness": chosen, **found, **self.placed}

    def _changed(self, dataset: str, model: str) -> tuple[str, ...]:
        """The keys whose values differ from the experiment's own settings under this protocol.

        What it sweeps by itself, or what makes an extra row what it is, is no change.
        """
        assert self.paper is not None
        own, absent = self.paper._flat(dataset, model), object()
        meant = {*self.point, *(self.control.settings if self.control else ())}
        return tuple(
            key
            for key, value in self._flat(dataset, model).items()
            if own.get(key, absent) != value and key not in meant
        )


def _is_seed(seed: object) -> bool:
    return type(seed) is int and 0 <= seed < 2**63


def _laid(below: Layered, values: Settings, source: str) -> Layered:
    return below | {key: (value, source) for key, value in values.items()}


def _values(layered: Layered) -> Settings:
    return {key: value for key, (value, _) in layered.items()}
