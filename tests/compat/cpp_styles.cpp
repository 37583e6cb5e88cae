// SPDX-License-Identifier: Apache-2.0
// cpp_styles.cpp - NVTX as libraries use it: four idioms common in C++ code for GPUs,
// in one file, as in a program that includes their headers.

// ---- A header-only library, which defines no macros for its users
// --------------------

#define NVTX_AS_SYSTEM_HEADER
#define NVTX3_CPP_REQUIRE_EXPLICIT_VERSION
#include <nvtx3/nvtx3.hpp>
#undef NVTX3_CPP_REQUIRE_EXPLICIT_VERSION
#undef NVTX_AS_SYSTEM_HEADER

#if !defined(NVTX3_CPP_DEFINITIONS_V1_0) || !defined(NVTX3_V1_FUNC_RANGE)
#error "the explicit version is not there"
#endif
#if !defined(LENT_BEFORE) &&                                                           \
    (defined(NVTX3_FUNC_RANGE) || defined(NVTX3_CPP_INLINED_VERSION_MAJOR))
#error "names without version are there before anybody asked for them"
#endif

#include <new>

namespace algorithms
{

struct domain {
    static constexpr char const *name{"algorithms"};
};
using range = ::nvtx3::v1::scoped_range_in<domain>;

// A range that begins inside a condition and ends with the function: the object is
// constructed in storage of the whole function.
struct optional_range {
    bool is_open{false};
    alignas(range) unsigned char storage[sizeof(range)];

    void open(::nvtx3::v1::event_attributes const &attributes)
    {
        ::new (static_cast<void *>(storage)) range(attributes);
        is_open = true;
    }
    ~optional_range()
    {
        if (is_open)
            reinterpret_cast<range *>(storage)->~range();
    }
};

#define ALGORITHMS_RANGE_IF(condition, name)                                           \
    ::algorithms::optional_range algorithms_range;                                     \
    static ::nvtx3::v1::registered_string_in<::algorithms::domain> const               \
        algorithms_name{name};                                                         \
    static ::nvtx3::v1::event_attributes const algorithms_attributes{algorithms_name}; \
    if (condition)                                                                     \
    algorithms_range.open(algorithms_attributes)

template <typename T> T sum(T const *first, T const *last, bool is_nested = false)
{
    ALGORITHMS_RANGE_IF(!is_nested, "algorithms::sum");
    ::nvtx3::v1::detail::optional_scoped_range_in<domain> detailed;
    T total{};

    if (last - first > 2)
        detailed.begin(::nvtx3::v1::event_attributes{"many"});
    for (; first != last; ++first)
        total += *first;
    return total;
}

} // namespace algorithms

// ---- A memory manager: a macro of its own, and ranges by an alias
// ---------------------

#include <nvtx3/nvtx3.hpp>

namespace memory
{

struct memory_domain {
    static constexpr char const *name{"memory"};
};
using scoped_range = ::nvtx3::scoped_range_in<memory_domain>;
#define MEMORY_FUNC_RANGE() NVTX3_FUNC_RANGE_IN(memory::memory_domain)

class resource
{
  public:
    virtual ~resource() { MEMORY_FUNC_RANGE(); }
    int allocate(int n_bytes) { return do_allocate(n_bytes); }

  private:
    virtual int do_allocate(int n_bytes)
    {
        MEMORY_FUNC_RANGE();
        scoped_range const range{"upstream", nvtx3::payload{n_bytes}};
        return n_bytes;
    }
};

} // namespace memory

// ---- Data frames: function ranges in every public function, and named by type
// ---------

namespace frames
{

struct domain {
    static constexpr char const *name{"frames"};
};
struct read_category {
    static constexpr char const *name{"read"};
    static constexpr uint32_t id{7};
};
template <typename Message> struct named_range : nvtx3::event_attributes {
    template <typename... Args>
    explicit named_range(Args const &...args)
        : nvtx3::event_attributes{
              nvtx3::registered_string_in<domain>::get<Message>(),
              nvtx3::named_category_in<domain>::get<read_category>(), args...}
    {
    }
};
struct decompress_message {
    static constexpr char const *message{"decompress"};
};
#define FRAMES_FUNC_RANGE() NVTX3_FUNC_RANGE_IN(frames::domain)

std::size_t read(std::string const &path)
{
    FRAMES_FUNC_RANGE();
    nvtx3::scoped_range_in<domain> const range{path, nvtx3::rgb{127, 255, 0}};
    nvtx3::mark_in<domain>(
        named_range<decompress_message>{nvtx3::payload{path.size()}});
    return path.size();
}

} // namespace frames

// ---- Vector search: formatted names, over the C functions
// ------------------------------

#include <cstdio>
#include <vector>

namespace vectors
{

struct domain {
    static constexpr char const *name{"vectors"};
};

template <typename Domain> nvtxDomainHandle_t handle_of()
{
    static nvtxDomainHandle_t const handle = nvtxDomainCreateA(Domain::name);
    return handle;
}

template <typename Domain = domain> class range
{
  public:
    template <typename... Args> explicit range(char const *format, Args... args)
    {
        std::vector<char> text(
            static_cast<std::size_t>(std::snprintf(nullptr, 0, format, args...)) + 1);
        std::snprintf(text.data(), text.size(), format, args...);
        nvtxEventAttributes_t attributes = {};
        attributes.version = NVTX_VERSION;
        attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
        attributes.colorType = NVTX_COLOR_ARGB;
        attributes.color = 0xff123456;
        attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
        attributes.message.ascii = text.data();
        nvtxDomainRangePushEx(handle_of<Domain>(), &attributes);
    }
    range(range const &) = delete;
    range &operator=(range const &) = delete;
    ~range() { nvtxDomainRangePop(handle_of<Domain>()); }
};

int search(int n_queries, int k)
{
    range<> const whole{"search(%d, k=%d)", n_queries, k};
    range<memory::memory_domain> const part{"workspace(%d)", n_queries * k};
    nvtx3::unique_range_in<domain> batch{"batch"};
    return n_queries * k;
}

} // namespace vectors

int main()
{
    int const numbers[] = {1, 2, 3};

    std::printf("sum %d %d\n", algorithms::sum(numbers, numbers + 3),
                algorithms::sum(numbers, numbers + 2, true));
    std::printf("allocated %d\n", memory::resource{}.allocate(64));
    std::printf("read %zu\n", frames::read("file.parquet"));
    std::printf("found %d\n", vectors::search(10, 3));
    return 0;
}
