"""The command that computes the runs of a row again: its cells have the very keys of the stored ones."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from tkae.runs.entry import Entry
from tkae.settings.registry import config_folder

PLAIN = re.compile(r"[\w./+-]+")  # a text that Hydra's grammar takes as it is


def command(entries: Sequence[Entry]) -> str:
    """For the entries of one row, which differ in nothing but the seed."""
    story = entries[0].story
    words = {"experiment": story["experiment"], "dataset": story["dataset"], "model": story["model"]}
    words["protocol"] = story["protocol"]
    keys = dict.fromkeys([*story["axes"], *story["told_by"], *story["changed"]])
    if any(key.startswith("missingness.") for key in keys):  # which has such a setting
        words["missingness"] = story["settings"].get("missingness", "uniform")
    words |= {key: story["settings"].get(key) for key in keys}
    if story["dataset"] == "file":
        words["dataset.path"] = story["dataset_title"]  # the name of the file: where it lies, nobody kept
    words |= _budget(story["budget"])
    seeds = sorted(entry.seed for entry in entries)
    if seeds and seeds != list(range(story["seeds"])) and entries[0].key:
        words["seeds"] = seeds
    return said(words)


def said(words: Mapping[str, Any], sweep: Sequence[str] = ()) -> str:
    """The words as one types them; the keys in `sweep` have several values, each of which is run."""
    told = {key: _written(value) for key, value in words.items()}
    told |= {key: ",".join(map(_written, words[key])) for key in sweep}
    many = ["-m"] if any(len(words[key]) > 1 for key in sweep) else []
    return shlex.join(["tkae-run", *many, *(f"{key}={text}" for key, text in told.items())])


def _budget(budget: Mapping[str, Any]) -> dict[str, Any]:
    """Its name, and what a user changed of it; nothing for the paper's."""
    named = {"budget": budget["name"]} if budget["name"] != "paper" else {}
    own = _config(budget["name"])
    return named | {
        f"budget.{key}": value for key, value in budget.items() if key in own and own[key] != value
    }


@cache
def _config(budget: str) -> Mapping[str, Any]:
    """What its config file says; nothing of a user's own one, whose folder may not be here."""
    import yaml

    path = config_folder() / "budget" / f"{budget}.yaml"
    found: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found


def _written(value: Any) -> str:
    """A value in Hydra's grammar."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{key}:{_written(own)}" for key, own in value.items()) + "}"
    if isinstance(value, Iterable) and not isinstance(value, str):
        return "[" + ",".join(map(_written, value)) + "]"
    text = str(value)
    return text if PLAIN.fullmatch(text) else "'" + text.replace("'", r"\'") + "'"
