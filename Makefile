# The front door: CMake, ctest and the scripts in tools/ do the work.
#
#   make           builds into build/: bin/rangeline, lib/librangeline-collect.so, ...
#   make demo      records annotated programs and shows where their time went
#   make test      what CI runs; STEPS="gcc format" TESTS="cli_help" runs only these
#   make test-all  every test there is, an hour of them, with the same words
#   make test-load the gate's tests ten times (ROUNDS), beside programs that keep it busy
#   make header-drift  names what NVIDIA's newest headers have and ours lack
#   make fuzz      looks for bytes that harm a reader, for an hour (FUZZ_SECONDS)
#   make coverage  what the tests run of each folder, in half an hour
#   make soak      the flight recorder, read all the time for ten minutes
#   make docs      builds the documentation site into build/docs, in some 15 seconds
#   make bench     measures what an event costs, and fails beyond its budget
#   make install   into PREFIX (/usr/local), below DESTDIR if that is given
#   make format    lays out the sources as .clang-format says
#   make clean     removes build/
#
# CMAKE_ARGS="-DCMAKE_C_COMPILER=clang" is passed on. What a fresh Debian machine lacks
# is installed first, by tools/setup.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
MAKEFLAGS += --no-print-directory
export TESTS

# Tests and benchmarks take longer to build than everything else, so they are optional.
WITH_TESTS = OFF
bench soak: WITH_TESTS = ON
# With `make -j`, make itself limits the number of jobs.
ONE_JOBSERVER = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS))

all: setup-build
	@cmake -S . -B build -DRLN_TESTS=$(WITH_TESTS) $(CMAKE_ARGS) >build/configure.log
	@echo "building into build/"
	@+$(SHOW) cmake --build build $(ONE_JOBSERVER)
demo: SHOW = tools/show_progress build/build.log
demo: setup-demo all
	@tools/demo
test: setup-test
	@tools/check $(STEPS)
test-all: setup-test-all
	@tools/check --all $(STEPS)
test-load: setup-test
	@tools/check_under_load $(ROUNDS)
header-drift: setup-test
	@tools/fetch_nvtx_headers build/nvtx-headers newest
	@tools/compare_headers --drift build/nvtx-headers/newest
	@python3 tests/compat/cpp_interface.py clang++ c++17 \
	    build/nvtx-headers/newest/nvidia/*/include include || true
fuzz: export FUZZ_SECONDS ?= 3600
fuzz: setup-test-all
	@tools/check --all fuzz
soak: setup-test-all all
	NEWEST_SECONDS=600 tests/capture/newest.sh build
coverage: setup-test
	@tools/coverage
docs: setup-docs all
	@build/docs-venv/bin/python3 tools/build_docs
	@echo "build/docs/index.html"
bench: setup-test-all all
	bench/run
install: all
	cmake --install build --prefix $(abspath $(PREFIX))
format:
	git ls-files '*.[ch]' '*.[ch]pp' | xargs clang-format-14 -i
clean:
	rm -rf build
help:
	@sed -n 's/^# \{0,1\}//p;/^PREFIX/q' Makefile
setup-%:
	@tools/setup $*
.PHONY: all demo test test-all test-load fuzz soak header-drift coverage docs bench install format clean help
