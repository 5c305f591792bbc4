"""--info and --cfg: what can be chosen, and what a command is composed of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tkae.errors import UserError, unknown
from tkae.settings.registry import GROUPS, added_folders, config_folder, shown_file

if TYPE_CHECKING:
    from tkae.settings.call import Call
    from tkae.settings.command import Command
    from tkae.settings.setup import Setup

ONCE = ("budget", "executor", "data")  # what holds for all datasets and models of a call
EACH = ("experiment", "dataset", "missingness", "model", "protocol")


def print_members() -> None:
    """The members of every group."""
    for group, members in GROUPS.items():
        print(f"{group}: {', '.join(members)}")


def print_folders() -> None:
    """Where config files are looked for, in this order."""
    for folder in (config_folder(), *added_folders()):
        print(folder)


def print_defaults(command: Command) -> None:
    """The members that each call of a command is made of, and their files."""
    for name, call in {_choice(call): call for call in command}.items():
        print(f"# {name}")
        for group, members in _members(command, call).items():
            for member in members:
                print(f"{group}: {member} # {shown_file(group, member)}")


def print_config(command: Command, only: str) -> None:
    """Every setting of every dataset and model, with its source; `only` is what --package narrows it to."""
    head = only.partition(".")[0]
    if only and head not in (*EACH, *ONCE):
        raise unknown("package", head, (*EACH, *ONCE))
    described: dict[str, list[str]] = {}
    for call in command:
        lines = described.setdefault(_choice(call), _settings_of_all(command, call, only))
        for setup in call.setups:
            lines += _settings_of_pair(call, setup, only)
    if not any(described.values()):
        raise UserError(f"--package {only}: this command has nothing of that name")
    for choice, lines in described.items():
        print("\n".join([f"# {choice}", *lines]))


def _choice(call: Call) -> str:
    return f"experiment={call.experiment.name} protocol={call.protocol.name} budget={call.budget.name}"


def _members(command: Command, call: Call) -> Mapping[str, list[str]]:
    return {
        "experiment": [call.experiment.name],
        "protocol": [call.protocol.name],
        "budget": [call.budget.name],
        "missingness": [call.missingness],
        "dataset": list(call.datasets),
        "model": list(call.models),
        "executor": [command.executor.name],
    }


def _settings_of_all(command: Command, call: Call, only: str) -> list[str]:
    parts = {"budget": call.budget, "executor": command.executor, "data": command.data}
    values = {f"{name}.{key}": value for name, part in parts.items() for key, value in vars(part).items()}
    return [f"{key}: {_shown(value)}" for key, value in values.items() if _within(key, only)]


def _settings_of_pair(call: Call, setup: Setup, only: str) -> list[str]:
    """Of a dataset and a model; nothing if `only` names another one of them, such as `model.tkae`."""
    pair = {"dataset": setup.dataset.name, "model": setup.model.name}
    head, _, rest = only.partition(".")
    member, _, key = rest.partition(".")
    if head in pair and member in GROUPS[head]:
        if member != pair[head]:
            return []
        only = f"{head}.{key}".rstrip(".")
    sources = call.sources(*pair.values())
    lines = [
        f"  {key}: {_shown(value)} # {sources.get(key, 'default')}"
        for key, value in setup.settings.items()
        if _within(key, only)
    ]
    return [f"- dataset: {pair['dataset']}\n  model: {pair['model']}", *lines] if lines else []


def _within(key: str, package: str) -> bool:
    return not package or f"{key}.".startswith(f"{package}.")


def _shown(value: Any) -> Any:
    return "null" if value is None else value
