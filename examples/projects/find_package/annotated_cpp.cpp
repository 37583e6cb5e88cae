// SPDX-License-Identifier: Apache-2.0
// annotated_cpp.cpp - sums up ten numbers in a range, in C++.
#include <nvtx3/nvtx3.hpp>

#include <cstdio>

int main()
{
    long sum = 0;
    {
        nvtx3::scoped_range const range{"sum", nvtx3::rgb{255, 128, 0}};

        for (int i = 1; i <= 10; i++)
            sum += i;
    }
    std::printf("%ld\n", sum);
    return 0;
}
