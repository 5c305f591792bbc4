"""Where the protocols of an experiment part: the settings that differ, by the records, with their meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tkae.report.page.words import meaning
from tkae.report.section import Section
from tkae.report.tables import value_text
from tkae.runs.cell import PREPARING_READS
from tkae.settings.registry import lookup

Values = dict[str, str]  # of a setting, by protocol


@dataclass(frozen=True)
class Difference:
    """A setting, its value under each protocol, and for which datasets and methods that holds."""

    key: str
    meaning: str
    values: Values
    where: Sequence[str]  # empty: for all


def differences(sections: Sequence[Section]) -> list[Difference]:
    """Of one experiment; only what was computed under at least two protocols can be told."""
    stories: dict[tuple[str, str], dict[str, Mapping[str, Any]]] = {}
    for section in sections:
        for row in section.rows:
            if row.done and not row.changed and not row.ours:
                stories.setdefault((row.stands_for, row.method), {})[section.protocol] = row.entries[0].story
    reads = (*lookup("experiment", sections[0].experiment).reads, *PREPARING_READS)
    meanings: dict[str, str] = {}
    found: dict[str, list[tuple[Values, list[str]]]] = {}
    for by_protocol in stories.values():
        one = next(iter(by_protocol.values()))
        for key, values in _parted(by_protocol, reads).items():
            meanings.setdefault(key, meaning(key, one))
            _put(found.setdefault(key, []), values, f"{one['dataset_title']} {one['method_title']}")
    return [
        Difference(key, meanings[key], values, where if len(where) < len(stories) else [])
        for key, alike in found.items()
        for values, where in alike
    ]


def _put(alike: list[tuple[Values, list[str]]], values: Values, where: str) -> None:
    """With those that have the same values, as far as both were computed."""
    for known, places in alike:
        if all(known.get(protocol, value) == value for protocol, value in values.items()):
            known |= values
            places.append(where)
            return
    alike.append((dict(values), [where]))


def _parted(stories: Mapping[str, Mapping[str, Any]], reads: Sequence[str]) -> dict[str, Values]:
    """The settings that are not the same under all protocols, but for what nothing here reads."""
    keys = dict.fromkeys(key for story in stories.values() for key in story["settings"])
    found = {}
    for key in keys:
        group, _, name = key.partition(".")
        values = {protocol: value_text(story["settings"].get(key)) for protocol, story in stories.items()}
        if len(set(values.values())) > 1 and (group != "protocol" or name in reads):
            found[key] = values
    return found
