"""The paper's numbers as data: consistent in themselves, and cell by cell what the LaTeX source prints."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tkae.report.paper import PaperNumber, load_paper, printed

TEX = Path(__file__).resolve().parents[2].parent / "shared" / "paper" / "tkae.tex"

EXPERIMENTS = {
    "classification",
    "imputation",
    "one_class",
    "missingness",
    "alignment_weight",
    "l2_weight",
    "kernel_matrices",
    "ehr_density",
    "sinusoids",
    "variable_length",
    "many_variates",
    "long_series",
    "search",
    "datasets",
    "setup",
}
DATASETS = {
    "japanese_vowels",
    "ecg5000",
    "ecg2",
    "libras",
    "wafer",
    "arabic_digits",
    "auslan",
    "ehr",
    "physionet",
    "sinusoids",
    "ode_fix",
    "ode_var",
    "ode5",
    "ode10",
    "ode15",
    "ode20",
}
METHODS = {"mean", "locf", "pca", "ae", "ae_tied", "dae", "encdec_ad", "tae", "tkae", "ocsvm", "iforest"}
METHODS |= {"none"}  # the data themselves
UNITS = {"", "percent", "fraction", "count", "steps", "days", "year", "text"}

# How the tables spell our names. A column's method, metric and dataset are found by its headers.
DATASET_OF = {
    "ECG": "ecg5000", "Libras": "libras", "Lbras": "libras", "Wafer": "wafer", "Jp. Vow.": "japanese_vowels",
    "Arab. Dig.": "arabic_digits", "Arab. Digits": "arabic_digits", "Auslan": "auslan", "EHR": "ehr",
    "Physionet": "physionet", "ODEfix": "ode_fix", "ODEvar": "ode_var",
    "ODE5": "ode5", "ODE10": "ode10", "ODE15": "ode15", "ODE20": "ode20",
}  # fmt: skip
METHOD_OF = {
    "Mean Imp.": "mean", "LOCF": "locf", "PCA": "pca", "AE": "ae", "AE (tw)": "ae_tied", "DAE": "dae",
    "EncDec-AD": "encdec_ad", "TAE": "tae", "TKAE": "tkae", "OCSVM": "ocsvm", "IF": "iforest",
    "TAE, TKAE": "tae tkae", "EncDec-AD, TAE, TKAE": "encdec_ad tae tkae",
}  # fmt: skip
METRIC_OF = {
    "V": "variates", "Train": "n_train", "Test": "n_test", "Classes": "classes", "T_min": "t_min",
    "T_max": "t_max", "Accuracy": "accuracy", "F1 score": "f1", "MSE": "mse", "CORR": "corr", "AUC": "auc",
    "#par": "parameters", "D_z": "code_size", "psi": "activation", "lambda": "lambda", "tw": "tied",
    "cell": "cell", "p_s": "p_s", "alpha": "alpha",
}  # fmt: skip
# What a table says only in its caption or the text around it: (dataset, method, metric).
DEFAULTS = {
    "tab:dataset_details": ("", "none", ""),
    "tab:class_config": ("", "pca ae encdec_ad tae tkae", ""),
    "tab:blood": ("", "", ""),
    "tab:imp_config": ("", "dae tkae", ""),
    "tab:imputation": ("", "", ""),
    "fig:anomaly_detect": ("physionet", "", ""),
    "tab:ODE1": ("", "", "mse"),
    "tab:ODE": ("", "", ""),
}

# The paragraphs with numbers, by a part of their title, and the figures that stand in them.
PARAGRAPHS = {
    "text:tkae": ("The Temporal Kernelized Autoencoder", ()),
    "text:setup": ("Experimental setup", ()),
    "text:datasets": ("Datasets", ()),
    "text:missing_data": ("Controlled experiments", ("fig:alignment", "fig:miss")),
    "text:classification": ("Classification of MTS", ("fig:pca_blood",)),
    "text:imputation": ("Imputation of missing data", ()),
    "text:one_class": ("One-class classification", ()),
    "text:sinusoids": ("different frequencies", ()),
    "text:variable_length": ("variable lengths", ()),
    "text:many_variates": ("large number of variates", ()),
    "text:tck": ("Ensemble generation", ()),
}
# Digits in those paragraphs that are no result or setting, or repeat a table's cell.
NO_RESULT = {
    "text:datasets": {"2": "a column", "5": "a column", "10": "V of EHR", "4": "classes of Physionet"},
    "text:imputation": {"2": "exponent", "1": "value of the mask"},
    "text:variable_length": {"0": "y(0)"},
    "text:tck": {"1": "first index", "0": "the kernel's start in Alg. 1"},
}
IN_WORDS = {"2": "two", "3": "three", "4": "four"}
# Where the text's results and main settings stand, word for word, so that none is under another's name.
AT_90 = "missingness.rate=0.9"
PHRASES = {
    ("sinusoids", "sinusoids", "pca", "mse"): "on the test set is ${}$ for PCA",
    ("sinusoids", "sinusoids", "ae", "mse"): "${}$ for the AE",
    ("sinusoids", "sinusoids", "tae", "mse"): "${}$ for the TAE",
    ("sinusoids", "sinusoids", "", "n_train"): "sets contain ${}$ and",
    ("sinusoids", "sinusoids", "", "n_test"): "and ${}$ samples",
    (
        "missingness",
        "japanese_vowels",
        "tkae",
        "accuracy",
        "missingness.rate=0.9",
    ): "achieves a classification accuracy of {},",
    (
        "missingness",
        "japanese_vowels",
        "tae",
        "accuracy",
        "missingness.rate=0.9",
    ): "for the TAE it drops to {}.",
    ("missingness", "japanese_vowels", "tkae", "accuracy_flat_up_to"): "up to {}\\% missing values",
    ("missingness", "japanese_vowels", "tkae", "k"): "$k$NN with $k={}$",
    ("missingness", "japanese_vowels", "tkae", "alpha"): "In the TKAE, $\\alpha = {}$",
    ("missingness", "japanese_vowels", "", "missing_low"): "from ${}\\%$ to",
    ("missingness", "japanese_vowels", "", "missing_high"): "to ${}\\%$, evaluating",
    ("alignment_weight", "japanese_vowels", "tkae", "alpha_low"): "ranging from {} to",
    ("alignment_weight", "japanese_vowels", "tkae", "alpha_high"): "to {} where the classification accuracy",
    ("alignment_weight", "japanese_vowels", "tkae", "accuracy_above"): "accuracy is above {}\\%",
    ("classification", "japanese_vowels", "", "missing"): "by removing {}\\% of the samples",
    ("imputation", "libras", "", "missing"): "approximately ${}\\%$ of the values",
    ("imputation", "libras", "tkae", "alpha"): "we set $\\alpha={}$",
    ("imputation", "libras", "dae", "corruption"): "with probability ${}$.",
    ("one_class", "physionet", "", "missing"): "approximately ${}\\%$ of the entries",
    ("one_class", "physionet", "tkae", "alpha"): "TKAE with $\\alpha={}$",
    ("one_class", "physionet", "ocsvm", "gamma"): "$\\gamma = {}$",
    ("one_class", "physionet", "ocsvm", "nu"): "$\\nu = {}$",
    ("one_class", "physionet", "iforest", "contamination"): "contamination ${}$",
    ("datasets", "ehr", "", "n_series"): "consists of $N={}$ MTS",
    ("datasets", "ehr", "", "infected"): "${}$ pertain to infected",
    ("setup", "", "tkae", "epochs"): "for {} epochs",
    ("setup", "", "tkae", "batch_size"): "mini-batches containing {} MTS",
    ("setup", "", "tkae", "learning_rate"): "learning rate of ${}$",
    ("setup", "", "", "runs"): "in ${}$ independent runs",
    ("variable_length", "ode_fix", "", "length"): "same length $T={}$",
    ("variable_length", "ode_var", "", "t_min"): "$T \\in [{},",
    ("variable_length", "ode_fix", "", "spectral_radius"): "spectral radius of $\\mathbf{{A}}$ to ${}$",
    ("many_variates", "ode20", "", "length"): "fixed to $T={}$ in each dataset",
}

PAPER = load_paper()
Cell = tuple[str, str, str, str, str]  # dataset, method, metric, value, spread


# --- without the LaTeX source ---------------------------------------------------------------------------


def test_every_number_answers_for_its_keys_alone() -> None:
    keys = Counter(key for number in PAPER for key in number.answers())
    assert [key for key, count in keys.items() if count > 1] == []


@pytest.mark.parametrize("number", PAPER, ids=lambda n: f"{n.place}-{n.dataset}-{n.method}-{n.metric}")
def test_a_row_is_consistent(number: PaperNumber) -> None:
    assert number.experiment in EXPERIMENTS
    assert set(number.dataset.split()) <= DATASETS and set(number.method.split()) <= METHODS
    assert number.unit in UNITS and re.fullmatch(r"[a-z][a-z0-9_]*", number.metric)
    assert number.place in DEFAULTS or number.place in PARAGRAPHS or number.place in _figures()
    assert number.place in DEFAULTS or number.spread == ""  # only the tables print spreads
    assert number.decimals == (0 if number.unit == "text" else len(number.value.partition(".")[2]))
    if number.unit == "text":
        with pytest.raises(ValueError):
            _ = number.number
        assert number.spread == ""
    else:
        assert f"{number.number:.{number.decimals}f}" == number.value
        assert number.std is None or number.std >= 0


def test_every_experiment_has_numbers() -> None:
    assert {number.experiment for number in PAPER} == EXPERIMENTS


def test_printed_finds_one_number_or_none() -> None:
    pca = printed("classification", "japanese_vowels", "pca", "accuracy")
    assert pca is not None and (pca.value, pca.spread, pca.std, pca.place) == ("76.8", "", None, "tab:blood")
    dae = printed("imputation", "japanese_vowels", "dae", "corr")
    assert dae is not None and (dae.value, dae.spread, dae.std) == ("0.926", "0.000", 0.0)
    assert printed("classification", "japanese_vowels", "locf", "accuracy") is None


def test_a_number_for_several_methods_or_datasets_is_found_by_each() -> None:
    rows = [printed("classification", "ehr", method, "lambda") for method in ("encdec_ad", "tae", "tkae")]
    assert rows[0] is not None and rows[0].value == "0" and rows[0] == rows[1] == rows[2]
    autoencoder = printed("classification", "ehr", "ae", "lambda")
    assert autoencoder is not None and autoencoder.value == "0.001"
    lengths = {printed("many_variates", f"ode{v}", "", "length") for v in (5, 10, 15, 20)}
    assert [n.value for n in lengths if n is not None] == ["50"]


def test_half_of_the_last_printed_digit() -> None:
    short, long = (printed("many_variates", "ode10", method, "mse") for method in ("ae", "tae"))
    assert short is not None and short.value == "0.04" and short.half_last_digit == pytest.approx(0.005)
    assert long is not None and long.value == "0.060" and long.half_last_digit == pytest.approx(0.0005)
    epochs = printed("setup", "", "tkae", "epochs")
    assert epochs is not None and epochs.half_last_digit == 0.5


def test_misprints_are_noted() -> None:
    for key in (
        ("many_variates", "ode5", "ae", "mse"),
        ("many_variates", "ode10", "ae", "mse"),
        ("datasets", "ehr", "none", "n_train"),
        ("long_series", "ode15", "", "n_datasets"),
    ):
        number = printed(*key)
        assert number is not None and number.note.startswith("misprint"), key
    ecg = [n for n in PAPER if n.place in ("tab:imputation", "tab:imp_config") and "ecg5000" in n.dataset]
    assert len(ecg) == 16 and all("ECG2" in n.note for n in ecg)


# --- against the LaTeX source ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tex() -> str:
    if not TEX.exists():
        pytest.skip(f"the paper's LaTeX source is not at {TEX}")
    return re.sub(r"(?<!\\)%.*", "", TEX.read_text(encoding="utf-8"))


@pytest.mark.parametrize("place", DEFAULTS)
def test_a_table_holds_the_printed_cells_and_no_others(tex: str, place: str) -> None:
    ours = Counter((n.dataset, n.method, n.metric, n.value, n.spread) for n in PAPER if n.place == place)
    assert ours == Counter(_cells(tex, place))


def test_no_table_was_forgotten(tex: str) -> None:
    assert tex.count(r"\begin{tabular}") == len(DEFAULTS)


@pytest.mark.parametrize("place", sorted({n.place for n in PAPER} - set(DEFAULTS)))
def test_a_number_of_the_text_stands_in_its_paragraph_or_caption(tex: str, place: str) -> None:
    text = _caption(tex, place) if place.startswith("fig:") else _paragraph(tex, place)
    tokens = {*_digits(text), *re.findall(r"[A-Za-z]+(?:-[a-z]+)?", text)}
    absent = [n for n in PAPER if n.place == place and not {n.value, IN_WORDS.get(n.value)} & tokens]
    assert absent == []


@pytest.mark.parametrize("place", PARAGRAPHS)
def test_every_number_of_a_paragraph_is_taken_up(tex: str, place: str) -> None:
    places = {place, *PARAGRAPHS[place][1]}
    known = {n.value for n in PAPER if n.place in places} | set(NO_RESULT.get(place, ()))
    assert set(_digits(_paragraph(tex, place))) - known == set()


@pytest.mark.parametrize("key", PHRASES, ids="-".join)
def test_a_number_of_the_text_stands_under_its_own_name(tex: str, key: tuple[str, ...]) -> None:
    number = printed(*key[:4], dict(at.split("=") for at in key[4:]))
    assert number is not None and PHRASES[key].format(number.value) in tex


def _figures() -> set[str]:
    return {figure for _, figures in PARAGRAPHS.values() for figure in figures}


def _cells(tex: str, place: str) -> Iterator[Cell]:
    """The table's cells under our names; `GRU x 2` is two of them, and the source column is none."""
    body = tex.split(rf"\label{{{place}}}")[1].split(r"\end{tabular}")[0]
    _, head, rows, _ = re.split(r"\\cmidrule\[[\d.]+pt\]\{[\d-]+\}", body)
    headers = list(zip(*(_row(line) for line in _lines(head)), strict=True))
    for line in _lines(rows):
        name, *entries = _row(line)
        for header, entry in zip(headers[1:], entries, strict=True):
            if "Source" not in header:
                yield from _cell(place, {name, *header} - {""}, entry)


