"""A cell: one model on one dataset with one seed, under one protocol and budget. The unit of work."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import Any

from tkae.data.dataset import Extent
from tkae.data.files import Files
from tkae.data.prepare import fingerprint
from tkae.experiments.base import Experiment
from tkae.fields import identity, keyed
from tkae.memory import too_large
from tkae.runs.entry import Entry, Record
from tkae.runs.identity import around_seed, key_around
from tkae.settings.setup import Setup

DATA_VERSION = 1  # raised whenever loading, scaling or removal changes what a model sees
EVERY_CELL_READS = ("name", "scaling", "scaling_entries")  # of the protocol
PREPARING_READS = ("scaling", "scaling_entries", "masks", "kernels")  # of the protocol


@dataclass(frozen=True, kw_only=True)
class Cell(Setup):
    """A setup and a seed. Its identity holds what can change its numbers, and no path, thread count or place.

    The budget enters through the model's own epochs.
    """

    seed: int
    data: dict[str, str]  # fingerprints of the source files
    holes: str = ""  # what tells the holes of all its runs from others, where they come from files
    problem: str = ""  # why the data cannot be had; such a cell fails without being run

    @classmethod
    def of(cls, setup: Setup, seed: int, files: Files) -> Cell:
        """The run of a setup with this seed, on the files as they are here."""
        dataset, missingness, once = setup.dataset, setup.missingness, setup.once
        source = once("source", lambda: dataset.fingerprint(files))
        cell = cls(
            **once("fields", lambda: {spec.name: getattr(setup, spec.name) for spec in fields(setup)}),
            seed=seed,
            data=fingerprint(source, dataset, missingness, setup.protocol, seed),
            holes=missingness.called(dataset.name, seed),
        )
        cell.__dict__["once"] = setup.once  # what is the same for all seeds
        return cell

    @cached_property
    def identity(self) -> dict[str, Any]:
        """What can change the numbers, and of that only what is not as it always was: the key hashes it.

        A setting that is added with a default changes no key; see `tkae.fields.setting` for one that is
        renamed, or whose default changes.
        """
        return {**self.once(f"identity {self.data}", self._but_the_seed), "seed": self.seed}

    def _but_the_seed(self) -> dict[str, Any]:
        """The identity without the seed: the same for all runs on these data."""
        kernel = self.model.aligned or self.experiment.aligned
        data = {name: text for name, text in self.data.items() if text and (kernel or name != "kernels")}
        idle = self.model.idle(kernel="kernels" in data)  # the series carry one
        versions = {
            "data": DATA_VERSION,
            "experiment": self.experiment.version,
            "model": self.model.version,
            **self.experiment.method_versions(),
            **self.model.other_versions(),
        }
        reads = (*EVERY_CELL_READS, *self.experiment.reads)
        whole = {
            "experiment": {"name": self.experiment.name, **keyed(self.experiment)},
            "dataset": {"name": self.dataset.name, **keyed(self.dataset)},
            "missingness": {"name": self.missingness.name, **keyed(self.missingness)},
            "model": {"name": self.model.name, **keyed(self.model, idle)},
            "protocol": {key: value for key, value in keyed(self.protocol).items() if key in reads},
            "versions": {name: version for name, version in versions.items() if version != 1},
            "data": data,
            "series": self.series,
        }
        return {name: part for name, part in whole.items() if part not in (None, {})}

    @cached_property
    def key(self) -> str:
        """A hash of the identity: the name of the cell's record."""
        return key_around(*self.once(f"key {self.data}", lambda: around_seed(self.identity)), self.seed)

    @property
    def story(self) -> dict[str, Any]:
        """What a reader of its record has to know to put it into a table, without the code that made it."""
        return self.once(f"story {self.holes}", self._story)

    @property
    def told(self) -> dict[str, Any]:
        """The story as a record gives it back."""
        return self.once(f"told {self.holes}", lambda: json.loads(json.dumps(self.story, sort_keys=True)))

    def _story(self) -> dict[str, Any]:
        return {
            "experiment": self.experiment.name,
            "protocol": self.protocol.name,
            "dataset": self.dataset.name,
            "dataset_title": self.dataset.called,
            "dataset_note": self.dataset.paper_row.note if self.dataset.paper_row else "",
            "stands_for": self.stands_for,
            "model": self.model.name,
            "method": self.control.name if self.control else self.model.name,
            "method_title": self.control.title if self.control else self.model.title,
            "control": self.control is not None,
            "settings": self.settings,
            "axes": dict(self.point),
            "told_by": list(self.control.settings) if self.control else [],
            "changed": list(self.changed),
            "line": self.line.name if self.line else "",
            "searched": self.line.searched if self.line else 0,
            "holes": self.holes,
            "series": self.series,
            "budget": asdict(self.budget),
            "shortened": self.shortened,
            "seeds": self.wanted,
        }

    def entry(self, record: Record | None = None) -> Entry:
        """The cell as a table sees it, with what is stored of it."""
        return Entry(self.key, self.identity, self.story, record)

    def too_large(self, extent: Extent) -> str:
        """Why it cannot be computed on this machine, if its memory does not do for so many series."""
        what = f"{self.model.name} on {extent.train} series of {extent.longest} x {extent.variates}"
        return too_large(self.model.footprint(extent), what, self.model.leaner)

    @cached_property
    def replica_group(self) -> str:
        """Equal for cells whose models can be fitted side by side, whatever is then measured of them."""
        parts = [self._arranged, self.dataset.name, identity(self.dataset), self.model.name]
        protocol = {key: getattr(self.protocol, key) for key in PREPARING_READS}
        return json.dumps([*parts, self.model.shared_settings(), protocol, self.series], sort_keys=True)

    @cached_property
    def training(self) -> str:
        """Equal for cells that fit the same model to the same series: one fit serves them all."""
        parts = ("dataset", "missingness", "model", "seed", "data")
        return json.dumps([self.replica_group, *(self.identity.get(part) for part in parts)], sort_keys=True)

    @property
    def _arranged(self) -> dict[str, Any]:
        """The experiment, where it decides what its models are fitted to."""
        own = type(self.experiment).arrange is not Experiment.arrange
        whole: dict[str, Any] = self.identity["experiment"] if own else {}
        return whole

    @property
    def label(self) -> str:
        """For people: what runs now."""
        return f"{self.row} seed {self.seed}"

    @property
    def row(self) -> str:
        """The same without the seed."""
        return self.entry().row

    @property
    def pair(self) -> str:
        """The same without the settings, too."""
        return f"{self.scope} {self.dataset.name} {self.model.name}"

    @property
    def scope(self) -> str:
        """The experiment and the protocol."""
        return f"{self.experiment.name}.{self.protocol.name}"
