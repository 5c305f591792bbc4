"""Every experiment in many surroundings, all numbers and tables compared bit for bit: `make determinism`.

    python -m scripts.determinism                                   # all, at the smallest budget
    python -m scripts.determinism dask "threads 5" --folder KEPT    # in slices: KEPT has the first run
    python -m scripts.determinism "hash seed 1 + threads 5 + dask"  # several at once

The first run is that of executor=serial, with which all others are compared. The data are the paper's where
there is a mirror (TKAE_MIRROR), else embedded, generated and own series.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from tests.determinism.asked import Asked, of_the_paper
from tests.determinism.results import Results, differences
from tests.determinism.surroundings import BASELINE, SURROUNDINGS, Surrounding, together
from tests.mirror import MIRROR
from tkae.data.files import Files
from tkae.data.heartbeats import DETECTORS
from tkae.data.sets.physionet import Physionet
from tkae.runs.environment import environment
from tkae.settings.registry import GROUPS

OF_HEARTBEATS = {"one_class", "datasets", "ablations"}  # experiments on Physionet
SHOWN = 10  # of the differences of a surrounding
WIDTH = max(len(one.name) for one in SURROUNDINGS)


def main() -> int:
    names = [one.name for one in SURROUNDINGS]
    parser = argparse.ArgumentParser(description="Every experiment in many surroundings: the same bits.")
    parser.add_argument("names", nargs="*", metavar="SURROUNDING", help=", ".join(names))
    known = GROUPS["protocol"] if MIRROR.is_dir() else ["paper"]  # the others need source files
    parser.add_argument("--protocols", default=",".join(known))
    parser.add_argument("--experiments", help="some of them, by commas")
    parser.add_argument("--folder", type=Path, help="keeps the first run, which is not made again")
    given = parser.parse_args()
    wanted = [[name.strip() for name in several.split("+")] for several in given.names or names]
    if unknown := {name for several in wanted for name in several} - {*names}:
        parser.error(f"no such surrounding: {', '.join(sorted(unknown))}; there are: {', '.join(names)}")
    chosen = [together(*(one for one in SURROUNDINGS if one.name in several)) for several in wanted]
    words = "budget=smoke", f"protocol={given.protocols}"
    asked = of_the_paper(MIRROR if MIRROR.is_dir() else None, *words)
    if given.experiments:
        names = given.experiments.split(",")
        asked = [part for one in asked if (part := one.only(names)).experiments]
    with ExitStack() as stack:
        place = given.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        return _compared(chosen, asked, place.absolute())


def _compared(chosen: Sequence[Surrounding], asked: Sequence[Asked], place: Path) -> int:
    """The exit code: whether anything differed."""
    needed = MIRROR.is_dir() and any(OF_HEARTBEATS & {*one.experiments} for one in asked)
    lend = _heartbeats(place / "lent") if needed else lambda _: None
    first = _first(asked, place, lend)
    print(
        f"{BASELINE.name}: {len(first.cells)} cells, {first.arrays} arrays, {len(first.files)} files",
        flush=True,
    )
    print(f"{'surrounding':{WIDTH}}  cells  arrays  files  differing  seconds", flush=True)
    total = 0
    for surrounding in chosen:
        begun = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            try:
                found = Results.of(surrounding.run(asked, Path(folder), lend))
                lines = differences(first, found)
            except RuntimeError as error:  # a command that failed: others go on
                found, lines = Results({}, {}), [str(error)]
        print(f"{_line(surrounding, found)}  {len(lines):9}  {time.monotonic() - begun:7.0f}", flush=True)
        for line in lines[:SHOWN]:
            print(f"  {line}", flush=True)
        total += len(lines)
    return 1 if total else 0


def _line(surrounding: Surrounding, found: Results) -> str:
    return f"{surrounding.name:{WIDTH}}  {len(found.cells):5}  {found.arrays:6}  {len(found.files):5}"


def _first(asked: Sequence[Asked], place: Path, lend: Callable[[Path], None]) -> Results:
    """What all others are compared with; the same commands are not run again."""
    told, words, revision = place / "first.json", BASELINE.of(asked), environment()["commit"]
    same = {"words": words, "commit": revision}
    if not told.exists() or not same.items() <= json.loads(told.read_text()).items():
        shutil.rmtree(place / "first", ignore_errors=True)
        told.unlink(missing_ok=True)
        results = BASELINE.run(asked, place / "first", lend)
        told.write_text(json.dumps({**same, "results": str(results)}))
    return Results.of(Path(json.loads(told.read_text())["results"]))


def _heartbeats(folder: Path) -> Callable[[Path], None]:
    """Those of Physionet, found once for all: another detector's stand for them, since gqrs takes minutes."""
    quick = replace(DETECTORS["gqrs"], find=DETECTORS["sleepecg"].find)
    with patch.dict(DETECTORS, {"gqrs": quick}):
        Physionet().load(Files(MIRROR, folder, offline=True), 0)

    def lend(cache: Path) -> None:
        shutil.copytree(folder / "parsed", cache / "parsed")

    return lend


if __name__ == "__main__":
    sys.exit(main())
