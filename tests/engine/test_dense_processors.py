"""The same bits on every processor: the kernels made for four of them, each in a process of its own."""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tkae.engine.batch import Data
from tkae.engine.dense import Dense
from tkae.engine.trainer import Replica, Schedule, Training

PROCESSORS = ("haswell", "znver3", "skylake-avx512", "host")


def digest() -> str:
    """Of the weights of an AE, a tied one and a DAE after five epochs, and of their evaluations."""
    chance, found = np.random.default_rng(3), hashlib.sha256()
    n, steps, width = 33, 17, 5
    lengths = chance.integers(2, steps + 1, (1, n))
    x = chance.normal(size=(1, n, steps, width)).astype(np.float32)
    data = Data(x, chance.random(x.shape) < 0.8, lengths, np.zeros((1, 0, 0), np.float32), 0)
    replicas = [Replica(0, penalty=0.01, rate=0.01), Replica(1, rate=0.1)]
    for options in ({"code": 5}, {"tied": True, "activation": "sigmoid"}, {"corruption": 0.5}):
        model = Dense(steps * width, threads=1, **options)  # type: ignore[arg-type]
        training = Training(model, data, replicas, Schedule(epochs=5, batch=31))
        found.update(training.run().tobytes())
        for array in training.evaluate():
            found.update(array.tobytes())
    return found.hexdigest()


def _runs(processor: str) -> bool:
    """Whether this machine can run what is compiled for `processor`."""
    import llvmlite.binding as llvm

    wide = ("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")
    needs = {"skylake-avx512": wide, "host": ()}.get(processor, ("avx2", "fma"))
    return all(llvm.get_host_cpu_features().get(name, False) for name in needs)


@pytest.mark.skipif(platform.machine() not in {"x86_64", "AMD64"}, reason="the processors' names are of x86")
def test_bits_are_those_of_every_processor(tmp_path: Path) -> None:
    names = [name for name in PROCESSORS if _runs(name)]
    started = []
    for name in names:
        own = {"XDG_CACHE_HOME": str(tmp_path / name)}
        if name != "host":  # without the second, code is made for this machine's registers all the same
            own |= {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": ""}
        command = [
            sys.executable,
            "-c",
            "from tests.engine.test_dense_processors import digest; print(digest())",
        ]
        started.append(
            subprocess.Popen(command, env={**os.environ, **own}, stdout=subprocess.PIPE, text=True)
        )
    digests = [one.communicate()[0].strip() for one in started]
    assert all(one.returncode == 0 for one in started)
    assert len(set(digests)) == 1, dict(zip(names, digests, strict=True))
