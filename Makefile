# Two commands do it all: `make demo` and `make test`. Both need nothing but Python 3.11 or later, and make;
# the tests use a browser, too, and install Debian's where there is none.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/.runtime-installed
DEV := $(VENV)/.dev-installed

# Hundreds of programs are started, which need not compile their modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-slow check browser tablebases firefox format benchmarks clean

demo: $(RUNTIME)
	$(BIN)/perfectplay solve tictactoe -o data/tictactoe.db --force
	@echo
	$(BIN)/perfectplay query data/tictactoe.db "xo..x...."
	@echo
	$(BIN)/perfectplay plan data/tictactoe.db "xo..x...." --for x -o data/tictactoe-plan.svg
	$(BIN)/perfectplay plan data/tictactoe.db "xo..x...." --for x -o data/tictactoe-plan.png
	@echo
	@echo "The database:  $(CURDIR)/data/tictactoe.db"
	@echo "The plan:      $(CURDIR)/data/tictactoe-plan.svg and .png"
	@echo "The program:   $(CURDIR)/$(BIN)/perfectplay"

test: check browser
	$(BIN)/pytest -q -n auto --dist worksteal

test-slow: $(DEV) tablebases firefox
	$(BIN)/pytest -q -m slow -n auto --dist worksteal

check: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

browser:
	@command -v chromium >/dev/null || { \
	  echo "Installing chromium, in which the tests open pages and pictures."; \
	  as_root=$$([ "$$(id -u)" = 0 ] || echo sudo -n); \
	  $$as_root apt-get update -qq && \
	  $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core; } || { \
	  echo "make test needs the browser chromium and could not install it: as root, run apt-get install chromium,"; \
	  echo "or put a program of that name, Chromium or Chrome, on the PATH."; exit 1; }

tablebases:
	@test -d /usr/share/gaviotatb || { \
	  echo "Installing gaviotatb, the chess tablebases with which the tests compare."; \
	  as_root=$$([ "$$(id -u)" = 0 ] || echo sudo -n); \
	  $$as_root apt-get update -qq && \
	  $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends gaviotatb; } || { \
	  echo "make test-slow needs Gaviota's chess tablebases and could not install them:"; \
	  echo "as root, run apt-get install gaviotatb."; exit 1; }

firefox:
	@command -v firefox-esr >/dev/null || command -v firefox >/dev/null || { \
	  echo "Installing Firefox, the second browser in which the tests open pages."; \
	  as_root=$$([ "$$(id -u)" = 0 ] || echo sudo -n); \
	  $$as_root apt-get update -qq && \
	  $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends firefox-esr; } || { \
	  echo "make test-slow needs Firefox and could not install it: as root, run apt-get install firefox-esr,"; \
	  echo "or put the program firefox on the PATH."; exit 1; }

format: $(DEV)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

benchmarks: $(DEV)
	@for benchmark in tests/benchmarks/*.py; do echo "== $$benchmark"; $(BIN)/python $$benchmark || exit 1; done

clean:
	rm -rf $(VENV) build dist *.egg-info data/*.db data/*-plan.* .mypy_cache .pytest_cache .ruff_cache

$(BIN)/python:
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || \
	  { echo "perfectplay needs Python 3.11 or later: make PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(RUNTIME): $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(DEV): $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $@ $(RUNTIME)
