"""Where the protocols of an experiment part: the settings that differ, from the records, with their meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tkae.report.page.words import meaning
from tkae.report.section import Section
from tkae.report.tables import setting_text

LEFT_OUT = ("protocol.name", "dataset.path")


@dataclass(frozen=True)
class Difference:
    """A setting, its value under each protocol, and for which datasets and methods that holds."""

    key: str
    meaning: str
    values: Mapping[str, str]  # by protocol
    where: Sequence[str]


def differences(sections: Sequence[Section]) -> list[Difference]:
    """Of one experiment; only what was computed under at least two protocols can be told."""
    stories: dict[tuple[str, str], dict[str, Mapping[str, Any]]] = {}
    for section in sections:
        for row in section.rows:
            story = row.entries[0].story
            if row.done and not row.changed and not row.ours:
                stories.setdefault((row.stands_for, row.method), {})[section.protocol] = story
    found: dict[tuple[str, str, tuple[tuple[str, str], ...]], list[str]] = {}
    for by_protocol in stories.values():
        one = next(iter(by_protocol.values()))
        for key, values in _parted(by_protocol).items():
            where = f"{one['dataset_title']} {one['method_title']}"
            found.setdefault((key, meaning(key, one), tuple(values.items())), []).append(where)
    every = {f"{story['dataset_title']} {story['method_title']}" for by in stories.values() for story in by.values()}
    return [
        Difference(key, words, dict(values), where if len(where) < len(stories) else [])
        for (key, words, values), where in found.items()
        if every
    ]


def _parted(stories: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, str]]:
    """The settings that are not the same under all protocols, with the values there."""
    keys = dict.fromkeys(key for story in stories.values() for key in story["settings"] if key not in LEFT_OUT)
    found = {}
    for key in keys:
        values = {protocol: _written(story["settings"].get(key)) for protocol, story in stories.items()}
        if len(set(values.values())) > 1:
            found[key] = values
    return found


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else setting_text(value)
