# One folder, one environment: every target makes .venv and installs into it if that was not done yet.
PYTHON ?= python3
BUDGET ?= paper
PROTOCOLS ?= paper,authors,clean
RESULTS ?= results
# The search has a budget of its own: make search.
EXPERIMENTS := 'experiment=glob(*,exclude=search*)'
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help quickstart test lint bench reproduce-all plan search report reference clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# Exact versions come from constraints.txt, so two clones get the same environment.
$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "tkae needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	@touch $@

quickstart: $(READY) ## the imputation and classification tables of Japanese Vowels (embedded data)
	$(BIN)/tkae-run experiment=imputation dataset=japanese_vowels budget=quick seeds=10
	$(BIN)/tkae-run experiment=classification dataset=japanese_vowels budget=quick seeds=10

test: $(READY) ## all tests
	$(BIN)/python -m pytest -n 2

lint: $(READY) ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(READY) ## ratios against plain versions, measured in one run
	$(BIN)/python scripts/bench_evaluation.py
	$(BIN)/python scripts/bench_tck.py
	$(BIN)/python scripts/bench_engine.py

reproduce-all: $(READY) ## every experiment but the search under every protocol; BUDGET=paper|quick|smoke
	$(BIN)/tkae-run -m $(EXPERIMENTS) protocol=$(PROTOCOLS) budget=$(BUDGET) executor=processes results_dir=$(RESULTS)

plan: $(READY) ## what reproduce-all would compute and how long it would take
	$(BIN)/tkae-run -m $(EXPERIMENTS) protocol=$(PROTOCOLS) budget=$(BUDGET) executor=processes results_dir=$(RESULTS) dry_run=true

search: $(READY) ## the hyperparameter search (its own budget); goes on where it stopped
	$(BIN)/tkae-run experiment=search executor=processes dry_run=true
	$(BIN)/tkae-run experiment=search executor=processes

report: $(READY) ## write all tables again from what is stored, without computing
	$(BIN)/tkae-run -m $(EXPERIMENTS) protocol=$(PROTOCOLS) budget=$(BUDGET) results_dir=$(RESULTS) collect=true

reference: $(READY) ## keep what results/ holds as evidence in results/reference/
	$(BIN)/python scripts/keep_reference.py $(RESULTS) results/reference

clean: ## remove the environment and caches; results stay
	rm -rf $(VENV) .pytest_cache .ruff_cache .mypy_cache dist build
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
