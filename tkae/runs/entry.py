"""An entry: a cell as tables, figures and claims see it, whether it comes from a plan or from a record."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from sys import intern
from typing import Any, TypeVar

K = TypeVar("K", bound=Hashable)
Record = Mapping[str, Any]
ABLATIONS = "ablations"  # the table of changes that are made to see what they do


@dataclass(frozen=True)
class Entry:
    """What a cell is, and what is stored of it, if anything is."""

    key: str
    identity: Mapping[str, Any]  # what its numbers depend on
    story: Mapping[str, Any]  # see Cell.story
    record: Record | None = None

    @classmethod
    def of(cls, key: str, record: Record) -> Entry:
        """The entry of a record, which tells its whole story."""
        return cls(key, record["identity"], record["story"], record)

    @property
    def seed(self) -> int:
        return int(self.identity["seed"])

    @property
    def experiment(self) -> str:
        return str(self.story["experiment"])

    @property
    def table(self) -> str:
        """The table that shows it: a change that the ablations make stands in theirs."""
        return ABLATIONS if self.story.get("line") else self.experiment

    @property
    def protocol(self) -> str:
        return str(self.story["protocol"])

    @property
    def done(self) -> bool:
        return self.record is not None and self.record["status"] == "done"

    @cached_property
    def runs_of(self) -> str:
        """Equal for cells that differ in nothing but the seed (and in what a seed draws): one row."""
        rest = {key: value for key, value in self.identity.items() if key not in ("seed", "data")}
        data = dict(self.identity.get("data", {}))
        if self.story["holes"]:  # each run may have a file of its own
            data.pop("masks", None)
        parts = [rest, data, self.story["holes"], self.story["method"]]
        return intern(json.dumps(parts, sort_keys=True))

    @cached_property
    def whatever_version(self) -> str:
        """The same, whatever the versions of what its numbers rest on."""
        return replace(self, identity={**self.identity, "versions": {}}).runs_of

    @cached_property
    def objects(self) -> tuple[object, ...]:
        """The objects that `runs_of` is made of: entries that share them are alike, without a closer look."""
        parts = (id(part) for name, part in self.identity.items() if name != "seed")
        return (*parts, self.story["holes"], self.story["method"])

    @cached_property
    def facts(self) -> dict[str, Any]:
        """Everything that may tell one row from another, by the name of a column."""
        found = dict(self.story["settings"])
        for part in ("experiment", "dataset", "missingness", "model", "protocol", "versions", "data"):
            own = self.identity.get(part, {})
            found |= {f"{part}.{key}": value for key, value in own.items() if key != "name"}
        found |= {"missingness": self.identity["missingness"]["name"], "holes": self.story["holes"] or None}
        # What a smaller budget would not have changed is as good as computed with the paper's.
        budget = self.story["budget"]["name"] if self.story["shortened"] else "paper"
        names = {name: self.story[name] for name in ("dataset", "model", "method", "series")}
        return found | names | {"budget": budget}

    @property
    def row(self) -> str:
        """For people: all but the seed."""
        story = self.story
        shown = dict.fromkeys([*story["axes"], *story["told_by"], *story["changed"]])
        extra = "".join(f" {key}={story['settings'].get(key)}" for key in shown)
        dataset = story["dataset_title"] if story["dataset"] == "file" else story["dataset"]
        return f"{story['experiment']}.{story['protocol']} {dataset} {story['model']}{extra}"

    @property
    def label(self) -> str:
        """For people: which cell."""
        return f"{self.row} seed {self.seed}"


def in_groups(entries: Iterable[Entry], of: Callable[[Entry], K]) -> dict[K, list[Entry]]:
    """The entries by something that all of one row have alike, which is made once of those that share it."""
    made: dict[tuple[object, ...], K] = {}
    groups: dict[K, list[Entry]] = {}
    for entry in entries:
        objects = entry.objects
        if objects not in made:
            made[objects] = of(entry)
        groups.setdefault(made[objects], []).append(entry)
    return groups
