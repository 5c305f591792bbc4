"""Plan, skip what is stored, run the rest, and say what happened."""

from __future__ import annotations

import sys
import time
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from tkae.errors import UserError
from tkae.models.checkpoints import forget
from tkae.owners import remove_parts
from tkae.runs.cell import Cell
from tkae.runs.claims import LOOK, Claims
from tkae.runs.display import display
from tkae.runs.entry import Entry
from tkae.runs.news import board, clear_boards
from tkae.runs.plan import groups, in_turn, plan
from tkae.runs.progress import Progress
from tkae.runs.ready import fetched, refuse
from tkae.runs.store import Store, refuse_reference
from tkae.runs.worker import run_group
from tkae.settings.command import Command
from tkae.signals import Stop
from tkae.stopping import stop_requested
from tkae.terminal import count


@dataclass
class Run:
    """The cells of a command and what is stored of them."""

    command: Command
    cells: list[Cell]
    store: Store
    records: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    tried: set[str] = field(default_factory=set)  # keys of the cells that this command set out to compute

    @classmethod
    def of(cls, command: Command) -> Run:
        folder = Path(command.options.results_dir)
        refuse_reference(folder)
        if command.options.keep_models and not command.executor.stores:
            raise UserError(
                "keep_models=true needs workers that reach the results folder, and those of "
                f"executor={command.executor.name} may not: choose executor=processes"
            )
        _clear_away(folder, command.files.folder)
        run = cls(command, plan(command), Store(folder))
        run.store.recall()
        run.read()
        if not command.options.dry_run:
            run._forget_checkpoints()  # of commands that were killed before they did it
        return run

    def read(self) -> None:
        """Look up every cell in the store."""
        found = {cell.key: self.store.read(cell) for cell in self.cells}
        self.records = {key: record for key, record in found.items() if record is not None}

    def done(self, cell: Cell) -> bool:
        return cell.key in self.records and self.records[cell.key]["status"] == "done"

    def todo(self, force: bool) -> list[Cell]:
        """What has to be computed; a failed cell is tried again, and one whose model is to be kept."""
        return [cell for cell in self.cells if force or not self.done(cell) or self._lacks_model(cell)]

    def _lacks_model(self, cell: Cell) -> bool:
        return self.command.options.keep_models and not self.store.has_model(cell.entry())

    def ready(self, cells: Sequence[Cell], fetching: bool) -> list[Cell]:
        """The cells, with their files here; what cannot work is refused before anything runs."""
        files, here = self.command.files, not self.command.executor.away
        if fetching:
            cells = fetched(cells, files)
        refuse(cells, files, here)
        return list(cells)

    def compute(
        self, cells: Sequence[Cell], costs: Mapping[str, float], stop: Stop, force: bool = False
    ) -> None:
        """Run the cells; each is stored as it ends, so an interruption loses only what is under way.

        Where it is known what each costs (seconds by its key), the cheap ones come first: see `in_turn`. What
        another command on the same folder computes is waited for, and computed here if nothing came of it.
        """
        claims = Claims(self.store.results.absolute())
        self.tried = {cell.key for cell in cells}
        try:
            while cells:
                elsewhere = self._compute_what_is_free(cells, costs, stop, force)
                _wait_for(claims, elsewhere, stop)
                self.read()
                left = [cell for cell in cells if cell.key in elsewhere and not self.done(cell)]
                cells = [] if stop_requested(stop.ticket) else left
        finally:
            if self.command.executor.here:
                claims.clear()
            else:  # a worker may have been killed while it wrote
                _clear_away(self.store.results.absolute(), self.command.files.folder)
            if stop_requested(stop.ticket):  # what has no record was left for the next time
                self.tried.clear()
            self.read()

    def _compute_what_is_free(
        self, cells: Sequence[Cell], costs: Mapping[str, float], stop: Stop, force: bool
    ) -> set[str]:
        """Run the cells that no other command computes; gives the keys of the others."""
        executor, results = self.command.executor, self.store.results.absolute()
        made, workers = groups(cells, executor.workers), executor.workers
        order = in_turn([sum(costs.get(cell.key, 0.0) for cell in group) for group in made], workers)
        together = [made[i] for i in order]
        elsewhere, ended = set[str](), set[str]()
        with board(results, stop.ticket) as told:
            progress = Progress.of(together, costs, told, executor.cores)
            work = partial(
                run_group,
                results=results,
                files=self.command.files,
                board=told,
                ticket=stop.ticket,
                stores=executor.stores,
                force=force or self.command.options.keep_models,  # a record alone does not do
                keep_models=self.command.options.keep_models,
            )
            try:
                with display(progress, stop):
                    for outcomes in executor.run(work, together, stop):
                        for outcome in outcomes:
                            if outcome.unstored is not None:
                                self.store.write(*outcome.unstored)
                            (elsewhere if outcome.elsewhere else ended).add(outcome.key)
                            progress.ended.put(outcome)
            finally:
                if not executor.here:  # a worker may not know when a checkpoint has served, or is killed
                    self._forget_checkpoints(ended)
        return elsewhere

    def _forget_checkpoints(self, ended: Container[str] = ()) -> None:
        """Remove those that have served: of cells that have ended here, or are done and not computed anew."""
        options, results = self.command.options, self.store.results.absolute()
        anew = options.force or options.keep_models
        claims = Claims(results)  # of commands that may compute anew what is done

        def has_served(key: str) -> bool:
            if key in ended:
                return True
            return not anew and not claims.of_others([key]) and self.store.has_done(key)

        forget(results / "checkpoints", has_served)

    def entries(self) -> list[Entry]:
        """What was asked for, with what is stored of it."""
        return [cell.entry(self.records.get(cell.key)) for cell in self.cells]

    def failures(self) -> list[str]:
        """A line for the cells that failed, with the reason and the seeds that share it."""
        alike: dict[tuple[str, str], list[int]] = {}
        for cell in self.cells:
            if not self.done(cell) and (cell.key in self.records or cell.key in self.tried):
                reason = self.records.get(cell.key, {}).get("error", "its process died")
                alike.setdefault((cell.row, reason), []).append(cell.seed)
        return [f"{row} seed {', '.join(map(str, seeds))}: {why}" for (row, why), seeds in alike.items()]


def _clear_away(results: Path, cache: Path) -> None:
    """What killed commands and workers left."""
    Claims(results).clear()
    clear_boards(results)
    remove_parts(results)
    remove_parts(cache)


def _wait_for(claims: Claims, keys: set[str], stop: Stop) -> None:
    """Until no other command computes any of these cells."""
    left = claims.of_others(keys)
    if left:
        print(
            f"{count(len(left), 'cell')} left, which another command on this folder computes: waiting for it",
            file=sys.stderr,
        )
    while left and not stop_requested(stop.ticket):
        time.sleep(LOOK)
        left = claims.of_others(keys)
