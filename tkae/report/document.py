"""The report of a command over all its experiments: `report.md`, and `report.tex`, which compiles as it is.

Both are made of the tables that stand beside them; nothing of the day enters, so the same records give
the same report.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tkae.report.evidence import ClaimResult
from tkae.report.grid import Grid
from tkae.report.latex import escaped, floats
from tkae.report.overview import details
from tkae.report.section import Section
from tkae.report.side_by_side import by_experiment
from tkae.report.tables import markdown
from tkae.settings.registry import lookup
from tkae.storage import write_atomically
from tkae.terminal import count

TITLE = "Learning representations of multivariate time series with missing data, re-measured"
PREAMBLE = r"""\documentclass{article}
\usepackage[margin=2cm]{geometry}
\usepackage{booktabs,graphicx}
\begin{document}
"""


@dataclass(frozen=True)
class Report:
    """What a report is made of; tables by the stem of their files."""

    sections: Sequence[Section]
    tables: Mapping[str, Grid]  # over all experiments
    across_protocols: Mapping[str, Grid]  # over the protocols of each
    claims: Sequence[ClaimResult]
    made: Mapping[str, list[str]]  # how: see `provenance`

    def write(self, results: Path) -> list[Path]:
        """`report.md` and `report.tex` in the folder that has the tables and figures."""
        paths = [results / "report.md", results / "report.tex"]
        write_atomically(paths[0], self.markdown())
        write_atomically(paths[1], self.latex())
        return paths

    def markdown(self) -> str:
        parts = [f"# {TITLE}\n", *(markdown(table) for table in self.tables.values())]
        for experiment, alike in by_experiment(self.sections).items():
            parts.append(f"## {experiment}: {lookup('experiment', experiment).title}\n")
            if experiment in self.across_protocols:
                parts.append(markdown(self.across_protocols[experiment]))
            for section in alike:
                parts.append(f"### {section.protocol}\n")
                parts += [markdown(table) for table in section.tables.values()]
                for stem, drawing in section.drawings.items():
                    parts.append(f"![{drawing.caption}](figures/{stem}.png)\n")
            if (own := self._evidence(experiment)) is not None:
                parts.append(f"### Claims\n\n{markdown(own)}")
        lines = [f"- {name}: {', '.join(values)}" for name, values in self.made.items() if values]
        return "\n".join([*parts, "## How it was made\n", *lines, ""])

    def latex(self) -> str:
        parts = [PREAMBLE, rf"\section*{{{escaped(TITLE)}}}", *(_input(stem) for stem in self.tables)]
        for experiment, alike in by_experiment(self.sections).items():
            # Floats stay with their experiment.
            parts.append(rf"\clearpage\section*{{{escaped(experiment)}}}")
            if experiment in self.across_protocols:
                parts.append(_input(experiment))
            for section in alike:
                parts += [_input(stem) for stem in section.tables]
                parts += [_figure(stem, drawing.caption) for stem, drawing in section.drawings.items()]
            if (own := self._evidence(experiment)) is not None:
                parts.append(floats(own))
        lines = [
            rf"\noindent {escaped(f'{name}: ' + ', '.join(values))}\par"
            for name, values in self.made.items()
            if values
        ]
        parts += [r"\clearpage\section*{How it was made}", *lines]
        return "\n".join([*parts, r"\end{document}", ""])

    def _evidence(self, experiment: str) -> Grid | None:
        """The numbers behind the claims on an experiment, if there are any."""
        own = [result for result in self.claims if experiment in result.claim.experiments]
        if not own:
            return None
        table = details(own)
        return replace(table, label=f"{table.label}:{experiment}")


def provenance(sections: Sequence[Section]) -> dict[str, list[str]]:
    """How the figures were made: every value that occurs among the records."""
    stored = [entry for section in sections for entry in section.entries if entry.record is not None]
    environments = [entry.record["environment"] for entry in stored if entry.record is not None]
    found: dict[str, list[Any]] = {
        "budget": [
            f"{b['name']}: {count(b['epochs'], 'epoch')}, {count(b['seeds'], 'seed')}, "
            f"{count(b['mixtures'], 'mixture')} a size"
            + (f", at most {b['series']} series a split" if b["series"] else "")
            for b in (entry.story["budget"] for entry in stored)
        ],
        "seeds": sorted({entry.seed for entry in stored}),
    }
    for name in ("processor", "cores", "system", "python", "tkae", "commit"):
        found[name] = [environment.get(name) for environment in environments]
    found["blas"] = [library for environment in environments for library in environment.get("blas", ())]
    found["packages"] = [
        f"{name} {version}"
        for environment in environments
        for name, version in environment["packages"].items()
        if version
    ]
    return {
        name: list(dict.fromkeys(str(v) for v in values if v is not None)) for name, values in found.items()
    }


def _input(stem: str) -> str:
    return rf"\input{{tables/{stem}.tex}}"


def _figure(stem: str, caption: str) -> str:
    drawn = rf"\includegraphics[width=\linewidth,height=0.6\textheight,keepaspectratio]{{figures/{stem}.pdf}}"
    return f"\\begin{{figure}}[ht]\n\\centering\n{drawn}\n\\caption{{{escaped(caption)}}}\n\\end{{figure}}"
