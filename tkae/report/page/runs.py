"""What stands behind a figure: its seeds, settings, curves, command and checksums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tkae.experiments.base import Arrays
from tkae.report.curves import ALIGNMENT, RECONSTRUCTION, curves
from tkae.report.effects import Effect, effect_text
from tkae.report.page.chart import Axis, Chart, Line, path
from tkae.report.page.command import command
from tkae.report.page.times import UNKNOWN, Times, spoken
from tkae.report.page.words import meaning, usual
from tkae.report.reproduction import UNEXPLAINED, causes, moves
from tkae.report.summary import Row
from tkae.report.tables import value_text
from tkae.runs.entry import Entry
from tkae.runs.record import digest
from tkae.terminal import count

LISTED = 100  # runs of a row: a page of more is read by nobody, and opens slowly
CURVES = {RECONSTRUCTION: "Training error", ALIGNMENT: "Distance of the codes from the kernel"}


@dataclass(frozen=True)
class Seed:
    """One run."""

    seed: int
    figures: Sequence[str]  # one for each metric
    state: str  # why there are none
    key: str
    checksum: str  # of its record


@dataclass(frozen=True)
class Setting:
    """A setting that is not at its default."""

    key: str
    value: str
    meaning: str
    changed: bool  # not the experiment's own either


@dataclass(frozen=True)
class Change:
    """A change that was tried on these runs, and what it did."""

    metric: str
    change: str
    text: str
    axis: Axis
    effect: Effect


@dataclass(frozen=True)
class Runs:
    """The runs of one row of a protocol's table, with all of its metrics."""

    id: str
    protocol: str
    rows: Sequence[Row]
    effects: Sequence[Effect]
    kept: Mapping[int, Arrays]  # by seed, their curves
    times: Times

    @property
    def entries(self) -> Sequence[Entry]:
        return self.rows[0].entries

    @property
    def title(self) -> str:
        return f"{self.rows[0].method_title} on {self.rows[0].dataset_title}"

    @cached_property
    def command(self) -> str:
        return command(self.entries)

    @cached_property
    def computed(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.record is not None]

    @property
    def unlisted(self) -> int:
        """Runs that the page does not list one by one."""
        return max(len(self.computed) - LISTED, 0)

    @cached_property
    def seeds(self) -> list[Seed]:
        return [
            Seed(
                entry.seed,
                [_figure(row, entry.seed) for row in self.rows],
                "" if entry.done else str(entry.record["error"]) if entry.record else "not run",
                entry.key,
                digest(entry.record),
            )
            for entry in self.computed[:LISTED]
        ]

    @property
    def settings(self) -> list[Setting]:
        """What is not as the config files of dataset, model and missingness have it."""
        story = self.entries[0].story
        return [
            Setting(key, value_text(value), meaning(key, story), key in story["changed"])
            for key, value in story["settings"].items()
            if key in story["changed"] or usual(key, story) not in (None, value_text(value))
        ]

    @cached_property
    def charts(self) -> list[Chart]:
        """The training curves, a line for each seed."""
        return [chart for part, title in CURVES.items() if (chart := self._curves(part, title)) is not None]

    def _curves(self, part: int, title: str) -> Chart | None:
        found = curves(self.kept, part)
        if found is None:
            return None
        shown = found.values[np.isfinite(found.values) & (found.values > 0)]
        x, y = Axis(float(found.epochs[0]), float(found.epochs[-1]) + 1.0, True), Axis.around(shown.tolist())
        drawn = []
        for seed, values in found.by_seed.items():
            points = [
                (x.x(float(epoch)), y.y(float(value)))
                for epoch, value in zip(found.epochs, values, strict=True)
                if np.isfinite(value) and value > 0
            ]
            drawn.append(Line(f"seed {seed}", path(points)))
        return Chart(title, x, y, "epoch", title.lower(), drawn)

    @property
    def why(self) -> list[str]:
        """What is known of a difference to the printed figure, in words."""
        printed = [row for row in self.rows if row.verdict in UNEXPLAINED]
        return list(dict.fromkeys(cause for row in printed for cause in causes(self.protocol, row)))

    @property
    def changes(self) -> list[Change]:
        """The ablations of these runs: single changes that were tried."""
        by_metric: dict[str, list[Effect]] = {}
        for effect in self.effects:
            if effect.interval is not None and effect.row.metric.higher_is_better is not None:
                by_metric.setdefault(effect.row.metric.title, []).append(effect)
        made = []
        for metric, found in by_metric.items():
            ends = [
                end for effect in found for end in (*(effect.interval or ()), effect.to_print or 0.0, 0.0)
            ]
            axis = Axis.around(ends, logarithmic=False)
            made += [Change(metric, effect.change, effect_text(effect), axis, effect) for effect in found]
        return made

    @property
    def nearer(self) -> list[str]:
        """Which of them bring a figure nearer to print."""
        told = []
        for row in (row for row in self.rows if row.verdict in UNEXPLAINED):
            own = [effect for effect in self.effects if effect.row.metric == row.metric and effect.interval]
            told += [f"{row.metric.title}: {text}" for text in moves(own)]
        return told

    @property
    def made(self) -> list[str]:
        """On which machine, from which commit, and how long it took."""
        records = [entry.record for entry in self.entries if entry.record and "environment" in entry.record]
        seconds = sum(float(record.get("seconds", {}).get("total", 0.0)) for record in records)
        told = [f"{count(len(records), 'run')}, {spoken(seconds)} of one core"] if records else []
        for name in ("processor", "commit"):
            values = dict.fromkeys(str(record["environment"].get(name)) for record in records)
            told += [f"{name} {value}" for value in values if value != "None"]
        return told

    @property
    def missing(self) -> int:
        """Seeds that were not run, or failed."""
        row = self.rows[0]
        return row.seeds - row.done

    @property
    def seconds(self) -> float | None:
        """What the missing ones would take on one core, as far as records tell."""
        each = self.times.estimate(self.entries[0])
        return None if each is None else each * self.missing

    @property
    def estimate(self) -> str:
        return UNKNOWN if self.seconds is None else f"about {spoken(self.seconds)} on one core"


def _figure(row: Row, seed: int) -> str:
    value = row.by_seed.get(seed)
    fact = row.metric.higher_is_better is None
    return "–" if value is None else f"{value:.{row.metric.decimals + (not fact)}f}"
