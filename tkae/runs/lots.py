"""What becomes of a group whose process died: it is tried again, then cell by cell.

A process may die for a reason of its own (a machine that goes down), so the group has a second try. Then
each cell goes on alone, until it has killed three: what kills its process takes no other cell with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

DEATHS = 3  # processes that a cell may kill


@dataclass(frozen=True)
class Lot:
    """A group of cells, and how many processes died over it."""

    group: Sequence[Any]
    deaths: int = 0

    def after(self, deaths: int = 1) -> list[Lot]:
        """What to try when so many processes died over it; nothing if it had its chances."""
        died = self.deaths + deaths
        if died < DEATHS and (died == 1 or len(self.group) == 1):
            return [Lot(self.group, died)]
        if len(self.group) == 1:
            return []
        return [Lot(self.group[i : i + 1], min(died, DEATHS - 1)) for i in range(len(self.group))]
