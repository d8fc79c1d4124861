# Two commands for a new machine: `make demo` and `make test`. Both need only Python 3.11-3.13 and make.
PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3)
VENV := .venv
BARE := .venv-bare
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable

.PHONY: demo test bare lint docs picture clean