def _cell(place: str, names: set[str], entry: str) -> Iterator[Cell]:
    found = []
    for known, default in zip((DATASET_OF, METHOD_OF, METRIC_OF), DEFAULTS[place], strict=True):
        matches = [known[name] for name in names if name in known]
        assert len(matches) <= 1, f"{place}: {names} is ambiguous"
        found.append(matches[0] if matches else default)
        names = {name for name in names if name not in known}
    assert not names, f"{place}: unknown header {names}"
    dataset, method, metric = found
    if (place, dataset) == ("tab:imputation", "ecg5000"):
        dataset = "ecg5000 ecg2"  # the text says the one, the authors' figures are of the other
    value, _, second = re.sub(r"pm|times", "|", entry).partition("|")
    if metric == "cell":
        yield dataset, method, "cell", value, ""
        yield dataset, method, "layers", second, ""
    else:
        yield dataset, method, metric, value, second


def _lines(rows: str) -> list[str]:
    return [line for line in rows.split(r"\\") if line.strip()]


def _row(line: str) -> list[str]:
    """The row's entries without their dress; an entry over several columns is repeated."""
    entries = []
    for entry in line.split("&"):
        entry = re.sub(r"\\cellcolor\{[^}]*\}|\\cite\{[^}]*\}|\\multirow\{[^}]*\}\{\*\}", "", entry)
        columns = re.search(r"\\multicolumn\{(\d)\}\{[^}]*\}", entry)
        entry = entry.replace(columns[0], "") if columns else entry
        plain = re.sub(r"\\(?:textbf|boldsymbol|texttt)|[\\${}]", "", entry).strip()
        entries += [plain] * (int(columns[1]) if columns else 1)
    return entries


