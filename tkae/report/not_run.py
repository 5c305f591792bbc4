"""What the paper prints and nobody has computed yet: such rows stand in a table, too, as not run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tkae.report.paper import PaperNumber, load_paper
from tkae.runs.entry import Entry
from tkae.settings.registry import lookup
from tkae.settings.values import Budget


def of_the_paper(entry: Entry) -> bool:
    """Whether its dataset is one that the paper prints figures of, not one of the user's own."""
    return any(entry.story["dataset"] in number.dataset.split() for number in load_paper())


def rows_not_run(experiment: str, protocol: str, stored: Sequence[Entry]) -> list[Entry]:
    """An entry without a record for each row of the paper's table that no stored cell belongs to.

    A table of nothing but the user's own data has no such rows.
    """
    if stored and not any(map(of_the_paper, stored)):
        return []
    own = [entry.story for entry in stored if not entry.story["changed"] and not entry.story["control"]]
    have = {(story["dataset"], story["method"], _at(story["axes"])) for story in own}
    stand_in = {story["stands_for"]: story["dataset"] for story in own}
    metrics = {metric.name for metric in lookup("experiment", experiment).metrics}
    found: dict[tuple[str, str, str], Entry] = {}
    for number in load_paper():
        if number.experiment != experiment or number.metric not in metrics:
            continue
        for method in number.method.split():
            datasets = number.dataset.split()  # several: the first, or one that stands for it
            if not have & {(dataset, method, number.at) for dataset in datasets}:
                dataset = stand_in.get(datasets[0], datasets[0])
                place = (dataset, method, number.at)
                found[place] = _entry(experiment, protocol, datasets[0], place, number)
    return list(found.values())


def _at(point: dict[str, Any]) -> str:
    return " ".join(f"{key}={value}" for key, value in point.items())


def _entry(
    experiment: str, protocol: str, stands_for: str, place: tuple[str, str, str], number: PaperNumber
) -> Entry:
    dataset, method, _ = place
    point = {key: float(value) for key, _, value in (word.partition("=") for word in number.at.split())}
    facts = all(metric.higher_is_better is None for metric in lookup("experiment", experiment).metrics)
    story = {
        "experiment": experiment,
        "protocol": protocol,
        "dataset": dataset,
        "dataset_title": lookup("dataset", dataset).title,
        "dataset_note": "",
        "stands_for": stands_for,
        "model": method,
        "method": method,
        "method_title": lookup("model", method).title,
        "control": False,
        "settings": dict(point),
        "axes": point,
        "told_by": [],
        "changed": [],
        "holes": "",
        "series": None,
        "budget": vars(Budget()),
        "shortened": False,
        "seeds": 1 if facts else Budget().seeds,
    }
    names = {"dataset": dataset, "model": method, "missingness": "not run", "experiment": experiment}
    identity = {part: {"name": name} for part, name in names.items()} | {"seed": 0, "data": {"at": number.at}}
    return Entry("", identity, story)
