// SPDX-License-Identifier: Apache-2.0
// cpp_misuse.cpp - must not compile, whichever case -DCASE=n selects; the compiler's
// first error must contain the text after "says:".
#include <nvtx3/nvtx3.hpp>

struct nameless {
};
struct numbered {
    static constexpr int name{1};
};
struct stringy {
    static std::string const name;
};
struct unidentified {
    static constexpr char const *name{"category"};
};
struct identified_by_int {
    static constexpr char const *name{"category"};
    static constexpr int id{1};
};
struct schemaless {
    int64_t bytes;
};
struct described {
    int64_t bytes;
};
NVTX3_DEFINE_SCHEMA_GET(nvtx3::domain::global, described, "described",
                        NVTX_PAYLOAD_ENTRIES((bytes, TYPE_INT64, "bytes")))
struct nameless_category {
    static constexpr uint32_t id{1};
};

void misuse();
void misuse()
{
#if CASE == 1 // says: NVTX domain needs a static constexpr member 'name'
    nvtx3::scoped_range_in<nameless> range{"x"};
#elif CASE == 2 // says: NVTX domain needs a static constexpr member 'name'
    nvtx3::mark_in<numbered>("x");
#elif CASE == 3 // says: NVTX domain needs a static constexpr member 'name'
    static_cast<void>(nvtx3::domain::get<stringy>());
#elif CASE == 4 // says: NVTX category needs a static constexpr member 'id'
    nvtx3::mark(nvtx3::named_category::get<unidentified>());
#elif CASE == 5 // says: NVTX category needs a static constexpr member 'id'
    nvtx3::mark(nvtx3::named_category::get<identified_by_int>());
#elif CASE == 6 // says: NVTX category needs a static constexpr member 'name'
    nvtx3::mark(nvtx3::named_category::get<nameless_category>());
#elif CASE ==                                                                          \
    7 // says: NVTX registered string needs a static constexpr member 'message'
    nvtx3::mark(nvtx3::registered_string::get<nameless>());
#elif CASE == 8  // says: deleted
    nvtx3::message const dangles{std::string{"temporary"}};
#elif CASE == 9  // says: deleted
    nvtx3::event_attributes const dangles{std::string{"temporary"}};
#elif CASE == 10 // says: deleted
    static_cast<void>(new nvtx3::scoped_range{"on heap"});
#elif CASE == 11 // says: deleted
    nvtx3::scoped_range const a{"a"};
    nvtx3::scoped_range const b{std::move(a)};
#elif CASE == 12 // says: event_attributes
    nvtx3::mark("x", 12);
#elif CASE == 13 // says: deleted
    nvtx3::unique_range const a{"a"};
    nvtx3::unique_range b{};
    b = a;
#elif CASE == 14 // says: NVTX payload needs a schema
    schemaless s{1};
    nvtx3::mark("x", nvtx3::payload_data{s});
#elif CASE == 15 // says: must not be a temporary
    nvtx3::mark("x", nvtx3::payload_data{described{5}});
#elif CASE == 16 // says: NVTX payload needs a schema
    nvtx3::counter<schemaless> c{"x"};
#elif CASE == 17 // says: limits of an NVTX counter are int64_t, uint64_t or double
    nvtx3::counter_semantic{}.limits(0, 100);
#elif CASE == 18 // says: deleted
    nvtx3::counter_semantic{}.unit(std::string{"bytes"});
#endif
}
