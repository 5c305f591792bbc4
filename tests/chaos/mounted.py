"""Trials of a disk that is really full, and of a folder that really can only be read."""

from __future__ import annotations

import os
import random
import shutil

from tests.chaos.commands import KILLED, REFUSED, Zygote, said
from tests.chaos.drawn import Fault
from tests.chaos.mounts import disk, remount, used
from tests.chaos.trials import Tally, Undisturbed, is_whole, strike

PLACES = ("results", "cache")


def mounted_trial(number: int, zygote: Zygote, whole: Undisturbed, tally: Tally) -> None:
    """Results or cache on a disk that is too small, or read-only after a kill; then somebody mends that."""
    rng = random.Random(f"mounted {number}")
    folder, where, full = zygote.folder / f"mounted{number}", rng.choice(PLACES), rng.random() < 0.5
    tally.trials += 1
    page, needed = os.sysconf("SC_PAGE_SIZE"), used(zygote.folder / "undisturbed" / where)
    room = 4 * needed + 100 * page
    with disk(folder / where, page * rng.randint(4, needed // page) if full else room) as place:
        if not full:
            last = rng.uniform(0.05, whole.known.seconds)
            killed = Fault("killed before its disk", [{"kill_after": last}], (0, KILLED))
            strike(killed, folder, zygote, whole, tally)
            remount(place, "ro")
        what = f"the {where} on a disk that is {'full' if full else 'read-only'}"
        strike(Fault(what, [{}], (0, *REFUSED)), folder, zygote, whole, tally)
        remount(place, "rw", f"size={room}")
        assert zygote.run(folder) == [0], said(folder)
        is_whole(folder, whole, tally)
    shutil.rmtree(folder)
