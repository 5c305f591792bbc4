"""The executor of SLURM clusters: Dask's workers as jobs of a queue, started by dask-jobqueue."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

from tkae.errors import UserError
from tkae.fields import setting
from tkae.runs.dask import ONE_THREAD, SCHEDULER, Cluster, import_dask


@dataclass
class Slurm(Cluster):
    """A job a worker, of one core; what a job that ends had begun goes to another."""

    name: ClassVar[str] = "slurm"

    jobs: int | None = setting(10, at_least=1)  # of the queue, one worker each
    partition: str | None = None  # null: the cluster's default
    account: str | None = None  # null: yours
    time: str = "24:00:00"  # the limit of a job
    memory: str = "4GB"  # of a job
    interface: str | None = None  # of the network between nodes, such as ib0; null: the default
    setup: str = ""  # a line of a job's script before its worker starts, such as `module load python`
    options: str = ""  # more of sbatch, such as --constraint=avx512 --qos=long

    @property
    def cores(self) -> int:
        """Those of other machines."""
        return self.workers

    @property
    def away(self) -> bool:
        return True

    @contextmanager
    def client(self) -> Iterator[Any]:
        import_dask("slurm")
        if shutil.which("sbatch") is None:
            raise UserError(
                "executor=slurm: there is no sbatch here; run this where jobs are submitted, or choose "
                "executor=processes"
            )
        import dask.config
        from dask_jobqueue.slurm import SLURMCluster
        from distributed import Client

        threads = [f"export {name}={value}" for name, value in ONE_THREAD.items()]
        with (
            dask.config.set(SCHEDULER),
            SLURMCluster(
                cores=1,
                processes=1,
                memory=self.memory,
                queue=self.partition,
                account=self.account,
                walltime=self.time,
                interface=self.interface,
                worker_extra_args=[
                    "--memory-limit",
                    "0",
                ],  # the queue sees to that, as our own workers have none
                job_script_prologue=[*threads, self.setup] if self.setup else threads,
                job_extra_directives=shlex.split(self.options),
                scheduler_options={"dashboard_address": "127.0.0.1:0"},
            ) as cluster,
            Client(cluster) as client,
        ):
            cluster.scale(jobs=self.workers)
            yield client
