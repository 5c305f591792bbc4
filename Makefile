# One folder, one environment: a target makes .venv and installs into it what it needs, if that was not done yet.
PYTHON ?= python3
BUDGET ?= paper
PROTOCOLS ?= paper,authors,clean
RESULTS ?= results
HOURS ?= null
# The search has a budget of its own: make search.
EXPERIMENTS := 'experiment=glob(*,exclude=search*)'
VENV := .venv
BIN := $(VENV)/bin
# What was installed says so by a file: what running, testing (more than running) and comparing need.
MADE := $(VENV)/.made
RUN := $(VENV)/.installed-run
TEST := $(VENV)/.installed-test
BENCH := $(VENV)/.installed-bench
DOCS := $(VENV)/.installed-docs
INSTALL = $(BIN)/python -m pip install --quiet --constraint constraints.txt --editable
QUICKSTART_BUDGET ?= quick
TRIALS ?= 100

.DEFAULT_GOAL := help
.NOTPARALLEL: # two pips in one environment disturb each other
.PHONY: help quickstart test lint bench chaos fuzz determinism docs reproduce-all plan search report show page reference clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(MADE):
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "tkae needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	@touch $@

# Exact versions come from constraints.txt, so two clones get the same environment.
$(RUN): pyproject.toml constraints.txt | $(MADE)
	$(INSTALL) '.[ecg,parquet]'
	@touch $@

$(DOCS): $(RUN)
	$(INSTALL) '.[docs]'
	@touch $@

$(TEST): $(RUN)
	$(INSTALL) '.[dev]'
	@touch $@

$(BENCH): $(RUN)
	$(INSTALL) '.[bench]'
	@touch $@

quickstart: $(RUN) ## the imputation and classification tables of Japanese Vowels (embedded data)
	$(BIN)/tkae-run experiment=imputation dataset=japanese_vowels budget=$(QUICKSTART_BUDGET) seeds=10
	$(BIN)/tkae-run experiment=classification dataset=japanese_vowels budget=$(QUICKSTART_BUDGET) seeds=10

test: $(TEST) ## all tests
	$(BIN)/python -m pytest -n 2

lint: $(TEST) ## style, types and which part may import which
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(BENCH) ## ratios against plain versions, measured in one run
	$(BIN)/python scripts/bench_evaluation.py
	$(BIN)/python scripts/bench_tck.py
	$(BIN)/python -m scripts.bench_engine

chaos: $(TEST) ## commands and workers that are killed, and disks that are full, by the hundred; TRIALS=100
	$(BIN)/python -m scripts.chaos --trials $(TRIALS)

fuzz: $(TEST) ## spoiled inputs for every reader and wrong words for tkae-run, more than 10,000
	$(BIN)/python -m scripts.fuzz

determinism: $(TEST) ## every experiment in many surroundings, all bits compared; PROTOCOLS=paper
	$(BIN)/python -m scripts.determinism --protocols $(PROTOCOLS)

docs: $(DOCS) ## the documentation as a site, in site/; a broken link ends it
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

reproduce-all: $(RUN) ## every experiment but the search under every protocol; BUDGET=paper|quick|smoke HOURS=2.5
	$(BIN)/tkae-run -m $(EXPERIMENTS) protocol=$(PROTOCOLS) budget=$(BUDGET) executor=processes results_dir=$(RESULTS) hours=$(HOURS)

plan: $(RUN) ## what reproduce-all would compute and how long it would take
	$(BIN)/tkae-run -m $(EXPERIMENTS) protocol=$(PROTOCOLS) budget=$(BUDGET) executor=processes results_dir=$(RESULTS) dry_run=true

search: $(RUN) ## the hyperparameter search (its own budget); goes on where it stopped
	$(BIN)/tkae-run experiment=search executor=processes dry_run=true
	$(BIN)/tkae-run experiment=search executor=processes

report: $(RUN) ## all tables, figures and the report of RESULTS=FOLDER from its records alone
	$(BIN)/tkae-results report $(RESULTS)

show: $(RUN) ## open the page of RESULTS=FOLDER in a browser
	$(BIN)/tkae-results show $(RESULTS)

page: $(RUN) ## the page of the reference, in results/reference/report/: to be hosted as it is
	$(BIN)/tkae-results report results/reference

reference: $(RUN) ## add what RESULTS=FOLDER holds to the evidence in results/reference/
	$(BIN)/tkae-results pack $(RESULTS) results/reference
	$(BIN)/tkae-results report results/reference
	$(BIN)/tkae-results reproduction results/reference REPRODUCTION.md

clean: ## remove the environment and caches; results stay
	rm -rf $(VENV) .pytest_cache .ruff_cache .mypy_cache dist build
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
