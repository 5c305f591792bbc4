"""LaTeX of a grid with booktabs: to be taken up with \\input, or compiled as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tkae.report.tables import Figure, Grid

# Inside a document \usepackage and \RequirePackage are the same command; before \documentclass they are
# not. So the file knows whether it is taken up by another one or stands alone, and works either way.
HEAD = r"""% Made by tkae-run. Compiles as it is; where it is \input, have \usepackage{booktabs,graphicx}.
\ifx\usepackage\RequirePackage\else
\documentclass{article}
\usepackage{booktabs,graphicx}
\newcommand{\tkaealone}{}
\begin{document}
\fi
"""
TAIL = r"""\ifdefined\tkaealone\end{document}\fi
"""
FITTED = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"  # no wider than the page
SPECIAL = {"\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "_": r"\_", "#": r"\#", "$": r"\$"}
SPECIAL |= {"{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
SPECIAL |= {"±": r"$\pm$", "–": "--", "ψ": r"$\psi$", "λ": r"$\lambda$", "α": r"$\alpha$"}
VERDICTS = {"reproduced": r"$=$", "better": r"$\uparrow$", "worse": r"$\downarrow$", "not run": r"$\circ$"}
VERDICTS |= {"differs": r"$\neq$"}


def latex(table: Grid) -> str:
    """A table environment: blocks parted by rules, the best of a block in bold."""
    header = " & ".join(escaped(name) for name in table.header)
    blocks = [
        "\n".join(" & ".join(_cell(one) for one in line) + r" \\" for line in block) for block in table.blocks
    ]
    given = {one.verdict for block in table.blocks for line in block for one in line}
    legend = ", ".join(f"{sign} {name}" for name, sign in VERDICTS.items() if name in given)
    caption = escaped(table.caption) + (f" Beside the paper's figures: {legend}." if legend else "")
    notes = "".join(f"\\par\\smallskip {escaped(note)}\n" for note in table.notes)
    body = "\n\\midrule\n".join(blocks)
    return (
        f"{HEAD}\\begin{{table}}[ht]\n\\centering\\small\n\\caption{{{caption}}}\n\\label{{{table.label}}}\n"
        f"{FITTED}\n\\begin{{tabular}}{{{'l' * len(table.header)}}}\n\\toprule\n{header} \\\\\n\\midrule\n"
        f"{body}\n\\bottomrule\n\\end{{tabular}}}}\n{notes}\\end{{table}}\n{TAIL}"
    )


def escaped(text: str) -> str:
    """Text as LaTeX prints it."""
    return "".join(SPECIAL.get(sign, sign) for sign in text)


def _cell(one: Figure) -> str:
    text = escaped(one.text)
    if one.best:
        text = rf"\textbf{{{text}}}"
    return f"{text} {VERDICTS[one.verdict]}" if one.verdict else text
