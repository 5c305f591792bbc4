"""Executors: existing engines that run the same function on groups of cells."""

from __future__ import annotations

import os
import tempfile
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from tkae.fields import setting
from tkae.runs.lots import Lot
from tkae.signals import Stop
from tkae.stopping import ends_with_this_process, stop_requested

Work = Callable[[Any], Any]


@dataclass
class Executor(ABC):
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

    @abstractmethod
    def run(self, work: Work, groups: Sequence[Any], stop: Stop) -> Iterator[Any]:
        """What `work` returns of each group, in any order."""


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
        # Workers end with a stop, and one that dies otherwise is told of by the caller, who misses its cells.
        warnings.filterwarnings("ignore", "A worker stopped while some jobs were given to the executor")
        lots = map(Lot, groups)  # a worker that is free takes the next
        told = Path(tempfile.gettempdir()) / f"tkae-stop-{stop.ticket}"
        ending = ends_with_this_process(stop.ticket, told)
        try:
            with stop.telling(told.touch):
                died = yield from self._parallel(self.jobs or -1, work, lots, ending)
                while died and not stop_requested(stop.ticket):
                    # Nobody knows whose process it was (out of memory?), and the pool died with it: what was
                    # under way goes on one at a time in a process of its own, the rest as before.
                    again = [lot for each in died for lot in each.after()]
                    while again and not stop_requested(stop.ticket):
                        dead = yield from self._parallel(2, work, iter([again.pop(0)]), ending)
                        again = [lot for each in dead for lot in each.after()] + again
                    died = yield from self._parallel(self.jobs or -1, work, lots, ending)
        finally:
            told.unlink(missing_ok=True)

    def _parallel(
        self, jobs: int, work: Work, lots: Iterator[Lot], ending: dict[str, Any]
    ) -> Generator[Any, None, list[Lot]]:
        """What comes of the lots, until all are done or a process dies; returns those under way then."""
        from joblib import Parallel, delayed, parallel_config
        from joblib.externals.loky.process_executor import BrokenProcessPool

        under_way: dict[int, Lot] = {}

        def taken() -> Iterator[Any]:
            for number, lot in enumerate(lots):
                under_way[number] = lot
                yield delayed(_numbered)(work, number, lot.group)

        with parallel_config(backend="loky", inner_max_num_threads=1), suppress(BrokenProcessPool):
            # As many are taken as there are workers: no other is suspected when one dies.
            parallel = Parallel(
                jobs, return_as="generator_unordered", pre_dispatch="n_jobs", batch_size=1, **ending
            )
            for number, result in parallel(taken()):
                del under_way[number]
                yield result
        return list(under_way.values())


def _numbered(work: Work, number: int, group: Any) -> tuple[int, Any]:
    return number, work(group)
