# Steelyard's commands. Set-up is part of each and costs nothing the second time; `make help` lists them.

VENV := .venv
BIN := $(VENV)/bin
# The build backend calls maturin by name.
export PATH := $(CURDIR)/$(BIN):$(PATH)
DONE := $(VENV)/done

PYTEST_WORKERS ?= 2
# Steps that need nothing of each other, two at a time; what each prints stays together.
SIDE_BY_SIDE = $(MAKE) --no-print-directory --jobs=2 --output-sync=target
SOAK_INSTRUCTIONS ?= 10000000
# Damaged input: seconds for the emulator, examples for each parser.
FUZZ_SECONDS ?= 300
FUZZ_EXAMPLES ?= 1000

RUST_SOURCES := Cargo.toml $(wildcard Cargo.lock) $(wildcard crates/*/Cargo.toml) $(wildcard crates/*/build.rs) \
	$(shell find crates -path '*/src/*' -type f 2>/dev/null)
# The core.h of firmware/*/support are for the assembler.
C_SOURCES = $(shell find primitives modes firmware docs/examples differential tests/constant_time -name "*.[ch]" ! -name core.h)

EXPLORER_SOURCES := $(wildcard explorer/*.json explorer/*.ts) $(shell find explorer/src -type f)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup bench test lint lint-python lint-rust lint-c lint-explorer test-rust test-explorer docs soak benchmark clean

help: ## list the commands
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

setup: $(DONE)/native $(DONE)/explorer $(DONE)/compilers ## the virtual environment, the native build and the compilers

bench: setup ## measure the default set of bench.toml, print the table, write report.html
	@$(BIN)/steelyard measure --bench
	@$(BIN)/steelyard report --output report.html

test: ## lint and every test
	@$(SIDE_BY_SIDE) setup $(DONE)/docs-packages lint-python lint-c test-explorer test-rust
	$(BIN)/python -m pytest -n $(PYTEST_WORKERS)

lint: ## style and types of Python, Rust, C and TypeScript
	@$(SIDE_BY_SIDE) lint-python lint-rust lint-c lint-explorer

lint-python: $(DONE)/native
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest steelyard._native --concise \
		--mypy-config-file pyproject.toml --allowlist tools/stubtest-allowlist.txt

lint-rust: $(DONE)/test-packages
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --profile quick --quiet -- -D warnings

lint-c: $(DONE)/test-packages
	@if command -v clang-format >/dev/null; then clang-format --dry-run -Werror $(C_SOURCES); \
		else echo "clang-format is missing: the layout of the C sources is not checked"; fi

lint-explorer: $(DONE)/explorer
	@$(BIN)/python build_backend/explorer_build.py lint

test-explorer: lint-explorer
	@$(BIN)/python build_backend/explorer_build.py test

# Cargo's tests of documentation ask for a job server that make gives to other makes only.
test-rust: lint-rust
	@env -u MAKEFLAGS cargo test --workspace --profile quick --quiet

docs: setup $(DONE)/docs-packages ## write the generated parts of the documentation from the kept records; build the site, build/site/index.html
	$(BIN)/python -m docs.generate
	$(BIN)/python docs/targets/render.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

soak: setup $(DONE)/test-packages ## the rest of every sweep; the emulator beside independent simulators over long random streams, with every compiled variant; the translator of RISC-V; damaged input for every parser; with IBEX=DIR, a checkout of lowRISC/ibex, and OPENMSP430=DIR, of olgirard/openmsp430, beside their RTL
	$(BIN)/python -m pytest -n $(PYTEST_WORKERS) -m soak
	differential/simulators/build.sh
	$(if $(IBEX)$(OPENMSP430),tools/setup.sh rtl)
	cargo run --release --quiet --package differential -- soak --instructions $(SOAK_INSTRUCTIONS) $(if $(IBEX),--source "ibex=$(IBEX)") $(if $(OPENMSP430),--source "openmsp430=$(OPENMSP430)")
	cargo clippy --package steelyard-emu --features translate --all-targets --profile quick --quiet -- -D warnings
	env -u MAKEFLAGS cargo test --package steelyard-emu --features translate --profile quick --quiet
	STEELYARD_FUZZ_SECONDS=$(FUZZ_SECONDS) cargo test --release --quiet -p differential --test hostile -- --nocapture
	STEELYARD_FUZZ_EXAMPLES=$(FUZZ_EXAMPLES) $(BIN)/python -m pytest tests/hostile
	$(BIN)/python differential/jobs.py build/images
	cargo run --release --quiet --package differential -- images build/images/jobs.json
	$(if $(IBEX)$(OPENMSP430),$(BIN)/python differential/jobs.py build/rtl $(if $(IBEX),ibex-small ibex-maxperf) $(if $(OPENMSP430),openmsp430))
	$(if $(IBEX)$(OPENMSP430),cargo run --release --quiet --package differential -- images build/rtl/jobs.json || [ $$? = 3 ])

benchmark: setup $(DONE)/test-packages ## the speed of the emulator beside independent simulators, and of the report's page; runs of 1,000 to 50,000 cells, and a store of a million records
	differential/simulators/build.sh
	$(BIN)/python differential/jobs.py build/speed --speed
	cargo run --release --quiet --package differential -- speed build/speed/jobs.json
	$(BIN)/steelyard measure --bench >/dev/null
	$(BIN)/python -m tools.page_speed
	$(BIN)/python -m tools.scale

clean: ## remove what the commands made in this folder
	rm -rf $(VENV) target report.html explorer/dist explorer/node_modules

$(DONE)/python:
	@tools/setup.sh check
	@tools/setup.sh python $(VENV)
	@mkdir -p $(DONE) && touch $@

$(DONE)/packages: requirements.txt $(DONE)/python
	@echo "Installing the Python packages of requirements.txt"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.txt
	@touch $@

# After the build: both install packages into the virtual environment, which takes one at a time.
$(DONE)/docs-packages: docs/requirements.txt $(DONE)/native
	@echo "Installing the Python packages of docs/requirements.txt"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement docs/requirements.txt
	@touch $@

$(DONE)/native: $(RUST_SOURCES) pyproject.toml build_backend/steelyard_build.py $(DONE)/packages
	@echo "Building the emulator"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	@touch $@

$(DONE)/explorer: $(EXPLORER_SOURCES) build_backend/explorer_build.py tools/setup.sh $(DONE)/packages
	@tools/setup.sh node $(BIN)/python
	@echo "Building the page of the report"
	@$(BIN)/python build_backend/explorer_build.py build
	@touch $@

$(DONE)/compilers: tools/setup.sh $(DONE)/python
	@tools/setup.sh compilers
	@touch $@

# After the compilers: both may install packages of the distribution, which takes one at a time.
$(DONE)/test-packages: tools/setup.sh $(DONE)/compilers
	@tools/setup.sh test-packages
	@touch $@
