"""Draw which part of the package imports which: the picture of docs/architecture.md.

    python scripts/import_graph.py docs/import_graph.svg BEFORE AFTER

BEFORE and AFTER are folders that hold tkae/ of a commit (`git archive COMMIT | tar -x -C BEFORE`). All
imports count, those inside functions and under TYPE_CHECKING as well. An arrow that leads upward, or to a
neighbour, is red.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

# From the top: the floors, each with where its boxes stand.
FLOORS = [
    {"testing": 1.6},
    {"commands": 0.0},
    {"tasks": -0.6},
    {"report": 0.5},
    {"runs": -0.5},
    {"settings": 0.5},
    {"experiments": -0.5},
    {"models": 0.5},
    {"kernels": -1.4, "engine": 0.0, "evaluation": 1.4},
    {"data": 0.5},
    {"small modules": 0.0},
]
HEIGHT = {box: -floor for floor, boxes in enumerate(FLOORS) for box in boxes}
PLACE = {box: x for boxes in FLOORS for box, x in boxes.items()}
# Modules that lay at the top of the package before there were settings/ and commands/.
MOVED = {
    "commands": ("cli", "data_cli", "results_cli"),
    "settings": (
        "ablations",
        "call",
        "compose",
        "config",
        "controls",
        "grid",
        "registry",
        "schema",
        "values",
    ),
}

Arrow = tuple[str, str]  # who imports, what is imported


def arrows(package: Path) -> Counter[Arrow]:
    """How many modules of a box import from another one."""
    found: Counter[Arrow] = Counter()
    for path in sorted(package.rglob("*.py")):
        module = ".".join(path.relative_to(package.parent).with_suffix("").parts)
        own = box_of(module)
        found.update({(own, box_of(name)) for name in imported(path)} - {(own, own), (own, "")})
    return Counter({arrow: count for arrow, count in found.items() if arrow[0]})


def imported(path: Path) -> Iterator[str]:
    """The names that a module imports from tkae, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "tkae":
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "tkae")


def box_of(module: str) -> str:
    """`tkae.models.tck` is in models; the package itself is in no box."""
    name = [*module.split("."), ""][1]
    if not name or name.startswith("__"):
        return ""
    return next(
        (box for box, names in MOVED.items() if name in names), name if name in PLACE else "small modules"
    )


def backward(arrow: Arrow) -> bool:
    """Whether it leads to a higher floor, or to a neighbour."""
    return HEIGHT[arrow[1]] >= HEIGHT[arrow[0]]


def draw(axes: plt.Axes, found: Counter[Arrow], title: str) -> None:
    """The boxes of all floors, and an arrow for each pair; the thicker, the more modules import."""
    used = {box for arrow in found for box in arrow}
    for arrow, count in sorted(found.items(), key=lambda item: backward(item[0])):
        (x0, y0), (x1, y1) = ((PLACE[box], HEIGHT[box]) for box in arrow)
        bend = 0.0 if abs(y1 - y0) == 1 else 0.28 if backward(arrow) else 0.18
        colour = "tab:red" if backward(arrow) else "0.55"
        style = {"arrowstyle": "-|>", "color": colour, "lw": 0.6 + 0.25 * min(count, 10) ** 0.5 * 2}
        style |= {"shrinkA": 13, "shrinkB": 13, "connectionstyle": f"arc3,rad={bend}", "alpha": 0.85}
        axes.annotate("", (x1, y1), (x0, y0), arrowprops=style, zorder=2 if backward(arrow) else 1)
    for box in sorted(used):
        frame = {"boxstyle": "round,pad=0.35", "facecolor": "white", "edgecolor": "0.2"}
        axes.text(PLACE[box], HEIGHT[box], box, ha="center", va="center", fontsize=9, bbox=frame, zorder=3)
    back = sum(backward(arrow) for arrow in found)
    axes.set_title(f"{title}: {len(found)} arrows, {back} of them backward", fontsize=10)
    axes.set(xlim=(-2.1, 2.4), ylim=(-len(FLOORS) + 0.4, 0.6))
    axes.axis("off")


def main(target: str, before: str, after: str) -> None:
    """Write the picture, and print the arrows that lead backwards."""
    plt.rcParams["svg.hashsalt"] = "tkae"  # the same file from the same code
    figure, both = plt.subplots(1, 2, figsize=(11, 7.5), layout="constrained")
    for axes, folder, title in zip(both, (before, after), ("before", "after"), strict=True):
        found = arrows(Path(folder) / "tkae")
        draw(axes, found, title)
        for (source, goal), count in sorted(found.items()):
            if backward((source, goal)):
                print(f"{title}: {source} -> {goal} in {count} modules")
    figure.savefig(target, metadata={"Date": None} if target.endswith("svg") else None)


if __name__ == "__main__":
    main(*sys.argv[1:])
