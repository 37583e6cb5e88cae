// SPDX-License-Identifier: Apache-2.0
// cpp_units_main.cpp - passes objects from each unit to every other one: 36 pairs, each
// with two ranges that one begins and the other ends, with attributes of a third.
#include "cpp_unit.hpp"

struct unit {
    nvtx3::event_attributes (*describe)(nvtx3::message);
    nvtx3::unique_range_in<units> (*begin)(nvtx3::event_attributes const &);
    void (*end)(nvtx3::unique_range_in<units> &&);
    nvtx3::range_handle (*start)(nvtx3::registered_string_in<units>);
    void (*stop)(nvtx3::range_handle);
    void (*nest)();
};

#define UNIT(name)                                                                     \
    {                                                                                  \
        name##_describe, name##_begin, name##_end, name##_start, name##_stop,          \
            name##_nest                                                                \
    }
static unit const all[] = {UNIT(one),  UNIT(two),     UNIT(three),
                           UNIT(four), UNIT(library), UNIT(other_library)};

int main()
{
    nvtx3::registered_string_in<units> const name{"handle"};
    unit const *describing = all;

    for (unit const &first : all) {
        for (unit const &second : all) {
            nvtx3::event_attributes const attributes{describing->describe("unique")};
            nvtx3::unique_range_in<units> range{first.begin(attributes)};
            nvtx3::range_handle const handle{first.start(name)};

            second.nest();
            second.end(std::move(range));
            second.stop(handle);
            describing = &second;
        }
    }
    return 0;
}
