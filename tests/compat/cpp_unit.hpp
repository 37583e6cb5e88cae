// SPDX-License-Identifier: Apache-2.0
// cpp_unit.hpp - shared by the files of the program in cpp_units_main.cpp.
#pragma once
#include <nvtx3/nvtx3.hpp>

struct units {
    static constexpr char const *name{"units"};
};
struct nested {
    static constexpr char const *message{"nested"};
};

#define DECLARE_UNIT(unit)                                                             \
    nvtx3::event_attributes unit##_describe(nvtx3::message message);                   \
    nvtx3::unique_range_in<units> unit##_begin(nvtx3::event_attributes const &);       \
    void unit##_end(nvtx3::unique_range_in<units> &&range);                            \
    nvtx3::range_handle unit##_start(nvtx3::registered_string_in<units> name);         \
    void unit##_stop(nvtx3::range_handle range);                                       \
    void unit##_nest()

DECLARE_UNIT(one);
DECLARE_UNIT(two);
DECLARE_UNIT(three);
DECLARE_UNIT(four);
DECLARE_UNIT(library);
DECLARE_UNIT(other_library);
