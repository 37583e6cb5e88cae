/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvtx_cpp_attributes.hpp - the attributes of an event: message, color, payload,
 * category. Plain values without a destructor, which never call the tool. Included by
 * nvtx3.hpp, whose macros it uses.
 */
#if !defined(NVTX3_V1_BEGIN)
#error "Include <nvtx3/nvtx3.hpp>, which includes this file."
#endif

NVTX3_V1_BEGIN

/* ---- Colors ---------------------------------------------------------------------- */

/** A color by its parts, 0 to 255 each. */
struct rgb {
    using component_type = uint8_t;

    constexpr rgb(component_type red_, component_type green_,
                  component_type blue_) noexcept
        : red{red_}, green{green_}, blue{blue_}
    {
    }

    component_type red;
    component_type green;
    component_type blue;
};

/** rgb with an opacity; 255 is opaque. */
struct argb final : rgb {
    constexpr argb(component_type alpha_, component_type red_, component_type green_,
                   component_type blue_) noexcept
        : rgb{red_, green_, blue_}, alpha{alpha_}
    {
    }

    component_type alpha;
};

/** The color of an event, as `color{0xff8000ff}` or from its parts. */
class color
{
  public:
    using value_type = uint32_t;

    /** From 0xAARRGGBB. */
    constexpr explicit color(value_type hex_code) noexcept
        : value_{hex_code}, type_{NVTX_COLOR_ARGB}
    {
    }

    constexpr color(argb parts) noexcept
        : color{value_type{parts.alpha} << 24 | value_type{parts.red} << 16 |
                value_type{parts.green} << 8 | value_type{parts.blue}}
    {
    }

    constexpr color(rgb parts) noexcept
        : color{argb{255, parts.red, parts.green, parts.blue}}
    {
    }

    constexpr value_type get_value() const noexcept { return value_; }

    constexpr nvtxColorType_t get_type() const noexcept { return type_; }

  private:
    value_type value_;
    nvtxColorType_t type_;
};

/* ---- Messages -------------------------------------------------------------------- */

/**
 * The text of an event. Made by conversion: pass text where a message is expected.
 *
 * Ownership: the text is borrowed. It must live until the event has been recorded, so a
 *            message cannot be made from a temporary std::string.
 */
class message
{
  public:
    using value_type = nvtxMessageValue_t;

    constexpr message(char const *msg) noexcept
        : type_{NVTX_MESSAGE_TYPE_ASCII}, value_{msg}
    {
    }

    NVTX3_CONSTEXPR14 message(wchar_t const *msg) noexcept
        : type_{NVTX_MESSAGE_TYPE_UNICODE}, value_{}
    {
        value_.unicode = msg;
    }

    message(std::string const &msg) noexcept : message{msg.c_str()} {}
    message(std::string &&) = delete;

    message(std::wstring const &msg) noexcept : message{msg.c_str()} {}
    message(std::wstring &&) = delete;

    /** A string that is registered in the event's own domain. */
    template <typename D>
    NVTX3_CONSTEXPR14 message(registered_string_in<D> const &msg) noexcept
        : message{msg.get_handle()}
    {
    }

    NVTX3_CONSTEXPR14 message(nvtxStringHandle_t handle) noexcept
        : type_{NVTX_MESSAGE_TYPE_REGISTERED}, value_{}
    {
        value_.registered = handle;
    }

    constexpr message(nvtxMessageType_t const &type,
                      nvtxMessageValue_t const &value) noexcept
        : type_{type}, value_(value)
    {
    }

    constexpr value_type get_value() const noexcept { return value_; }

    constexpr nvtxMessageType_t get_type() const noexcept { return type_; }

  private:
    nvtxMessageType_t type_;
    value_type value_;
};

/* ---- Payloads -------------------------------------------------------------------- */

/** A number that an event carries, of the type that it is constructed from. */
class payload
{
  public:
    using value_type = nvtxEventAttributes_v2::payload_t;

    NVTX3_CONSTEXPR14 explicit payload(int64_t value) noexcept
        : type_{NVTX_PAYLOAD_TYPE_INT64}, value_{}
    {
        value_.llValue = value;
    }

    NVTX3_CONSTEXPR14 explicit payload(int32_t value) noexcept
        : type_{NVTX_PAYLOAD_TYPE_INT32}, value_{}
    {
        value_.iValue = value;
    }

    constexpr explicit payload(uint64_t value) noexcept
        : type_{NVTX_PAYLOAD_TYPE_UNSIGNED_INT64}, value_{value}
    {
    }

