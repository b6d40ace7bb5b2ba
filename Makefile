# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Short names for common tasks. CMake and its presets do the work (docs/developing.md).

JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
SOAK_PROGRAMS ?= 1000000
SOAK_SEED ?= 1
SOAK_LOWERINGS ?= 20000
SOAK_GATHERS ?= 120000
CONFIGURE = cmake -Wno-dev --preset
BUILD = cmake --build

.PHONY: help setup build demo test test-peers wheel package fuzz soak bench lint format clean

help:
	@echo 'make demo        build (6 minutes on two cores), and show the indexing maps of two programs'
	@echo 'make build       build the commands, in build/bin'
	@echo 'make test        run all tests, optimized and again under sanitizers'
	@echo 'make test-peers  run all tests, none skipped, then the comparisons with JAX, XLA and numpy'
	@echo 'make wheel       build the Python package, dist/mercator-*.whl, and test it'
	@echo 'make package     build a Debian package, dist/mercator_*.deb, with the commands, man pages and the C interface'
	@echo 'make fuzz        run each fuzzer for FUZZ_SECONDS=$(FUZZ_SECONDS)'
	@echo 'make soak        check the maps of SOAK_PROGRAMS=$(SOAK_PROGRAMS) random programs against the oracle,'
	@echo '                 and the meaning of SOAK_LOWERINGS=$(SOAK_LOWERINGS) of them after lowering, and as machine code;'
	@echo '                 SOAK_GATHERS=$(SOAK_GATHERS) random gathers in the operators of GE, as many scatters, and fewer sorts'
	@echo 'make bench       measure the tables of benchmarks/README.md'
	@echo 'make lint        check the format, clang-tidy, layers, licenses (CHANGED=1: only changed files)'
	@echo 'make format      run clang-format in place'
	@echo 'make clean       remove the build folders'

setup:
	@scripts/setup

build: setup
	@$(CONFIGURE) release -DMERCATOR_TESTS=OFF >/dev/null
	$(BUILD) build -j$(JOBS)

# Without mercator-opt, which needs no one to see maps.
demo: setup
	@$(CONFIGURE) release -DMERCATOR_TESTS=OFF >/dev/null
	$(BUILD) build -j$(JOBS) --target mercator
	@scripts/demo

# A fixed seed for the fuzzers, so that one commit has one verdict. `make fuzz`
# draws a new seed each time.
test: setup
	@scripts/setup chromium openmpi-bin libopenmpi-dev
	@$(CONFIGURE) release -DMERCATOR_TESTS=ON >/dev/null
	$(BUILD) build -j$(JOBS)
	@$(CONFIGURE) asan >/dev/null
	$(BUILD) build-asan -j$(JOBS)
	@scripts/test $(if $(filter true,$(CI)),--fuzz=build-asan:15 --fuzz-seed=1) build build-asan

test-peers: setup
	@scripts/setup chromium openmpi-bin libopenmpi-dev
	@$(CONFIGURE) release -DMERCATOR_TESTS=ON >/dev/null
	$(BUILD) build -j$(JOBS)
	@scripts/test --no-skips --peers build

# The wheel has LLVM in it, and no assertions: a build of its own.
wheel: setup
	@$(CONFIGURE) wheel >/dev/null
	$(BUILD) build-wheel -j$(JOBS) --target mercator_shared
	@scripts/wheel build-wheel dist
	@python3 tests/python/wheel_test.py build-wheel dist/mercator-*.whl

# The package needs no LLVM, as the wheel.
package: setup
	@$(CONFIGURE) wheel >/dev/null
	$(BUILD) build-wheel -j$(JOBS)
	cd build-wheel && cpack --config CPackConfig.cmake
	@rm -rf dist/_CPack_Packages

fuzz: setup
	@$(CONFIGURE) asan >/dev/null
	$(BUILD) build-asan -j$(JOBS)
	@scripts/test --fuzz=build-asan:$(FUZZ_SECONDS)

soak: setup
	@scripts/setup chromium openmpi-bin libopenmpi-dev
	@$(CONFIGURE) release -DMERCATOR_TESTS=ON >/dev/null
	$(BUILD) build -j$(JOBS) --target mercator explorer-points provenance-soak lowering-soak lowering-random-tests formation-tests ascend-tests spmd-tests
	build/bin/lowering-soak $(SOAK_LOWERINGS) $(SOAK_SEED)
	MERCATOR_TRAINING_STEPS=5000 MERCATOR_GRAPHS=$(SOAK_LOWERINGS) MERCATOR_SCHEDULES=5000 MERCATOR_SCHEDULES_MODES=all MERCATOR_GROUPS=20000 MERCATOR_SEED=$(SOAK_SEED) build/bin/formation-tests
	MERCATOR_LOWERING_PROGRAMS=$(SOAK_LOWERINGS) MERCATOR_SEED=$(SOAK_SEED) build/bin/lowering-random-tests --gtest_filter='*MachineCode*'
	python3 tests/e2e/sanitize.py build/bin/mercator --jobs=$(JOBS) --first=$(SOAK_SEED)
	python3 tests/explorer/page_test.py --large build
	MERCATOR_SOAK=$(SOAK_GATHERS) MERCATOR_SEED=$(SOAK_SEED) build/bin/ascend-tests
	build/bin/provenance-soak $(SOAK_PROGRAMS) $(SOAK_SEED)
	MERCATOR_SHARDED=20000 MERCATOR_SEED=$(SOAK_SEED) build/bin/spmd-tests --gtest_filter='RandomSharded.*'
	MERCATOR_SHARDED=300 MERCATOR_MPI=$(CURDIR)/build/bin/mercator MERCATOR_SEED=$(SOAK_SEED) build/bin/spmd-tests --gtest_filter='RandomSharded.*'
	python3 tests/mpi/collectives.py --programs 300 --again 2 --ranks 2,3,4,5,6,8 --seed $(SOAK_SEED) --mercator build/bin/mercator

bench: setup
	@$(CONFIGURE) bench >/dev/null
	$(BUILD) build-bench -j$(JOBS)
	benchmarks/run build-bench

lint: setup
	@scripts/setup node-typescript
	@$(CONFIGURE) release -DMERCATOR_TESTS=ON >/dev/null
	$(BUILD) build -j$(JOBS) --target generated-headers
	@scripts/lint $(if $(CHANGED),--changed)

format: setup
	@git ls-files -co --exclude-standard '*.h' '*.cpp' | xargs clang-format-22 -i

clean:
	rm -rf build build-asan build-bench build-dev build-wheel dist
