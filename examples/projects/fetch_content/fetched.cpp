// SPDX-License-Identifier: Apache-2.0
// fetched.cpp - records ranges of a library's functions, in its own domain.
#include <nvtx3/nvtx3.hpp>

#include <cstdio>

struct my_library {
    static constexpr char const *name{"my library"};
};

static int half(int number)
{
    NVTX3_FUNC_RANGE_IN(my_library);
    return number / 2;
}

int main()
{
    std::printf("%d\n", half(110));
    return 0;
}
