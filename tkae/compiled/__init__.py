"""Compiled code: how it is made and kept, and the vector arithmetic of the engine and the TCK.

`jit` compiles, `vectors` has the instructions, `lanes` their operators; on these rest the products of
recurrent layers (`products`, `transpose`) and of dense ones (`tiles`, `matrix`), and passes over arrays
(`sweep`).
"""

import os
import re

from tkae.errors import UserError

THREADS = (
    "NUMBA_NUM_THREADS"  # how many Numba may use, which executors set; Numba reads it when it is imported
)


def threads_allowed() -> int | None:
    """What THREADS says, if it says something."""
    said = os.environ.get(THREADS, "")
    if said and not re.fullmatch("[1-9][0-9]{0,3}", said):
        raise UserError(f"{THREADS}={said[:20]} is not allowed: it takes a whole number from 1 to 9999")
    return int(said) if said else None


threads_allowed()  # before Numba is imported, whose own words for it are a traceback
