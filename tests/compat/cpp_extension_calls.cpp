// SPDX-License-Identifier: Apache-2.0
// cpp_extension_calls.cpp - every call of what version 1.2 of the C++ API adds, in all
// its forms: structures as payloads, counters, scopes, semantics, clocks.
//
// C++11 and later, for copies of nvtx3.hpp from 1.2 on. The recorded trace must be the
// same whichever headers it was built with.
#include <nvtx3/nvtx3.hpp>

#include <array>
#include <cstdio>
#include <vector>

struct library {
    static constexpr char const *name{"library"};
};

struct request {
    int64_t bytes;
    double weight;
    char kind[8];
};

namespace machine
{
struct gpu {
    float load;
    int32_t watts;
};
} // namespace machine

NVTX3_DEFINE_SCHEMA_GET(
    library, request, "request",
    NVTX_PAYLOAD_ENTRIES((bytes, TYPE_INT64, "bytes", "that are sent", 0, UNUSED,
                          NVTX3_SEMANTIC(nvtx3::counter_semantic{}.unit("B").limits(
                              int64_t{0}, int64_t{1000}))),
                         (weight, TYPE_DOUBLE),
                         (kind, TYPE_CSTRING, "kind", nullptr, 8)))

NVTX3_DEFINE_SCHEMA_GET(library, machine::gpu, "gpu",
                        NVTX_PAYLOAD_ENTRIES((load, TYPE_FLOAT, "load"),
                                             (watts, TYPE_INT32, "watts")))

