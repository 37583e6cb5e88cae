// SPDX-License-Identifier: Apache-2.0
// no_tool_loop.cpp - the loop of no_tool.c in C++: functions with ranges in a domain.
#include <nvtx3/nvtx3.hpp>

struct bench {
    static constexpr char const *name{"bench"};
};

extern "C" void LOOP(std::size_t n);

static inline void step()
{
    NVTX3_FUNC_RANGE_IN(bench);
}

void LOOP(std::size_t n)
{
    for (std::size_t i = 0; i < n; i += 4) {
        step();
        step();
        step();
        step();
    }
}
