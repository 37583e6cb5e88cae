// SPDX-License-Identifier: Apache-2.0
// cpp_unit.cpp - one of several files of a program that each include nvtx3.hpp, ours or
// NVIDIA's, and pass its objects to each other. -DUNIT=name names its functions.
#include "cpp_unit.hpp"

#define UNIT_L2(unit, name) unit##_##name
#define UNIT_L1(unit, name) UNIT_L2(unit, name)
#define FUNCTION(name) UNIT_L1(UNIT, name)

nvtx3::event_attributes FUNCTION(describe)(nvtx3::message message)
{
    return nvtx3::event_attributes{message, nvtx3::rgb{1, 2, 3}, nvtx3::payload{4}};
}

nvtx3::unique_range_in<units> FUNCTION(begin)(nvtx3::event_attributes const &attributes)
{
    return nvtx3::unique_range_in<units>{attributes};
}

void FUNCTION(end)(nvtx3::unique_range_in<units> &&range)
{
    nvtx3::unique_range_in<units> const ends_here{std::move(range)};
}

nvtx3::range_handle FUNCTION(start)(nvtx3::registered_string_in<units> name)
{
    return nvtx3::start_range_in<units>(name,
                                        nvtx3::named_category_in<units>{5, "five"});
}

void FUNCTION(stop)(nvtx3::range_handle range)
{
    nvtx3::end_range_in<units>(range);
}

void FUNCTION(nest)()
{
    NVTX3_FUNC_RANGE_IN(units);
    nvtx3::mark_in<units>(nvtx3::registered_string_in<units>::get<nested>());
}
