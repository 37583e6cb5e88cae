/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvtx_cpp_names.hpp - domains, categories and strings, which C++ code names once, by a
 * type, and which the tool then knows by a handle or a number. Included by nvtx3.hpp,
 * whose macros it uses.
 *
 *     get<T>() -> T::name or T::message -> created at the first call, kept for good
 *
 * Each executable or shared library creates its own, as each has its own client; tools
 * know domains by name and see one. A type without the member is a static_assert.
 */
#if !defined(NVTX3_V1_BEGIN)
#error "Include <nvtx3/nvtx3.hpp>, which includes this file."
#endif

NVTX3_V1_BEGIN

/* ---- Members of the caller's types ----------------------------------------------- */

namespace detail
{

/* Replaces a missing member, or one of the wrong type, so that a static_assert about it
 * is the only error. */
struct absent {
    constexpr operator char const *() const noexcept { return nullptr; }
    constexpr operator uint32_t() const noexcept { return 0; }
};

template <typename From, typename To>
using if_converts =
    typename std::enable_if<std::is_convertible<From, To>::value, To>::type;

/* With NVTX_DISABLE names are not read, and need not be constants to add nothing to the
 * program. */
#if defined(NVTX_DISABLE)
#define NVTX3_TEXT(member) (static_cast<void>(member), nullptr)
#else
#define NVTX3_TEXT(member) member
#endif

/* T::name and T::message, narrow or wide. Called with 0, which prefers the int
 * overload. */
template <typename T>
constexpr if_converts<decltype(T::name), char const *> name_of(int) noexcept
{
    return NVTX3_TEXT(T::name);
}
template <typename T>
constexpr if_converts<decltype(T::name), wchar_t const *> name_of(long) noexcept
{
    return NVTX3_TEXT(T::name);
}
template <typename T> constexpr absent name_of(...) noexcept
{
    return {};
}

template <typename T>
constexpr if_converts<decltype(T::message), char const *> message_of(int) noexcept
{
    return NVTX3_TEXT(T::message);
}
template <typename T>
constexpr if_converts<decltype(T::message), wchar_t const *> message_of(long) noexcept
{
    return NVTX3_TEXT(T::message);
}
template <typename T> constexpr absent message_of(...) noexcept
{
    return {};
}

/* T::id, which must be exactly a uint32_t: other integer types are often mistakes. */
template <typename T>
constexpr typename std::enable_if<
    std::is_same<typename std::decay<decltype(T::id)>::type, uint32_t>::value,
    uint32_t>::type
id_of(int) noexcept
{
    return T::id;
}
template <typename T> constexpr absent id_of(...) noexcept
{
    return {};
}

template <typename Member>
using is_there = std::integral_constant<bool, !std::is_same<Member, absent>::value>;

/* For constructors of objects with a tool's handle. With NVTX_DISABLE there is no
 * handle: they are constants then, and add nothing to the program. */
#if defined(NVTX_DISABLE)
#define NVTX3_CREATES constexpr
constexpr nvtxDomainHandle_t create_domain(void const *) noexcept
{
    return nullptr;
}
#else
#define NVTX3_CREATES NVTX3_LOCAL
NVTX3_LOCAL inline nvtxDomainHandle_t create_domain(char const *name) noexcept
{
    return nvtxDomainCreateA(name);
}
NVTX3_LOCAL inline nvtxDomainHandle_t create_domain(wchar_t const *name) noexcept
{
    return nvtxDomainCreateW(name);
}
#endif

} /* namespace detail */

/* ---- Domains --------------------------------------------------------------------- */

/**
 * A separate space of ranges, categories and strings for a library, identified by a
 * type.
 *
 *     struct my_library {
 *         static constexpr char const *name{"my library"}; // or wchar_t const *
 *     };
 *     nvtx3::scoped_range_in<my_library> range{"step"};
 *
 * get() returns the only domain objects.
 */
class domain
{
  public:
    domain(domain const &) = delete;
    domain(domain &&) = delete;
    domain &operator=(domain const &) = delete;
    domain &operator=(domain &&) = delete;

    /** The default domain: that of programs, and of calls that name none. */
    struct global {
    };

    /** The domain of D, created at the first call and never destroyed. */
    template <typename D = global>
    NVTX3_NODISCARD NVTX3_LOCAL static domain const &get() noexcept
    {
        NVTX3_STATIC_ASSERT(
            detail::is_there<decltype(detail::name_of<D>(0))>::value,
            "The type of an NVTX domain needs a static constexpr member 'name' of "
            "type char const* or wchar_t const*");
        static domain const created{detail::name_of<D>(0)};
        return created;
    }

    /** The handle, for C functions. */
    operator nvtxDomainHandle_t() const noexcept { return handle_; }

  private:
    constexpr domain() noexcept : handle_{} {}
    NVTX3_CREATES explicit domain(char const *name) noexcept
        : handle_{detail::create_domain(name)}
    {
    }
    NVTX3_CREATES explicit domain(wchar_t const *name) noexcept
        : handle_{detail::create_domain(name)}
    {
    }
    ~domain() = default;

    nvtxDomainHandle_t const handle_;
};

