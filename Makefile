# Everything starts here. `make run` and `make test` set themselves up; nothing else need be installed.
# uv is used where it is there, else plain venv and pip.

SHELL := /bin/sh
PYTHON ?= $(shell command -v python3.11 || command -v python3)
UV := $(shell command -v uv)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# Tests of the screen wait for most of their time: two for each core.
WORKERS ?= $(shell expr 2 \* $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2))
# Long runs are not taken for hanging ones.
PATIENT := -o faulthandler_timeout=3600
# An environment of the caller's must not lead pip or Python out of ours.
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV

.PHONY: run demo setup test soak packaging documents check format lock snapshots clean help

help: ## Show this list.
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

run: $(READY) ## Open diligent on the built-in offline model; no key needed.
	@DILIGENT_OFFLINE__PACE=$${DILIGENT_OFFLINE__PACE:-120} $(BIN)/diligent --model offline/rehearsal

demo: $(READY) ## Open a long prepared session with a guide, in a folder that is thrown away.
	@$(BIN)/diligent --demo

setup: $(READY) ## Make .venv with .venv/bin/diligent.

$(READY): requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "diligent needs Python 3.11 or newer: install it, then run make again." >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "diligent needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@echo "Setting up $(VENV) (once) …"
ifdef UV
	@test -x $(BIN)/python || "$(UV)" venv --quiet --python "$(PYTHON)" $(VENV)
	@"$(UV)" pip install --quiet --python $(BIN)/python --require-hashes -r requirements.lock
	@"$(UV)" pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .
else
	@test -x $(BIN)/python || "$(PYTHON)" -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
endif
	@touch $(READY)

test: $(READY) ## Run the whole suite.
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not soak and not packaging" $(ARGS)

soak: $(READY) ## Run the long tests, and look for new random cases.
	@$(BIN)/python -m pytest $(PATIENT) -m soak $(ARGS)
	@$(BIN)/python -m pytest $(PATIENT) -n $(WORKERS) --dist worksteal -m "not soak and not packaging" --hypothesis-profile=searching --all-pictures $(ARGS)

packaging: $(READY) ## Install diligent in every way into clean places; needs a package index.
	@$(BIN)/python -m pytest $(PATIENT) -n 2 -m packaging tests/packaging $(ARGS)

documents: $(READY) ## Renew the pages and schemas that are made from the code.
	@$(BIN)/python -m diligent_tui.cli.documents docs
	@$(BIN)/python -m diligent_tui.config.settings_schema
	@$(BIN)/python -m diligent_tui.domain.event_schema

check: $(READY) ## Lint, types, import contracts and rules of the house.
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/lint-imports --no-cache
	@$(BIN)/python -m tests.house
	@$(BIN)/pyright

format: $(READY) ## Mend what ruff can mend.
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

lock: ## Lock the newest versions that fit (needs uv).
	@uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate --upgrade --group dev pyproject.toml -o requirements.lock

snapshots: $(READY) ## Accept changed pictures; look at each of them first.
	@rm -rf snapshots/ui
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal tests/ui -m "not soak" --accept-pictures --deselect tests/ui/test_picture_book.py

clean: ## Take away what make set up.
	@rm -rf $(VENV) build dist
