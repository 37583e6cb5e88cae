/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvtx_cpp_semantics.hpp - what values mean beyond their type: their scope, unit,
 * bounds, clock and correlation. Included by nvtx3.hpp, whose macros it uses.
 *
 * Semantics are built in steps, and chained where a value has several:
 *
 *     nvtx3::counter_semantic{nvtx3::time_semantic{}.time_domain(clock.id())}
 *         .unit("bytes")
 *         .limits(int64_t{0}, int64_t{1} << 30)
 */
#if !defined(NVTX3_V1_BEGIN)
#error "Include <nvtx3/nvtx3.hpp>, which includes this file."
#endif

NVTX3_V1_BEGIN

/* ---- Scopes ---------------------------------------------------------------------- */

/** A place in the system that values describe, such as the process or a GPU. */
class scope
{
  public:
    using value_type = uint64_t;

    constexpr explicit scope(value_type id) noexcept : id_{id} {}

    constexpr value_type get() const noexcept { return id_; }

    static constexpr scope none() noexcept { return scope{NVTX_SCOPE_NONE}; }
    static constexpr scope root() noexcept { return scope{NVTX_SCOPE_ROOT}; }

    static constexpr scope current_hw_machine() noexcept
    {
        return scope{NVTX_SCOPE_CURRENT_HW_MACHINE};
    }
    static constexpr scope current_hw_socket() noexcept
    {
        return scope{NVTX_SCOPE_CURRENT_HW_SOCKET};
    }
    static constexpr scope current_hw_cpu_physical() noexcept
    {
        return scope{NVTX_SCOPE_CURRENT_HW_CPU_PHYSICAL};
    }
    static constexpr scope current_hw_cpu_logical() noexcept
    {
        return scope{NVTX_SCOPE_CURRENT_HW_CPU_LOGICAL};
    }
    static constexpr scope current_hw_innermost() noexcept
    {
        return scope{NVTX_SCOPE_CURRENT_HW_INNERMOST};
    }

    static constexpr scope current_hypervisor() noexcept
    {
        return scope{NVTX_SCOPE_CURRENT_HYPERVISOR};
    }
    static constexpr scope current_vm() noexcept
    {
        return scope{NVTX_SCOPE_CURRENT_VM};
    }
    static constexpr scope current_kernel() noexcept
    {
        return scope{NVTX_SCOPE_CURRENT_KERNEL};
    }
    static constexpr scope current_container() noexcept
    {
        return scope{NVTX_SCOPE_CURRENT_CONTAINER};
    }
    static constexpr scope current_os() noexcept
    {
        return scope{NVTX_SCOPE_CURRENT_OS};
    }

    static constexpr scope current_sw_process() noexcept
    {
        return scope{NVTX_SCOPE_CURRENT_SW_PROCESS};
    }
    static constexpr scope current_sw_thread() noexcept
    {
        return scope{NVTX_SCOPE_CURRENT_SW_THREAD};
    }
    static constexpr scope current_sw_innermost() noexcept
    {
        return scope{NVTX_SCOPE_CURRENT_SW_INNERMOST};
    }

  private:
    value_type id_;
};

namespace detail
{

/* The class, if a member function of that name hides it. */
using scope_type = scope;

} /* namespace detail */

/**
 * A place that the program defines, registered by the constructor.
 *
 *     nvtx3::scope_in<D> gpu{"GPU[0]", nvtx3::scope::current_hw_machine()};
 *
 * `path` is relative to `parent`; nvtxScopeAttr_t describes its syntax and `static_id`.
 */
