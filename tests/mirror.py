"""Where the tests find the source files of the datasets: as users name them, or beside the checkout.

Tests of real data take the fixture `mirror` (conftest.py), or the mark `needs_mirror` and the folder MIRROR.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

VARIABLE = "TKAE_MIRROR"
MIRROR = Path(os.environ.get(VARIABLE) or Path(__file__).parents[2] / "shared" / "mirror").absolute()
MISSING = f"no source files of the datasets: {VARIABLE}=FOLDER names a mirror of them (README, Datasets)"

needs_mirror = pytest.mark.skipif(not MIRROR.is_dir(), reason=MISSING)
