"""What a setting means, in the words that its config file has behind it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from tkae.settings.registry import added_folders, config_folder

COMMENTED = re.compile(r"^ *(\w+):.*?# (.*)$", re.MULTILINE)


def meaning(key: str, story: Mapping[str, Any]) -> str:
    """Of a key such as `model.memory`, for the members that a cell's story names; empty if nothing is said."""
    group, _, name = key.partition(".")
    members = {"missingness": story["settings"].get("missingness"), "protocol": story["protocol"]}
    member = members.get(group) or story.get(group)
    return _comments(group, str(member)).get(name, "") if name else ""


@cache
def _comments(group: str, member: str) -> Mapping[str, str]:
    for folder in (config_folder(), *added_folders()):
        path = folder / group / f"{member}.yaml"
        if path.is_file():
            return dict(COMMENTED.findall(path.read_text(encoding="utf-8")))
    return {}
