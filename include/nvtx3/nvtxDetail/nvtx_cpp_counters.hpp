/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvtx_cpp_counters.hpp - values over time, and the clocks of samples submitted later.
 * Included by nvtx3.hpp, whose macros it uses.
 */
#if !defined(NVTX3_V1_BEGIN)
#error "Include <nvtx3/nvtx3.hpp>, which includes this file."
#endif

NVTX3_V1_BEGIN

/* ---- Time ------------------------------------------------------------------------ */

/** The tool's time now, for data that is submitted later; 0 without a tool. */
NVTX3_LOCAL inline int64_t timestamp() noexcept
{
    return nvtxTimestampGet();
}

/**
 * A clock of the program, registered by the constructor, and its relation to other
 * clocks. See the C functions that the members are named after.
 *
 *     nvtx3::time_domain_in<D> clock{NVTX_TIMESTAMP_TYPE_TOOL_PROVIDED};
 */
template <typename D = domain::global> class time_domain_in
{
  public:
    NVTX3_LOCAL explicit time_domain_in(uint64_t timestamp_type_id,
                                        detail::scope_type s = scope::none(),
                                        uint64_t timer_flags = NVTX_TIMER_FLAG_NONE,
                                        int64_t timer_resolution = 0,
                                        uint64_t timer_start = NVTX_TIMER_START_UNKNOWN,
                                        uint64_t static_id = 0) noexcept
    {
        nvtxTimeDomainAttr_t attr{};

        attr.scopeId = s.get();
        attr.timestampTypeId = timestamp_type_id;
        attr.timeDomainId = static_id;
        attr.timerFlags = timer_flags;
        attr.timerResolution = timer_resolution;
        attr.timerStart = timer_start;
        id_ = nvtxTimeDomainRegister(domain::get<D>(), &attr);
    }

    /** The id, for C functions and time_semantic; 0 without a tool. */
    uint64_t id() const noexcept { return id_; }

    /** The function that reads this clock, for the tool to call. */
    NVTX3_LOCAL void set_timer_source(uint64_t flags, int64_t (*provider)()) noexcept
    {
        nvtxTimerSource(domain::get<D>(), id_, flags, provider);
    }

    NVTX3_LOCAL void set_timer_source(uint64_t flags, int64_t (*provider)(void *),
                                      void *data) noexcept
    {
        nvtxTimerSourceWithData(domain::get<D>(), id_, flags, provider, data);
    }

    /** States that this clock read `ts_self` when the other one read `ts_other`. */
    NVTX3_LOCAL void sync_point(uint64_t other_id, int64_t ts_self,
                                int64_t ts_other) noexcept
    {
        nvtxTimeSyncPoint(domain::get<D>(), id_, other_id, ts_self, ts_other);
    }

    NVTX3_LOCAL void sync_point_table(uint64_t other_id, nvtxSyncPoint_t const *points,
                                      size_t count) noexcept
    {
        nvtxTimeSyncPointTable(domain::get<D>(), id_, other_id, points, count);
    }

    /** States that the other clock makes `slope` steps per step of this one. */
    NVTX3_LOCAL void conversion_factor(uint64_t other_id, double slope, int64_t ts_self,
                                       int64_t ts_other) noexcept
    {
        nvtxTimestampConversionFactor(domain::get<D>(), id_, other_id, slope, ts_self,
                                      ts_other);
    }

  private:
    uint64_t id_;
};

/* ---- Counters -------------------------------------------------------------------- */

/** Why a sample has no value: it is 0, it is unchanged, it is unavailable. */
enum class no_value_reason : uint8_t {
    zero = NVTX_COUNTER_SAMPLE_ZERO,
    unchanged = NVTX_COUNTER_SAMPLE_UNCHANGED,
    unavailable = NVTX_COUNTER_SAMPLE_UNAVAILABLE
};

namespace detail
{

/* The type of a counter's values, for the tool. */
template <typename T> struct counter_type {
    NVTX3_LOCAL static uint64_t id() noexcept { return schema::get<T>().get_handle(); }
};
template <uint64_t Id> struct number_type {
    static constexpr uint64_t id() noexcept { return Id; }
};
template <> struct counter_type<int64_t> : number_type<NVTX_PAYLOAD_ENTRY_TYPE_INT64> {
};
template <>
struct counter_type<uint64_t> : number_type<NVTX_PAYLOAD_ENTRY_TYPE_UINT64> {
};
template <> struct counter_type<int32_t> : number_type<NVTX_PAYLOAD_ENTRY_TYPE_INT32> {
};
template <>
struct counter_type<uint32_t> : number_type<NVTX_PAYLOAD_ENTRY_TYPE_UINT32> {
};
template <> struct counter_type<double> : number_type<NVTX_PAYLOAD_ENTRY_TYPE_FLOAT64> {
};
template <> struct counter_type<float> : number_type<NVTX_PAYLOAD_ENTRY_TYPE_FLOAT> {
};

template <typename T>
NVTX3_LOCAL void sample_counter(nvtxDomainHandle_t d, uint64_t id,
                                T const &value) noexcept
{
    nvtxCounterSample(d, id, &value, sizeof value);
}

NVTX3_LOCAL inline void sample_counter(nvtxDomainHandle_t d, uint64_t id,
                                       int64_t const &value) noexcept
{
    nvtxCounterSampleInt64(d, id, value);
}

NVTX3_LOCAL inline void sample_counter(nvtxDomainHandle_t d, uint64_t id,
                                       double const &value) noexcept
{
    nvtxCounterSampleFloat64(d, id, value);
}

} /* namespace detail */

