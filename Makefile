# The main targets are `make demo`, `make data` and `make test`. They need only Python 3.11 or later and make. The tests
# also use a browser, SQLite's shell, a C compiler and Node, and install Debian's packages of those that are missing.

PYTHON ?= python3
PYTHONS ?= $(foreach minor,11 12 13 14,$(shell command -v python3.$(minor)))
VENV := .venv
BIN := $(VENV)/bin
PYTHON_VERSION := $(shell $(PYTHON) -c "import platform; print(platform.python_version())")
MADE := $(VENV)/.made-by-python-$(PYTHON_VERSION)
RUNTIME := $(VENV)/.runtime-installed
FAST := $(VENV)/.fast-installed
DEV := $(VENV)/.dev-installed

SITE = $(BIN)/sphinx-build --quiet --fail-on-warning --keep-going docs build/docs

# The tests start hundreds of programs, which would otherwise each compile their modules again.
unexport PYTHONDONTWRITEBYTECODE
# Output is buffered, as it is for users.
unexport PYTHONUNBUFFERED

.PHONY: certify compilers coq demo data test test-pythons test-slow check docs contact-sheet browser sqlite shells tablebases wrk firefox format benchmarks clean

demo: $(RUNTIME)
	@mkdir -p data/demo
	$(BIN)/perfectplay solve tictactoe -o data/demo/tictactoe.db --force
	@echo
	$(BIN)/perfectplay query data/demo/tictactoe.db "xo..x...."
	@echo
	$(BIN)/perfectplay plan data/demo/tictactoe.db "xo..x...." --for x -o data/demo/plan.json
	sed -n '/"states"/,+6p' data/demo/plan.json
	@echo
	printf '8\n7\n' | $(BIN)/python exporters/lookup/player.py data/demo/plan.json
	@echo
	$(BIN)/perfectplay plan data/demo/tictactoe.db "xo..x...." --for x -o data/demo/plan.png
	@echo
	@echo "The database:  $(CURDIR)/data/demo/tictactoe.db"
	@echo "The plan:      $(CURDIR)/data/demo/plan.json and its picture, plan.png"
	@echo "Its player:    $(CURDIR)/exporters/lookup/player.py"
	@echo "The program:   $(CURDIR)/$(BIN)/perfectplay"

data: $(FAST)
	$(BIN)/perfectplay batch data/catalogue.toml -o data/solved --takes seconds

test: check browser sqlite compilers
	$(BIN)/pytest -q -n auto --dist worksteal

# Runs the tests with each Python, in an environment of its own.
test-pythons:
	@for python in $(PYTHONS); do echo "== $$python"; \
	  $(MAKE) test PYTHON="$$python" VENV=".venv-$$($$python -c 'import platform; print(platform.python_version())')" || \
	  exit 1; done

test-slow: $(DEV) browser sqlite compilers tablebases firefox coq shells
	$(BIN)/pytest -q -m slow -n auto --dist worksteal

check: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/mypy & types=$$!; $(SITE) && wait $$types

docs: $(DEV)
	$(SITE)
	@echo "The documentation: $(CURDIR)/build/docs/index.html"

# All pictures and pages side by side, for review. SECTIONS="plans pages" limits it to these sections.
contact-sheet: $(DEV) browser
	$(BIN)/python -m tests.contact_sheet $(SECTIONS)

# $(call debian,CONDITION,PACKAGES,NOUN): install Debian's packages unless the condition holds.
define debian
	@$(1) || { \
	  echo "Installing $(3)."; \
	  as_root=$$([ "$$(id -u)" = 0 ] || echo sudo -n); \
	  $$as_root apt-get update -qq && \
	  $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(2); } || { \
	  echo "The tests need $(3), which could not be installed: as root, run apt-get install $(2),"; \
	  echo "or install it by other means."; exit 1; }
endef

browser:
	$(call debian,command -v chromium-headless-shell >/dev/null,chromium-headless-shell fonts-dejavu-core,the browser Chromium)

sqlite:
	$(call debian,command -v sqlite3 >/dev/null,sqlite3,SQLite's shell)

compilers:
	$(call debian,command -v cc >/dev/null && command -v node >/dev/null,gcc libc6-dev nodejs,a C compiler and Node)

coq:
	$(call debian,command -v coqc >/dev/null,coq,the proof assistant Coq)

firefox:
	$(call debian,command -v firefox-esr >/dev/null || command -v firefox >/dev/null,firefox-esr,the browser Firefox)

wrk:
	$(call debian,command -v wrk >/dev/null,wrk,the load generator wrk)

shells:
	$(call debian,command -v zsh >/dev/null && command -v fish >/dev/null,zsh fish,the shells zsh and fish)

tablebases:
	$(call debian,test -d /usr/share/gaviotatb,gaviotatb,Gaviota's chess tablebases)

format: $(DEV)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The tables of docs/speed.md, in half an hour. OPTIONS=--write puts them into the pages; OPTIONS=--hours adds those that
# take hours. BASE=COMMIT compares with that commit instead, in a few minutes.
ifdef BASE
OTHER := build/$(shell git rev-parse --short $(BASE))

benchmarks: $(DEV)
	test -d $(OTHER) || git worktree add --quiet --force --detach $(OTHER) $(BASE)
	$(MAKE) -C $(OTHER) VENV=.venv .venv/.dev-installed
	$(BIN)/python -m tests.benchmarks versions --other $(CURDIR)/$(OTHER)/.venv/bin/perfectplay $(OPTIONS)
else
benchmarks: $(DEV) wrk compilers coq browser
	$(BIN)/python -m tests.benchmarks $(OPTIONS)
endif

# The tables of docs/certificates.md, in a few minutes. OPTIONS=--write puts them into the page.
certify: $(DEV) compilers coq
	$(BIN)/python -m tests.benchmarks certificates proved-values strong-solutions $(OPTIONS)

clean:
	rm -rf $(VENV) build dist *.egg-info data/demo data/solved .mypy_cache .pytest_cache .ruff_cache

# Another version of Python gets a new environment. uv installs five times as fast as pip, which is the fallback.
$(MADE):
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || \
	  { echo "perfectplay needs Python 3.11 or later: make PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -m venv --clear --without-pip $(VENV)
	@command -v uv >/dev/null || $(PYTHON) -m pip --python $(BIN)/python install --quiet uv 2>/dev/null || true
	@touch $@

# $(call install,WHAT): install this checkout, and the packages that WHAT needs.
UV = $$(command -v uv || echo $(BIN)/uv)
define install
	@echo "Installing $(1) into $(VENV)"
	@$(UV) pip install --quiet --python $(BIN)/python --editable "$(1)" || { \
	  $(BIN)/python -m ensurepip >/dev/null && $(BIN)/python -m pip install --quiet --editable "$(1)"; }
endef

$(RUNTIME): $(MADE) pyproject.toml
	$(call install,.)
	@touch $@

$(FAST): $(MADE) pyproject.toml
	$(call install,.[fast])
	@touch $@ $(RUNTIME)

$(DEV): $(MADE) pyproject.toml
	$(call install,.[dev])
	@touch $@ $(FAST) $(RUNTIME)