template <>
NVTX3_NODISCARD NVTX3_LOCAL inline domain const &domain::get<domain::global>() noexcept
{
    static constexpr domain unnamed{};
    return unnamed;
}

namespace detail
{

#if defined(NVTX_DISABLE)
template <typename> constexpr uint32_t name_category(uint32_t id, void const *) noexcept
{
    return id;
}
template <typename> constexpr nvtxStringHandle_t register_string(void const *) noexcept
{
    return nullptr;
}
#else
template <typename D>
NVTX3_LOCAL uint32_t name_category(uint32_t id, char const *name) noexcept
{
    nvtxDomainNameCategoryA(domain::get<D>(), id, name);
    return id;
}
template <typename D>
NVTX3_LOCAL uint32_t name_category(uint32_t id, wchar_t const *name) noexcept
{
    nvtxDomainNameCategoryW(domain::get<D>(), id, name);
    return id;
}
template <typename D>
NVTX3_LOCAL nvtxStringHandle_t register_string(char const *text) noexcept
{
    return nvtxDomainRegisterStringA(domain::get<D>(), text);
}
template <typename D>
NVTX3_LOCAL nvtxStringHandle_t register_string(wchar_t const *text) noexcept
{
    return nvtxDomainRegisterStringW(domain::get<D>(), text);
}
#endif

} /* namespace detail */

/* ---- Categories ------------------------------------------------------------------ */

/** A number that groups events of a domain; 0 is none. */
class category
{
  public:
    using id_type = uint32_t;

    constexpr explicit category(id_type id) noexcept : id_{id} {}

    constexpr id_type get_id() const noexcept { return id_; }

  private:
    id_type id_;
};

/**
 * A category with a name. The constructor passes it to the tool; once is enough.
 *
 *     struct io {
 *         static constexpr char const *name{"io"};
 *         static constexpr uint32_t id{1};
 *     };
 *     nvtx3::mark_in<D>("flush", nvtx3::named_category_in<D>::get<io>());
 */
template <typename D = domain::global> class named_category_in final : public category
{
  public:
    /** The category of C, named at the first call. */
    template <typename C> NVTX3_LOCAL static named_category_in const &get() noexcept
    {
        NVTX3_STATIC_ASSERT(
            detail::is_there<decltype(detail::name_of<C>(0))>::value,
            "The type of an NVTX category needs a static constexpr member 'name' "
            "of "
            "type char const* or wchar_t const*");
        NVTX3_STATIC_ASSERT(detail::is_there<decltype(detail::id_of<C>(0))>::value,
                            "The type of an NVTX category needs a static constexpr "
                            "member 'id' of type "
                            "uint32_t");
        static named_category_in const named{detail::id_of<C>(0),
                                             detail::name_of<C>(0)};
        return named;
    }

    NVTX3_CREATES named_category_in(id_type id, char const *name) noexcept
        : category{detail::name_category<D>(id, name)}
    {
    }

    NVTX3_CREATES named_category_in(id_type id, wchar_t const *name) noexcept
        : category{detail::name_category<D>(id, name)}
    {
    }

    NVTX3_LOCAL named_category_in(id_type id, std::string const &name) noexcept
        : named_category_in{id, name.c_str()}
    {
    }

    NVTX3_LOCAL named_category_in(id_type id, std::wstring const &name) noexcept
        : named_category_in{id, name.c_str()}
    {
    }
};

using named_category = named_category_in<domain::global>;

/* ---- Registered strings ---------------------------------------------------------- */

/**
 * A string of D that is registered with the tool, so that events need only refer to it.
 *
 *     struct step {
 *         static constexpr char const *message{"step"}; // or wchar_t const *
 *     };
 *     nvtx3::scoped_range_in<D> range{nvtx3::registered_string_in<D>::get<step>()};
 *
 * For text in the code, not for text composed at run time: tools keep every string.
 */
template <typename D = domain::global> class registered_string_in
{
  public:
    /** The string of M, registered at the first call. */
    template <typename M>
    NVTX3_NODISCARD NVTX3_LOCAL static registered_string_in const &get() noexcept
    {
        NVTX3_STATIC_ASSERT(
            detail::is_there<decltype(detail::message_of<M>(0))>::value,
            "The type of an NVTX registered string needs a static constexpr member "
            "'message' of type char const* or wchar_t const*");
        static registered_string_in const registered{detail::message_of<M>(0)};
        return registered;
    }

    NVTX3_CREATES explicit registered_string_in(char const *msg) noexcept
        : handle_{detail::register_string<D>(msg)}
    {
    }

    NVTX3_CREATES explicit registered_string_in(wchar_t const *msg) noexcept
        : handle_{detail::register_string<D>(msg)}
    {
    }

    explicit registered_string_in(std::string const &msg) noexcept
        : registered_string_in{msg.c_str()}
    {
    }

    explicit registered_string_in(std::wstring const &msg) noexcept
        : registered_string_in{msg.c_str()}
    {
    }

    /** The handle, for C functions; NULL without a tool. */
    nvtxStringHandle_t get_handle() const noexcept { return handle_; }

  private:
    nvtxStringHandle_t handle_;
};

using registered_string = registered_string_in<domain::global>;

NVTX3_V1_END