template <typename D = domain::global> class scope_in
{
  public:
    NVTX3_LOCAL explicit scope_in(
        char const *path, detail::scope_type parent = detail::scope_type::none(),
        uint64_t static_id = NVTX_SCOPE_NONE) noexcept
    {
        nvtxScopeAttr_t attr{};

        attr.structSize = sizeof attr;
        attr.path = path;
        attr.parentScope = parent.get();
        attr.scopeId = static_id;
        id_ = nvtxScopeRegister(domain::get<D>(), &attr);
    }

    NVTX3_LOCAL explicit scope_in(
        std::string const &path, detail::scope_type parent = detail::scope_type::none(),
        uint64_t static_id = NVTX_SCOPE_NONE) noexcept
        : scope_in{path.c_str(), parent, static_id}
    {
    }

    /** The id, for C functions; NVTX_SCOPE_NONE without a tool. */
    uint64_t id() const noexcept { return id_; }

    operator detail::scope_type() const noexcept { return detail::scope_type{id_}; }

  private:
    uint64_t id_;
};

/* ---- What all semantics share ---------------------------------------------------- */

namespace detail
{

/* The C structure, and the next one in its chain. A chain of objects is copied and
 * owned; a C header is borrowed, and must live as long as all copies of this object. */
template <typename Data> class semantic_base
{
  public:
    /** The head of the chain, for C structures. Borrowed from this object. */
    nvtxSemanticsHeader_t const *get() const &noexcept { return &data_.header; }

  protected:
    explicit semantic_base(Data const &data) noexcept : data_(data) {}

    void set_next(nvtxSemanticsHeader_t const *next) noexcept
    {
        data_.header.next = next;
        next_.reset();
    }

    template <typename Other> void own_next(semantic_base<Other> const &next)
    {
        auto const copy = new semantic_base<Other>(next);

        /* Not std::make_shared(), whose tag prevents a library from being unloaded. */
        next_ = std::shared_ptr<void const>{copy};
        data_.header.next = copy->get();
    }

    Data data_;

  private:
    std::shared_ptr<void const> next_;
};

/* The member of a limit that holds a T. */
template <typename T> struct counter_limit {
    static constexpr int64_t type = NVTX_COUNTER_LIMIT_UNDEFINED;
    static void set(nvtxCounterLimit_t &, T) noexcept
    {
        NVTX3_STATIC_ASSERT(is_never<T>::value,
                            "The limits of an NVTX counter are int64_t, uint64_t or "
                            "double: write int64_t{0}");
    }
};

template <> struct counter_limit<int64_t> {
    static constexpr int64_t type = NVTX_COUNTER_LIMIT_I64;
    static void set(nvtxCounterLimit_t &limit, int64_t value) noexcept
    {
        limit.i64 = value;
    }
};

template <> struct counter_limit<uint64_t> {
    static constexpr int64_t type = NVTX_COUNTER_LIMIT_U64;
    static void set(nvtxCounterLimit_t &limit, uint64_t value) noexcept
    {
        limit.u64 = value;
    }
};

template <> struct counter_limit<double> {
    static constexpr int64_t type = NVTX_COUNTER_LIMIT_F64;
    static void set(nvtxCounterLimit_t &limit, double value) noexcept
    {
        limit.f64 = value;
    }
};

[[noreturn]] inline void refuse_second(char const *what)
{
#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
    throw std::logic_error(std::string{"counter_semantic: "} + what +
                           " was set before, and can be set only once");
#else
    static_cast<void>(what);
    std::abort();
#endif
}

} /* namespace detail */

/* ---- Counters -------------------------------------------------------------------- */

/**
 * The meaning of a counter's values: unit, bounds, and interpolation between samples.
 *
 * Ownership: texts are borrowed until the counter has been registered.
 * Errors:    std::logic_error for a second type of values, or a second interpolation.
 *            Without exceptions, the program is aborted.
 */
class counter_semantic : public detail::semantic_base<nvtxSemanticsCounter_t>
{
  public:
    counter_semantic() noexcept
        : semantic_base{{{sizeof(nvtxSemanticsCounter_t), NVTX_SEMANTIC_ID_COUNTERS_V1,
                          NVTX_COUNTER_SEMANTIC_VERSION, nullptr},
                         NVTX_COUNTER_FLAGS_NONE,
                         nullptr,
                         1,
                         1,
                         NVTX_COUNTER_LIMIT_UNDEFINED,
                         {0},
                         {0}}}
    {
    }

