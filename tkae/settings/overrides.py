"""Overrides: what an experiment or a protocol says of datasets, models and missingness, in one form.

    overrides:
      - when: {protocol: authors, dataset: libras, model: tkae} # any of the keys; a name, a list, or ode*
        set: {model.code_size: 10, dataset.stretch: true, missingness.rate: 0.8}
      - {when: {dataset: ehr}, set: {missingness: none}} # another pattern of holes
      - {when: {protocol: authors, dataset: ecg5000}, set: {dataset: ecg2}} # another dataset in its place

Later ones win, in this order: an experiment's for every protocol, the protocol's, an experiment's for that
protocol alone; the command line comes last. What is said of several members concerns those that have such a
setting.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from tkae.errors import UserError, nearest, unknown
from tkae.settings.registry import GROUPS, settings_of
from tkae.settings.schema import build, unknown_key

CONDITIONS = ("protocol", "dataset", "model")
SECTIONS = ("dataset", "model", "missingness")


@dataclass
class Override:
    """Values for some protocols, datasets and models; an absent condition is any."""

    when: dict[str, Any] = field(default_factory=dict)  # of CONDITIONS: a name, a list of them, or a pattern
    set: dict[str, Any] = field(default_factory=dict)  # by key: `model.l2`, or `dataset` for another one
    source: str = ""  # where it stands, for people

    def names(self, group: str) -> list[str] | None:
        """What a condition names; None: any."""
        given = self.when.get(group)
        return (
            None if given is None else [str(name) for name in (given if isinstance(given, list) else [given])]
        )

    def concerns(self, **members: str) -> bool:
        """Whether it speaks of these; a condition on a group that is not given here is not met."""
        return all(
            group in members and any(fnmatchcase(members[group], name) for name in self.names(group) or ())
            for group in self.when
        )

    def values(self, section: str, known: Sequence[str]) -> dict[str, Any]:
        """What it sets of a section, as far as the member has such settings."""
        parts = {key.partition(".")[::2]: value for key, value in self.set.items()}
        return {name: value for (head, name), value in parts.items() if head == section and name in known}


def overrides(given: Sequence[Mapping[str, Any]], where: str) -> list[Override]:
    """The overrides of a config file, each of them checked; `where` is that file."""
    made = []
    for number, entry in enumerate(given, 1):
        place = f"{where} override {number}"
        override = build(Override, {"source": _source(place, entry.get("when") or {}), **entry}, place)
        _check(override, place)
        made.append(override)
    return made


def in_order(experiment: Sequence[Override], protocol: Sequence[Override]) -> list[Override]:
    """All of them, the strongest last."""
    general = [override for override in experiment if "protocol" not in override.when]
    return [*general, *protocol, *(override for override in experiment if "protocol" in override.when)]


def _source(place: str, when: Any) -> str:
    conditions = when.items() if isinstance(when, Mapping) else ()
    told = ", ".join(f"{key}: {value}" for key, value in conditions)
    return f"{place} ({told})" if told else place


def _check(override: Override, place: str) -> None:
    """A slip must not pass for an override that concerns nobody."""
    for group in override.when:
        if group not in CONDITIONS:
            raise UserError(f"{place}: unknown condition '{group}'{nearest(group, CONDITIONS)}; "
                            f"known: {', '.join(CONDITIONS)}")  # fmt: skip
        for name in override.names(group) or ():
            if not any(fnmatchcase(member, str(name)) for member in GROUPS[group]):
                raise unknown(group, str(name), GROUPS[group])
    for key, value in override.set.items():
        section, _, name = key.partition(".")
        if section not in SECTIONS or key == "model":
            raise UserError(f"{place}: '{key}' is no key of a setting; such as: model.l2")
        if not name:
            if str(value) not in GROUPS[section]:
                raise unknown(section, str(value), GROUPS[section])
            continue
        known = {
            setting: None
            for member in _members(override, section)
            for setting in settings_of(section, member)
        }
        if name not in known:
            raise unknown_key(f"{place}: {key}", name, known)


def _members(override: Override, section: str) -> Iterator[str]:
    named = override.names(section)
    for member in GROUPS[section]:
        if named is None or any(fnmatchcase(member, name) for name in named):
            yield member
