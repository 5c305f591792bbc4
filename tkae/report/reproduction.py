"""REPRODUCTION.md: what came of it, in words, from the records alone.

Scope, counts of verdicts and claims, the picture of the whole, findings, what differs and why. The words
stand in `findings.yaml`; every number in them is looked up, so that no sentence can outlive its figure.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tkae.evaluation.statistics import mean_interval
from tkae.report.effects import Effect, effect_text, effects
from tkae.report.evidence import ClaimResult
from tkae.report.figures.paper_against_ours import CAPTION, PICTURE, printed_rows
from tkae.report.overview import CLAIMS
from tkae.report.section import Section
from tkae.report.summary import Row
from tkae.report.tables import measured_text
from tkae.report.verdict import (
    BETTER,
    CONFIDENCE,
    DIFFERS,
    INCONCLUSIVE,
    NO_VERDICT,
    NOT_RUN,
    REPRODUCED,
    WORSE,
)
from tkae.runs.entry import ABLATIONS
from tkae.terminal import count

FINDINGS_FILE = Path(__file__).with_name("findings.yaml")
MOST = 10  # findings: more would not be read
VERDICTS = (REPRODUCED, BETTER, WORSE, DIFFERS, INCONCLUSIVE, NO_VERDICT, NOT_RUN)
UNKNOWN = "Not looked into yet."
UNEXPLAINED = (BETTER, WORSE, DIFFERS, INCONCLUSIVE)  # what a reader asks the reason of


@dataclass(frozen=True)
class Wanted:
    """Which row a name in a sentence stands for."""

    experiment: str
    protocol: str
    dataset: str
    method: str
    metric: str
    at: Mapping[str, Any] = field(default_factory=dict)  # the point of a sweep
    change: Mapping[str, Any] = field(default_factory=dict)  # what an ablation changes

    def fits(self, protocol: str, row: Row) -> bool:
        changed = {key: row.facts.get(key) for key in row.changed}
        return (
            (self.experiment, self.protocol) == (row.entries[0].experiment, protocol)
            and (self.dataset, self.method) == (row.stands_for, row.method)
            and self.metric == row.metric.name
            and dict(self.at) == dict(row.point)
            and dict(self.change) == changed
        )


@cache
def words() -> Any:
    import yaml

    return yaml.safe_load(FINDINGS_FILE.read_text(encoding="utf-8"))


def reproduction(sections: Sequence[Section], claims: Sequence[ClaimResult], results: str) -> str:
    """The page; `results` is the way from it to the folder with tables and figures."""
    found = findings(sections)
    told = [f"**{title}.** {text}" for title, text in found.items()]
    if left := len(words()["findings"][:MOST]) - len(found):
        told.append(f"({left} more wait for figures that have not been computed.)")
    picture = f"![{CAPTION}]({results}/figures/{PICTURE}.png)"
    parts = [
        "# What came of it",
        "Made from the records by `make reference`; change tkae/report/findings.yaml, not this page.",
        "## Scope",
        *_scope(sections),
        "## Counts",
        _counts(sections, claims),
        picture,
        CAPTION,
        "## Findings",
        *told,
        "## What was easy, and what was not",
        "\n".join(f"- Easy: {text}" for text in words()["easy"]),
        "\n".join(f"- Hard: {text}" for text in words()["hard"]),
        "## What differs, and why",
        "What a change does to our figure stands behind it, with its 95 % interval over the seeds (see the "
        "table of the ablations). What is inconclusive has the 90 % interval of ours - printed. Numbers "
        "are those of the causes below the table.",
        *_differences(sections),
        "## What was not run",
        words()["not_run"],
        _not_run(sections),
        f"All tables: [{results}/report.md]({results}/report.md). All claims: "
        f"[{results}/tables/claims.md]({results}/tables/claims.md).",
    ]
    return "\n\n".join(parts) + "\n"


def findings(sections: Sequence[Section]) -> dict[str, str]:
    """By their titles, those whose figures were all computed."""
    every = [(section.protocol, row) for section in sections for row in section.rows]
    texts = {one["title"]: _sentence(one, every, sections) for one in words()["findings"][:MOST]}
    return {title: text for title, text in texts.items() if text}


def relative_link(page: Path, results: Path) -> str:
    """The way from a page's folder to the results, as links have it."""
    return Path(os.path.relpath(results, page.parent)).as_posix()


