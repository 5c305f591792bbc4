"""Executors: existing engines that run the same function on groups of cells."""

from __future__ import annotations

import contextlib
import os
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from tkae.fields import setting
from tkae.signals import Stop
from tkae.stopping import ends_with_this_process, stop_requested

Work = Callable[[Any], Any]


@dataclass
class Executor:
    """Calls `work` on every group and yields what it returns, as groups end.

    When a stop is asked for, the workers are told, and what they had finished of their groups is yielded.
    """

    name: ClassVar[str]
    here: ClassVar[bool] = False  # in this process
    stores: ClassVar[bool] = True  # its workers reach the results folder

    @property
    def away(self) -> bool:
        """Whether its workers are on other machines, which may have what this one has not."""
        return False

    @property
    def workers(self) -> int:
        """How many groups are computed at a time."""
        return 1

    @property
    def cores(self) -> int:
        """How many cores its work keeps busy: replicas are trained on all of them."""
        return os.cpu_count() or 1

    def run(self, work: Work, groups: Sequence[Any], stop: Stop) -> Iterator[Any]:
        raise NotImplementedError


@dataclass
class Serial(Executor):
    """In this process, one group after the other."""

    name: ClassVar[str] = "serial"
    here: ClassVar[bool] = True

    def run(self, work: Work, groups: Sequence[Any], stop: Stop) -> Iterator[Any]:
        return map(work, groups)


@dataclass
class Several(Executor):
    """Processes of one thread each."""

    jobs: int | None = setting(None, at_least=1, at_most=1024)  # how many; null: one a core

    @property
    def workers(self) -> int:
        return self.jobs or super().cores

    @property
    def cores(self) -> int:
        return min(self.workers, super().cores)


@dataclass
class Processes(Several):
    """Local ones, through joblib's loky."""

    name: ClassVar[str] = "processes"

    def run(self, work: Work, groups: Sequence[Any], stop: Stop) -> Iterator[Any]:
        from joblib.externals.loky.process_executor import BrokenProcessPool

        # Workers end with a stop, and one that dies otherwise is told of below.
        warnings.filterwarnings("ignore", "A worker stopped while some jobs were given to the executor")
        pending = dict(enumerate(groups))
        told = Path(tempfile.gettempdir()) / f"tkae-stop-{stop.ticket}"
        ending = ends_with_this_process(stop.ticket, told)
        try:
            with stop.telling(told.touch):
                try:
                    for number, result in self._parallel(self.jobs or -1, work, pending, ending):
                        del pending[number]
                        yield result
                except BrokenProcessPool:
                    # A worker was killed (out of memory?), and the pool with it. The rest goes on one at a
                    # time in a process of its own, so that only the group that kills its process is lost.
                    for number, group in pending.items():
                        if stop_requested(stop.ticket):
                            break
                        with contextlib.suppress(BrokenProcessPool):
                            for _, result in self._parallel(2, work, {number: group}, ending):
                                yield result
        finally:
            told.unlink(missing_ok=True)

    def _parallel(
        self, jobs: int, work: Work, pending: dict[int, Any], ending: dict[str, Any]
    ) -> Iterator[tuple[int, Any]]:
        from joblib import Parallel, delayed, parallel_config

        with parallel_config(backend="loky", inner_max_num_threads=1):
            parallel = Parallel(n_jobs=jobs, return_as="generator_unordered", **ending)
            yield from parallel(
                delayed(_numbered)(work, number, group) for number, group in list(pending.items())
            )


def _numbered(work: Work, number: int, group: Any) -> tuple[int, Any]:
    return number, work(group)
