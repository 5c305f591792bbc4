"""The executor of clusters: Dask's scheduler and workers, on this machine or on others."""

from __future__ import annotations

import logging
import signal
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import count, islice
from typing import Any, ClassVar

from tkae import __version__
from tkae.errors import UserError
from tkae.fields import setting
from tkae.runs.executors import Several, Work
from tkae.runs.lots import DEATHS, Lot
from tkae.signals import Stop
from tkae.stopping import request_stop, stop_requested

# One thread, as joblib has it for its processes: Numba reads this when it is imported.
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("NUMBA", "OMP", "MKL", "OPENBLAS")}

# Of schedulers of our own. A worker has no group in waiting, so that only what it worked at is suspected when
# it dies; whether that is tried again is said by `Lot`. One that is not heard of for so long counts as dead:
# Numba lets no other thread run while it compiles, which may take minutes on a busy machine.
SCHEDULER = {
    "distributed.scheduler.worker-saturation": 1.0,
    "distributed.scheduler.allowed-failures": 0,
    "distributed.scheduler.worker-ttl": "30 minutes",
    "distributed.comm.timeouts.tcp": "10 minutes",  # so long a busy process may not read
}

# Groups that are with the scheduler at a time, at the least: it holds each until it is done, and so many are
# enough for that many workers. Of a large run that is a small part.
AHEAD = 1000


def dask_setup(worker: Any) -> None:
    """Called by Dask in every worker of our own as it starts: it is deaf to Ctrl-C and `timeout`.

    These signal the whole group of processes, but the driver decides.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def version() -> str:
    """Of the tkae that a worker has."""
    return __version__


@dataclass
class Cluster(Several):
    """Workers of a scheduler; their records come back and are stored here."""

    stores: ClassVar[bool] = False

    @abstractmethod
    def client(self) -> AbstractContextManager[Any]:
        """Of a scheduler with workers, or about to have some."""

    def run(self, work: Work, groups: Sequence[Any], stop: Stop) -> Iterator[Any]:
        if not groups:
            return
        with self.client() as client, stop.telling(lambda: client.run(request_stop, stop.ticket)):
            from distributed import KilledWorker, as_completed

            # A task is given to so many workers, one after the other, before Dask says that it kills them.
            deaths = 1 + client.run_on_scheduler(_allowed_failures)
            under_way: dict[str, Lot] = {}
            turns, waiting = count(), map(Lot, groups)

            def submit(lots: Iterable[Lot]) -> list[Any]:
                futures = []
                for lot in lots:  # in the order of the groups
                    futures.append(client.submit(work, lot.group, pure=False, priority=-next(turns)))
                    under_way[futures[-1].key] = lot
                return futures

            futures = as_completed(submit(islice(waiting, max(AHEAD, 2 * self.workers))))
            for future in futures:
                lot = under_way.pop(future.key)
                try:
                    result = future.result()
                except KilledWorker:
                    if not stop_requested(stop.ticket):
                        futures.update(submit(lot.after(deaths)))
                except CancelledError:
                    raise UserError(
                        "the scheduler went away. What came back is stored: start it again, and the same "
                        "command goes on"
                    ) from None
                else:
                    yield result
                if not stop_requested(stop.ticket):
                    futures.update(submit(islice(waiting, 1)))


def _allowed_failures(dask_scheduler: Any = None) -> int:
    """Called in the scheduler, which Dask hands in by this name."""
    return int(dask_scheduler.allowed_failures)


@dataclass
class Dask(Cluster):
    """Of a scheduler that runs already, or of our own on this machine."""

    name: ClassVar[str] = "dask"

    jobs: int | None = setting(None, at_least=1)  # workers of our own; with an address: how many to plan for
    address: str | None = None  # of a scheduler that runs already; null: one of our own, on this machine
    wait: float = setting(60.0, at_least=0)  # seconds for the first worker of that scheduler to join

    @property
    def away(self) -> bool:
        return self.address is not None

    @property
    def cores(self) -> int:
        """Those of other machines are not ours to count."""
        return self.workers if self.address else super().cores

    @contextmanager
    def client(self) -> Iterator[Any]:
        with connected_to(self.address, self.wait) if self.address else self._own() as client:
            yield client

    @contextmanager
    def _own(self) -> Iterator[Any]:
        import_dask("dask")
        import dask.config
        from distributed import Client

        with dask.config.set(SCHEDULER), self._started() as cluster, Client(cluster) as client:
            yield client

    def _started(self) -> Any:
        """A scheduler with its workers: one that dies before it has joined takes the others with it."""
        from distributed import LocalCluster

        for _ in range(DEATHS):
            try:
                return LocalCluster(
                    n_workers=self.workers,
                    threads_per_worker=1,
                    memory_limit=0,  # a worker that has more than its share would wait for ever to have less
                    processes=True,
                    silence_logs=logging.CRITICAL,  # a worker that dies is told of by what it leaves undone
                    dashboard_address="127.0.0.1:0",  # none would be the port 8787, open to all
                    env=ONE_THREAD,
                    preload=[__name__],
                )
            except RuntimeError as error:
                reason = error
        raise UserError(
            f"executor=dask: workers died while they started, {DEATHS} times ({reason}): is there memory "
            "for so many (executor.jobs)?"
        )


@contextmanager
def connected_to(address: str, wait: float) -> Iterator[Any]:
    """A client of the scheduler there, once a worker has joined it; all of them must have this tkae."""
    import_dask("dask")
    from distributed import Client, TimeoutError

    try:
        client = Client(address)
    except (OSError, ValueError) as error:
        raise UserError(
            f"executor.address={address}: no scheduler answers there ({error}); start one with "
            "`dask scheduler`, or leave the address out"
        ) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=wait)
            found = client.run(version)
        except TimeoutError:
            raise UserError(
                f"executor.address={address}: no worker has joined this scheduler within {wait:g} seconds; "
                f"start some with `dask worker {address} --nthreads 1`, or wait longer (executor.wait=600)"
            ) from None
        except ImportError as error:
            raise UserError(
                f"executor.address={address}: a worker cannot import tkae ({error}): install it there"
            ) from None
        others = sorted({f"{where} has {has}" for where, has in found.items() if has != __version__})
        if others:
            raise UserError(
                f"executor.address={address}: this is tkae {__version__}, but {', '.join(others)}: "
                "install the same version there"
            )
        yield client


def import_dask(name: str) -> None:
    """Whether what an executor needs is installed, or the sentence that says what to install."""
    try:
        import distributed  # noqa: F401

        if name == "slurm":
            import dask_jobqueue  # noqa: F401
    except ImportError:
        raise UserError(f"executor={name} needs a package more: pip install 'tkae[{name}]'") from None
