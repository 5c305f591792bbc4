"""The figure of the ablations: a dot for each change, with its interval, around the protocol's own value.

A dotted line stands where a change would bring it to the printed figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tkae.experiments.ablations import Ablations
from tkae.report.drawing import Drawing
from tkae.report.effects import Effect, of_main_metric
from tkae.report.style import BLACK, BLUE, COLUMN, PAGE, RED

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LINE = 0.145  # inches that a change takes
PANEL = 0.62  # and the head and foot of a panel

Panel = list[Effect]


def ablation_effects(effects: Sequence[Effect], about: str) -> Drawing | None:
    """A panel for each experiment, dataset and method, in two columns that are about as long."""
    panels: dict[tuple[str, ...], Panel] = {}
    for effect in filter(of_main_metric, effects):
        if effect.mean is not None and effect.interval is not None:
            panels.setdefault((*effect.where, effect.row.method_title), []).append(effect)
    if not panels:
        return None
    columns = _columns(list(panels.items()))
    heights = [[PANEL + LINE * len(panel) for _, panel in column] for column in columns]
    tallest = max(map(sum, heights))

    def draw(figure: Figure) -> None:
        every = figure.subfigures(1, len(columns), squeeze=False)[0]
        for part, column, rows in zip(every, columns, heights, strict=True):
            # What is left of the shorter column stays empty.
            grid = part.add_gridspec(len(rows) + 1, 1, height_ratios=[*rows, max(tallest - sum(rows), 0.001)])
            for i, (where, panel) in enumerate(column):
                _panel(part.add_subplot(grid[i]), where, panel)

    numbers = [_number(effect) for panel in panels.values() for effect in panel]
    caption = (
        f"{Ablations.caption}, with 95 % intervals; dotted: what would lead to the printed figure. {about}"
    )
    return Drawing(caption, numbers, draw, size=(PAGE if len(columns) > 1 else COLUMN, tallest))


def _columns(panels: Sequence[tuple[tuple[str, ...], Panel]]) -> list[list[tuple[tuple[str, ...], Panel]]]:
    """The panels in their order, in two columns whose taller one is as low as it can be."""
    if len(panels) == 1:
        return [list(panels)]
    sizes = [PANEL + LINE * len(panel) for _, panel in panels]
    cut = min(range(1, len(panels)), key=lambda i: max(sum(sizes[:i]), sum(sizes[i:])))
    return [list(panels[:cut]), list(panels[cut:])]


def _panel(axes: Any, where: tuple[str, ...], panel: Panel) -> None:
    """From top to bottom, as in the table."""
    _, dataset, metric, method = where
    for y, effect in enumerate(panel):
        low, high = effect.interval or (0.0, 0.0)
        axes.plot([low, high], [y, y], color=BLUE)
        axes.plot(effect.mean, y, "o", color=BLUE)
        if effect.to_print is not None:
            axes.plot([effect.to_print] * 2, [y - 0.5, y + 0.5], ":", color=RED)
    axes.axvline(0.0, color=BLACK, linewidth=0.8)
    axes.set_yticks(range(len(panel)), [effect.change for effect in panel])
    axes.set_ylim(len(panel) - 0.5, -0.5)
    axes.set_title(f"{method}, {dataset}")
    axes.set_xlabel(f"{metric}: change")


def _number(effect: Effect) -> dict[str, Any]:
    """A dot as a row of the figure's CSV file."""
    experiment, dataset, metric = effect.where
    low, high = effect.interval or (None, None)
    return {
        "experiment": experiment,
        "dataset": dataset,
        "method": effect.row.method,
        "metric": metric,
        "change": effect.change,
        "effect": effect.mean,
        "low": low,
        "high": high,
        "pairs": len(effect.differences),
        "to_print": effect.to_print,
    }
