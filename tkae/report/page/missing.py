"""What has not been computed yet, with the command that would and how long it would take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tkae.report.page.command import said
from tkae.report.page.runs import Runs
from tkae.report.page.times import UNKNOWN, spoken


@dataclass(frozen=True)
class Missing:
    """Runs of one dataset under one protocol: one command computes them."""

    protocol: str
    dataset: str
    methods: Sequence[str]
    cells: int
    command: str
    estimate: str


def missing(runs: Sequence[Runs]) -> list[Missing]:
    """Of one experiment; what was changed or is ours has the command of its own row."""
    apart: dict[tuple[str, str], list[Runs]] = {}
    for one in runs:
        story = one.entries[0].story
        if one.missing and not story["changed"] and not story["control"] and story["dataset"] != "file":
            apart.setdefault((one.protocol, story["dataset"]), []).append(one)
    return [_together(protocol, dataset, found) for (protocol, dataset), found in apart.items()]


def _together(protocol: str, dataset: str, runs: Sequence[Runs]) -> Missing:
    story = runs[0].entries[0].story
    models = list(dict.fromkeys(one.entries[0].story["model"] for one in runs))
    words = {"experiment": story["experiment"], "dataset": dataset, "model": models, "protocol": protocol}
    words["model"] = models[0] if len(models) == 1 else models
    for key in story["axes"]:
        words[key] = sorted({one.entries[0].story["axes"][key] for one in runs})
    if story["budget"]["name"] != "paper":
        words["budget"] = story["budget"]["name"]
    methods = list(dict.fromkeys(one.rows[0].method_title for one in runs))
    known = [one.seconds for one in runs if one.seconds is not None]
    cells, unknown = sum(one.missing for one in runs), len(runs) - len(known)
    estimate = UNKNOWN if not known else f"about {spoken(sum(known))} on one core"
    if known and unknown:
        estimate += f", and {unknown} of {len(runs)} rows unknown"
    return Missing(
        protocol, story["dataset_title"], methods, cells, said(words, sweep=tuple(story["axes"])), estimate
    )
