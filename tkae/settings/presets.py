"""Presets: a class of models, datasets or holes under another name, with other values, told by a yaml file.

conf/dataset/ode5.yaml says `_target_: tkae.data.sets.ode.ODE`, a title and its values: the member `ode5` is
the generator with these as its defaults. It is a full member: with a name in records and a row in tables.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from tkae.fields import absent, settings
from tkae.settings.schema import build

# Values that a key without them stands for. These presets were classes with such defaults when the first
# records were stored; of a younger preset every value that differs from its class's default enters the key.
IN_OLD_KEYS: dict[str, dict[str, Any]] = {
    "ae_tied": {"tied": True},
    "ode_var": {"shortest": 30},
    "ode5": {"variates": 5, "steps": 50},
    "ode10": {"steps": 50},
    "ode15": {"variates": 15, "steps": 50},
    "ode20": {"variates": 20, "steps": 50},
}


def preset(cls: type, name: str, title: str, values: Mapping[str, Any], where: str) -> type:
    """`cls` with this name and title, and these values for defaults; `where` is the prefix of their keys."""
    made: Any = build(cls, values, where)  # checked, and of the right types
    return _derived(cls, name, title, json.dumps({key: getattr(made, key) for key in values}))


@cache
def _derived(cls: type, name: str, title: str, written: str) -> type:
    specs = {spec.name: spec for spec in settings(cls)}
    values = json.loads(written)
    inside: dict[str, Any] = {
        "__doc__": cls.__doc__,
        "__module__": cls.__module__,
        "__annotations__": {key: specs[key].type for key in values},
        "__reduce__": lambda self: (_restored, (cls, name, title, written, vars(self))),
        "name": name,
        "title": title,
    }
    for key, value in values.items():
        old = IN_OLD_KEYS.get(name, {}).get(key, absent(specs[key]))
        metadata = {**specs[key].metadata, "absent": old}
        inside[key] = field(default_factory=_copies(value), metadata=metadata)
    return dataclass(type(cls.__name__, (cls,), inside))


def _copies(value: Any) -> Any:
    return lambda: json.loads(json.dumps(value))


def _restored(cls: type, name: str, title: str, written: str, state: dict[str, Any]) -> Any:
    """An instance in another process: it has the class, and makes the preset again."""
    made: Any = object.__new__(_derived(cls, name, title, written))
    vars(made).update(state)
    return made
