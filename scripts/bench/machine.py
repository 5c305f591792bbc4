"""What a figure was measured on."""

from __future__ import annotations

import os
import platform
from datetime import date
from importlib.metadata import version
from pathlib import Path


def described() -> str:
    """Processor, day, versions, and how busy the machine is."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("numba", "numpy", "torch"))
    return (
        f"{_processor()}, {os.cpu_count()} cores, {date.today()};"
        f" {packages}; load {os.getloadavg()[0]:.1f} at the start."
    )


def _processor() -> str:
    """The model's name; Python has it only where Linux does not tell it."""
    told = Path("/proc/cpuinfo")
    lines = told.read_text().splitlines() if told.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
