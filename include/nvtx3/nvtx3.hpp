/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvtx3.hpp - NVTX v3 for C++11 and later: ranges that close automatically, typed
 * payloads, counters.
 *
 *     struct my_library {
 *         static constexpr char const *name{"my library"};
 *     };
 *
 *     void load(std::vector<file> const &files)
 *     {
 *         NVTX3_FUNC_RANGE_IN(my_library); // "load", until the function returns
 *
 *         for (auto const &f : files) {
 *             nvtx3::scoped_range_in<my_library> range{f.name, nvtx3::payload{f.size}};
 *             ...
 *         } // f's range closes here
 *     }
 *
 * It is a layer over nvToolsExt.h, and its only state is what is created once and kept:
 * a domain's handle, a registered string. nvToolsExt.h describes what records calls,
 * and what happens without a tool.
 *
 * A name that ends in _in takes a domain D, a type with a static member `name`; the
 * same name without _in uses the default domain, domain::global.
 *
 * True of everything here unless its comment says otherwise:
 *   Ownership: text is copied by the tool within the call that hands it over. A
 *              `message` or `event_attributes` that is kept only points to its text.
 *   Threads:   any thread, any time. What is created at first use is created once.
 *   Errors:    nothing throws, allocates or reports anything.
 *   Since:     1.0; 1.2 for push_range, pop_range, schema, payload_data, scopes,
 *              semantics, clocks and counters
 *
 * Macros to define before the include:
 *   NVTX_DISABLE           everything compiles to nothing; the same in every file
 *   NVTX_AS_SYSTEM_HEADER  no compiler warnings from this file
 *   NVTX3_CPP_REQUIRE_EXPLICIT_VERSION
 *                          names live in nvtx3::v1 and macros begin with NVTX3_V1_; for
 *                          headers, whose users may want another version in nvtx3
 *   NVTX3_ALLOW_RVALUE_CONSTRUCTORS
 *                          payloads may refer to temporaries, which must live until
 *                          the event has been recorded
 *   NVTX3_STATIC_ASSERT(condition, text)
 *                          instead of static_assert, for tests of misuse
 */
#if defined(NVTX_AS_SYSTEM_HEADER) && defined(__clang__)
#pragma clang system_header
#elif defined(NVTX_AS_SYSTEM_HEADER) && defined(__GNUC__)
#pragma GCC system_header
#endif

/* ---- Version --------------------------------------------------------------------- */

/* This is version 1.2 of the C++ API. In a file, one major version can provide the
 * names of namespace nvtx3; these macros say which, in every copy of this header. */
#if !defined(NVTX3_CPP_REQUIRE_EXPLICIT_VERSION)
#if !defined(NVTX3_CPP_INLINED_VERSION_MAJOR)
#define NVTX3_CPP_INLINED_VERSION_MAJOR 1
#define NVTX3_CPP_INLINED_VERSION_MINOR 2
#define NVTX3_V1_IS_LENT_HERE
#elif NVTX3_CPP_INLINED_VERSION_MAJOR != 1
#error "namespace nvtx3 already has the names of another major version in this file: \
define NVTX3_CPP_REQUIRE_EXPLICIT_VERSION before one of the includes, and write nvtx3::v1."
#endif
#endif

/* The guard of every copy of this header: the first one included wins. */
#ifndef NVTX3_CPP_DEFINITIONS_V1_0
#define NVTX3_CPP_DEFINITIONS_V1_0

#include "nvToolsExt.h"

