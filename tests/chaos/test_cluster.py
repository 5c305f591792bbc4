"""A cluster that loses a worker for good and another one for a while still ends with the bits of `serial`."""

from __future__ import annotations

import threading
from pathlib import Path

from tests.chaos.cluster import cluster, disturb
from tests.runs.stored import numbers
from tkae.commands.run import main

WORDS = ["-m", "experiment=imputation", "dataset=japanese_vowels", "model=[mean,locf,pca,dae]"]
WORDS += ["missingness.rate=0.2,0.5,0.8", "budget=smoke", "seeds=4"]
CELLS = 48


def test_a_worker_dies_and_another_falls_silent(tmp_path: Path) -> None:
    serial, disturbed = tmp_path / "serial", tmp_path / "disturbed"
    assert main([*WORDS, f"results_dir={serial}"]) == 0
    ended = threading.Event()
    with cluster(tmp_path) as workers:
        blows = threading.Thread(target=disturb, args=(workers, disturbed, (4, 12), ended))
        blows.start()
        address = ["executor=dask", "executor.jobs=8", f"executor.address={workers.address}"]
        assert main([*WORDS, *address, f"results_dir={disturbed}"]) == 0
        ended.set()
        blows.join()
        assert workers.workers[0].poll() is not None
    assert len(numbers(serial)) == CELLS and numbers(disturbed) == numbers(serial)
    name = "tables/imputation.paper.csv"
    assert (disturbed / name).read_bytes() == (serial / name).read_bytes()
