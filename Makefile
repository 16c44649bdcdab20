# SPDX-License-Identifier: Apache-2.0
# The daily vocabulary. Everything else is cmake --preset; see CMakePresets.json.

JOBS ?= $(shell nproc)

.PHONY: help demo test bench wheel lint format

help:
	@echo "make demo     build Lathe, run a program, write a picture to demo-out/"
	@echo "make test     build with g++ and run all tests"
	@echo "make bench    build optimised, measure against limits and peers (BENCH=\"--quick --only hdiff\"; --stencils: GTScript)"
	@echo "make wheel    the Python package as a wheel in dist/ (pip install . builds and installs it)"
	@echo "make lint     formatting, layers, licences, file sizes"
	@echo "make format   format every C++ file"

demo:
	@tools/install_packages build
	@tools/build dev $(JOBS)
	@tools/demo

test:
	@tools/install_packages build
	@tools/build dev $(JOBS)
	@ctest --preset dev -j $(JOBS)

bench:
	@tools/install_packages build
	@tools/build release $(JOBS) lathe road_bench stencil_bench
	@tools/bench $(BENCH)

wheel:
	@tools/install_packages build
	@$$(tools/python_env) -m pip wheel --quiet --no-deps --wheel-dir dist .
	@ls dist/*.whl

lint:
	@tools/install_packages lint
	@tools/lint

format:
	@tools/install_packages lint
	@git ls-files -co --exclude-standard '*.cpp' '*.h' | xargs -r clang-format -i
