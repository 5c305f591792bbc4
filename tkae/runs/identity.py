"""The key of a cell: a hash of its identity, which is what its numbers depend on, as text."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any


def key_of(identity: Mapping[str, Any]) -> str:
    """The key of the cell that is identified so."""
    return key_around(*around_seed(identity), identity["seed"])


def around_seed(identity: Mapping[str, Any]) -> tuple[str, str]:
    """What `json.dumps(identity, sort_keys=True)` has before the seed and after it: alike for all seeds."""
    parts = {name: f"{json.dumps(name)}: {json.dumps(identity[name], sort_keys=True)}" for name in identity}
    before = [parts[name] for name in sorted(parts) if name < "seed"]
    after = [parts[name] for name in sorted(parts) if name > "seed"]
    return "{" + ", ".join([*before, '"seed": ']), ", ".join(["", *after]) + "}"


def key_around(before: str, after: str, seed: int) -> str:
    """The key of an identity with this seed in its middle."""
    return hashlib.sha256(f"{before}{seed}{after}".encode()).hexdigest()[:24]