namespace
{

int64_t read_clock()
{
    return 5;
}

int64_t read_clock_of(void *data)
{
    return *static_cast<int64_t *>(data);
}

void ranges()
{
    std::printf("# ranges\n");
    std::printf("push %d\n", nvtx3::push_range("push", nvtx3::payload{1}));
    std::printf("push in %d\n", nvtx3::push_range_in<library>("push in"));
    std::printf("push attributes %d\n",
                nvtx3::push_range(nvtx3::event_attributes{"attributes"}));
    std::printf("pop %d\n", nvtx3::pop_range());
    std::printf("pop %d\n", nvtx3::pop_range());
    std::printf("pop %d\n", nvtx3::pop_range());
    std::printf("pop in %d\n", nvtx3::pop_range_in<library>());
}

void payloads()
{
    request r{5, 0.5, "post"};
    machine::gpu const g{0.25f, 300};
    nvtx3::payload_data const one{r};
    nvtx3::payload_data const of_const{g};
    std::vector<nvtx3::payload_data> several{one, of_const};
    std::array<nvtx3::payload_data, 2> const others{{of_const, one}};
    int64_t number = 7;
    nvtxPayloadData_t raw = {NVTX_PAYLOAD_ENTRY_TYPE_INT64, sizeof number, &number};
    nvtx3::payload_data const from_c{raw};
    nvtx3::schema const of_number{NVTX_PAYLOAD_ENTRY_TYPE_INT64};

    std::printf("# payloads\n");
    {
        nvtx3::scoped_range_in<library> range{"one", one, nvtx3::rgb{1, 2, 3}};
    }
    {
        nvtx3::scoped_range_in<library> range{"in place", nvtx3::payload_data{r}};
    }
    nvtx3::mark_in<library>(one);
    nvtx3::mark_in<library>("several", several);
    nvtx3::mark_in<library>(others, nvtx3::category{3});
    nvtx3::mark("from C", from_c);
    nvtx3::end_range_in<library>(nvtx3::start_range_in<library>("start", of_const));
    std::printf("%d %d\n", of_number.get_handle() == NVTX_PAYLOAD_ENTRY_TYPE_INT64,
                one.as_ull_value() == reinterpret_cast<uintptr_t>(&one));
}

nvtx3::scope scopes()
{
    nvtx3::scope_in<library> const rack{"rack[7]"};
    nvtx3::scope_in<library> const node{std::string{"node[1]"}, rack};
    nvtx3::scope_in<> const fixed{"fixed", nvtx3::scope::root(), 1u << 24};

    std::printf("# scopes\n");
    std::printf("%d\n", fixed.id() == static_cast<nvtx3::scope>(fixed).get());
    for (nvtx3::scope s :
         {nvtx3::scope::none(), nvtx3::scope::root(),
          nvtx3::scope::current_hw_machine(), nvtx3::scope::current_hw_socket(),
          nvtx3::scope::current_hw_cpu_physical(),
          nvtx3::scope::current_hw_cpu_logical(), nvtx3::scope::current_hw_innermost(),
          nvtx3::scope::current_hypervisor(), nvtx3::scope::current_vm(),
          nvtx3::scope::current_kernel(), nvtx3::scope::current_container(),
          nvtx3::scope::current_os(), nvtx3::scope::current_sw_process(),
          nvtx3::scope::current_sw_thread(), nvtx3::scope::current_sw_innermost()})
        std::printf("%d ", static_cast<int>(s.get()));
    std::printf("\n");
    return node;
}

uint64_t clocks()
{
    static int64_t ticks = 9;
    nvtxSyncPoint_t const points[] = {{1, 10}, {2, 20}};
    nvtx3::time_domain_in<library> plain{NVTX_TIMESTAMP_TYPE_CPU_TSC};
    nvtx3::time_domain_in<library> whole{
        NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC,
        nvtx3::scope::current_os(),
        NVTX_TIMER_FLAG_CLOCK_MONOTONIC,
        1000000000,
        NVTX_TIMER_START_SYSTEM_BOOT,
        1u << 24};

    std::printf("# clocks\n");
    std::printf("%d\n", nvtx3::timestamp() >= 0);
    plain.set_timer_source(NVTX_TIMER_SOURCE_SAFE_CALL_AFTER_PROCESS_TEARDOWN,
                           read_clock);
    whole.set_timer_source(NVTX_TIMER_SOURCE_UNSAFE_CALL_AFTER_PROCESS_TEARDOWN,
                           read_clock_of, &ticks);
    plain.sync_point(whole.id(), 1, 2);
    plain.sync_point_table(whole.id(), points, 2);
    plain.conversion_factor(whole.id(), 0.5, 3, 4);
    return plain.id();
}

template <typename T> void counter_of(char const *name, T value)
{
    nvtx3::counter<T> c{name};

    c.sample(value);
}

void counters(nvtx3::scope place, uint64_t clock)
{
    unsigned char const uuid[16] = {1, 2, 3};
    std::string const unit{"watts"};
    std::vector<int64_t> const times{10, 20, 30};
    std::vector<double> const values{0.5, 1.5, 2.5};
    std::array<machine::gpu, 2> const loads{{{0.5f, 1}, {1.5f, 2}}};
    nvtx3::counter_semantic full{
        nvtx3::time_semantic{nvtx3::scope_semantic{}.scope(place)}.time_domain(clock)};
    nvtx3::counter_semantic const chained{
        nvtx3::correlation_semantic{}.domain_uuid(uuid).display_name("job").role(0)};
    nvtx3::time_semantic const time = nvtx3::time_semantic{}.time_domain(clock);
    nvtx3::counter_semantic const borrowed{time.get()};

    std::printf("# counters\n");
    full.unit(unit).unit_scale(1, 1000).normalize().valuetype_delta();
    full.interpolation_linear().limits(0.0, 100.0);
    nvtx3::counter_in<double, library> c{"full", "with everything", place, full};
    nvtx3::counter_in<machine::gpu, library> group{std::string{"group"},
                                                   std::string{"of two"},
                                                   nvtx3::scope::current_hw_machine()};
    nvtx3::counter_in<int64_t, library> named{std::string{"named"}};
    nvtx3::counter_in<int64_t, library> placed{std::string{"placed"}, place};
    nvtx3::counter_in<int64_t, library> told{"told", "description", place};
    nvtx3::counter_in<uint64_t, library> over{std::string{"over"}, std::string{}, place,
                                              nvtx3::counter_semantic{}
                                                  .limit_max(uint64_t{7})
                                                  .valuetype_delta_since_start()
                                                  .interpolation_until_next()};
    nvtx3::counter_in<int64_t, library> under{"under", nullptr, place,
                                              nvtx3::counter_semantic{}
                                                  .limit_min(int64_t{-7})
                                                  .valuetype_absolute()
                                                  .interpolation_since_last()};
    nvtx3::counter_in<int64_t, library> related{"related", nullptr, place, chained};
    nvtx3::counter_in<int64_t, library> at{"borrowed", nullptr, place, borrowed};
    nvtx3::counter_in<int64_t, library> point{
        "point", nullptr, nvtx3::scope::none(),
        nvtx3::counter_semantic{}.interpolation_point()};

    c.sample(0.25);
    c.sample_no_value(nvtx3::no_value_reason::zero);
    c.sample_no_value(nvtx3::no_value_reason::unchanged);
    c.sample_no_value(nvtx3::no_value_reason::unavailable);
    c.submit_batch(values);
    c.submit_batch(values, times);
    c.submit_batch(values, times, NVTX_BATCH_FLAG_UNSORTED);
    c.submit_batch(values.data(), 2);
    c.submit_batch(values.data(), 2, times.data(), 2);
    group.sample({0.5f, 250});
    group.submit_batch(loads);
    for (auto *counter : {&named, &placed, &told, &under, &related, &at, &point})
        counter->sample(-1);
    over.sample(1);
    counter_of<int64_t>("int64", INT64_MIN);
    counter_of<uint64_t>("uint64", UINT64_MAX);
    counter_of<int32_t>("int32", -32);
    counter_of<uint32_t>("uint32", 32);
    counter_of<double>("double", 0.1);
    counter_of<float>("float", 0.5f);
}

} // namespace

int main()
{
    ranges();
    payloads();

    nvtx3::scope const place = scopes();
    counters(place, clocks());
    std::printf("# done\n");
    return 0;
}
