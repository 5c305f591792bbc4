"""The words of a command line, parsed by Hydra's grammar and multiplied out where they are swept.

What comes out are choices of groups (`model=pca`) and values by their keys (`missingness.rate=0.3`), whose
names are known. Whether a value fits its setting is told by `tkae.settings.schema`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from tkae.errors import UserError, nearest, unknown
from tkae.settings.registry import GROUPS, SUITES
from tkae.settings.values import MOST_CALLS, Options

SECTIONS = ("data", *GROUPS)
OPTIONS = tuple(spec.name for spec in fields(Options))
# What holds for a whole command, swept or not.
FIXED = ("executor", "data", *(key for key in OPTIONS if key != "seeds"))
LONGEST = 20_000  # characters of a word: parsing takes a second for so many


@dataclass(frozen=True)
class Word:
    """One override of the command line: a group's choice, or a key and its value."""

    key: str
    value: Any
    text: str

    @property
    def chooses(self) -> bool:
        return self.key in GROUPS


def expanded(words: Sequence[str], sweep: bool, loader: Any) -> list[list[Word]]:
    """The words of every combination of what is swept; all of them name what there is."""
    from hydra.core.override_parser.overrides_parser import OverridesParser

    parser = OverridesParser.create(config_loader=loader)
    sweeps = [_parsed(parser, text, sweep) for text in words]
    many = math.prod(map(len, sweeps))
    if many > MOST_CALLS:
        raise UserError(f"this sweep has {many} combinations; a command takes at most {MOST_CALLS}")
    for word in itertools.chain(*sweeps):
        _check(word)
    return [list(job) for job in itertools.product(*sweeps)]


def _parsed(parser: Any, text: str, sweep: bool) -> list[Word]:
    """A word, or one for each of the values that it sweeps."""
    from hydra.errors import HydraException

    if len(text) > LONGEST:
        raise UserError(f"'{text[:40]}...' has {len(text)} characters; a word has at most {LONGEST}")
    try:
        (override,) = parser.parse_overrides([text])
        key = str(override.key_or_group)
        if override.is_delete():
            raise UserError(f"'{text}': a key cannot be deleted; set it to null where null is allowed")
        if override.package is not None:
            raise UserError(f"'{text}': a group has no package here; write {key}={_shown(override)}")
        if not override.is_sweep_override():
            values = [override.value()]
        elif not sweep:
            raise UserError(
                f"'{text}' gives several values: add -m to run each, or write {key}=[...] for a list"
            )
        elif key.split(".")[0] in FIXED:
            raise UserError(f"'{text}': {key} cannot be swept, it is one for the whole command")
        else:
            values = _swept(parser, override, text)
    except HydraException as error:
        raise UserError(f"'{text}' is not of the form key=value ({str(error).splitlines()[0]})") from None
    except RecursionError:
        raise UserError(f"'{text[:40]}...' is nested too deeply") from None
    if key == "experiment":
        values = [part for value in values for part in SUITES.get(str(value), (value,))]
    for value in values:
        _refuse_references(value, text)
    return [Word(key, value, text) for value in values]


def _swept(parser: Any, override: Any, text: str) -> list[Any]:
    """The values of a sweep, read as if each had been given alone."""
    written = list(itertools.islice(override.sweep_string_iterator(), MOST_CALLS + 1))
    if len(written) > MOST_CALLS:
        raise UserError(f"'{text}' has more than {MOST_CALLS} values; a command takes at most so many")
    if not written:
        raise UserError(f"'{text}' has no values to sweep")
    key = override.key_or_group
    return [one.value() for one in parser.parse_overrides([f"{key}={value}" for value in written])]


def _shown(override: Any) -> str:
    return str(override.get_value_element_as_str())


def _refuse_references(value: Any, text: str) -> None:
    """`${...}` would be looked up, also in the environment, and `???` would stand for any value."""
    parts = value if isinstance(value, list) else value.values() if isinstance(value, dict) else [value]
    for part in parts:
        if isinstance(part, (list, dict)):
            _refuse_references(part, text)
        elif isinstance(part, str) and ("${" in part or part == "???"):
            raise UserError(f"'{text}': a command takes values, no ${{...}} and no ???")


def _check(word: Word) -> None:
    """A choice must be a member of its group, and a key must start with a section that there is."""
    head = word.key.split(".")[0]
    if word.chooses:
        for name in word.value if isinstance(word.value, list) else [word.value]:
            if str(name) not in GROUPS[word.key]:
                raise unknown(word.key, str(name), GROUPS[word.key])
        if isinstance(word.value, list) and word.key not in ("dataset", "model"):
            raise UserError(
                f"'{word.text}': a run has one {word.key}; add -m and write {word.key}=a,b to sweep"
            )
        return
    if "." not in word.key and word.key in OPTIONS:
        return
    if head.split("/")[0] == "hydra":
        raise UserError(f"'{word.text}' means nothing here: {_instead(word.key)}; docs/hydra.md says more")
    if word.key.endswith(".name"):
        raise UserError(f"'{word.text}': choose with {head}={word.value}")
    if head not in SECTIONS or "." not in word.key:
        known = [*SECTIONS, *OPTIONS]
        raise UserError(f"unknown key '{word.key}'{nearest(head, known)}; known: {', '.join(known)}")


def _instead(key: str) -> str:
    """What does here what a setting of Hydra's does elsewhere."""
    known = {
        "hydra/launcher": "executor=processes or executor=dask runs cells side by side",
        "hydra.launcher": "executor.jobs=2 says how many cells run side by side",
        "hydra/sweeper": "-m sweeps, and an experiment may have a grid of its own",
        "hydra.sweeper": "-m sweeps, and an experiment may have a grid of its own",
        "hydra.run": "results_dir=DIR says where records and tables go",
        "hydra.sweep": "results_dir=DIR says where records and tables go",
        "hydra.verbose": "progress is written to stderr, and dry_run=true prints the plan",
        "hydra.job": "a command runs in the folder where it is called; results_dir=DIR says where results go",
    }
    return next((text for name, text in known.items() if key.startswith(name)), "it is no setting of tkae")
