# Everything a newcomer needs is `make up` and `make test`; `make help` lists the rest.
SHELL := /bin/sh
.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
ARGS ?=
# How many processes run the tests; `make test JOBS=0` runs them in one, for a debugger.
JOBS ?= 2
export PYTHONDONTWRITEBYTECODE ?= 1

.PHONY: help up setup test test-fast test-browser proof mutation lint format bench lock protos proto-baseline web rules check-wheel clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

up: $(READY) ## start everything on this machine; ARGS="--port N --data DIR"
	@exec $(BIN)/carteado up $(ARGS)

setup: $(READY) ## create .venv with the locked dependencies, nothing else

$(READY): requirements.lock pyproject.toml deploy/setup.sh
	@PYTHON=$(PYTHON) sh deploy/setup.sh

test: $(READY) ## every test but the browser's, on real Postgres, NATS and gRPC; ARGS="-k word"
	@$(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder -m "not browser and not proof" $(ARGS)
	@echo "apart: make test-browser (needs Chromium), make proof (proofs that take minutes)"

test-fast: $(READY) ## the tests that need no server, within two minutes
	@$(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder -m "not browser and not proof and not integration and not e2e and not fault" $(ARGS)

test-browser: $(READY) ## plays a match in headless Chromium (Debian: apt-get install chromium)
	@$(BIN)/python -m pytest -m browser $(ARGS)

proof: $(READY) ## the long proofs, such as a million deals; minutes
	@$(BIN)/python -m pytest -m proof -s $(ARGS)

mutation: $(READY) ## do the tests of Truco's rules notice a changed line? hours; ARGS="'libs.rules.truco.tricks*'"
	@CARTEADO_TEST_SECONDS=0.2 $(BIN)/mutmut run --max-children $(JOBS) $(ARGS)
	@$(BIN)/mutmut results

lint: $(READY) ## format, lint, types, import contracts, protos, generated code, the web client, the wheel
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m deploy.protos check
	$(BIN)/python -m deploy.web check
	$(BIN)/python -m deploy.wheel

format: $(READY) ## format and mend what can be mended
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(READY) ## speed, as ratios against peers and limits of the same run
	@$(BIN)/python -m tests.bench $(ARGS)

protos: $(READY) ## generate libs/protos and the web client's types from proto/
	$(BIN)/python -m deploy.protos generate
	$(BIN)/python -m deploy.web types

rules: $(READY) ## write the presets' rule pages anew, and the bundle that serves them
	@$(BIN)/python -m deploy.rule_pages generate
	@$(BIN)/python -m deploy.web build

web: $(READY) ## build the web client from web/ into the gateway's folder
	@$(BIN)/python -m deploy.web build

proto-baseline: $(READY) ## accept the contracts as they stand as the released ones
	$(BIN)/python -m deploy.protos baseline

lock: $(READY) ## compile requirements.lock anew from pyproject.toml
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --extra dev --extra bench \
	    --custom-compile-command "make lock" pyproject.toml -o requirements.lock

clean: ## remove the environment and caches (never the data)
	rm -rf .venv web/node_modules build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache mutants
