"""Limits of settings: numbers that are none are never allowed."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import pytest

from tkae.fields import allowed, setting


@dataclass
class Some:
    free: float = setting(1.0)
    limited: float = setting(0.5, at_least=0, at_most=1)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_only_finite_numbers_are_allowed(value: float) -> None:
    assert not any(allowed(spec, value) for spec in fields(Some))
    assert all(allowed(spec, 1.0) for spec in fields(Some))
