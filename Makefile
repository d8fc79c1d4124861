# Two commands for a new machine: `make demo` and `make test`. Both need only Python 3.11-3.13 and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test lint clean

# A stamp per extra set, rebuilt when pyproject.toml changes. An existing .venv is reused.
$(VENV)/.installed-%: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing pokerlab ($*) into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[$*]'
	@touch $@

demo: $(VENV)/.installed-demo
	@$(BIN)/pokerlab demo

lint: $(VENV)/.installed-dev,peers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/pytest -n 2 --dist loadfile

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
