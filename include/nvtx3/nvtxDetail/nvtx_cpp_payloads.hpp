/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvtx_cpp_payloads.hpp - structures that events carry, and what their bytes mean.
 * Included by nvtx3.hpp, whose macros it uses.
 *
 *     NVTX3_DEFINE_SCHEMA_GET(D, T, ...) --> schema::get<T>(): registered at first use
 *                                                 |
 *     T object --> payload_data{object} --------> {schema, size, address} --> an event
 */
#if !defined(NVTX3_V1_BEGIN)
#error "Include <nvtx3/nvtx3.hpp>, which includes this file."
#endif

NVTX3_V1_BEGIN

namespace detail
{

template <typename> struct is_never : std::false_type {
};

template <typename T>
using bare = typename std::remove_cv<typename std::remove_reference<T>::type>::type;

/* Whether Container has data(), which leads to elements of type T, and size(). */
template <typename Container, typename T> class is_array_like
{
    template <typename C>
    static auto ask(int) -> std::integral_constant<
        bool,
        std::is_same<bare<decltype(*std::declval<C const &>().data())>, T>::value &&
            std::is_pointer<decltype(std::declval<C const &>().data())>::value &&
            std::is_convertible<decltype(std::declval<C const &>().size()),
                                size_t>::value>;
    template <typename> static auto ask(...) -> std::false_type;

  public:
    static constexpr bool value = decltype(ask<bare<Container>>(0))::value;
};

template <typename T>
using is_structure =
    std::integral_constant<bool, std::is_standard_layout<T>::value &&
                                     std::is_trivially_copyable<T>::value>;

} /* namespace detail */

/* ---- Schemas --------------------------------------------------------------------- */

/**
 * The layout of a structure: the id under which the tool knows it.
 *
 * NVTX3_DEFINE_SCHEMA_GET defines get() for a type. Construct an object for schemas
 * that were registered by C functions.
 */
class schema
{
  public:
    constexpr explicit schema(uint64_t id) : id_{id} {}

    schema(schema const &) = delete;
    schema(schema &&) = delete;
    schema &operator=(schema const &) = delete;
    schema &operator=(schema &&) = delete;

    /** The schema of T, registered at the first call and kept for good. */
    template <typename T>
    NVTX3_NODISCARD NVTX3_LOCAL static schema const &get() noexcept
    {
        NVTX3_STATIC_ASSERT(detail::is_never<T>::value,
                            "The type of an NVTX payload needs a schema: "
                            "NVTX3_DEFINE_SCHEMA_GET, outside of all namespaces and "
                            "before its first use");
        static constexpr schema none{0};
        return none;
    }

    /** The id, for C functions; 0 if there is none. */
    uint64_t get_handle() const noexcept { return id_; }

  private:
    uint64_t const id_;
};

/* ---- Payloads -------------------------------------------------------------------- */

/**
 * A structure that an event carries, with its schema.
 *
 *     struct request { int64_t bytes; double weight; };
 *     NVTX3_DEFINE_SCHEMA_GET(D, request, "request", NVTX_PAYLOAD_ENTRIES(
 *         (bytes, TYPE_INT64, "bytes"), (weight, TYPE_DOUBLE, "weight")))
 *
 *     nvtx3::scoped_range_in<D> range{"send", nvtx3::payload_data{r}};
 *
 * Several are passed as a std::vector or std::array of them, or anything else with
 * data() and size().
 *
 * Ownership: the structure is borrowed until the event has been recorded, which takes
 *            a copy. So it cannot be a temporary, unless
 *            NVTX3_ALLOW_RVALUE_CONSTRUCTORS is defined.
 */
class payload_data
{
  public:
    explicit payload_data(nvtxPayloadData_t const &data) : data_(data) {}

    /** A structure whose type has a schema. */
    template <
        typename R, typename T = detail::bare<R>,
        typename = typename std::enable_if<!std::is_same<T, nvtxPayloadData_t>::value &&
                                           !std::is_same<T, payload_data>::value>::type>
    NVTX3_LOCAL explicit payload_data(R &&structure)
        : data_{schema::get<T>().get_handle(), sizeof(T), &structure}
    {
#if !defined(NVTX3_ALLOW_RVALUE_CONSTRUCTORS)
        NVTX3_STATIC_ASSERT(
            std::is_lvalue_reference<R>::value,
            "An NVTX payload refers to its structure, which must not be "
            "a temporary: give it a name");
#endif
        NVTX3_STATIC_ASSERT(
            detail::is_structure<T>::value,
            "The structure of an NVTX payload must have standard layout "
            "and be trivially copyable");
    }

    /** A structure whose schema was registered by other means. */
    template <typename T>
    payload_data(T const &structure, schema const &s)
        : data_{s.get_handle(), sizeof(T), &structure}
    {
        NVTX3_STATIC_ASSERT(
            detail::is_structure<T>::value,
            "The structure of an NVTX payload must have standard layout "
            "and be trivially copyable");
    }

    /**
     * The value for an event's attributes: the address of what this object refers to.
     */
    uint64_t as_ull_value() const noexcept
    {
        return NVTX_POINTER_AS_PAYLOAD_ULLVALUE(&data_);
    }

  private:
    nvtxPayloadData_t data_;
};

/* To tools, arrays of these are arrays of the C structure. */
static_assert(sizeof(payload_data) == sizeof(nvtxPayloadData_t) &&
                  std::is_standard_layout<payload_data>::value,
              "payload_data is nvtxPayloadData_t");

NVTX3_V1_END
