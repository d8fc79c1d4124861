# Two commands for a new machine: `make demo` and `make test`. Both need only Python 3.11-3.13 and make.
PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3)
VENV := .venv
BARE := .venv-bare
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable
unexport PYTHONDONTWRITEBYTECODE # the tests start hundreds of processes, and each would compile every module again

.PHONY: check demo docs test thorough bounds bare lint scripts picture clean

demo: $(VENV)/.installed
	@$(BIN)/pokerlab demo

# Lint and the bare environment share two cores; then the tests have both. One of the tests builds the site.
test:
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=line bare lint
	$(BIN)/pytest -n 2 --dist loadfile -m "not thorough"

# Before a release: what takes minutes of processor time, such as killing and resuming every kind of run.
thorough: $(VENV)/.installed-dev
	NUMBA_OPT=3 $(BIN)/pytest -n 2 --dist load -m thorough
	@$(MAKE) --no-print-directory bounds

# The tests with every index of compiled code checked: a kernel that reads outside an array is not noticed otherwise.
# Kernels are optimized here as much as for users; elsewhere in the tests less (conftest.py).
bounds: $(VENV)/.installed-dev
	rm -rf build/bounds
	NUMBA_OPT=3 NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(CURDIR)/build/bounds $(BIN)/pytest -n 2 --dist loadfile -m "not thorough" tests

# For every day: without the slow tests, under two minutes on two cores once all kernels are compiled.
check: lint
	$(BIN)/pytest -n 2 --dist loadfile -m "not slow and not thorough"

# Every command in an environment without extras: it works, or names in one line the extra that it needs.
bare: $(BARE)/.installed
	$(BARE)/bin/python tests/bare.py

lint: $(VENV)/.installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The browser's scripts: formatting, mistakes, types, and their tests in Node. Needs Node 20 or later; the tools go to
# node_modules, and users need none of them.
scripts: node_modules/.installed $(VENV)/.installed-dev
	npm run --silent check
	$(BIN)/pytest -q tests/web/test_scripts.py tests/web/test_script_functions.py

node_modules/.installed: package.json
	npm install --silent --no-package-lock --no-audit --no-fund
	@touch $@

# The guides and the API as a site that needs no network: open build/site/index.html. A warning is an error.
docs: $(VENV)/.installed-dev
	$(BIN)/python -m sphinx -q -W --keep-going -b html -d build/doctrees docs build/site
	@echo "build/site/index.html"

# The pictures of the README and the guides; tests/test_readme.py, tests/experiments/poki/test_weight_figures.py and
# tests/pictures/test_bet_pictures.py fail when one is stale.
picture: $(VENV)/.installed
	$(BIN)/pokerlab odds --grid --board 3h4cJh --picture docs/hs-3h4cJh.svg
	$(BIN)/pokerlab explain --figure 3.6 --picture docs/poki-weights-3.6.svg
	$(BIN)/pokerlab explain --figure 3.7 --picture docs/poki-weights-3.7.svg
	$(BIN)/pokerlab bets leduc-nolimit --size-ranges 2 --extra 2 --runs 3 --no-save --picture docs/bets-leduc.svg
	$(BIN)/pokerlab reproduce --from docs/results/*.json --picture docs/results
	$(BIN)/python docs/draw_house.py

# Installed again when pyproject.toml changes; an existing .venv is reused.
$(VENV)/.installed: pyproject.toml | $(BIN)/python
	@echo "installing pokerlab into $(VENV): NumPy, SciPy, Numba, Matplotlib and others, some 300 MB to download ..."
	@$(INSTALL) '.[web]' --no-compile # modules are compiled when they are imported: the demo needs few of them
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	@echo "installing pokerlab with its development tools and peers into $(VENV) ..."
	@$(INSTALL) '.[dev,docs,gym,jax,mcp,networks,peers,ray,web]' --no-compile
	@$(BIN)/python -c "import rlcard.games.doudizhu.utils" # unpacks RLCard's tables: two processes at once would collide
	@touch $@ $(VENV)/.installed

$(BIN)/python:
	@$(PYTHON) -m venv $(VENV)

$(BARE)/.installed: pyproject.toml
	@echo "installing pokerlab without extras into $(BARE) ..."
	@$(PYTHON) -m venv $(BARE)
	@$(BARE)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --editable .
	@touch $@

clean:
	rm -rf $(VENV) $(BARE) node_modules build docs/api .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
