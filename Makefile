# `make help` lists the commands. All they make lies in .venv, policy/venv, .local
# and the user's cache.
SHELL := /bin/sh
PYTHON ?= python3
# Named after what is installed: another content, another stamp.
sum = $(shell cat $(1) | cksum | cut -d ' ' -f 1)
VENV_STAMP := .venv/stamp-$(call sum,requirements.txt requirements-native.txt requirements-dev.txt)
RUNTIME ?= requirements.txt
ANY_PYTHON = $(or $(wildcard .venv/bin/python),$(PYTHON))
RUN_STAMP := .venv/stamp-$(call sum,$(RUNTIME))-run
PACK_STAMP := policy/venv/stamp-$(call sum,policy/requirements.txt)

.DEFAULT_GOAL := help
.PHONY: help setup runtime engine up down test lint bench

help: ## List the commands
	@sed -n 's/^\([a-z]*\):.*## /\1|/p' $(MAKEFILE_LIST) | awk -F '|' '{ printf "make %-7s %s\n", $$1, $$2 }'

setup: $(VENV_STAMP) $(PACK_STAMP) engine ## Make .venv, the policy pack's environment and the engine

runtime: $(RUN_STAMP) $(PACK_STAMP) ## Make the two environments with what a run needs, and no more

up: setup ## Start the embedded bucket and zone, fill them with a demo, and converge
	@.venv/bin/python -m local up

down: ## Stop what `make up` started
	@if [ -x .venv/bin/python ]; then .venv/bin/python -m local down; \
	else echo "nothing runs here: there is no .venv"; fi

test: setup ## Run all tests
	.venv/bin/python -m pytest -n auto --maxprocesses 4 --dist worksteal

lint: $(VENV_STAMP) ## Check style, types, waivers and workflows
	.venv/bin/python -m ruff check
	.venv/bin/python -m ruff format --check
	.venv/bin/python -m mypy
	.venv/bin/python -m policy.waivers
	.venv/bin/python -m tools.actions

bench: setup ## Measure calls, times and sizes
	.venv/bin/python -m tests.bench

# It needs no environment: `make -j3 setup` builds it beside them.
engine:
	@$(call require_python,$(ANY_PYTHON))
	@$(ANY_PYTHON) -m tools.engine >/dev/null

$(VENV_STAMP):
	$(call make_venv,.venv,requirements-dev.txt)

$(RUN_STAMP):
	$(call make_venv,.venv,$(RUNTIME))

$(PACK_STAMP):
	$(call make_venv,policy/venv,policy/requirements.txt)

define require_python
$(1) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
    { echo "$(1) is missing or older than 3.11: $(if $(filter .venv/%,$(1)),rm -r .venv && \
    )make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
endef

# A folder, its requirements. The stamp comes last: what was cut short is done again.
define make_venv
	@$(call require_python,$(PYTHON))
	@echo "making $(1) from $(2)"
	@rm -f $(1)/stamp-*
	@$(PYTHON) -m venv $(1)
	@$(1)/bin/python -m pip install --quiet --disable-pip-version-check -r $(2)
	@touch $@
endef
