"""Where a number was computed: machine, versions, threads; kept with every record."""

from __future__ import annotations

import functools
import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tkae.version import __version__

PACKAGES = ("numpy", "scipy", "torch", "scikit-learn", "pandas", "hydra-core", "numba")


@functools.cache
def environment() -> dict[str, object]:
    """Of this process; what a package's version is, None where it is not installed."""
    return {
        "python": platform.python_version(),
        "system": platform.platform(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "blas": _blas(),
        "packages": {name: _version(name) for name in PACKAGES},
        "tkae": __version__,
        "commit": _commit(),
    }


def _blas() -> list[str]:
    """The linear algebra that PCA, kernel PCA and the selection of weights use: its code is chosen by the
    processor, and so are their last bits.
    """  # fmt: skip
    import scipy.linalg  # noqa: F401 (what is not loaded is not found)
    from threadpoolctl import threadpool_info

    found = (library for library in threadpool_info() if library["user_api"] == "blas")
    return sorted(
        {
            " ".join(str(library.get(key)) for key in ("internal_api", "version", "architecture"))
            for library in found
        }
    )


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()


def _commit() -> str | None:
    """The commit of the checkout that the code runs from, `+` if it was changed since; None in a wheel."""
    root = Path(__file__).parent.parent.parent
    if not (root / ".git").exists():
        return None

    def git(*words: str) -> str:
        done = subprocess.run(
            ["git", "-C", str(root), *words], capture_output=True, text=True, timeout=10, check=True
        )
        return done.stdout.strip()

    try:
        return git("rev-parse", "HEAD") + ("+" if git("status", "--porcelain", "-uno") else "")
    except (OSError, subprocess.SubprocessError):
        return None
