"""The last lines of a run of the tests: what was skipped and why, and how to have the same order again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest


def reason(report: pytest.TestReport) -> str:
    """Why a test was skipped, in the words of its author."""
    said = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return said.removeprefix("Skipped: ")


def closing_lines(skipped: Iterable[pytest.TestReport], seed: int | None) -> list[str]:
    counts = Counter(map(reason, skipped))
    lines = [f"{n} {'test' if n == 1 else 'tests'} skipped: {why}" for why, n in counts.most_common()]
    return lines if seed is None else [*lines, f"the same order again: --randomly-seed={seed}"]
