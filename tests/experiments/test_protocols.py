"""The protocols' values as PROTOCOL.md decides them: a slip in a config file changes every figure."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from tkae.compose import compose

TEXT = {
    "scaling": "train",
    "scaling_entries": "all",
    "masks": "drawn",
    "imputation_split": "test",
    "imputation_values": "completed",
    "imputation_entries": "valid",
}
AUTHORS = {
    "scaling": "own",
    "masks": "published",
    "imputation_split": "train",
    "imputation_values": "output",
}
DECIDED = {
    "paper": TEXT,
    "authors": TEXT | AUTHORS,
    "clean": TEXT | {"scaling_entries": "observed", "imputation_entries": "removed"},
}


@pytest.mark.parametrize("name", DECIDED)
def test_values_are_as_decided(name: str) -> None:
    (call,) = compose(["experiment=imputation", f"protocol={name}", "model=mean"], sweep=False)
    values: dict[str, Any] = asdict(call.protocol)
    assert {key: values[key] for key in TEXT} == DECIDED[name] and values["name"] == name
    vowels: Any = call.dataset("japanese_vowels")
    assert vowels.stretch == (name == "authors")
