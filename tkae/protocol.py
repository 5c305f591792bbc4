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
    overrides: list[dict[str, Any]] = field(default_factory=list, metadata={"identity": False})
    # what it says of datasets and models, which ends up in the cells' own: see tkae.settings.overrides