/* Older releases' C headers, which this one also supports, lack some of these. */
#if defined(__has_include)
#if __has_include("nvToolsExtSemanticsCorrelation.h")
#define NVTX3_HAS_EXTENSIONS
#include "nvToolsExtCounters.h"
#include "nvToolsExtPayload.h"
#include "nvToolsExtPayloadHelper.h"
#include "nvToolsExtSemanticsCorrelation.h"
#include "nvToolsExtSemanticsCounters.h"
#include "nvToolsExtSemanticsScope.h"
#include "nvToolsExtSemanticsTime.h"
#endif
#endif

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#if defined(NVTX3_V1_IS_LENT_HERE)
#define NVTX3_V1_BEGIN                                                                 \
    namespace nvtx3                                                                    \
    {                                                                                  \
    inline namespace v1                                                                \
    {
#else
#define NVTX3_V1_BEGIN                                                                 \
    namespace nvtx3                                                                    \
    {                                                                                  \
    namespace v1                                                                       \
    {
#endif
#define NVTX3_V1_END                                                                   \
    }                                                                                  \
    }

/* Functions that reach the linkage unit's client or what was created with it. A shared
 * library must not bind to the copies of another one, which may be built with
 * NVTX_DISABLE or be unloaded. Types stay visible: they may be members and parameters.
 * DLLs share nothing that is not exported. */
#if defined(_WIN32)
#define NVTX3_V1_LOCAL
#else
#define NVTX3_V1_LOCAL __attribute__((visibility("hidden")))
#endif
#define NVTX3_LOCAL NVTX3_V1_LOCAL

/* Functions that run once. */
#if defined(_MSC_VER)
#define NVTX3_COLD __declspec(noinline)
#else
#define NVTX3_COLD __attribute__((cold, noinline))
#endif

/* In Microsoft's compiler __cplusplus means C++98 without /Zc:__cplusplus. */
#if defined(_MSVC_LANG)
#define NVTX3_MSVC_LANGUAGE _MSVC_LANG
#else
#define NVTX3_MSVC_LANGUAGE 0
#endif

/* C++11 has no constant expression that sets a union's second member. */
#if __cplusplus >= 201402L || NVTX3_MSVC_LANGUAGE >= 201402L
#define NVTX3_CONSTEXPR14 constexpr
#else
#define NVTX3_CONSTEXPR14
#endif

#if __cplusplus >= 201703L || NVTX3_MSVC_LANGUAGE >= 201703L
#define NVTX3_NODISCARD [[nodiscard]]
#else
#define NVTX3_NODISCARD
#endif

#if !defined(NVTX3_STATIC_ASSERT)
#define NVTX3_STATIC_ASSERT(condition, text) static_assert(condition, text)
#define NVTX3_STATIC_ASSERT_IS_OURS
#endif

/* Each builds on those above it. */
#include "nvtxDetail/nvtx_cpp_names.hpp"
#if defined(NVTX3_HAS_EXTENSIONS)
#include "nvtxDetail/nvtx_cpp_payloads.hpp"
#endif
#include "nvtxDetail/nvtx_cpp_attributes.hpp"
#if defined(NVTX3_HAS_EXTENSIONS)
#include "nvtxDetail/nvtx_cpp_semantics.hpp"
/* Counters have scopes and semantics. */
#include "nvtxDetail/nvtx_cpp_counters.hpp"
#endif

NVTX3_V1_BEGIN

/* ---- Ranges that nest within their thread ---------------------------------------- */

/**
 * A range from here to the end of the scope: push and pop.
 *
 * Give the object a name: `scoped_range{"x"};` ends at once. It cannot be allocated,
 * copied or moved, and ends on the thread where it began.
 */
template <class D = domain::global> class scoped_range_in
{
  public:
    NVTX3_LOCAL explicit scoped_range_in(event_attributes const &attr) noexcept
    {
        nvtxDomainRangePushEx(domain::get<D>(), attr.get());
    }

    template <typename... Args>
    NVTX3_LOCAL explicit scoped_range_in(Args const &...args) noexcept
        : scoped_range_in{event_attributes{args...}}
    {
    }

    NVTX3_LOCAL scoped_range_in() noexcept : scoped_range_in{event_attributes{}} {}

    NVTX3_LOCAL ~scoped_range_in() noexcept { nvtxDomainRangePop(domain::get<D>()); }

    void *operator new(std::size_t) = delete;
    scoped_range_in(scoped_range_in const &) = delete;
    scoped_range_in(scoped_range_in &&) = delete;
    scoped_range_in &operator=(scoped_range_in const &) = delete;
    scoped_range_in &operator=(scoped_range_in &&) = delete;
};

using scoped_range = scoped_range_in<domain::global>;

/**
 * Opens a range that pop_range_in() of the same domain and thread closes.
 *
 * For ranges that begin and end in different scopes; otherwise prefer scoped_range_in,
 * which always ends. Returns the range's depth, counted from 0; negative if nothing
 * records it.
 */
template <typename D = domain::global>
NVTX3_LOCAL int push_range_in(event_attributes const &attr) noexcept
{
    return nvtxDomainRangePushEx(domain::get<D>(), attr.get());
}

template <typename D = domain::global, typename... Args>
NVTX3_LOCAL int push_range_in(Args const &...args) noexcept
{
    return push_range_in<D>(event_attributes{args...});
}

/** push_range_in() in the default domain. */
NVTX3_LOCAL inline int push_range(event_attributes const &attr) noexcept
{
    return push_range_in<domain::global>(attr);
}

template <typename... Args> NVTX3_LOCAL int push_range(Args const &...args) noexcept
{
    return push_range_in<domain::global>(event_attributes{args...});
}

/**
 * Closes the range that the last push_range_in() opened.
 *
 * Returns the range's depth; negative if there is none, or if nothing records it.
 */
template <typename D = domain::global> NVTX3_LOCAL int pop_range_in() noexcept
{
    return nvtxDomainRangePop(domain::get<D>());
}

/** pop_range_in() in the default domain. */
NVTX3_LOCAL inline int pop_range() noexcept
{
    return pop_range_in<domain::global>();
}

namespace detail
{

/* Whether T is narrow or wide text; used by programs' static assertions. */
template <typename T>
struct is_c_string
    : std::integral_constant<bool, std::is_convertible<T, char const *>::value ||
                                       std::is_convertible<T, wchar_t const *>::value> {
};

/* A scoped range that begins later or never. Libraries use it although it is in detail.
 */
template <typename D = domain::global> class optional_scoped_range_in
{
  public:
    optional_scoped_range_in() = default;

    /** Opens the range, unless it is open. */
    NVTX3_LOCAL void begin(event_attributes const &attr) noexcept
    {
        if (is_open_)
            return;
        nvtxDomainRangePushEx(domain::get<D>(), attr.get());
        is_open_ = true;
    }

    NVTX3_LOCAL ~optional_scoped_range_in() noexcept
    {
        if (is_open_)
            nvtxDomainRangePop(domain::get<D>());
    }

    void *operator new(std::size_t) = delete;
    optional_scoped_range_in(optional_scoped_range_in const &) = delete;
    optional_scoped_range_in(optional_scoped_range_in &&) = delete;
    optional_scoped_range_in &operator=(optional_scoped_range_in const &) = delete;
    optional_scoped_range_in &operator=(optional_scoped_range_in &&) = delete;

  private:
    bool is_open_{false};
};

} /* namespace detail */

/* ---- Ranges that end anywhere ---------------------------------------------------- */

/** A started range, for end_range(); false if there is none. */
struct range_handle {
    using value_type = nvtxRangeId_t;

    constexpr range_handle() noexcept : id_{0} {}

    constexpr range_handle(std::nullptr_t) noexcept : id_{0} {}

    constexpr explicit range_handle(value_type id) noexcept : id_{id} {}

    constexpr explicit operator bool() const noexcept { return id_ != 0; }

    constexpr value_type get_value() const noexcept { return id_; }

  private:
    value_type id_;
};

constexpr bool operator==(range_handle lhs, range_handle rhs) noexcept
{
    return lhs.get_value() == rhs.get_value();
}

constexpr bool operator!=(range_handle lhs, range_handle rhs) noexcept
{
    return !(lhs == rhs);
}

/**
 * Starts a range, which any thread may end, with end_range_in() of the same domain.
 *
 * Errors: the handle is false if nothing records the range; ending it is harmless.
 */
template <typename D = domain::global>
NVTX3_NODISCARD NVTX3_LOCAL range_handle
start_range_in(event_attributes const &attr) noexcept
{
    return range_handle{nvtxDomainRangeStartEx(domain::get<D>(), attr.get())};
}

template <typename D = domain::global, typename... Args>
NVTX3_NODISCARD NVTX3_LOCAL range_handle start_range_in(Args const &...args) noexcept
{
    return start_range_in<D>(event_attributes{args...});
}

/** start_range_in() in the default domain. */
NVTX3_NODISCARD NVTX3_LOCAL inline range_handle
start_range(event_attributes const &attr) noexcept
{
    return start_range_in<domain::global>(attr);
}

template <typename... Args>
NVTX3_NODISCARD NVTX3_LOCAL range_handle start_range(Args const &...args) noexcept
{
    return start_range_in<domain::global>(event_attributes{args...});
}

/** Ends a range that start_range_in() of the same domain started. */
template <typename D = domain::global>
NVTX3_LOCAL void end_range_in(range_handle r) noexcept
{
    nvtxDomainRangeEnd(domain::get<D>(), r.get_value());
}

/** end_range_in() in the default domain. */
NVTX3_LOCAL inline void end_range(range_handle r) noexcept
{
    end_range_in<domain::global>(r);
}

/**
 * A range that lasts as long as its owner; it can be moved, to any thread.
 *
 * Assigning to it ends its previous range. For a range that nests within its thread,
 * scoped_range_in is cheaper.
 */
template <typename D = domain::global> class unique_range_in
{
  public:
    NVTX3_LOCAL explicit unique_range_in(event_attributes const &attr) noexcept
        : handle_{start_range_in<D>(attr)}
    {
    }

    template <typename... Args>
    NVTX3_LOCAL explicit unique_range_in(Args const &...args) noexcept
        : unique_range_in{event_attributes{args...}}
    {
    }

    NVTX3_LOCAL unique_range_in() noexcept : unique_range_in{event_attributes{}} {}

    NVTX3_LOCAL ~unique_range_in() noexcept
    {
        if (handle_)
            end_range_in<D>(handle_);
    }

    unique_range_in(unique_range_in &&other) noexcept : handle_{other.handle_}
    {
        other.handle_ = nullptr;
    }

    NVTX3_LOCAL unique_range_in &operator=(unique_range_in &&other) noexcept
    {
        unique_range_in ended{std::move(other)};

        std::swap(handle_, ended.handle_);
        return *this;
    }

    unique_range_in(unique_range_in const &) = delete;
    unique_range_in &operator=(unique_range_in const &) = delete;

  private:
    range_handle handle_;
};

using unique_range = unique_range_in<domain::global>;

/* ---- Marks ----------------------------------------------------------------------- */

/** Marks this moment. */
template <typename D = domain::global>
NVTX3_LOCAL void mark_in(event_attributes const &attr) noexcept
{
    nvtxDomainMarkEx(domain::get<D>(), attr.get());
}

template <typename D = domain::global, typename... Args>
NVTX3_LOCAL void mark_in(Args const &...args) noexcept
{
    mark_in<D>(event_attributes{args...});
}

/** mark_in() in the default domain. */
NVTX3_LOCAL inline void mark(event_attributes const &attr) noexcept
{
    mark_in<domain::global>(attr);
}

template <typename... Args> NVTX3_LOCAL void mark(Args const &...args) noexcept
{
    mark_in<domain::global>(event_attributes{args...});
}

namespace detail
{

/* For NVTX3_V1_FUNC_RANGE_IN: placed away from the function, which calls it once. */
template <typename D>
NVTX3_LOCAL NVTX3_COLD event_attributes
attributes_of_function(char const *name) noexcept
{
    return event_attributes{registered_string_in<D>{name}};
}

} /* namespace detail */

NVTX3_V1_END

#undef NVTX3_V1_BEGIN
#undef NVTX3_V1_END
#undef NVTX3_LOCAL
#undef NVTX3_CREATES
#undef NVTX3_TEXT
#undef NVTX3_CONSTEXPR14
#undef NVTX3_NODISCARD
#undef NVTX3_COLD
#undef NVTX3_MSVC_LANGUAGE
#if defined(NVTX3_STATIC_ASSERT_IS_OURS)
#undef NVTX3_STATIC_ASSERT_IS_OURS
#undef NVTX3_STATIC_ASSERT
#endif

/* ---- A function as a range ------------------------------------------------------- */

/**
 * NVTX3_V1_FUNC_RANGE_IN(D): a range from here to the end of the function, with its
 * name, which is registered at the first call. ..._IF_IN(D, C) if C is true. The macros
 * without _IN use the default domain.
 */
#if defined(NVTX_DISABLE)
#define NVTX3_V1_FUNC_RANGE_IN(D) static_cast<void>(0)
#define NVTX3_V1_FUNC_RANGE_IF_IN(D, C) static_cast<void>(C)
#else
#define NVTX3_V1_FUNC_RANGE_IN(D)                                                      \
    NVTX3_V1_FUNC_ATTRIBUTES(D, NVTX3_V1_OF_LINE(nvtx3_func_attributes_));             \
    ::nvtx3::v1::scoped_range_in<D> const NVTX3_V1_OF_LINE(nvtx3_func_range_)          \
    {                                                                                  \
        NVTX3_V1_OF_LINE(nvtx3_func_attributes_)                                       \
    }
#define NVTX3_V1_FUNC_RANGE_IF_IN(D, C)                                                \
    ::nvtx3::v1::detail::optional_scoped_range_in<D> NVTX3_V1_OF_LINE(                 \
        nvtx3_func_range_if_);                                                         \
    if (C) {                                                                           \
        NVTX3_V1_FUNC_ATTRIBUTES(D, NVTX3_V1_OF_LINE(nvtx3_func_attributes_if_));      \
        NVTX3_V1_OF_LINE(nvtx3_func_range_if_)                                         \
            .begin(NVTX3_V1_OF_LINE(nvtx3_func_attributes_if_));                       \
    }                                                                                  \
    static_cast<void>(0)
#endif
#define NVTX3_V1_FUNC_RANGE() NVTX3_V1_FUNC_RANGE_IN(::nvtx3::v1::domain::global)
#define NVTX3_V1_FUNC_RANGE_IF(C)                                                      \
    NVTX3_V1_FUNC_RANGE_IF_IN(::nvtx3::v1::domain::global, C)

#define NVTX3_V1_FUNC_ATTRIBUTES(D, NAME)                                              \
    static ::nvtx3::v1::event_attributes const NAME                                    \
    {                                                                                  \
        ::nvtx3::v1::detail::attributes_of_function<D>(__func__)                       \
    }
/* Unique names, for a function in a function (a lambda) under -Wshadow. */
#define NVTX3_V1_OF_LINE(PREFIX) NVTX3_V1_OF_LINE_L1(PREFIX, __LINE__)
#define NVTX3_V1_OF_LINE_L1(PREFIX, LINE) NVTX3_V1_OF_LINE_L2(PREFIX, LINE)
#define NVTX3_V1_OF_LINE_L2(PREFIX, LINE) PREFIX##LINE

/* ---- Schemas --------------------------------------------------------------------- */

#if defined(NVTX3_HAS_EXTENSIONS)
#undef NVTX3_HAS_EXTENSIONS

/**
 * NVTX3_V1_DEFINE_SCHEMA_GET(dom, struct_id, schema_name, entries): describes the
 * members of a structure, so that its objects can be payloads and counters. Write it
 * outside of all namespaces, after the structure. The schema is registered in domain
 * `dom`; `entries` is NVTX_PAYLOAD_ENTRIES of nvToolsExtPayloadHelper.h.
 *
 * NVTX3_V1_SEMANTIC(semantics): the last field of an entry, the meaning of its values;
 * never freed.
 *
 *     (used, TYPE_INT64, "used", nullptr, 0, UNUSED,
 *         NVTX3_SEMANTIC(nvtx3::counter_semantic{}.unit("bytes")))
 */
#if defined(NVTX_DISABLE)
#define NVTX3_V1_DEFINE_SCHEMA_GET(dom, struct_id, schema_name, entries)               \
    template <>                                                                        \
    NVTX3_V1_LOCAL inline nvtx3::v1::schema const &                                    \
    nvtx3::v1::schema::get<struct_id>() noexcept                                       \
    {                                                                                  \
        static constexpr nvtx3::v1::schema none{0};                                    \
        return none;                                                                   \
    }
#define NVTX3_V1_SEMANTIC(...) static_cast<nvtxSemanticsHeader_t const *>(nullptr)
#else
#define NVTX3_V1_DEFINE_SCHEMA_GET(dom, struct_id, schema_name, entries)               \
    template <>                                                                        \
    NVTX3_V1_LOCAL inline nvtx3::v1::schema const &                                    \
    nvtx3::v1::schema::get<struct_id>() noexcept                                       \
    {                                                                                  \
        static_assert(nvtx3::v1::detail::is_structure<struct_id>::value,               \
                      "The structure of an NVTX payload must have standard layout "    \
                      "and be trivially copyable");                                    \
        using nvtx_struct = struct_id;                                                 \
        NVTX_DEFINE_SCHEMA_FOR_STRUCT(nvtx_struct, schema_name, static const, entries) \
        static nvtx3::v1::schema const registered{nvtxPayloadSchemaRegister(           \
            nvtx3::v1::domain::get<dom>(), &nvtx_structAttr)};                         \
        return registered;                                                             \
    }
#define NVTX3_V1_SEMANTIC(...)                                                         \
    ([]() -> nvtxSemanticsHeader_t const * {                                           \
        static auto const kept = (__VA_ARGS__);                                        \
        return kept.get();                                                             \
    }())
#endif
#endif

#endif /* NVTX3_CPP_DEFINITIONS_V1_0 */

/* ---- Names without version ------------------------------------------------------- */

/* The namespace is inline if it was first seen here; otherwise, after an include with
 * NVTX3_CPP_REQUIRE_EXPLICIT_VERSION, its names are imported here. */
#if defined(NVTX3_V1_IS_LENT_HERE)
#undef NVTX3_V1_IS_LENT_HERE
namespace nvtx3
{
using namespace v1;
}
#define NVTX3_FUNC_RANGE NVTX3_V1_FUNC_RANGE
#define NVTX3_FUNC_RANGE_IF NVTX3_V1_FUNC_RANGE_IF
#define NVTX3_FUNC_RANGE_IN NVTX3_V1_FUNC_RANGE_IN
#define NVTX3_FUNC_RANGE_IF_IN NVTX3_V1_FUNC_RANGE_IF_IN
#if defined(NVTX3_V1_DEFINE_SCHEMA_GET)
#define NVTX3_DEFINE_SCHEMA_GET NVTX3_V1_DEFINE_SCHEMA_GET
#define NVTX3_SEMANTIC NVTX3_V1_SEMANTIC
#endif
#endif
