"""Writes the page, and beside it the tables and figures that it offers to take away."""

from __future__ import annotations

import shutil
from pathlib import Path

import jinja2
from markupsafe import Markup

from tkae.report.document import Report
from tkae.report.drawing import StoredArrays
from tkae.report.evidence import RULE
from tkae.report.figures.paper_against_ours import PICTURE
from tkae.report.overview import CLAIMS, COUNTED
from tkae.report.page.answer import ORDER
from tkae.report.page.claims import numbers, test
from tkae.report.page.content import Content, Part, content
from tkae.report.page.protocols import at_a_glance
from tkae.storage import write_atomically
from tkae.terminal import count

FOLDER = "report"  # in a results folder: to be opened where it is, or hosted or sent as it is
TAKEN = {"tables": (".csv", ".tex"), "figures": (".csv", ".pdf", ".png")}
ENDINGS = {"csv": "CSV", "tex": "LaTeX", "pdf": "PDF", "png": "PNG"}


def page_of(results: Path) -> Path:
    """Where the page of a results folder is."""
    return results / FOLDER / "index.html"


def write_page(results: Path, report: Report, curves: StoredArrays) -> Path:
    """The page of a report whose tables and figures stand in `results` already."""
    page = page_of(results)
    write_atomically(page, rendered(content(report, curves)))
    for kind, endings in TAKEN.items():
        shutil.rmtree(page.parent / kind, ignore_errors=True)  # what no experiment has any more
        (page.parent / kind).mkdir()
        for path in sorted((results / kind).glob("*")):
            if path.suffix in endings:
                shutil.copyfile(path, page.parent / kind / path.name)
    return page


def rendered(page: Content) -> str:
    """The page as one text."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("tkae.report.page"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {
        "slug": lambda name: name.replace(" ", "-"),
        "ending": ENDINGS.get,
        "title_of": lambda name: name.replace("_", " ").capitalize(),
        "verdicts": _verdicts,
        "values": _values,
        "seen": lambda panels: {mark.verdict for panel in panels for mark in panel.marks},
        "marked": lambda values: [(value, f"{value:g}") for value in values],
        "cells": lambda number: count(number, "cell"),
        "test": test,
        "numbers": numbers,
    }
    template = environment.get_template("index.html")
    glance = Markup(at_a_glance())
    told = {"rule": RULE, "counted": COUNTED, "picture": PICTURE, "glance": glance}
    return template.render(page=page, results=ORDER, claims=CLAIMS, **told)


def _verdicts(part: Part) -> dict[str, int]:
    """How many figures of an experiment have each verdict."""
    every = [cell.verdict for line in part.lines for cell in line.cells.values()]
    return {name: every.count(name) for name in ORDER}


def _values(page: Content, name: str) -> list[str]:
    """The values of a field of all rows, each once."""
    return list(dict.fromkeys(getattr(line, name) for part in page.parts for line in part.lines))