def _paragraph(tex: str, place: str) -> str:
    """The paragraph's text with its captions, without tables, references and layout."""
    parts = re.split(r"\\(?:paragraph|(?:sub)*section)\*?\{((?:[^{}]|\{[^{}]*\})*)\}", tex)
    (body,) = (b for t, b in zip(parts[1::2], parts[2::2], strict=True) if PARAGRAPHS[place][0] in t)
    body = re.sub(r"\\begin\{tabular\}.*?\\end\{tabular\}", "", body, flags=re.DOTALL)
    body = re.sub(r"\\(?:def\\arraystretch|setlength\\tabcolsep)\{[^}]*\}", "", body)
    body = re.sub(r"\\(?:begin|end)\{\w+\*?\}(?:\[[^]]*\])*", "", body)
    return re.sub(r"\\(?:cite|ref|eqref|label|includegraphics|hspace|url)(?:\[[^]]*\])?\{[^}]*\}", "", body)


def _caption(tex: str, place: str) -> str:
    return tex.split(rf"\label{{{place}}}")[0].rsplit(r"\caption{", 1)[1]


def _digits(text: str) -> list[str]:
    """The numbers as printed; not indices (`x_0`), names (`ODE15`), nor a range's dash as a sign."""
    return re.findall(r"(?<![\w.])(?:(?<!-)-)?\d+(?:\.\d+)?", text.replace("--", " "))
