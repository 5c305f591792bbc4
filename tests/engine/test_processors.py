"""Compiled code gives the same bits for every processor that has fused multiply-adds.

Numba makes code for another processor if it is told its name and features, and OpenBLAS and NumPy choose
theirs likewise. A processor cannot run what it lacks, so that a part of this is seen on AVX-512 only.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from llvmlite import binding as llvm

AVX512 = ("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")
PROCESSORS = {"haswell": (), "znver3": (), "skylake-avx512": AVX512}  # and features beyond their names
OTHERS = {"OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": "X86_V4"}  # no AVX-512 there

pytestmark = pytest.mark.xdist_group("processors")  # each takes a minute to compile: once is enough


def bits(**settings: str) -> dict[str, Any]:
    program = [sys.executable, "-m", "tests.engine.bits"]
    root = Path(__file__).parents[2]
    done = subprocess.run(program, cwd=root, env={**os.environ, **settings}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


@pytest.fixture(scope="module")
def here() -> dict[str, Any]:
    return bits()


@pytest.mark.parametrize("name", PROCESSORS)
def test_bits_do_not_depend_on_the_processor(name: str, here: dict[str, Any], tmp_path: Path) -> None:
    own = llvm.get_host_cpu_features()
    if not all(own.get(feature) for feature in ("avx2", "fma", *PROCESSORS[name])):
        pytest.skip(f"this processor cannot run code for {name}")
    features = ",".join(f"+{feature}" for feature in PROCESSORS[name])
    numba = {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": features, "NUMBA_CACHE_DIR": str(tmp_path)}
    assert bits(**numba, **({} if PROCESSORS[name] else OTHERS)) == here
