"""Compilation: on first call, kept on disk under a name made from all sources that are compiled.

Numba looks only at the file of the function it caches, not at the files that function calls into;
a digest of all these sources in the cache's path makes an edit to any of them a new cache.
"""

# llvmlite has no type hints
# mypy: disable-error-code="import-untyped"

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from llvmlite import binding as llvm

from tkae.storage import cache_folder

PACKAGES = ("compiled", "engine", "kernels")  # all that have functions that Numba compiles
MARKS = (b"numba", b"import jit", b", jit", b"NamedTuple")  # of a module that has: others may change freely
Function = TypeVar("Function", bound=Callable[..., Any])


def many_registers() -> bool:
    """Whether code is made for a processor with AVX-512: twice the registers, of twice the size.

    Numba makes it for the processor that it runs on, or for what its two settings say.
    """
    settings: Any = numba.config
    if settings.CPU_FEATURES is None:  # the host's, whatever CPU_NAME says
        return bool(llvm.get_host_cpu_features().get("avx512f"))
    return "+avx512f" in settings.CPU_FEATURES.split(",") or "avx512" in (settings.CPU_NAME or "")


def folder_of(sources: Path) -> Path:
    """Where the code compiled from the packages in `sources` is kept, within the cache (TKAE_CACHE)."""
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(path for package in PACKAGES for path in (sources / package).glob("*.py")):
        content = source.read_bytes()
        if any(mark in content for mark in MARKS):
            digest.update(content)
    return cache_folder() / "compiled" / digest.hexdigest()[:16]


FOLDER = str(folder_of(Path(__file__).parents[1]))


def jit(function: Function) -> Function:
    """Compile; the interpreter's lock is released while it runs, so that Python's threads run replicas."""
    settings: Any = numba.config
    before = settings.CACHE_DIR
    settings.CACHE_DIR = before or FOLDER
    try:
        compile_ = numba.njit(cache=True, nogil=True, error_model="numpy")
        return cast(Function, compile_(function))
    finally:
        settings.CACHE_DIR = before


@jit
def fill(array: Any, start: int, count: int, value: float) -> None:
    """`array[start : start + count] = value`; Numba takes seconds to compile the slice's own checks."""
    for i in range(start, start + count):
        array[i] = value