    explicit counter_semantic(nvtxSemanticsHeader_t const *next) : counter_semantic{}
    {
        set_next(next);
    }

    template <typename Other>
    explicit counter_semantic(detail::semantic_base<Other> const &next)
        : counter_semantic{}
    {
        own_next(next);
    }

    counter_semantic &unit(char const *unit_name) noexcept
    {
        data_.unit = unit_name;
        return *this;
    }

    counter_semantic &unit(std::string const &unit_name) noexcept
    {
        return unit(unit_name.c_str());
    }
    counter_semantic &unit(std::string &&) = delete;

    /** A value is this many times the unit. */
    counter_semantic &unit_scale(uint64_t numerator, uint64_t denominator = 1) noexcept
    {
        data_.unitScaleNumerator = numerator;
        data_.unitScaleDenominator = denominator;
        return *this;
    }

    /** Integers are normalized: they stand for 0 to 1, or -1 to 1 if signed. */
    counter_semantic &normalize() noexcept
    {
        data_.flags |= NVTX_COUNTER_FLAG_NORMALIZE;
        return *this;
    }

    /** A value is absolute. */
    counter_semantic &valuetype_absolute()
    {
        return set_value_type(NVTX_COUNTER_FLAG_VALUETYPE_ABSOLUTE);
    }

    /** A value is the change since the last sample. */
    counter_semantic &valuetype_delta()
    {
        return set_value_type(NVTX_COUNTER_FLAG_VALUETYPE_DELTA);
    }

    /** A value is the change since the first sample. */
    counter_semantic &valuetype_delta_since_start()
    {
        return set_value_type(NVTX_COUNTER_FLAG_VALUETYPE_DELTA_SINCE_START);
    }

    /** A value applies to its moment only. */
    counter_semantic &interpolation_point()
    {
        return set_interpolation(NVTX_COUNTER_FLAG_INTERPOLATION_POINT);
    }

    /** A value applies back to the previous sample. */
    counter_semantic &interpolation_since_last()
    {
        return set_interpolation(NVTX_COUNTER_FLAG_INTERPOLATION_SINCE_LAST);
    }

    /** A value applies up to the next sample. */
    counter_semantic &interpolation_until_next()
    {
        return set_interpolation(NVTX_COUNTER_FLAG_INTERPOLATION_UNTIL_NEXT);
    }

    /** Values between samples are interpolated linearly. */
    counter_semantic &interpolation_linear()
    {
        return set_interpolation(NVTX_COUNTER_FLAG_INTERPOLATION_LINEAR);
    }

    /** The bounds of a graph's axis: int64_t, uint64_t or double. */
    template <typename T> counter_semantic &limits(T min_val, T max_val) noexcept
    {
        return limit_min(min_val).limit_max(max_val);
    }

    template <typename T> counter_semantic &limit_min(T min_val) noexcept
    {
        data_.flags |= NVTX_COUNTER_FLAG_LIMIT_MIN;
        data_.limitType = detail::counter_limit<T>::type;
        detail::counter_limit<T>::set(data_.min, min_val);
        return *this;
    }

    template <typename T> counter_semantic &limit_max(T max_val) noexcept
    {
        data_.flags |= NVTX_COUNTER_FLAG_LIMIT_MAX;
        data_.limitType = detail::counter_limit<T>::type;
        detail::counter_limit<T>::set(data_.max, max_val);
        return *this;
    }

  private:
    counter_semantic &set_value_type(uint64_t flag)
    {
        if (data_.flags & NVTX_COUNTER_FLAG_VALUETYPES)
            detail::refuse_second("valuetype");
        data_.flags |= flag;
        return *this;
    }

