"""How long a command takes whose cells are all stored, and how much memory: with very many records.

    python scripts/bench_store.py [--records 100000] [--sweep 20000] [--folder FOLDER] [--code CHECKOUT ...]

Records are made up (their figures mean nothing): imputation, five datasets, eight models. `--code` names
checkouts that are measured on the same records one after the other, for ratios; the tables that they write of
these records must be the same, byte for byte. CPU seconds say more than seconds where a machine is busy.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parents[1]
DATASETS = "arabic_digits,japanese_vowels,libras,wafer,auslan"
MODELS = "mean,locf,pca,ae,dae,tae,tkae,encdec_ad"
ENVIRONMENT = {
    "python": "3.11.7",
    "system": "Linux",
    "processor": "a processor",
    "cores": 2,
    "blas": ["openblas 0.3.30 Haswell"],
    "packages": {"numpy": "2.4.6", "torch": "2.13.0+cpu"},
    "tkae": "0.1.0",
    "commit": "f" * 40,
}
PROGRAM = """
import resource, runpy, sys
sys.argv = sys.argv[1:]
try:
    runpy.run_module(sys.argv[0], run_name="__main__")
finally:
    print("PEAK", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def main() -> None:
    """Make the records if they are not there, then run the commands one after the other."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--sweep", type=int, default=20_000, help="cells of a sweep that is only planned")
    parser.add_argument(
        "--writers", type=int, default=64, help="processes that write into one folder at once"
    )
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--code", type=Path, nargs="+", default=[HERE])
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp(prefix="tkae-store-"))
    words = command(options.records)
    if not (folder / "records").is_dir():
        print(f"{fill(folder, words)} records were made in {folder}", flush=True)
    for code in options.code:
        print(
            f"\n{code}, load {os.getloadavg()[0]:.0f}\n| command | s | CPU s | peak MB |\n|---|---|---|---|"
        )
        measure(code, "second run", ["tkae.commands.run", *words, f"results_dir={folder}"])
        print(f"  tables {digest(folder)}")
        measure(code, "report", ["tkae.commands.results", "report", str(folder)])
        planned = ["tkae.commands.run", *sweep(options.sweep), f"results_dir={folder / 'none'}"]
        measure(code, f"plan of {options.sweep} cells", planned)
    if options.writers:
        at_once(folder / "writers", options.writers)


def command(records: int) -> list[str]:
    seeds = max(records // 40, 1)
    return ["experiment=imputation", f"dataset=[{DATASETS}]", f"model=[{MODELS}]", f"seeds={seeds}"]


def sweep(cells: int) -> list[str]:
    """Ten seeds of each of very many settings: nothing is computed of it."""
    sizes = f"model.code_size=range(1,{max(cells // 10, 1) + 1})"
    return ["-m", "experiment=imputation", "dataset=japanese_vowels", "model=pca", sizes, "collect=true"]


def entry_of(cell):
    """The cell with a record that is made up of its key."""
    level = int(cell.key[:6], 16) / 0xFFFFFF
    record = {
        "status": "done",
        "metrics": {metric.name: level + i for i, metric in enumerate(cell.experiment.metrics)},
        "masks": "drawn here",
        "environment": ENVIRONMENT,
        "threads": 1,
        "seconds": {"fit": level, "measure": level, "prepare": level, "replicas": 10, "total": 3 * level},
        "identity": cell.identity,
        "story": cell.story,
        "arrays": [],
    }
    return cell.entry(record)


def fill(folder: Path, words: list[str]) -> int:
    """A record of each cell of the command, written without waiting for the disk."""
    from tkae.runs.plan import plan
    from tkae.runs.record import written
    from tkae.runs.store import Store
    from tkae.settings.compose import compose

    store, cells = Store(folder), plan(compose(words, sweep=False))
    for cell in cells:
        path = store.path(cell.entry())
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(written(entry_of(cell), indent=1), encoding="utf-8")
    return len(cells)


def measure(code: Path, name: str, words: list[str]) -> None:
    """Run a command of a checkout; what it took."""
    began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    found = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words],
        cwd=code,
        env={**os.environ, "PYTHONPATH": str(code)},
        capture_output=True,
        text=True,
    )
    if found.returncode:
        raise SystemExit(f"{name}: exit code {found.returncode}\n{found.stderr[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    peak = int(found.stderr.rpartition("PEAK ")[2].split()[0]) / 1000
    print(f"| {name} | {time.monotonic() - began:.1f} | {cpu:.1f} | {peak:.0f} |", flush=True)


def digest(folder: Path) -> str:
    """Of all tables."""
    whole = hashlib.sha256()
    for path in sorted((folder / "tables").glob("*")):
        whole.update(path.name.encode() + path.read_bytes())
    return whole.hexdigest()[:16]


def at_once(folder: Path, writers: int, records: int = 80) -> None:
    """So many processes write the same records at the same moment."""
    from tkae.runs.plan import plan
    from tkae.runs.store import Store
    from tkae.settings.compose import compose

    entries = [entry_of(cell) for cell in plan(compose(command(records), sweep=False))]
    processes = multiprocessing.get_context("fork")
    ready = processes.Barrier(writers + 1)

    def write() -> None:
        ready.wait()
        for entry in entries:
            Store(folder).write(entry, {})

    started = [processes.Process(target=write) for _ in range(writers)]
    for process in started:
        process.start()
    ready.wait()
    began = time.monotonic()
    for process in started:
        process.join()
    took, failed = time.monotonic() - began, sum(process.exitcode != 0 for process in started)
    store = Store(folder)
    whole = len(list(store.entries()))
    others = sum(path.is_file() and path.suffix != ".json" for path in folder.rglob("*"))
    print(
        f"\n{writers} writers of the same {len(entries)} records: {took:.1f} s, {failed} failed; {whole} "
        f"records are whole, {len(store.distrusted)} are not, {others} other files are left"
    )


if __name__ == "__main__":
    main()