def _scope(sections: Sequence[Section]) -> list[str]:
    done = [entry for section in sections for entry in section.entries if entry.done]
    records = [entry.record for entry in done if entry.record]
    hours = sum(float(record.get("seconds", {}).get("total", 0.0)) for record in records) / 3600
    machines = sorted({str(record["environment"].get("processor")) for record in records})
    shown = printed_rows(sections)
    measured = {place(row) for _, row in shown if row.verdict != NOT_RUN}
    printed, work = (
        len({place(row) for _, row in shown}),
        f"{count(len(done), 'cell')}, {hours:.1f} core hours",
    )
    return [
        f"The paper prints {printed} results (sizes of datasets and of networks apart), each of a dataset, a "
        f"method and a metric. {len(measured)} of them were measured at its full budget (5000 epochs, 10 "
        f"seeds) under at least one protocol: {work} ({', '.join(machines)}).",
        "`paper` is what the text says, `authors` what the authors' program did, `clean` how one would do it "
        "today.",
    ]


def _counts(sections: Sequence[Section], claims: Sequence[ClaimResult]) -> str:
    """A column for each protocol: verdicts on printed results, then on claims."""
    protocols = list(dict.fromkeys(section.protocol for section in sections))
    results = {
        name: Counter(row.verdict for p, row in printed_rows(sections) if p == name) for name in protocols
    }
    verdicts = {
        name: Counter(claim.verdict for claim in claims if claim.protocol == name) for name in protocols
    }
    lines = [["Results", *protocols], ["---"] * (1 + len(protocols))]
    for verdict in VERDICTS:
        lines.append([verdict or "no verdict", *(str(results[name][verdict]) for name in protocols)])
    for verdict in CLAIMS:
        lines.append([f"claims: {verdict}", *(str(verdicts[name][verdict]) for name in protocols)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _sentence(
    finding: Mapping[str, Any], every: Iterable[tuple[str, Row]], sections: Sequence[Section]
) -> str:
    """The finding with its figures, or nothing if one of them is missing."""
    every = list(every)
    found: dict[str, Row] = {}
    for name, where in finding["figures"].items():
        wanted = Wanted(**where)
        rows = [row for protocol, row in every if wanted.fits(protocol, row) and row.n == row.seeds]
        if not rows:
            return ""
        found[name] = max(rows, key=lambda row: (not row.shortened, row.n))
    moved = {id(effect.row): effect for effect in all_effects(sections)}

    def put(match: re.Match[str]) -> str:
        name, _, what = match[1].partition(".")
        row = found[name]
        if what == "paper":
            return row.paper.value if row.paper else "–"
        return effect_text(moved[id(row)]) if what == "effect" else measured_text(row)

    return re.sub(r"\{([a-z0-9_.]+)\}", put, str(finding["says"]))


def _differences(sections: Sequence[Section]) -> list[str]:
    """Every printed result that was measured and not reproduced, with its cause and what moves it."""
    tried: dict[tuple[str, ...], list[Effect]] = {}
    for effect in all_effects(sections):
        if effect.own and effect.interval:
            tried.setdefault((effect.own.entries[0].protocol, *place(effect.own)), []).append(effect)
    head = ("Result", "Protocol", "Ours", "Paper", "Verdict", "Why")
    notes: dict[str, int] = {}  # a cause that many rows share stands once, below the table
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for protocol, row in printed_rows(sections):
        if row.verdict in UNEXPLAINED:
            attempts = tried.get((protocol, *place(row)), [])
            why = [*_noted(causes(protocol, row), notes), *moves(attempts), *_doubt(row)]
            name = f"{row.dataset_title}, {row.method_title}, {row.metric.title}{_at(row)}"
            figures = (measured_text(row), row.paper.value if row.paper else "–", row.verdict)
            lines.append(f"| {' | '.join([name, protocol, *figures, ' '.join(why) or UNKNOWN])} |")
    return ["\n".join(lines), "\n".join(f"{number}. {text}" for text, number in notes.items())]


def _noted(texts: Sequence[str], notes: dict[str, int]) -> list[str]:
    """The numbers under which the texts stand below the table."""
    return [f"({notes.setdefault(text, len(notes) + 1)})" for text in texts]


def _not_run(sections: Sequence[Section]) -> str:
    """The printed results left of each experiment and protocol, and their planned hours."""
    hours: dict[str, dict[str, float]] = words()["hours"]
    left = Counter(
        (row.entries[0].experiment, protocol)
        for protocol, row in printed_rows(sections)
        if row.verdict == NOT_RUN
    )
    head = ("Experiment", "Protocol", "Printed results not run", "Hours to run what is left")
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for experiment, by_protocol in hours.items():
        for protocol, more in by_protocol.items():
            count = left.pop((experiment, protocol), 0) or "–"
            lines.append(f"| {experiment} | {protocol} | {count} | {more:.1f} |")
    lines += [f"| {name} | {protocol} | {count} | – |" for (name, protocol), count in left.items()]
    return "\n".join(lines)


def causes(protocol: str, row: Row) -> list[str]:
    """What is known of it, in words."""
    here = {
        "experiment": row.entries[0].experiment,
        "protocol": protocol,
        "dataset": row.stands_for,
        "method": row.method,
    }
    return [
        cause["says"]
        for cause in words()["causes"]
        if all(here[key] in _list(cause[key]) for key in here if key in cause)
    ]


def moves(tried: Sequence[Effect]) -> list[str]:
    """Which of the changes that were tried bring the figure nearest to print, or that none of them does."""
    if not tried:
        return []

    def left(effect: Effect) -> float:
        """How far from print it would be then."""
        return abs((effect.to_print or 0.0) - (effect.mean or 0.0))

    helps = [
        effect
        for effect in tried
        if effect.interval
        and (effect.interval[0] > 0 or effect.interval[1] < 0)
        and left(effect) < abs(effect.to_print or 0.0)
    ]
    if not helps:
        return [f"Tried, and no nearer to print: {'; '.join(effect.change for effect in tried)}."]
    nearest = sorted(helps, key=left)[:3]
    return [f"Nearer to print with {'; '.join(f'{one.change} {effect_text(one)}' for one in nearest)}."]


def _doubt(row: Row) -> list[str]:
    """What the runs say of a difference that is too uncertain for a verdict."""
    if row.verdict != INCONCLUSIVE or row.paper is None:
        return []
    low, high = (limit - row.paper.number for limit in mean_interval(row.values, CONFIDENCE))
    digits = row.metric.decimals
    said = "No difference shown" if low <= 0 <= high else "Different, though perhaps within the margin"
    return [f"{said}: [{low:+.{digits}f}, {high:+.{digits}f}]."]


def all_effects(sections: Sequence[Section]) -> list[Effect]:
    """Of all protocols: each change beside the unchanged row of the same protocol."""
    found = []
    for changes in (section for section in sections if section.experiment == ABLATIONS):
        others = [
            row for s in sections if s.protocol == changes.protocol and s is not changes for row in s.rows
        ]
        found += effects(changes.rows, [row for row in others if not row.changed and not row.ours])
    return found


def place(row: Row) -> tuple[str, ...]:
    return row.entries[0].experiment, row.stands_for, row.method, row.metric.name, _at(row)


def _list(values: Any) -> list[Any]:
    return values if isinstance(values, list) else [values]


def _at(row: Row) -> str:
    return "".join(f" at {key}={value}" for key, value in row.point.items())
