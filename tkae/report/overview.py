"""The summary of a command: how many figures were reproduced and which claims hold, by protocol."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tkae.report.claims import Claim, Place, load_claims, load_untested
from tkae.report.evidence import (
    FAILS,
    HOLDS,
    RULE,
    UNDECIDED,
    ClaimResult,
    FindFigures,
    PartResult,
    SeedFigures,
    by_print,
    evaluate,
    part_by_print,
)
from tkae.report.grid import Grid, TableCell
from tkae.report.section import Section, budgets
from tkae.report.summary import Row
from tkae.report.verdict import BETTER, DIFFERS, INCONCLUSIVE, NOT_RUN, REPRODUCED, WORSE
from tkae.runs.entry import ABLATIONS

UNJUDGED = "no verdict"
RESULTS = (REPRODUCED, BETTER, WORSE, DIFFERS, INCONCLUSIVE, NOT_RUN, UNJUDGED)
FACTS = (REPRODUCED, DIFFERS, NOT_RUN, UNJUDGED)
CLAIMS = (HOLDS, FAILS, UNDECIDED, NOT_RUN)
COUNTED = (
    "A result is a figure of a dataset, method, metric and setting. It has no verdict where the paper "
    "prints none, the row is ours, other entries or data are measured than were printed, or the budget "
    "gives the model less work than the paper's. A verdict is about runs on one test set: it does not say "
    "what other test series would give. Facts (sizes, numbers of parameters and the like) are counted "
    "apart. A claim on several experiments is counted at each of them, and once in the total."
)
COUNTS = ("experiment", "protocol", "results", "facts", "claims")


def judge(sections: Sequence[Section]) -> list[ClaimResult]:
    """Every claim under every protocol that something was run of."""
    found = {protocol: _measured(sections, protocol) for protocol in protocols_of(sections)}
    return [evaluate(claim, protocol, find) for claim in load_claims() for protocol, find in found.items()]


@dataclass(frozen=True)
class Counts:
    """A line of the summary: how many results, facts and claims have which verdict."""

    experiment: str
    protocol: str
    results: Counter[str]
    facts: Counter[str]
    claims: Counter[str]

    @classmethod
    def of(cls, name: str, protocol: str, rows: Iterable[Row], claims: Iterable[ClaimResult]) -> Counts:
        results, facts = Counter[str](), Counter[str]()
        for row in rows:
            (facts if row.metric.higher_is_better is None else results)[state(row)] += 1
        return cls(name, protocol, results, facts, Counter(claim.verdict for claim in claims))

    @property
    def long(self) -> dict[str, Any]:
        """The row of the CSV file."""
        found: dict[str, Any] = {"experiment": self.experiment, "protocol": self.protocol}
        found |= {"results": self.results.total(), **{name: self.results[name] for name in RESULTS}}
        found |= {"facts": self.facts.total(), **{f"fact {name}": self.facts[name] for name in FACTS}}
        return found | {
            "claims": self.claims.total(),
            **{f"claim {name}": self.claims[name] for name in CLAIMS},
        }


def summary(sections: Sequence[Section], results: Sequence[ClaimResult]) -> Grid:
    """Lines of counts: each experiment under each protocol, then each protocol over all experiments."""
    blocks: dict[str, list[Counts]] = {}
    for section in sections:
        concerns = [r for r in results if section.experiment in r.claim.experiments]
        own = (r for r in concerns if r.protocol == section.protocol)
        blocks.setdefault(section.experiment, []).append(
            Counts.of(section.experiment, section.protocol, section.rows, own)
        )
    for protocol in protocols_of(sections):
        rows = (row for section in sections if section.protocol == protocol for row in section.rows)
        claims = (r for r in results if r.protocol == protocol)
        blocks.setdefault("", []).append(Counts.of("all", protocol, rows, claims))
    lines = [[counts.long for counts in block] for block in blocks.values()]
    head = [name.capitalize() if name in COUNTS else name for name in lines[0][0]]
    return Grid(
        f"What was reproduced: results, facts and claims by experiment and protocol. {budgets(sections)}",
        "tab:summary",
        head,
        [[[TableCell(str(value or "–")) for value in line.values()] for line in block] for block in lines],
        [COUNTED],
        [line for block in lines for line in block],
        keys=2,
    )


def claims_table(results: Sequence[ClaimResult], sections: Sequence[Section]) -> Grid:
    """A line for each claim, the protocols side by side; the CSV file has a row for each part."""
    protocols = protocols_of(sections)
    by_claim: dict[str, dict[str, ClaimResult]] = {}
    for result in results:
        by_claim.setdefault(result.claim.id, {})[result.protocol] = result
    blocks: dict[str, list[list[TableCell]]] = {}
    for judged in by_claim.values():
        claim = next(iter(judged.values())).claim
        texts = [claim.says, claim.place, printed_of(claim), *(judged[name].text for name in protocols)]
        blocks.setdefault(claim.experiments[0], []).append([TableCell(text) for text in texts])
    counts = (
        "In brackets: how many of the claim's comparisons are as claimed, in the median over seeds; beside "
        "the paper's own figures, how many of them are printed."
    )
    rest = f"{len(load_untested())} more sentences of the text are listed there that no experiment measures."
    return Grid(
        f"Claims of the paper's text, tested over seeds. {budgets(sections)}",
        "tab:claims",
        ["Claim", "Place", "Paper's own figures", *protocols],
        list(blocks.values()),
        [f"{RULE} {rest}", counts],
        [row for result in results for row in _long_claim(result)],
    )


def details(results: Sequence[ClaimResult]) -> Grid:
    """The numbers behind the verdicts on some claims: each under each protocol, by its weakest part."""
    blocks: dict[str, list[list[TableCell]]] = {}
    for result in results:
        part = result.weakest
        tested = part.over_seeds
        numbers = (part.median, part.effect, tested.p, tested.p_contrary) if part.seeds else (None,) * 4
        texts = [result.claim.says, result.protocol, result.text, part.part.label, str(part.seeds)]
        texts += ["–" if number is None else f"{number:.3g}" for number in numbers]
        texts.append("{:.3g} to {:.3g}".format(*part.interval) if part.interval else "–")
        blocks.setdefault(result.claim.id, []).append([TableCell(text) for text in texts])
    head = ["Claim", "Protocol", "Verdict", "Weakest part", "Seeds", "Median difference", "r"]
    head += ["p", "p of the contrary", "Over test series"]
    caption = (
        "Claims, with the part of each that speaks least for it: r is the rank-biserial correlation; over "
        "test series, the 90 % interval of the difference of the means over runs."
    )
    return Grid(caption, "tab:evidence", head, list(blocks.values()), keys=2)


def _measured(sections: Sequence[Section], protocol: str) -> FindFigures:
    """Looks up figures of rows with the experiments' own settings, and of the changes that ablations make."""
    found: dict[Place, Row] = {}
    for section in (section for section in sections if section.protocol == protocol):
        # Where there are several, the one of the largest budget that has the most runs speaks.
        own = (row for row in section.rows if not row.changed or section.experiment == ABLATIONS)
        for row in sorted(own, key=lambda row: (not row.shortened, row.n)):
            changed = {key: row.facts[key] for key in row.changed}
            point = tuple(sorted({**row.point, **changed}.items()))
            experiment = row.entries[0].experiment
            found[Place(experiment, row.stands_for, row.method, row.metric.name, point)] = row

    def find(place: Place) -> SeedFigures | None:
        row = found.get(place)
        whole = row is not None and row.n == row.seeds
        return SeedFigures(row.by_seed, row.unjudged, row.resampled) if row is not None and whole else None

    return find


