"""The figure of the ablations: a dot for each change, with its interval, around the protocol's own value.

A dotted line in a method's colour stands where a change would bring it to the printed figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tkae.experiments.ablations import Ablations
from tkae.report.drawing import Drawing
from tkae.report.effects import Effect, of_main_metric

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LINE = 0.19  # inches that a change takes
PANEL = 0.7  # and the head and foot of a panel

Panel = list[Effect]


def ablation_effects(effects: Sequence[Effect], about: str) -> Drawing | None:
    """A panel for each experiment and dataset, a colour for each method."""
    panels: dict[tuple[str, str, str], Panel] = {}
    for effect in filter(of_main_metric, effects):
        if effect.mean is not None and effect.interval is not None:
            panels.setdefault(effect.where, []).append(effect)
    if not panels:
        return None
    heights = [PANEL + LINE * len(panel) for panel in panels.values()]

    def draw(figure: Figure) -> None:
        every = figure.subplots(len(panels), 1, squeeze=False, height_ratios=heights)
        for axes, (where, panel) in zip(every[:, 0], panels.items(), strict=True):
            _panel(axes, where, panel)

    numbers = [_number(effect) for panel in panels.values() for effect in panel]
    caption = (
        f"{Ablations.caption}, with 95 % intervals; dotted: what would lead to the printed figure. {about}"
    )
    return Drawing(caption, numbers, draw, size=(7.5, sum(heights)))


def _panel(axes: Any, where: tuple[str, str, str], panel: Panel) -> None:
    """From top to bottom, as in the table."""
    experiment, dataset, metric = where
    methods = list(dict.fromkeys(effect.row.method_title for effect in panel))
    panel = sorted(panel, key=lambda effect: methods.index(effect.row.method_title))
    for y, effect in enumerate(panel):
        low, high = effect.interval or (0.0, 0.0)
        colour = f"C{methods.index(effect.row.method_title) % 10}"
        axes.plot([low, high], [y, y], color=colour, linewidth=1.5)
        axes.plot(effect.mean, y, "o", color=colour, markersize=4)
        if effect.to_print is not None:
            axes.plot([effect.to_print] * 2, [y - 0.5, y + 0.5], ":", color=colour)
    axes.axvline(0.0, color="black", linewidth=0.8)
    axes.set_yticks(
        range(len(panel)), [f"{effect.row.method_title}: {effect.change}" for effect in panel], fontsize=7
    )
    axes.set_ylim(len(panel) - 0.5, -0.5)
    axes.set_title(f"{experiment}, {dataset}", loc="left", fontsize=9)
    axes.set_xlabel(f"{metric}: difference to the unchanged row")


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