    counter_semantic &set_interpolation(uint64_t flag)
    {
        if (data_.flags & NVTX_COUNTER_FLAG_INTERPOLATIONS)
            detail::refuse_second("interpolation");
        data_.flags |= flag;
        return *this;
    }
};

/* ---- Scope, time, correlation ---------------------------------------------------- */

/** The scope of the values of one entry of a schema. */
class scope_semantic : public detail::semantic_base<nvtxSemanticsScope_t>
{
  public:
    scope_semantic() noexcept
        : semantic_base{{{sizeof(nvtxSemanticsScope_t), NVTX_SEMANTIC_ID_SCOPE_V1,
                          NVTX_SCOPE_SEMANTIC_VERSION, nullptr},
                         NVTX_SCOPE_NONE}}
    {
    }

    explicit scope_semantic(nvtxSemanticsHeader_t const *next) : scope_semantic{}
    {
        set_next(next);
    }

    template <typename Other>
    explicit scope_semantic(detail::semantic_base<Other> const &next) : scope_semantic{}
    {
        own_next(next);
    }

    scope_semantic &scope(uint64_t scope_id) noexcept
    {
        data_.scopeId = scope_id;
        return *this;
    }

    scope_semantic &scope(detail::scope_type s) noexcept { return scope(s.get()); }
};

/** The clock of a timestamp, or of the timestamps of a counter's batches. */
class time_semantic : public detail::semantic_base<nvtxSemanticsTime_t>
{
  public:
    time_semantic() noexcept
        : semantic_base{{{sizeof(nvtxSemanticsTime_t), NVTX_SEMANTIC_ID_TIME_V1,
                          NVTX_TIME_SEMANTIC_VERSION, nullptr},
                         0}}
    {
    }

    explicit time_semantic(nvtxSemanticsHeader_t const *next) : time_semantic{}
    {
        set_next(next);
    }

    template <typename Other>
    explicit time_semantic(detail::semantic_base<Other> const &next) : time_semantic{}
    {
        own_next(next);
    }

    /** An NVTX_TIMESTAMP_TYPE_*, or the id of a time_domain_in. */
    time_semantic &time_domain(uint64_t domain_id) noexcept
    {
        data_.timeDomainId = domain_id;
        return *this;
    }
};

/**
 * States that events with the same value of an entry belong together, in all domains
 * and processes that use the same domain_uuid.
 *
 * Ownership: the name is borrowed until the schema has been registered.
 */
class correlation_semantic : public detail::semantic_base<nvtxSemanticsCorrelation_t>
{
  public:
    correlation_semantic() noexcept
        : semantic_base{
              {{sizeof(nvtxSemanticsCorrelation_t), NVTX_SEMANTIC_ID_CORRELATION_V1,
                NVTX_CORRELATION_SEMANTIC_VERSION, nullptr},
               {0},
               nullptr,
               NVTX_CORRELATION_ROLE_NONE}}
    {
    }

    explicit correlation_semantic(nvtxSemanticsHeader_t const *next)
        : correlation_semantic{}
    {
        set_next(next);
    }

    template <typename Other>
    explicit correlation_semantic(detail::semantic_base<Other> const &next)
        : correlation_semantic{}
    {
        own_next(next);
    }

    correlation_semantic &domain_uuid(unsigned char const uuid[16]) noexcept
    {
        for (int i = 0; i < 16; i++)
            data_.correlationDomainUuid[i] = uuid[i];
        return *this;
    }

    correlation_semantic &display_name(char const *name) noexcept
    {
        data_.displayName = name;
        return *this;
    }

    correlation_semantic &display_name(std::string const &name) noexcept
    {
        return display_name(name.c_str());
    }
    correlation_semantic &display_name(std::string &&) = delete;

    /** An NVTX_CORRELATION_ROLE_*. */
    correlation_semantic &role(uint64_t role_id) noexcept
    {
        data_.role = role_id;
        return *this;
    }
};

NVTX3_V1_END