/**
 * A value over time, registered by the constructor.
 *
 *     static nvtx3::counter_in<int64_t, D> queued{"queued"};
 *     queued.sample(n);
 *
 * T is int64_t, uint64_t, int32_t, uint32_t, double or float; or a structure with a
 * schema (NVTX3_DEFINE_SCHEMA_GET), whose members are sampled together.
 *
 * Ownership: the tool copies texts and semantics at registration. Copies of the object
 *            are the same counter.
 */
template <typename T, typename D = domain::global> class counter_in
{
  public:
    using value_type = T;

    NVTX3_LOCAL counter_in(char const *name, char const *description = nullptr,
                           scope s = scope::none()) noexcept
        : counter_in{name, description, s, nullptr}
    {
    }

    NVTX3_LOCAL counter_in(std::string const &name, scope s = scope::none()) noexcept
        : counter_in{name.c_str(), nullptr, s, nullptr}
    {
    }

    NVTX3_LOCAL counter_in(std::string const &name, std::string const &description,
                           scope s = scope::none()) noexcept
        : counter_in{name.c_str(), description.c_str(), s, nullptr}
    {
    }

    NVTX3_LOCAL counter_in(char const *name, char const *description, scope s,
                           counter_semantic const &semantic) noexcept
        : counter_in{name, description, s, &semantic}
    {
    }

    NVTX3_LOCAL counter_in(std::string const &name, std::string const &description,
                           scope s, counter_semantic const &semantic) noexcept
        : counter_in{name.c_str(), description.c_str(), s, &semantic}
    {
    }

    /** Records the value now. */
    NVTX3_LOCAL void sample(T const &value) noexcept
    {
        detail::sample_counter(domain::get<D>(), id_, value);
    }

    /** Records that it was sampled now, and why there is no value. */
    NVTX3_LOCAL void sample_no_value(no_value_reason reason) noexcept
    {
        nvtxCounterSampleNoValue(domain::get<D>(), id_, static_cast<uint8_t>(reason));
    }

    /**
     * Records values of the past, which contain their times, or have one time each in
     * the clock of the counter's time_semantic. `flags` are NVTX_BATCH_FLAG_* and
     * NVTX_COUNTER_BATCH_FLAG_*, which may give `timestamps` another meaning.
     */
    NVTX3_LOCAL void submit_batch(T const *values, size_t count,
                                  uint64_t flags = NVTX_BATCH_FLAG_TIME_SORTED) noexcept
    {
        submit_batch(values, count, nullptr, 0, flags);
    }

    NVTX3_LOCAL void submit_batch(T const *values, size_t count,
                                  int64_t const *timestamps, size_t timestamp_count,
                                  uint64_t flags = NVTX_BATCH_FLAG_TIME_SORTED) noexcept
    {
        nvtxCounterBatch_t batch{};

        batch.counterId = id_;
        batch.counters = values;
        batch.countersSize = count * sizeof(T);
        batch.flags = flags;
        batch.timestamps = timestamps;
        batch.timestampsSize = timestamp_count * sizeof *timestamps;
        nvtxCounterBatchSubmit(domain::get<D>(), &batch);
    }

    /** The same for containers with data() and size(). */
    template <typename Values, typename = typename std::enable_if<
                                   detail::is_array_like<Values, T>::value>::type>
    NVTX3_LOCAL void submit_batch(Values const &values,
                                  uint64_t flags = NVTX_BATCH_FLAG_TIME_SORTED) noexcept
    {
        submit_batch(values.data(), values.size(), flags);
    }

    template <typename Values, typename Times,
              typename = typename std::enable_if<
                  detail::is_array_like<Values, T>::value &&
                  detail::is_array_like<Times, int64_t>::value>::type>
    NVTX3_LOCAL void submit_batch(Values const &values, Times const &timestamps,
                                  uint64_t flags = NVTX_BATCH_FLAG_TIME_SORTED) noexcept
    {
        submit_batch(values.data(), values.size(), timestamps.data(), timestamps.size(),
                     flags);
    }

    /** The id, for C functions; 0 without a tool. */
    uint64_t id() const noexcept { return id_; }

  private:
    NVTX3_LOCAL counter_in(char const *name, char const *description, scope s,
                           counter_semantic const *semantic) noexcept
    {
        nvtxCounterAttr_t attr{};

        attr.structSize = sizeof attr;
        attr.schemaId = detail::counter_type<T>::id();
        attr.name = name;
        attr.description = description;
        attr.scopeId = s.get();
        attr.semantics = semantic ? semantic->get() : nullptr;
        id_ = nvtxCounterRegister(domain::get<D>(), &attr);
    }

    uint64_t id_;
};

template <typename T> using counter = counter_in<T, domain::global>;

NVTX3_V1_END
