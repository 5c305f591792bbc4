"""How fast the engine trains: GFLOP/s beside a large matrix product's, and ratios to plain PyTorch and JAX.

    python -m scripts.bench_engine [--repeats 7] [--only jpvow auslan-ae] [--markdown FILE]

from the folder that holds `scripts`. Everything is measured in one run, in turn, and the least time counts. A
step is forward, backward, clipping and Adam for ten seeds; scripts/bench/flops.py says which operations of it
are counted. The TCK has no line: how many operations it needs depends on what is missing and on what its
mixtures draw, and most of them are no matrix products.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from scripts.bench import one_core, two_threads
from scripts.bench.clock import timed
from scripts.bench.growth import growth
from scripts.bench.machine import described
from scripts.bench.networks import NETWORKS, engine_training
from tkae.report.tables import markdown, show
from tkae.storage import write_atomically


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--only", choices=NETWORKS, nargs="+", help="some of the networks")
    parser.add_argument("--ratios-only", action="store_true", help="leave out growth and processes")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables here as well")
    options = parser.parse_args()
    names = options.only or list(NETWORKS)
    about = described()
    first = timed(lambda: [engine_training(NETWORKS[name], 1, 1).run(until=1) for name in names])
    print(f"first call: {first.wall:.1f} s (compilation, or its cache if there is one)", flush=True)
    lines, kernels = one_core.measure(names, options.repeats)
    tables = [one_core.table(lines, kernels, about)]
    show(tables[0])
    tables.append(two_threads.table(lines, options.repeats))
    show(tables[1])
    if not options.ratios_only:
        print(two_threads.ten_against_one(options.repeats), flush=True)
        print(two_threads.against_processes("jpvow"), flush=True)
        for line in growth(options.repeats):
            print(line, flush=True)
    if options.markdown:
        write_atomically(options.markdown, "\n".join(map(markdown, tables)))


if __name__ == "__main__":
    main()
