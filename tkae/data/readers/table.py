"""What a reader of a user's file hands on: series with names, and maybe classes and a split."""

from __future__ import annotations

from dataclasses import dataclass, field

from tkae.data.collection import Floats, Ints


@dataclass
class Table:
    """Series (T_i, V) with NaN where missing; `labels`, `split` and `rows` have N entries or none."""

    series: list[Floats]
    names: list[str]
    variates: list[str]
    labels: list[str] = field(default_factory=list)
    split: list[str] = field(default_factory=list)  # "train" or "test"
    rows: list[Ints] = field(default_factory=list)  # of a table in long form: where each step stands in it
