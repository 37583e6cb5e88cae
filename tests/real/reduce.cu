// SPDX-License-Identifier: Apache-2.0
// reduce.cu - CUB annotates its algorithms, also where there is no GPU to run them.
#include <cub/device/device_reduce.cuh>

int main()
{
    std::size_t n_bytes = 1024;
    int *none = nullptr;

    cub::DeviceReduce::Sum(&n_bytes, n_bytes, none, none, 100);
    return 0;
}
