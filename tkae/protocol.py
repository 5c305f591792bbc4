"""What the paper leaves open, as values: data, experiments and cells read them; no model does."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tkae.fields import setting


@dataclass
class Protocol:
    """What the paper leaves open, as values: see conf/protocol/."""

    name: str = "paper"
    scaling: str = setting("train", one_of=("train", "own"))  # whose statistics standardise the test split
    scaling_entries: str = setting(
        "all", one_of=("all", "observed")
    )  # also the entries that are removed later?
    masks: str = setting("drawn", one_of=("drawn", "published"))  # the authors' own holes, where they exist
    kernels: str = setting("tck", one_of=("tck", "published"))  # what a TKAE is aligned to: as for the holes
    imputation_split: str = setting("test", one_of=("train", "test"))
    imputation_values: str = setting("completed", one_of=("completed", "output"))  # or the output everywhere
    imputation_entries: str = setting("valid", one_of=("valid", "removed"))  # over which errors are taken
    error_entries: str = setting("valid", one_of=("valid", "observed"))  # whose errors are scores
    datasets: dict[str, Any] = field(default_factory=dict, metadata={"identity": False})
    models: dict[str, Any] = field(default_factory=dict, metadata={"identity": False})
    # dataset -> its settings; dataset or "*" -> model or "*" -> settings (both end up in the cells' own)
