"""The one look of all figures: widths of the paper's columns, sizes of text, colours, markers.

A figure is drawn as wide as it is printed, so that its text is as large on paper as it is here. Colours are
those of Okabe and Ito, which people of any colour vision tell apart; what a colour says, a marker says too.
"""

from __future__ import annotations

from typing import Any

from tkae.report.verdict import BETTER, DIFFERS, INCONCLUSIVE, NO_VERDICT, REPRODUCED, WORSE

COLUMN, PAGE = 3.5, 7.2  # inches: one column of the paper, and both
TEXT, SMALL = 8.0, 7.0  # points; nothing is smaller
DECADE = 10.0  # values that span more are drawn on a logarithmic axis
BAND = 0.2  # opacity of an interval

BLUE, ORANGE, GREEN, RED = "#0072B2", "#E69F00", "#009E73", "#D55E00"
PINK, SKY, GREY, BLACK = "#CC79A7", "#56B4E9", "#8A8A8A", "#000000"
CYCLE = (BLUE, RED, GREEN, PINK, ORANGE, SKY, BLACK)
LINES = ("-", "--", ":", "-.")

# By verdict: colour and marker.
VERDICTS = {
    REPRODUCED: (GREEN, "o"),
    BETTER: (SKY, "^"),
    WORSE: (RED, "v"),
    DIFFERS: (PINK, "D"),
    INCONCLUSIVE: (ORANGE, "s"),
    NO_VERDICT: (GREY, "x"),
}


def settings() -> Any:
    """What matplotlib shall do by itself."""
    from cycler import cycler

    return {
        "font.size": TEXT,
        "axes.titlesize": TEXT,
        "axes.labelsize": TEXT,
        "xtick.labelsize": SMALL,
        "ytick.labelsize": SMALL,
        "legend.fontsize": SMALL,
        "figure.titlesize": TEXT,
        "mathtext.default": "regular",
        "axes.titlelocation": "left",
        "axes.prop_cycle": cycler(color=CYCLE),
        "axes.linewidth": 0.6,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.alpha": 0.3,
        "grid.linewidth": 0.5,
        "lines.linewidth": 1.2,
        "lines.markersize": 3.5,
        "xtick.major.width": 0.6,
        "ytick.major.width": 0.6,
        "legend.frameon": False,
        "legend.handlelength": 1.8,
        "pdf.fonttype": 42,
    }


PLAIN_TEXT: Any = {"text.parse_math": False}  # where names of users are drawn: `$` in them begins no formula


def plain_ticks(axis: Any) -> None:
    """On a logarithmic axis whose ends are set: 0.02, 0.05, 0.1 in place of powers with factors."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    low, high = axis.get_view_interval()
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if high < DECADE**2 * low else (1.0,), numticks=9))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())
