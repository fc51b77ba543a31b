# Two commands are enough for a newcomer: `make demo` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --disable-pip-version-check --quiet
SELECT ?=
# The tests start thousands of Python processes: compiled modules are kept, whatever the environment says.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test quick slow-tests lint format package bench fuzz live constraints clean

demo: .venv/installed  ## examine the shipped example agents: no key, no network once viva is installed
	@$(BIN)/viva demo

# In the order of their names: the slow files come first, and no worker is left alone with one at the end.
test: .venv/dev-installed  ## every kind of test
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder $(SELECT)

quick: .venv/dev-installed  ## without the slow ones (marks: pyproject.toml), fewer random values: under two minutes
	$(BIN)/python -m tests.quick $(SELECT)

slow-tests: .venv/dev-installed  ## measure which tests quick leaves out, and write tests/slow_tests.txt anew
	$(BIN)/python -m pytest -q -p tests.measuring --hypothesis-profile quick $(or $(SELECT),tests/unit tests/contract tests/conformance)

lint: .venv/dev-installed  ## style, types, layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/python -m pytest -q tests/unit/test_architecture.py
	$(BIN)/python tools/audit.py

format: .venv/dev-installed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

package: .venv/dev-installed  ## build the sdist and the wheel, run `viva demo` from the wheel in a fresh virtualenv
	$(BIN)/python tools/check_package.py

live: .venv/dev-installed  ## agents of every framework, each in a virtualenv of its own (tests/live/envs), built when missing
	VIVA_LIVE=all $(BIN)/python -m pytest -n 2 --dist loadfile -rs tests/live $(SELECT)

fuzz: .venv/dev-installed  ## ten minutes of hostile bytes and random runs
	-$(PIP) atheris
	$(BIN)/python -m tests.fuzz.coverage_guided 300
	HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest -n 2 --timeout 900 tests/fuzz

bench: .venv/dev-installed  ## speed and memory beside the limit and the peers, in one run (12 minutes)
	$(BIN)/python -m benchmarks

constraints: .venv/dev-installed  ## pin what is installed now
	(echo '# Versions that development and CI run with; written by `make constraints`.'; \
	 $(BIN)/python -m pip freeze --exclude-editable) > constraints.txt

clean:
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis build dist .viva
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit("viva needs Python 3.11 or newer, this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv .venv

.venv/installed: .venv/bin/python pyproject.toml constraints.txt
	$(PIP) -c constraints.txt -e .
	@touch $@

.venv/dev-installed: .venv/bin/python pyproject.toml constraints.txt
	$(PIP) -c constraints.txt -e '.[dev]'
	@touch $@ .venv/installed
