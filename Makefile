# The front door to CMake and ctest.
all:
	cmake -S . -B build >/dev/null
	cmake --build build -j2
test: all
	ctest --test-dir build --output-on-failure
.PHONY: all test
