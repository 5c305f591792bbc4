"""Executors: existing engines that run the same function on groups of cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tkae.fields import setting

Work = Callable[[Any], Any]


@dataclass
class Executor:
    """Calls `work` on every group and yields what it returns, as groups end."""

    name: ClassVar[str]

    def run(self, work: Work, groups: Sequence[Any]) -> Iterator[Any]:
        raise NotImplementedError


@dataclass
class Serial(Executor):
    """In this process, one group after the other."""

    name: ClassVar[str] = "serial"

    def run(self, work: Work, groups: Sequence[Any]) -> Iterator[Any]:
        return map(work, groups)


@dataclass
class Processes(Executor):
    """Local processes through joblib's loky, each with one thread."""

    name: ClassVar[str] = "processes"

    jobs: int | None = setting(None, at_least=1)  # how many; null: one a core

    def run(self, work: Work, groups: Sequence[Any]) -> Iterator[Any]:
        from joblib import Parallel, delayed, parallel_config

        with parallel_config(backend="loky", inner_max_num_threads=1):
            parallel = Parallel(n_jobs=self.jobs or -1, return_as="generator_unordered")
            yield from parallel(delayed(work)(group) for group in groups)