def state(row: Row) -> str:
    """What a row counts as."""
    return NOT_RUN if row.done < row.seeds else row.verdict or UNJUDGED


def _long_claim(result: ClaimResult) -> list[dict[str, Any]]:
    claim: Claim = result.claim
    head: dict[str, Any] = {"claim": claim.id, "place": claim.place, "says": claim.says, "quote": claim.quote}
    head |= {"protocol": result.protocol, "verdict": result.verdict, "series_verdict": result.series_verdict}
    head |= {"by_print": by_print(claim)}
    return [{**head, **_long_part(part)} for part in result.parts]


def _long_part(part: PartResult) -> dict[str, Any]:
    seeds = part.over_seeds if part.seeds else None
    series, (low, high) = part.over_series, part.interval or (None, None)
    return {
        "part": part.part.label,
        "kind": part.part.kind,
        "margin": part.part.margin,
        "share": part.part.share,
        "part_verdict": part.verdict,
        "as_claimed": part.as_claimed if part.seeds else None,
        "n": part.seeds,
        "median": part.median,
        "effect": part.effect,
        "p": seeds.p if seeds else None,
        "p_contrary": seeds.p_contrary if seeds else None,
        "part_series_verdict": part.series_verdict,
        "series_low": low,
        "series_high": high,
        "series_p": series.p if series else None,
        "series_p_contrary": series.p_contrary if series else None,
    }


def printed_of(claim: Claim) -> str:
    """What the printed figures say of it, and of how many of its parts they say anything."""
    told = sum(bool(part_by_print(part)) for part in claim.print_parts)
    return f"{by_print(claim)} ({told}/{len(claim.print_parts)})" if told else "–"


def protocols_of(sections: Sequence[Section]) -> list[str]:
    """The protocols of some sections, each once."""
    return list(dict.fromkeys(section.protocol for section in sections))
