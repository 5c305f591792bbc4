"""What a run left in its results folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tkae.storage import load_arrays


def numbers(results: Path) -> dict[str, Any]:
    """All that is stored of every cell but times and the environment, arrays as bytes."""
    found = {}
    for path in results.rglob("records/**/*.json"):
        record = json.loads(path.read_text())["record"]
        arrays = load_arrays(path.with_suffix(".safetensors"), path.stem)[0] if record["arrays"] else {}
        rest = {name: part for name, part in record.items() if name not in ("seconds", "environment")}
        found[path.stem] = rest, {name: (a.dtype.str, a.shape, a.tobytes()) for name, a in arrays.items()}
    return found


def checkpoints(results: Path) -> list[Path]:
    return sorted((results / "checkpoints").glob("*.safetensors"))