    NVTX3_CONSTEXPR14 explicit payload(uint32_t value) noexcept
        : type_{NVTX_PAYLOAD_TYPE_UNSIGNED_INT32}, value_{}
    {
        value_.uiValue = value;
    }

    NVTX3_CONSTEXPR14 explicit payload(float value) noexcept
        : type_{NVTX_PAYLOAD_TYPE_FLOAT}, value_{}
    {
        value_.fValue = value;
    }

    NVTX3_CONSTEXPR14 explicit payload(double value) noexcept
        : type_{NVTX_PAYLOAD_TYPE_DOUBLE}, value_{}
    {
        value_.dValue = value;
    }

    constexpr payload(nvtxPayloadType_t const &type, value_type const &value) noexcept
        : type_{type}, value_(value)
    {
    }

    constexpr value_type get_value() const noexcept { return value_; }

    constexpr nvtxPayloadType_t get_type() const noexcept { return type_; }

  private:
    nvtxPayloadType_t type_;
    value_type value_;
};

/* ---- All of it ------------------------------------------------------------------- */

/**
 * The attributes of an event: message, color, payload and category, each optional, in
 * any order; the payload is a number or structures. If one kind is given twice, the
 * first counts.
 *
 *     nvtx3::event_attributes{"load", nvtx3::rgb{255, 128, 0}, nvtx3::payload{n}}
 *
 * Ranges and marks take the same arguments, or an object of this class, which is worth
 * keeping if the same event happens often.
 */
class event_attributes
{
  public:
    using value_type = nvtxEventAttributes_t;

    constexpr event_attributes() noexcept
        : attributes_{NVTX_VERSION,
                      sizeof(value_type),
                      0,
                      NVTX_COLOR_UNKNOWN,
                      0,
                      NVTX_PAYLOAD_UNKNOWN,
                      0,
                      {0},
                      NVTX_MESSAGE_UNKNOWN,
                      {nullptr}}
    {
    }

    template <typename... Args>
    NVTX3_CONSTEXPR14 explicit event_attributes(category const &c,
                                                Args const &...args) noexcept
        : event_attributes(args...)
    {
        attributes_.category = c.get_id();
    }

    template <typename... Args>
    NVTX3_CONSTEXPR14 explicit event_attributes(color const &c,
                                                Args const &...args) noexcept
        : event_attributes(args...)
    {
        attributes_.color = c.get_value();
        attributes_.colorType = c.get_type();
    }

    template <typename... Args>
    NVTX3_CONSTEXPR14 explicit event_attributes(payload const &p,
                                                Args const &...args) noexcept
        : event_attributes(args...)
    {
        attributes_.payload = p.get_value();
        attributes_.payloadType = p.get_type();
    }

#if defined(NVTX3_HAS_EXTENSIONS)
    template <typename... Args>
    NVTX3_CONSTEXPR14 explicit event_attributes(payload_data const &data,
                                                Args const &...args) noexcept
        : event_attributes(args...)
    {
        set_payloads(data.as_ull_value(), 1);
    }

#if !defined(NVTX3_ALLOW_RVALUE_CONSTRUCTORS)
    template <typename... Args>
    explicit event_attributes(payload_data &&, Args const &...) = delete;
#endif

    /** Several payloads, in anything with data() and size(). */
    template <typename T, typename... Args,
              typename = typename std::enable_if<
                  detail::is_array_like<T, payload_data>::value>::type>
    NVTX3_CONSTEXPR14 explicit event_attributes(T &&all, Args const &...args) noexcept
        : event_attributes(args...)
    {
        NVTX3_STATIC_ASSERT(std::is_lvalue_reference<T>::value,
                            "An NVTX event refers to its payloads, which must not be a "
                            "temporary: give them a name");
        if (all.size() > 0)
            set_payloads(all.data()->as_ull_value(), static_cast<int32_t>(all.size()));
    }
#endif

    template <typename... Args>
    NVTX3_CONSTEXPR14 explicit event_attributes(message const &m,
                                                Args const &...args) noexcept
        : event_attributes(args...)
    {
        attributes_.message = m.get_value();
        attributes_.messageType = m.get_type();
    }

    /** The same for C functions, borrowed from this object. */
    constexpr value_type const *get() const noexcept
    {
        return &attributes_;
    }

  private:
#if defined(NVTX3_HAS_EXTENSIONS)
    NVTX3_CONSTEXPR14 void set_payloads(uint64_t first, int32_t n) noexcept
    {
        attributes_.payloadType = NVTX_PAYLOAD_TYPE_EXT;
        attributes_.reserved0 = n;
        attributes_.payload.ullValue = first;
    }
#endif

    value_type attributes_;
};

NVTX3_V1_END
