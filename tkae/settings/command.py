"""A command: the calls that it makes, and what holds for all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

from tkae.data.files import Files
from tkae.settings.call import Call
from tkae.settings.values import Options, Sources


@dataclass(frozen=True)
class Command(Sequence[Call]):
    """Its calls in their order; a sweep or an experiment's grid makes several of one command."""

    calls: tuple[Call, ...]
    executor: Any  # of tkae.runs.executors, which lies above
    data: Sources
    options: Options

    @cached_property
    def files(self) -> Files:
        """Where it looks for source files."""
        return Files.standard(self.data.mirror, self.data.offline)

    def __len__(self) -> int:
        return len(self.calls)

    def __iter__(self) -> Iterator[Call]:
        return iter(self.calls)

    @overload
    def __getitem__(self, index: int) -> Call: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Call, ...]: ...
    def __getitem__(self, index: int | slice) -> Call | tuple[Call, ...]:
        return self.calls[index]
