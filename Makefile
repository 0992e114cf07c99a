# Everything a newcomer runs. Each target first makes .venv from requirements.lock where it is
# missing or older than its sources; python3, make and the package registry are all it takes.

PYTHON ?= python3
MODEL ?=
# Tasks that the local model answers in the demo: a sample stratified by level.
DEMO_TASKS ?= 16

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
SOURCES := comptoolbench.py croissant dataset_builder evaluator space tests

ifneq (,$(filter evaluate,$(MAKECMDGOALS)))
ifeq (,$(MODEL))
$(error evaluate needs a model: make evaluate MODEL=openai/gpt-4o-mini (`comptoolbench models` lists more))
endif
endif

.DEFAULT_GOAL := help
.PHONY: help demo test test-slow check format bench generate evaluate analyze space docs lock clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' Makefile

# All rows answer the same stratified sample in the same form, so that they compare.
DEMO = --calls json --catalogue task --limit $(DEMO_TASKS)
demo: $(READY)  ## the whole path: build, audit, baselines, a real model offline, leaderboard
	@$(BIN)/comptoolbench build
	@$(BIN)/comptoolbench audit comptoolbench
	@for agent in oracle retrieval random spam silent; do \
		$(BIN)/comptoolbench run baseline:$$agent $(DEMO) --out runs/demo-$$agent || exit 1; \
	done
	@$(BIN)/comptoolbench run local:smollm2 $(DEMO) --out runs/demo-smollm2
	@$(BIN)/comptoolbench leaderboard runs/demo-*/
	@echo "The same board in a browser, with the reason for every score: make space"

test: $(READY)  ## the quick tests
	@$(BIN)/python -m pytest -q -n auto --maxprocesses 4 --dist worksteal -m "not slow"

test-slow: $(READY)  ## the tests with a browser, a language model and killed processes
	@failed=0; \
		$(BIN)/python -m pytest -q -n 2 --dist loadfile -m "slow and not alone" || failed=1; \
		$(BIN)/python -m pytest -q -m "slow and alone" || failed=1; \
		exit $$failed

check: $(READY)  ## format, lint and types
	@failed=0; \
		$(BIN)/ruff format --check --quiet --output-format concise . || failed=1; \
		$(BIN)/ruff check --quiet --output-format concise . || failed=1; \
		$(BIN)/mypy || failed=1; \
		exit $$failed

format: $(READY)  ## rewrite the sources in the house's format
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

# ONLY: words of groups or measures, with commas. JSON: a file that keeps all readings.
bench: $(READY)  ## measure speed as a table; beside another revision: make bench BASE=main ONLY=scoring
	@$(BIN)/python -m tests.bench $(if $(BASE),--base "$(BASE)") $(if $(ONLY),--only "$(ONLY)") $(if $(JSON),--json "$(JSON)")

generate: $(READY)  ## write the dataset folder comptoolbench/
	@$(BIN)/comptoolbench build --out comptoolbench

evaluate: $(READY)  ## run a model over the suite: make evaluate MODEL=openai/gpt-4o-mini
	@$(BIN)/comptoolbench run $(MODEL)

analyze: $(READY)  ## the report over the runs in runs/: tables, figures, a page
	@ls -d runs/*/ >/dev/null 2>&1 || { echo "There are no runs to analyze yet: make demo, or make evaluate MODEL=..." >&2; exit 2; }
	@$(BIN)/comptoolbench report runs/*/ --out report

space: $(READY)  ## open the leaderboard in a browser
	@$(BIN)/comptoolbench space

docs: $(READY)  ## write docs/tools.md from the catalogue
	@$(BIN)/python -m dataset_builder.tools.tools_page

lock: $(READY)  ## bring requirements.lock up to date with pyproject.toml (UPGRADE=--upgrade for new releases)
	@$(BIN)/uv pip compile pyproject.toml --universal --fork-strategy fewest --all-extras --group dev \
		--generate-hashes --no-emit-index-url --custom-compile-command "make lock" $(UPGRADE) \
		--quiet --output-file requirements.lock

clean:  ## remove what make can make again: environment, caches, dataset folder (runs stay)
	rm -rf $(VENV) .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist comptoolbench
	find $(SOURCES) -name __pycache__ -type d -prune -exec rm -rf {} +

# An environment whose set-up did not end is made anew. uv comes from the lock as well, hashes checked
# by pip; it reads no pip configuration, so a mirror named there is handed on. The build backend is in
# the lock, hence no build isolation.
$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "CompToolBench needs Python 3.11 or newer, and \"$(PYTHON)\" is not: make $(MAKECMDGOALS) PYTHON=/path/to/python3.11" >&2; exit 1; }
	@echo "Setting up $(VENV) from requirements.lock (a minute or two the first time) ..."
	@{ [ -e $(READY) ] && $(BIN)/python -c ""; } 2>/dev/null || $(PYTHON) -m venv --clear $(VENV)
	@rm -f $(READY)
	@sed -n '/^uv==/,/[^\\]$$/p' requirements.lock >$(VENV)/uv.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(VENV)/uv.lock
	@mirror=$$($(BIN)/python -m pip config get global.index-url 2>/dev/null); \
		export UV_DEFAULT_INDEX="$${UV_DEFAULT_INDEX:-$${PIP_INDEX_URL:-$$mirror}}"; \
		[ -n "$$UV_DEFAULT_INDEX" ] || unset UV_DEFAULT_INDEX; \
		$(BIN)/uv pip sync --quiet --python $(BIN)/python --compile-bytecode requirements.lock && \
		$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $(READY)
