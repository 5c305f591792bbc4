"""tkae: the Temporal Kernelized Autoencoder paper (Bianchi et al. 2019), re-measured and usable."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_PLACES = {"results": "tkae.runs.frame"}  # imported when first used: `import tkae` is instant


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'tkae' has no attribute '{name}'")
    return getattr(import_module(_PLACES[name]), name)
