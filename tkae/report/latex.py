"""LaTeX of a grid with booktabs: to be taken up with \\input, or compiled as it is."""

from __future__ import annotations

from tkae.errors import printable
from tkae.report.grid import Grid, TableCell

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
VERDICTS |= {"differs": r"$\neq$", "inconclusive": r"?"}


WIDE = 60  # characters; a column with longer texts is wrapped
WRAPPED = 24  # em, the width of a wrapped column; several of them share one and a half of it
CHARACTERS = 2  # of a text in an em, about
CROWDED = 100  # characters in a line that the page's width leaves readable
TALLEST = 45  # lines on a page


def latex(table: Grid) -> str:
    """The file of a table."""
    return f"{HEAD}{floats(table)}{TAIL}"


def floats(table: Grid) -> str:
    """Table environments, one a page: blocks parted by rules, the best of a block in bold."""
    columns = [[line[i] for block in table.blocks for line in block] for i in range(len(table.header))]
    longest = [max((len(cell.text) for cell in column), default=0) for column in columns]
    wide = [length > WIDE for length in longest]
    width = min(WRAPPED, 1.5 * WRAPPED / max(1, sum(wide)))
    kinds = "".join(f"p{{{width:g}em}}" if wrap else "l" for wrap in wide)
    head = " & ".join(_heads(table.header, longest))
    given = {cell.verdict for column in columns for cell in column}
    legend = ", ".join(f"{sign} {name}" for name, sign in VERDICTS.items() if name in given)
    caption = escaped(table.caption) + (f" Against the paper's figures: {legend}." if legend else "")
    above = f"\\caption{{{caption}}}\n\\label{{{table.label}}}"
    made = []
    for page in _pages(table, wide, int(CHARACTERS * width)):
        body = "\n\\midrule\n".join("\n".join(_line(line, wide) for line in block) for block in page)
        made.append(
            f"\\begin{{table}}[htbp]\n\\centering\\small\n{above}\n{FITTED}\n\\begin{{tabular}}{{{kinds}}}\n"
            f"\\toprule\n{head} \\tabularnewline\n\\midrule\n{body}\n\\bottomrule\n\\end{{tabular}}}}\n"
        )
        above = r"\addtocounter{table}{-1}\caption{(continued)}"
    made[-1] += "".join(f"\\par\\smallskip {escaped(note)}\n" for note in table.notes)
    return "".join(f"{table_float}\\end{{table}}\n" for table_float in made)


def _pages(table: Grid, wide: list[bool], fill: int) -> list[list[list[list[TableCell]]]]:
    """The blocks of each page; a block stays whole if a page holds it. `fill` characters fill a wide cell."""

    def height(line: list[TableCell]) -> int:
        return max(-(-len(cell.text) // fill) if wrap else 1 for cell, wrap in zip(line, wide, strict=True))

    pages: list[list[list[list[TableCell]]]] = [[]]
    left = TALLEST
    for block in table.blocks:
        whole = sum(map(height, block))
        if pages[-1] and left < whole <= TALLEST:
            pages.append([])
            left = TALLEST
        pages[-1].append([])
        for line in block:
            if left < height(line) and left < TALLEST:
                pages.append([[]])
                left = TALLEST
            pages[-1][-1].append(line)
            left -= height(line)
    return [[block for block in page if block] for page in pages]


def _heads(header: list[str], longest: list[int]) -> list[str]:
    """Upright where a table would else be too wide for its page because of long heads on short columns."""
    widths = [max(len(head), min(length, WIDE)) for head, length in zip(header, longest, strict=True)]
    if sum(widths) <= CROWDED:
        return [escaped(head) for head in header]
    return [
        rf"\rotatebox{{90}}{{{escaped(head)}}}" if len(head) > 2 * length + 2 else escaped(head)
        for head, length in zip(header, longest, strict=True)
    ]


def _line(line: list[TableCell], wide: list[bool]) -> str:
    cells = [(r"\raggedright " if wrap else "") + _cell(cell) for cell, wrap in zip(line, wide, strict=True)]
    return " & ".join(cells) + r" \tabularnewline"


def escaped(text: str) -> str:
    """Text as LaTeX prints it."""
    return "".join(SPECIAL.get(sign, sign) for sign in printable(text))


def _cell(cell: TableCell) -> str:
    text = escaped(cell.text)
    if cell.best:
        text = rf"\textbf{{{text}}}"
    return f"{text} {VERDICTS[cell.verdict]}" if cell.verdict else text
