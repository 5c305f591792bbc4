"""A progress bar for whoever wants one: `with bar("TCK") as progress: tck.fit(train, progress=progress)`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tkae.kernels.gram import Progress


@contextmanager
def bar(title: str) -> Iterator[Progress]:
    """A bar on standard error that disappears when it is done; nothing where that is not a terminal."""
    from rich.console import Console
    from rich.progress import Progress as Bars

    with Bars(console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(title)

        def show(done: int, total: int) -> None:
            bars.update(task, completed=done, total=total)

        yield show
