"""Strikes commands by the hundred: `python -m scripts.chaos --trials 100`, or `make chaos`.

Every trial kills a command, one of several, or workers, or takes the disk away, one to three times at places
drawn from its number, then runs it to its end and compares all that is left with an undisturbed run. The
first that differs ends it. One trial in ten has a disk of its own that is full or read-only, where one can be
mounted. `--reproduction` runs the whole smoke reproduction on a cluster that loses workers.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from tests.chaos.commands import zygote
from tests.chaos.drawn import KINDS
from tests.chaos.mounted import mounted_trial
from tests.chaos.mounts import own_mounts
from tests.chaos.reproduction import reproduce
from tests.chaos.trials import Tally, Undisturbed, trial

MOUNTED = "a mounted disk"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="the number of the first trial")
    parser.add_argument("--kind", choices=(*KINDS, MOUNTED), help="what is struck (default: all of these)")
    parser.add_argument("--reproduction", action="store_true", help="only this, on a cluster")
    parser.add_argument("--serial", type=Path, help="a folder with the reproduction by `serial`, or for it")
    asked = parser.parse_args()
    if asked.reproduction:
        with tempfile.TemporaryDirectory() as folder:
            print(reproduce(Path(folder), asked.serial or Path(folder, "serial")))
        return
    mounts = own_mounts()
    if not mounts:
        print("no disk can be mounted here: these trials are left out", flush=True)
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder, zygote(Path(folder)) as process:
        whole = Undisturbed.of(process)
        print(f"an undisturbed run: {len(whole.numbers)} cells, {whole.known.seconds:.1f} s", flush=True)
        try:
            for number in range(asked.first, asked.first + asked.trials):
                if asked.kind == MOUNTED or (mounts and asked.kind is None and number % 10 == 9):
                    mounted_trial(number, process, whole, tally)
                else:
                    trial(number, process, whole, tally, (asked.kind,) if asked.kind else KINDS)
                if (number + 1) % 10 == 0:
                    print(f"after trial {number}: {tally.faults.total()} faults", flush=True)
        finally:
            print(tally, flush=True)


if __name__ == "__main__":
    main()
