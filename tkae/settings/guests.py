"""Guests: classes of the user's own, and what is said where the code of one fails before a cell runs."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from tkae.errors import UserError
from tkae.settings.registry import GROUPS, added_folders


@contextmanager
def guests_told() -> Iterator[None]:
    """What is raised within a guest's code is a sentence that names it; within ours it stays what it is.

    A cell whose guest fails has failed, and others go on; what fails before that ends the command.
    """
    try:
        yield
    except UserError:
        raise
    except (Exception, SystemExit) as error:  # whatever a user's code raises: a script ends itself
        place = _within(error)
        if not place:
            raise
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise UserError(f"{place} of yours raised {reason}") from error


def _within(error: BaseException) -> str:
    """The innermost place of a guest's that an error came through; nothing if there is none."""
    frames = list(traceback.walk_tb(error.__traceback__)) if added_folders() else []
    for frame, line in reversed(frames):
        if _is_guests(frame):
            code, module = frame.f_code, frame.f_globals.get("__name__", "")
            return f"{module}.{code.co_qualname} ({Path(code.co_filename).name}:{line})"
    return ""


def _is_guests(frame: FrameType) -> bool:
    """Whether its code lies in a folder of the user's, or in a module that a config file there names."""
    file = Path(frame.f_code.co_filename)
    if any(file.is_relative_to(folder) for folder in added_folders()):
        return True
    modules = {target.rpartition(".")[0] for group in GROUPS for target in GROUPS[group].values()}
    module = str(frame.f_globals.get("__name__", ""))
    return module in modules and not module.startswith("tkae.")
