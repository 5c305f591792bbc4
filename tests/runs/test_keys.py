"""Keys last: what was computed is found again after the code was changed around it."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, make_dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.runs import golden
from tkae.data.collection import Collection
from tkae.data.prepare import Split, Task
from tkae.experiments.base import Experiment
from tkae.fields import keyed, setting, settings, values
from tkae.models.pca import PCA
from tkae.protocol import Protocol
from tkae.runs.cell import Cell
from tkae.runs.identity import key_of
from tkae.runs.plan import plan
from tkae.settings.compose import compose
from tkae.settings.registry import GROUPS, lookup

WORDS = ["experiment=classification", "dataset=japanese_vowels", "model=[pca,tae,tkae]", "seeds=1"]


def keys_of(*words: str) -> dict[str, str]:
    return {cell.model.name: cell.key for cell in plan(compose([*WORDS, *words], sweep=False))}


def test_golden_keys_are_as_they_were() -> None:
    known = json.loads(golden.KEYS.read_text(encoding="utf-8"))
    assert len(known) >= 40 and golden.keys() == known


def test_what_a_key_without_a_setting_stands_for_is_as_it_was() -> None:
    """A default that changes needs `absent`, or old and new cells would share their keys."""
    known = json.loads(golden.ABSENT.read_text(encoding="utf-8"))
    now = json.loads(json.dumps(golden.absents()))
    for name, absents in known.items():
        assert absents.items() <= now[name].items(), name


def with_a_new_setting(thing: Any) -> Any:
    """The same settings in a class that has one more, before all others."""
    specs = [(spec.name, spec.type, copied(spec)) for spec in settings(thing)]
    new = ("a_new_one", float, setting(0.25))
    cls = make_dataclass(type(thing).__name__, [new, *reversed(specs)], bases=(type(thing),))
    return cls(**{spec.name: getattr(thing, spec.name) for spec in settings(thing)})


def copied(spec: dataclasses.Field[Any]) -> Any:
    if spec.default is not dataclasses.MISSING:
        return field(default=spec.default, metadata=spec.metadata)
    return field(default_factory=spec.default_factory, metadata=spec.metadata)  # type: ignore[arg-type]


@pytest.mark.parametrize("part", ["experiment", "dataset", "missingness", "model", "protocol"])
def test_a_setting_with_a_default_and_another_order_change_no_key(part: str) -> None:
    for command in golden.COMMANDS:
        for cell in plan(compose(command.split(), sweep=False)):
            grown = with_a_new_setting(getattr(cell, part))
            assert dataclasses.replace(cell, **{part: grown}).key == cell.key
            other = dataclasses.replace(grown, a_new_one=0.5)
            changed = dataclasses.replace(cell, **{part: other}).key != cell.key
            assert changed == (part != "protocol")  # of a protocol, only what the experiment reads counts


@pytest.mark.parametrize("part", ["experiment", "dataset", "missingness", "model", "protocol"])
def test_where_a_class_lives_and_what_it_is_called_there_does_not_matter(part: str) -> None:
    for cell in plan(compose(WORDS, sweep=False)):
        own = getattr(cell, part)
        moved = dataclass(type("NewName", (type(own),), {"__module__": "tkae.somewhere.new"}))
        assert dataclasses.replace(cell, **{part: moved(**values(own))}).key == cell.key


@dataclass
class Before:
    length: int = setting(5, at_least=1)
    rate: float = 0.5


@dataclass
class Renamed:
    window: int = setting(5, at_least=1, alias="length")
    rate: float = setting(0.9, absent=0.5)


def test_a_renamed_setting_and_a_changed_default_keep_their_keys() -> None:
    assert keyed(Renamed(window=7, rate=0.5)) == keyed(Before(length=7)) == {"length": 7}
    assert keyed(Renamed()) == keyed(Before(rate=0.9)) == {"rate": 0.9}


def test_a_model_is_not_keyed_by_what_its_experiment_does_not_read() -> None:
    for setting_ in ("imputation_split=train", "imputation_entries=removed", "error_entries=observed"):
        assert keys_of(f"protocol.{setting_}") == keys_of()
    assert not set(keys_of("protocol.scaling=own").values()) & set(keys_of().values())


def test_settings_that_change_nothing_beside_others_are_not_keyed() -> None:
    assert keys_of("model.start=last") == keys_of()  # read where each layer has a state of its own
    layers = keys_of("model.combination=layers")
    assert keys_of("model.combination=layers", "model.start=last") != layers
    assert keys_of("model.tkae.alpha=0", "model.tkae.G=3")["tkae"] == keys_of("model.tkae.alpha=0")["tkae"]
    assert keys_of("model.tkae.G=3")["tkae"] != keys_of()["tkae"]


def test_a_given_kernel_takes_the_place_of_its_settings() -> None:
    authors = keys_of("protocol=authors")
    assert keys_of("protocol=authors", "model.tkae.G=3")["tkae"] == authors["tkae"]
    ours = keys_of("protocol=authors", "protocol.kernels=tck")
    assert ours["tkae"] != authors["tkae"]
    assert (ours["pca"], ours["tae"]) == (authors["pca"], authors["tae"])  # which have no kernel


class Asked:
    """A protocol that remembers what was read of it."""

    def __init__(self) -> None:
        self.read: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        self.read.add(name)
        return getattr(Protocol(), name)


@pytest.mark.parametrize("name", [n for n in GROUPS["experiment"] if n not in ("datasets", "ablations")])
def test_an_experiment_says_what_it_reads_of_the_protocol(
    name: str, complete: Collection, make: Callable[[Collection], Task]
) -> None:
    cls: type[Experiment] = lookup("experiment", name)
    settings = {"mixtures": 1} if name == "kernel_matrices" else {}
    asked, task = Asked(), make(complete)
    cls(**settings).measure(PCA(code_size=3).learn(task.train.given), task, asked)  # type: ignore[arg-type]
    assert asked.read <= set(cls.reads)


@pytest.fixture
def make() -> Callable[[Collection], Task]:
    def task(x: Collection) -> Task:
        removed = x.observed.copy()
        removed[:, 1:] = False
        split = Split(x, x.without(removed), removed)
        return Task(split, split, ("a", "b", "c"), 1, "none")

    return task


def test_records_of_the_reference_are_those_of_planned_cells() -> None:
    """Every record belongs to a cell that a command can ask for, now perhaps of a newer version."""
    from tkae.runs.store import Store

    reference = Path(__file__).parents[2] / "results" / "reference"
    if not reference.is_dir():
        pytest.skip("the reference is not part of this copy")
    stored = [entry.identity for entry in Store(reference).entries() if entry.experiment == "imputation"]
    cells: list[Cell] = []
    for protocol in ("paper", "authors", "clean"):
        cells += plan(compose(["experiment=imputation,ablations", f"protocol={protocol}"], sweep=True))
    planned = {_whatever_version(cell.identity) for cell in cells}
    assert stored and {_whatever_version(identity) for identity in stored} <= planned


def _whatever_version(identity: Mapping[str, Any]) -> str:
    return key_of({name: part for name, part in identity.items() if name != "versions"})
