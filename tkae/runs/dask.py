"""The executor of clusters: Dask's scheduler and workers, on this machine or on others."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

from tkae.errors import UserError
from tkae.runs.executors import Several, Work
from tkae.signals import Stop
from tkae.stopping import request_stop

# One thread, as joblib has it for its processes: Numba reads this when it is imported.
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("NUMBA", "OMP", "MKL", "OPENBLAS")}


def deaf() -> None:
    """In a worker of our own: Ctrl-C and `timeout` signal the whole group, but the driver decides."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


@dataclass
class Dask(Several):
    """Workers of a scheduler; records come back and are stored here. `jobs`: how many of our own."""

    name: ClassVar[str] = "dask"
    stores: ClassVar[bool] = False

    address: str | None = None  # of a scheduler that runs already; null: one of our own, on this machine

    @property
    def away(self) -> bool:
        return self.address is not None

    def run(self, work: Work, groups: Sequence[Any], stop: Stop) -> Iterator[Any]:
        with self._client() as client:
            from distributed import as_completed

            with stop.telling(lambda: client.run(request_stop, stop.ticket)):
                # In the order of the groups; a group whose worker dies is given to others by Dask.
                numbers = range(len(groups), 0, -1)
                futures = [
                    client.submit(work, group, pure=False, priority=number)
                    for number, group in zip(numbers, groups, strict=True)
                ]
                for future in as_completed(futures):
                    yield future.result()

    @contextmanager
    def _client(self) -> Iterator[Any]:
        try:
            from distributed import Client, LocalCluster
        except ImportError:
            raise UserError("executor=dask needs a package more: pip install 'tkae[dask]'") from None
        if self.address is not None:
            try:
                client = Client(self.address)
            except (OSError, ValueError) as error:
                raise UserError(
                    f"executor.address={self.address}: no scheduler answers there ({error}); start one with "
                    "`dask scheduler`, or leave the address out"
                ) from None
            with client:
                yield client
            return
        with (
            LocalCluster(
                n_workers=self.workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address="127.0.0.1:0",  # none would be the port 8787, open to all
                env=ONE_THREAD,
            ) as cluster,
            Client(cluster) as client,
        ):
            client.run(deaf)
            yield client
