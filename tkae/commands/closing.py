"""How a run ends: what was found, where it is, and what to do next, a line each."""

from __future__ import annotations

import re
import shlex
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from tkae.report.section import Section
from tkae.report.summary import Row
from tkae.report.tables import VERDICTS, measured_text
from tkae.report.verdict import NOT_RUN
from tkae.runs.runner import Run
from tkae.terminal import are, count


def close(run: Run, sections: Sequence[Section], paths: Sequence[Path], words: Sequence[str]) -> None:
    """Say the three lines on stderr; `words` are those of the command."""
    lines = {"found": found(sections), "files": where(paths), "next": next_step(run, sections, words)}
    for name, text in lines.items():
        print(f"{name + ':':<7}{text}", file=sys.stderr)


def found(sections: Sequence[Section]) -> str:
    """How many figures have which verdict, or whose figures are best where there is none."""
    rows = [row for section in sections for row in section.rows]
    rows = [row for row in rows if row.metric.higher_is_better is not None] or rows
    few = sum(map(_too_few, rows))
    verdicts = Counter(row.verdict for row in rows if row.verdict and not _too_few(row))
    parts = [", ".join(f"{name} {verdicts[name]}" for name in VERDICTS if verdicts[name]) or _best(rows)]
    if few:
        parts.append(f"too few runs for {count(few, 'verdict')}")
    if verdicts and (open_ := [row for row in rows if row.paper and not row.verdict]):
        budgets = sorted({row.facts["budget"] for row in open_ if row.unjudged})
        why = f" (budget {', '.join(budgets)})" if budgets else ""
        parts.append(f"no verdict for {count(len(open_), 'printed figure')}{why}")
    return "; ".join(parts)


def _too_few(row: Row) -> bool:
    """Whether it has runs, yet not as many as the paper."""
    return row.verdict == NOT_RUN and row.n > 0


def _best(rows: Sequence[Row]) -> str:
    """Who is best by the experiment's first metric."""
    rivals: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row.metric == rows[0].metric and row.mean is not None and row.n == row.seeds:
            rivals.setdefault((row.dataset_title, str(dict(row.point))), []).append(row)
    if not rivals:
        return "nothing yet"
    sign = 1 if rows[0].metric.higher_is_better else -1
    winners = [max(group, key=lambda row: sign * (row.mean or 0.0)) for group in rivals.values()]
    metric, first = rows[0].metric.title, winners[0]
    if len(winners) > 1:
        method, times = Counter(row.method_title for row in winners).most_common(1)[0]
        return f"best {metric} on {times} of {len(winners)} datasets and settings: {method}"
    best = "best " if len(next(iter(rivals.values()))) > 1 else ""
    return f"{best}{metric} on {first.dataset_title}: {first.method_title}, {measured_text(first)}"


def where(paths: Sequence[Path]) -> str:
    """The page or the report, if there is one, else the files of the tables and figures."""
    for ending in (".html", ".md"):
        whole = [path for path in paths if path.suffix == ending and path.parent.name != "tables"]
        if whole:
            return f"{whole[0]}; {_folders(paths)}"
    stems = dict.fromkeys(path.with_suffix("") for path in paths)
    if len(stems) > 2 or not stems:
        return _folders(paths)
    return ", ".join(
        f"{stem}.{{{_endings(path for path in paths if path.with_suffix('') == stem)}}}" for stem in stems
    )


def _folders(paths: Iterable[Path]) -> str:
    """How many tables and figures are where."""
    stems: dict[Path, set[str]] = {}
    for path in paths:
        if path.parent.name in ("tables", "figures"):
            stems.setdefault(path.parent, set()).add(path.stem)
    return (
        ", ".join(
            f"{count(len(names), folder.name.removesuffix('s'))} in {folder}"
            for folder, names in stems.items()
        )
        or "none were written"
    )


def _endings(paths: Iterable[Path]) -> str:
    return ",".join(path.suffix[1:] for path in paths)


def next_step(run: Run, sections: Sequence[Section], words: Sequence[str]) -> str:
    """A command, and what it is for."""
    options, rows = run.command.options, [row for section in sections for row in section.rows]
    left = len(run.todo(force=False))
    same = [word for word in words if word not in ("collect=true", "force=true")]
    if run.failures():
        return _command(same, "tries again what failed")
    if left:
        return _command(same, f"computes the {count(left, 'cell')} that {are(left)} left")
    if any(row.unjudged for row in rows):
        longer = _with(same, "budget=paper", without=("budget", "seeds", "hours"))
        return _command(longer, "as long as the paper; dry_run=true says how long")
    if any(row.verdict == NOT_RUN for row in rows):
        return _command(_with(same, "seeds=10"), "as many runs as the paper")
    if any(row.paper for row in rows) and {section.protocol for section in sections} == {"paper"}:
        return _command(_with(same, "protocol=authors"), "what the authors' program did differently")
    return f"tkae-results report {shlex.quote(options.results_dir)}  # all that is stored, in one report"


def _with(words: Sequence[str], word: str, without: Sequence[str] = ()) -> list[str]:
    """The words with this one in the place of what is said of its key, or of others that do not suit it."""
    keys = {word.partition("=")[0], *without}
    return [*(other for other in words if re.split(r"[.=]", other)[0] not in keys), word]


def _command(words: Sequence[str], purpose: str) -> str:
    return f"{shlex.join(['tkae-run', *words])}  # {purpose}"
