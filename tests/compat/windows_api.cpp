// SPDX-License-Identifier: Apache-2.0
// windows_api.cpp - uses each part of nvtx3.hpp, for windows.sh.
#include <nvtx3/nvtx3.hpp>

struct library {
    static constexpr char const *name{"library"};
};
struct kept {
    static constexpr char const *message{"kept"};
};
struct pair {
    int a;
    double b;
};
// clang-format off
NVTX3_DEFINE_SCHEMA_GET(nvtx3::domain::global, pair, "pair",
    NVTX_PAYLOAD_ENTRIES((a, TYPE_INT), (b, TYPE_DOUBLE)))
// clang-format on

int main()
{
    NVTX3_FUNC_RANGE();
    NVTX3_FUNC_RANGE_IF_IN(library, true);
    pair const values{1, 2};
    nvtx3::mark("number", nvtx3::payload{1}, nvtx3::rgb{1, 2, 3});
    nvtx3::mark_in<library>(nvtx3::registered_string_in<library>::get<kept>(),
                            nvtx3::payload_data{values});
    nvtx3::scoped_range_in<library> wide{L"wide"};
    nvtx3::unique_range started{"started"};
    return 0;
}
