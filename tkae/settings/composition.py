"""Hydra's part: members that were chosen, as one config; and what is said where a config file is at fault."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tkae.errors import UserError
from tkae.settings.files import fault
from tkae.settings.registry import GROUPS, added_folders, config_folder

# What Hydra raises of files that are not as it takes them, beside its own errors.
STUMBLES = (AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


@contextmanager
def hydra() -> Iterator[None]:
    """Within this, config files are composed."""
    from hydra import initialize_config_dir
    from hydra.core.global_hydra import GlobalHydra

    GlobalHydra.instance().clear()
    with initialize_config_dir(config_dir=str(config_folder().resolve()), version_base="1.3"):
        yield


def composed(**choices: str) -> Any:
    """Hydra's composition of these members, in conf/ and the user's folders; what they configure is known."""
    from omegaconf import OmegaConf

    config = _composed(choices)
    OmegaConf.set_struct(config, False)
    for group in GROUPS:
        part = config.get(group)
        several = group in ("dataset", "model")  # of which a list may be empty
        if part is None and group in choices and not several:
            raise UserError(
                f"the config file of {group}={choices[group]} has no part '{group}': see "
                "docs/extending.md for how one begins"
            )
        if part is None:
            continue
        members = list(part.values()) if several and isinstance(part, Mapping) else [part]
        if not all(isinstance(settings, Mapping) for settings in members):
            raise UserError(
                f"the config file of this {group} holds no mapping: write KEY: VALUE, a line each"
            )
        if not several and not isinstance(part.get("name"), str):
            raise UserError(f"the config file of this {group} does not tell its name: add name: NAME")
        for settings in members:
            settings.pop("_target_", None)
            settings.pop("title", None)  # of a preset: see tkae.settings.presets
    return config


def _composed(choices: Mapping[str, str]) -> Any:
    from hydra import compose
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException
    from yaml import YAMLError

    folders = added_folders()
    path = ",".join(f'"{folder.as_uri()}"' for folder in folders)
    words = [f"hydra.searchpath=[{path}]"] if folders else []
    try:
        return compose("config", [*words, *(f"{key}={name}" for key, name in choices.items())])
    except (HydraException, OmegaConfBaseException) as error:
        first = (str(error).splitlines() or [""])[0]
        raise UserError(first or _why(error, folders, choices)) from None
    except YAMLError as error:
        raise UserError(f"a config file is not YAML: {' '.join(str(error).split())}") from None
    except STUMBLES as error:
        if not folders:  # ours are right
            raise
        raise UserError(_why(error, folders, choices)) from None


def _why(error: Exception, folders: Sequence[Path], choices: Mapping[str, str]) -> str:
    """What is wrong with the user's files: with one of them, those that were chosen first, or with all."""
    files = [path for folder in folders for group in GROUPS for path in (folder / group).glob("*.yaml")]
    chosen = {(group, name) for group, names in choices.items() for name in names.strip("[]").split(",")}
    for path in sorted(files, key=lambda path: (path.parent.name, path.stem) not in chosen):
        if reason := fault(path):
            return reason
    where = f"a config file in {' or '.join(map(str, folders))}"
    if isinstance(error, RecursionError):
        return f"{where} is nested too deeply, or its defaults lead back to it"
    reason = " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")
    return f"{where} cannot be composed ({reason}): see docs/extending.md for how one begins"
