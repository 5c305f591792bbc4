"""Config files of a user's own, of every group."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tkae.settings.compose import compose
from tkae.settings.registry import forget_folders, use_folders

Read = Callable[[Path], object]

CONF = Path(__file__).parents[2] / "conf"
MEMBERS = {
    "model": ("pca", "ae_tied"),
    "dataset": ("ode5", "japanese_vowels"),
    "missingness": ("block", "mar"),
    "experiment": ("imputation", "search_classification"),
    "budget": ("quick", "smoke"),
    "executor": ("processes", "dask"),
    "protocol": ("clean", "authors"),
}


def own_configs(group: str) -> list[bytes]:
    """Config files of ours as a user's own member of the group."""
    found = []
    for name in MEMBERS[group]:
        text = (CONF / group / f"{name}.yaml").read_text()
        for line in (f"# @package {group}.{name}\n", f"  name: {name}\n", f"\nname: {name}\n"):
            text = text.replace(line, line.replace(name, "own"))
        found.append(text.encode())
    return found


def composing(group: str) -> Read:
    """A command that chooses the member of this file."""

    def read(path: Path) -> object:
        place = path.parent / "folder" / group / "own.yaml"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(path.read_bytes())
        chosen = {"experiment": "imputation", "dataset": "japanese_vowels", "model": "pca", group: "own"}
        try:
            use_folders([str(place.parents[1])])
            command = compose([f"{key}={name}" for key, name in chosen.items()], sweep=False)
            return [call.setups for call in command]
        finally:
            forget_folders()

    return read
