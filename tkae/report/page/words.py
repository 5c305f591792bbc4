"""What a setting means and what it usually is: the words and values of its config file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from tkae.report.tables import value_text
from tkae.settings.registry import added_folders, config_folder

COMMENTED = re.compile(r"^ *(\w+):.*?# (.*)$", re.MULTILINE)
Story = Mapping[str, Any]


def meaning(key: str, story: Story) -> str:
    """Of `model.memory`, say, for the members that a cell's story names; empty if nothing is said."""
    return _comments(*_member(key, story)).get(key.partition(".")[2], "")


def usual(key: str, story: Story) -> str | None:
    """The value that the config file has; None where it does not tell."""
    group, member = _member(key, story)
    return (
        _values(group, member).get(key.partition(".")[2])
        if group in ("dataset", "model", "missingness")
        else None
    )


def _member(key: str, story: Story) -> tuple[str, str]:
    group = key.partition(".")[0]
    chosen = {"missingness": story["settings"].get("missingness")}
    return group, str(chosen.get(group) or story.get(group))


@cache
def _comments(group: str, member: str) -> Mapping[str, str]:
    return dict(COMMENTED.findall(_text(group, member)))


@cache
def _values(group: str, member: str) -> Mapping[str, str]:
    import yaml

    return {key: value_text(value) for key, value in (yaml.safe_load(_text(group, member)) or {}).items()}


def _text(group: str, member: str) -> str:
    """The config file; nothing of a user's own one, whose folder may not be here."""
    for folder in (config_folder(), *added_folders()):
        path = folder / group / f"{member}.yaml"
        if path.is_file():
            return path.read_text(encoding="utf-8")
    return ""
