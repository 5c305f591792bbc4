"""How long a command takes whose cells are all stored, and how much memory: with very many records.

    python scripts/bench_store.py [--records 100000] [--sweep 20000] [--folder FOLDER] [--code CHECKOUT]

Records are made up (their figures mean nothing), of imputation on five datasets with eight models, and a report
is written of them. `--code` measures another checkout on the same records, in the same hour, for ratios. The
tables of both must be the same, byte for byte.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

DATASETS = "arabic_digits,japanese_vowels,libras,wafer,auslan"
MODELS = "mean,locf,pca,ae,dae,tae,tkae,encdec_ad"
ENVIRONMENT = {
    "python": "3.11.7", "system": "Linux", "processor": "AMD EPYC", "cores": 2, "blas": ["openblas 0.3.30 Haswell"],
    "packages": {"numpy": "2.4.6", "torch": "2.13.0+cpu"}, "tkae": "0.1.0", "commit": "f" * 40,
}  # fmt: skip


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
    parser.add_argument("--code", type=Path, nargs="+", default=[Path(__file__).parents[1]])
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp(prefix="tkae-store-"))
    words = command(options.records)
    if not (folder / "records").is_dir():
        began = time.monotonic()
        made = fill(folder, words)
        print(f"{made} records were made in {time.monotonic() - began:.0f} s: {folder}")
    for code in options.code:
        print(
            f"\n{code}, load {os.getloadavg()[0]:.1f}\n| command | seconds | of them CPU | peak MB |\n|---|---|---|---|"
        )
        measure(code, "second run", ["tkae.commands.run", *words, f"results_dir={folder}"])
        print(f"  {digest(folder)}")
        measure(code, "report", ["tkae.commands.results", "report", str(folder)])
        print(f"  {digest(folder)}")
        measure(
            code,
            f"plan of {options.sweep} cells",
            ["tkae.commands.run", *sweep(options.sweep), f"results_dir={folder}/none"],
        )
    at_once(folder / "writers", options.writers)


def command(records: int) -> list[str]:
    seeds = max(records // 40, 1)
    return ["experiment=imputation", f"dataset=[{DATASETS}]", f"model=[{MODELS}]", f"seeds={seeds}"]


def sweep(cells: int) -> list[str]:
    """Half of it in seeds and half in settings: nothing is computed of it."""
    sizes = max(cells // 10, 1)
    return ["-m", "experiment=imputation", "dataset=japanese_vowels", "model=pca", f"model.code_size=range(1,{sizes + 1})",
            "seeds=10", "collect=true"]  # fmt: skip


def fill(folder: Path, words: list[str]) -> int:
    """A record of each cell of the command, written without waiting for the disk."""
    from tkae.runs.plan import plan
    from tkae.runs.record import written
    from tkae.runs.store import Store
    from tkae.settings.compose import compose

    store, made = Store(folder), 0
    for cell in plan(compose(words, sweep=False)):
        level = int(cell.key[:6], 16) / 0xFFFFFF
        metrics = {metric.name: level + i for i, metric in enumerate(cell.experiment.metrics)}
        record = {
            "status": "done", "metrics": metrics, "masks": "drawn here", "environment": ENVIRONMENT, "threads": 1,
            "seconds": {"fit": level, "measure": level, "prepare": level, "replicas": 10, "total": 3 * level},
            "identity": cell.identity, "story": cell.story, "arrays": [],
        }  # fmt: skip
        entry = cell.entry(record)
        path = store.path(entry)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(written(entry, indent=1), encoding="utf-8")
        made += 1
    return made


def measure(code: Path, name: str, words: list[str]) -> None:
    """Run a command of a checkout; what it took."""
    began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    program = "import resource, runpy, sys; sys.argv = sys.argv[1:]\n" \
        "try: runpy.run_module(sys.argv[0], run_name='__main__')\n" \
        "finally: print('PEAK', resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"  # fmt: skip
    found = subprocess.run(
        [sys.executable, "-c", program, *words], env={**os.environ, "PYTHONPATH": str(code)}, capture_output=True, text=True
    )  # fmt: skip
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
    return f"tables {whole.hexdigest()[:16]}"


WRITER = """
import sys
from pathlib import Path
from scripts.bench_store import command
from tkae.runs.plan import plan
from tkae.runs.store import Store
from tkae.settings.compose import compose
store = Store(Path(sys.argv[1]))
cells = plan(compose(command(800), sweep=False))
print("ready", flush=True)
sys.stdin.readline()
for cell in cells:
    store.write(cell.entry({"status": "done", "metrics": {}}), {})
"""


def at_once(folder: Path, writers: int) -> None:
    """So many processes write the same records at the same moment."""
    from tkae.runs.store import Store

    started = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
        )
        for _ in range(writers)
    ]  # fmt: skip
    for process in started:
        process.stdout.readline()
    began = time.monotonic()
    for process in started:
        process.stdin.write(b"go\n")
        process.stdin.flush()
    failed = sum(process.wait() != 0 for process in started)
    took = time.monotonic() - began
    store = Store(folder)
    kept = len(list(store.entries()))
    beside = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".json"]
    print(f"\n{writers} writers of the same 800 records: {took:.1f} s, {failed} failed; {kept} records are whole, "
          f"{len(store.distrusted)} are not, {len(beside)} other files are left")  # fmt: skip


if __name__ == "__main__":
    main()
