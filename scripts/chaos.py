"""Strikes commands by the hundred: `python -m scripts.chaos --trials 100`, or `make chaos`.

Every trial kills a command, or takes its disk away, one to three times at places drawn from its number, then
runs it to its end and compares all that is left with an undisturbed run. The first that differs ends it.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from tests.chaos.trials import Tally, Undisturbed, trial, zygote


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="the number of the first trial")
    asked = parser.parse_args()
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder, zygote(Path(folder)) as process:
        whole = Undisturbed.of(process)
        print(f"an undisturbed run: {len(whole.numbers)} cells, {whole.seconds:.1f} s", flush=True)
        for number in range(asked.first, asked.first + asked.trials):
            trial(number, process, whole, tally)
            if (number + 1) % 10 == 0:
                print(f"after trial {number}: {tally.faults.total()} faults", flush=True)
    print(tally)


if __name__ == "__main__":
    main()
