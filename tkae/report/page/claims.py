"""The claims of the paper's text: quote, place, test, effect and verdict, under each protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tkae.report.claims import Claim, Part
from tkae.report.evidence import ClaimResult, PartResult
from tkae.report.overview import CLAIMS, printed_of


@dataclass(frozen=True)
class ClaimView:
    """A claim, with what came of it by protocol."""

    claim: Claim
    results: Mapping[str, ClaimResult] = field(repr=False)

    @property
    def print_says(self) -> str:
        """What the paper's own figures say of it, and of how many of its comparisons."""
        return printed_of(self.claim)

    @property
    def best(self) -> str:
        """What all protocols together say of it: it holds where it does under one of them."""
        found = [result.verdict for result in self.results.values()]
        return next(name for name in CLAIMS if name in found)

    @property
    def tested(self) -> bool:
        """Whether there are figures for some of its comparisons, under some protocol."""
        return any(part.seeds for result in self.results.values() for part in result.parts)

    @property
    def rule(self) -> str:
        """How many of its comparisons must hold."""
        count = len(self.claim.parts)
        if count == 1:
            return "one comparison"
        return f"more than half of {count} comparisons" if self.claim.most else f"all of {count} comparisons"


def views(results: Sequence[ClaimResult]) -> list[ClaimView]:
    """Of each claim once, in the paper's order."""
    found: dict[str, dict[str, ClaimResult]] = {}
    for result in results:
        found.setdefault(result.claim.id, {})[result.protocol] = result
    return [ClaimView(next(iter(alike.values())).claim, alike) for alike in found.values()]


def test(part: Part) -> str:
    """What is tested of one comparison, in words."""
    margin = f" by more than {part.margin:g}" if part.margin and part.kind == "better" else ""
    if part.margin and part.kind in ("same", "not_worse"):
        margin = f" within {part.margin:g}"
    if part.share:
        margin = f" by {part.share:.0%}"
    return f"{part.kind.replace('_', ' ')}{margin}"


def numbers(result: PartResult) -> list[str]:
    """Seeds, median difference, rank-biserial correlation, both p-values, interval over test series."""
    if not result.seeds:
        return ["0", "–", "–", "–", "–", "–"]
    tested = result.over_seeds
    found = (result.median, result.effect, tested.p, tested.p_contrary)
    texts = ["–" if number is None else f"{number:.3g}" for number in found]
    low_high = "{:.3g} to {:.3g}".format(*result.interval) if result.interval else "–"
    return [str(result.seeds), *texts, low_high]
