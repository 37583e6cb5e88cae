// SPDX-License-Identifier: Apache-2.0
// cpp_api.cpp - lets the compiler check what programs may assume about any nvtx3.hpp,
// with ours and with NVIDIA's. It is not run.
#include <nvtx3/nvtx3.hpp>

using namespace nvtx3;

template <typename T, typename... Args> constexpr bool can_be_made_of()
{
    return std::is_constructible<T, Args...>::value;
}

template <typename T, typename... Args> constexpr bool made_without_throwing_of()
{
    return std::is_nothrow_constructible<T, Args...>::value;
}

template <typename From, typename To> constexpr bool converts()
{
    return std::is_convertible<From, To>::value;
}

template <typename A, typename B> constexpr bool same()
{
    return std::is_same<A, B>::value;
}

template <typename T> constexpr bool can_be_copied()
{
    return std::is_copy_constructible<T>::value && std::is_copy_assignable<T>::value;
}

template <typename T> constexpr bool can_be_moved()
{
    return std::is_move_constructible<T>::value && std::is_move_assignable<T>::value;
}

template <typename T> constexpr bool is_a_plain_value()
{
    return std::is_trivially_copyable<T>::value && std::is_standard_layout<T>::value;
}

struct narrow {
    static constexpr char const *name{"narrow"};
    static constexpr uint32_t id{1};
    static constexpr char const *message{"narrow"};
};
struct wide {
    static constexpr wchar_t const *name{L"wide"};
    static constexpr uint32_t id{2};
    static constexpr wchar_t const *message{L"wide"};
};

// ---- Versions ---------------------------------------------------------------------

static_assert(NVTX3_CPP_INLINED_VERSION_MAJOR == 1, "");
static_assert(NVTX3_CPP_INLINED_VERSION_MINOR <= 2, "");
#if !defined(NVTX3_CPP_DEFINITIONS_V1_0)
#error "NVTX3_CPP_DEFINITIONS_V1_0 tells others that version 1.0 is there"
#endif
static_assert(same<nvtx3::domain, nvtx3::v1::domain>(), "");
static_assert(same<nvtx3::scoped_range, nvtx3::v1::scoped_range>(), "");
namespace nvtx3
{
inline namespace v1
{
class domain; // can be declared again as a class
}
} // namespace nvtx3

// ---- Aliases ----------------------------------------------------------------------

static_assert(same<named_category, named_category_in<domain::global>>(), "");
static_assert(same<named_category, named_category_in<>>(), "");
static_assert(same<registered_string, registered_string_in<domain::global>>(), "");
static_assert(same<registered_string, registered_string_in<>>(), "");
static_assert(same<scoped_range, scoped_range_in<domain::global>>(), "");
static_assert(same<scoped_range, scoped_range_in<>>(), "");
static_assert(same<unique_range, unique_range_in<domain::global>>(), "");
static_assert(same<unique_range, unique_range_in<>>(), "");

static_assert(same<rgb::component_type, uint8_t>(), "");
static_assert(same<argb::component_type, uint8_t>(), "");
static_assert(same<color::value_type, uint32_t>(), "");
static_assert(same<category::id_type, uint32_t>(), "");
static_assert(same<message::value_type, nvtxMessageValue_t>(), "");
static_assert(same<payload::value_type, nvtxEventAttributes_v2::payload_t>(), "");
static_assert(same<event_attributes::value_type, nvtxEventAttributes_t>(), "");
static_assert(same<range_handle::value_type, nvtxRangeId_t>(), "");

// ---- Layout: objects pass between files that were compiled with either header
// --------

static_assert(sizeof(domain) == sizeof(nvtxDomainHandle_t), "");
static_assert(sizeof(rgb) == 3, "");
static_assert(sizeof(argb) == 4, "");
static_assert(sizeof(color) == 8, "");
static_assert(sizeof(category) == 4, "");
static_assert(sizeof(named_category_in<narrow>) == 4, "");
static_assert(sizeof(registered_string_in<narrow>) == sizeof(nvtxStringHandle_t), "");
static_assert(sizeof(message) == 16, "");
static_assert(sizeof(payload) == 16, "");
static_assert(sizeof(event_attributes) == sizeof(nvtxEventAttributes_t), "");
static_assert(sizeof(range_handle) == 8, "");
static_assert(sizeof(unique_range) == 8, "");
static_assert(std::is_empty<scoped_range>::value, "");
static_assert(sizeof(detail::optional_scoped_range_in<narrow>) == 1, "");
static_assert(detail::is_c_string<char const *>::value, "");
static_assert(detail::is_c_string<wchar_t *>::value, "");
static_assert(detail::is_c_string<char const (&)[2]>::value, "");
static_assert(!detail::is_c_string<int>::value, "");
static_assert(!detail::is_c_string<char16_t const *>::value, "");

static_assert(is_a_plain_value<rgb>(), "");
static_assert(std::is_trivially_copyable<argb>::value, "");
static_assert(is_a_plain_value<color>(), "");
static_assert(is_a_plain_value<category>(), "");
static_assert(is_a_plain_value<named_category>(), "");
static_assert(is_a_plain_value<registered_string>(), "");
static_assert(is_a_plain_value<message>(), "");
static_assert(is_a_plain_value<payload>(), "");
static_assert(is_a_plain_value<event_attributes>(), "");
static_assert(is_a_plain_value<range_handle>(), "");

// ---- Domains ----------------------------------------------------------------------

static_assert(!can_be_copied<domain>() && !can_be_moved<domain>(), "");
static_assert(!can_be_made_of<domain>(), "");
static_assert(!can_be_made_of<domain, char const *>(), "");
static_assert(!can_be_made_of<domain, wchar_t const *>(), "");
static_assert(!std::is_destructible<domain>::value, "");
static_assert(converts<domain const &, nvtxDomainHandle_t>(), "");
static_assert(same<decltype(domain::get()), domain const &>(), "");
static_assert(same<decltype(domain::get<narrow>()), domain const &>(), "");
static_assert(noexcept(domain::get()), "");
static_assert(noexcept(domain::get<narrow>()), "");
static_assert(noexcept(domain::get<wide>()), "");
static_assert(noexcept(nvtxDomainHandle_t(domain::get())), "");

// ---- Colors -----------------------------------------------------------------------

static_assert(!can_be_made_of<rgb>() && !can_be_made_of<argb>(), "");
static_assert(made_without_throwing_of<rgb, uint8_t, uint8_t, uint8_t>(), "");
static_assert(made_without_throwing_of<argb, uint8_t, uint8_t, uint8_t, uint8_t>(), "");
static_assert(converts<argb, rgb>() && !converts<rgb, argb>(), "");
static_assert(rgb{1, 2, 3}.red == 1, "");
static_assert(rgb{1, 2, 3}.green == 2, "");
static_assert(rgb{1, 2, 3}.blue == 3, "");
static_assert(argb{4, 1, 2, 3}.alpha == 4, "");
static_assert(argb{4, 1, 2, 3}.blue == 3, "");

static_assert(!can_be_made_of<color>() && can_be_copied<color>(), "");
static_assert(made_without_throwing_of<color, uint32_t>(), "");
static_assert(!converts<uint32_t, color>(), "");
static_assert(converts<rgb, color>() && converts<argb, color>(), "");
static_assert(color{0x11223344}.get_value() == 0x11223344, "");
static_assert(color{0x11223344}.get_type() == NVTX_COLOR_ARGB, "");
static_assert(color{rgb{1, 2, 255}}.get_value() == 0xff0102ff, "");
static_assert(color{argb{128, 1, 2, 3}}.get_value() == 0x80010203, "");
static_assert(same<decltype(color{1}.get_type()), nvtxColorType_t>(), "");
static_assert(noexcept(color{rgb{1, 2, 3}}.get_value()), "");

// ---- Categories -------------------------------------------------------------------

static_assert(!can_be_made_of<category>() && can_be_copied<category>(), "");
static_assert(made_without_throwing_of<category, uint32_t>(), "");
static_assert(!converts<uint32_t, category>(), "");
static_assert(category{7}.get_id() == 7, "");
static_assert(noexcept(category{7}.get_id()), "");

static_assert(std::is_base_of<category, named_category>::value, "");
static_assert(!can_be_made_of<named_category>(), "");
static_assert(can_be_copied<named_category>(), "");
static_assert(made_without_throwing_of<named_category, uint32_t, char const *>(), "");
static_assert(made_without_throwing_of<named_category, uint32_t, wchar_t const *>(),
              "");
static_assert(same<decltype(named_category_in<wide>::get<narrow>()),
                   named_category_in<wide> const &>(),
              "");
static_assert(noexcept(named_category_in<wide>::get<narrow>()), "");
static_assert(noexcept(named_category::get<wide>()), "");

// ---- Registered strings -----------------------------------------------------------

static_assert(!can_be_made_of<registered_string>(), "");
static_assert(can_be_copied<registered_string>(), "");
static_assert(made_without_throwing_of<registered_string, char const *>(), "");
static_assert(made_without_throwing_of<registered_string, wchar_t const *>(), "");
static_assert(made_without_throwing_of<registered_string, std::string const &>(), "");
static_assert(made_without_throwing_of<registered_string, std::wstring const &>(), "");
static_assert(!converts<char const *, registered_string>(), "");
static_assert(!converts<std::string, registered_string>(), "");
static_assert(same<decltype(registered_string_in<wide>::get<narrow>()),
                   registered_string_in<wide> const &>(),
              "");
static_assert(noexcept(registered_string_in<wide>::get<narrow>()), "");
static_assert(noexcept(registered_string::get<wide>().get_handle()), "");
static_assert(
    same<decltype(registered_string::get<wide>().get_handle()), nvtxStringHandle_t>(),
    "");

// ---- Messages ---------------------------------------------------------------------

static_assert(!can_be_made_of<message>() && can_be_copied<message>(), "");
static_assert(converts<char const *, message>(), "");
static_assert(converts<char[3], message>(), "");
static_assert(converts<wchar_t const *, message>(), "");
static_assert(converts<std::string &, message>(), "");
static_assert(converts<std::string const &, message>(), "");
static_assert(!converts<std::string, message>(), "");
static_assert(!can_be_made_of<message, std::string>(), "");
static_assert(converts<std::wstring const &, message>(), "");
static_assert(!converts<std::wstring, message>(), "");
static_assert(converts<registered_string, message>(), "");
static_assert(converts<registered_string_in<wide>, message>(), "");
static_assert(converts<nvtxStringHandle_t, message>(), "");
static_assert(!can_be_made_of<message, std::nullptr_t>(), "");
static_assert(!can_be_made_of<message, int>(), "");
static_assert(made_without_throwing_of<message, char const *>(), "");
static_assert(made_without_throwing_of<message, wchar_t const *>(), "");
static_assert(made_without_throwing_of<message, std::string const &>(), "");
static_assert(made_without_throwing_of<message, std::wstring const &>(), "");
static_assert(made_without_throwing_of<message, registered_string const &>(), "");
static_assert(made_without_throwing_of<message, nvtxStringHandle_t>(), "");
static_assert(
    made_without_throwing_of<message, nvtxMessageType_t, nvtxMessageValue_t>(), "");
static_assert(same<decltype(message{"x"}.get_type()), nvtxMessageType_t>(), "");
static_assert(noexcept(message{"x"}.get_value()) &&noexcept(message{"x"}.get_type()),
              "");
static_assert(message{NVTX_MESSAGE_TYPE_ASCII, nvtxMessageValue_t{"x"}}.get_type() ==
                  NVTX_MESSAGE_TYPE_ASCII,
              "");

// ---- Payloads ---------------------------------------------------------------------

static_assert(!can_be_made_of<payload>() && can_be_copied<payload>(), "");
static_assert(made_without_throwing_of<payload, int64_t>(), "");
static_assert(made_without_throwing_of<payload, int32_t>(), "");
static_assert(made_without_throwing_of<payload, uint64_t>(), "");
static_assert(made_without_throwing_of<payload, uint32_t>(), "");
static_assert(made_without_throwing_of<payload, float>(), "");
static_assert(made_without_throwing_of<payload, double>(), "");
static_assert(can_be_made_of<payload, short>() && can_be_made_of<payload, bool>(), "");
static_assert(!can_be_made_of<payload, long long>(), "ambiguous");
static_assert(!can_be_made_of<payload, long double>(), "ambiguous");
static_assert(!can_be_made_of<payload, char const *>(), "");
static_assert(!converts<int64_t, payload>() && !converts<double, payload>(), "");
static_assert(
    made_without_throwing_of<payload, nvtxPayloadType_t, payload::value_type>(), "");
static_assert(same<decltype(payload{1}.get_type()), nvtxPayloadType_t>(), "");
static_assert(noexcept(payload{1}.get_value()) &&noexcept(payload{1}.get_type()), "");
static_assert(payload{NVTX_PAYLOAD_TYPE_UNSIGNED_INT64, payload::value_type{7}}
                      .get_value()
                      .ullValue == 7,
              "");

// ---- Attributes -------------------------------------------------------------------

static_assert(made_without_throwing_of<event_attributes>(), "");
static_assert(can_be_copied<event_attributes>(), "");
static_assert(made_without_throwing_of<event_attributes, category>(), "");
static_assert(made_without_throwing_of<event_attributes, named_category>(), "");
static_assert(made_without_throwing_of<event_attributes, color>(), "");
static_assert(made_without_throwing_of<event_attributes, rgb>(), "");
static_assert(made_without_throwing_of<event_attributes, argb>(), "");
static_assert(made_without_throwing_of<event_attributes, payload>(), "");
static_assert(made_without_throwing_of<event_attributes, message>(), "");
static_assert(made_without_throwing_of<event_attributes, char const *>(), "");
static_assert(made_without_throwing_of<event_attributes, char const (&)[2]>(), "");
static_assert(made_without_throwing_of<event_attributes, wchar_t const *>(), "");
static_assert(can_be_made_of<event_attributes, std::string const &>(), "");
static_assert(made_without_throwing_of<event_attributes, registered_string>(), "");
static_assert(
    made_without_throwing_of<event_attributes, message, rgb, payload, category>(), "");
static_assert(
    made_without_throwing_of<event_attributes, category, payload, rgb, message>(), "");
static_assert(!can_be_made_of<event_attributes, std::string>(), "would dangle");
static_assert(!can_be_made_of<event_attributes, int>(), "");
static_assert(!can_be_made_of<event_attributes, double>(), "");
static_assert(!can_be_made_of<event_attributes, domain const &>(), "");
static_assert(!converts<char const *, event_attributes>(), "");
static_assert(!converts<color, event_attributes>(), "");
static_assert(!converts<payload, event_attributes>(), "");
static_assert(!converts<category, event_attributes>(), "");
static_assert(same<decltype(event_attributes{}.get()), nvtxEventAttributes_t const *>(),
              "");
static_assert(noexcept(event_attributes{"x", rgb{1, 2, 3}}.get()), "");

// ---- Ranges and marks -------------------------------------------------------------

template <typename Range> constexpr bool is_for_a_scope()
{
    return !can_be_copied<Range>() && !can_be_moved<Range>() &&
           std::is_nothrow_destructible<Range>::value &&
           !std::is_trivially_destructible<Range>::value;
}
static_assert(is_for_a_scope<scoped_range>(), "");
static_assert(is_for_a_scope<detail::optional_scoped_range_in<narrow>>(), "");
static_assert(made_without_throwing_of<scoped_range>(), "");
static_assert(made_without_throwing_of<scoped_range, event_attributes>(), "");
static_assert(made_without_throwing_of<scoped_range, event_attributes &>(), "");
static_assert(made_without_throwing_of<scoped_range, char const *, rgb>(), "");
static_assert(made_without_throwing_of<scoped_range, std::string>(), "");
static_assert(!converts<event_attributes, scoped_range>(), "");
static_assert(!converts<char const *, scoped_range>(), "");
static_assert(std::is_default_constructible<detail::optional_scoped_range_in<>>::value,
              "");
static_assert(noexcept(std::declval<detail::optional_scoped_range_in<narrow> &>().begin(
                  event_attributes{})),
              "");

template <typename T, typename = void> struct is_allocated : std::false_type {
};
template <typename T> struct is_allocated<T, decltype(void(new T))> : std::true_type {
};
static_assert(!is_allocated<scoped_range>::value, "");
static_assert(!is_allocated<detail::optional_scoped_range_in<>>::value, "");
static_assert(is_allocated<unique_range>::value, "");

static_assert(!can_be_copied<unique_range>() && can_be_moved<unique_range>(), "");
static_assert(std::is_nothrow_move_constructible<unique_range>::value, "");
static_assert(std::is_nothrow_move_assignable<unique_range>::value, "");
static_assert(std::is_nothrow_destructible<unique_range>::value, "");
static_assert(made_without_throwing_of<unique_range>(), "");
static_assert(made_without_throwing_of<unique_range, event_attributes>(), "");
static_assert(made_without_throwing_of<unique_range, char const *, payload>(), "");
static_assert(!converts<event_attributes, unique_range>(), "");
static_assert(!converts<unique_range_in<narrow>, unique_range>(), "");

static_assert(made_without_throwing_of<range_handle>(), "");
static_assert(made_without_throwing_of<range_handle, nvtxRangeId_t>(), "");
static_assert(!converts<nvtxRangeId_t, range_handle>(), "");
static_assert(converts<std::nullptr_t, range_handle>(), "");
static_assert(can_be_made_of<bool, range_handle>(), "");
static_assert(!converts<range_handle, bool>(), "");
static_assert(range_handle{5}.get_value() == 5, "");
static_assert(range_handle{5} == range_handle{5}, "");
static_assert(range_handle{5} != range_handle{6}, "");
static_assert(range_handle{5} != nullptr && nullptr == range_handle{}, "");
static_assert(range_handle{5} && !range_handle{} && !range_handle{nullptr}, "");
static_assert(noexcept(range_handle{5} == range_handle{5}), "");
static_assert(noexcept(range_handle{5} != range_handle{5}), "");

static_assert(same<decltype(start_range(event_attributes{})), range_handle>(), "");
static_assert(same<decltype(start_range("x", rgb{1, 2, 3})), range_handle>(), "");
static_assert(same<decltype(start_range()), range_handle>(), "");
static_assert(
    same<decltype(start_range_in<narrow>(event_attributes{})), range_handle>(), "");
static_assert(same<decltype(start_range_in<narrow>("x")), range_handle>(), "");
static_assert(same<decltype(start_range_in<>()), range_handle>(), "");
static_assert(same<decltype(end_range(range_handle{})), void>(), "");
static_assert(same<decltype(end_range_in<narrow>(range_handle{})), void>(), "");
static_assert(same<decltype(mark(event_attributes{})), void>(), "");
static_assert(same<decltype(mark("x", payload{1})), void>(), "");
static_assert(same<decltype(mark_in<narrow>(event_attributes{})), void>(), "");
static_assert(same<decltype(mark_in<narrow>("x", payload{1})), void>(), "");
static_assert(noexcept(start_range("x")) &&noexcept(start_range_in<narrow>("x")), "");
static_assert(noexcept(start_range(event_attributes{})), "");
static_assert(noexcept(end_range(range_handle{})), "");
static_assert(noexcept(end_range_in<narrow>(range_handle{})), "");
static_assert(noexcept(mark("x")) &&noexcept(mark_in<narrow>("x")), "");
static_assert(noexcept(mark(event_attributes{})), "");
static_assert(noexcept(mark_in<narrow>(event_attributes{})), "");
static_assert(noexcept(start_range_in<narrow>(event_attributes{})), "");

// ---- Constant expressions ---------------------------------------------------------

extern range_handle const none;
constexpr range_handle none{};
constexpr event_attributes nothing{};
static_assert(nothing.get()->version == NVTX_VERSION, "");
static_assert(nothing.get()->size == sizeof(nvtxEventAttributes_t), "");
static_assert(nothing.get()->messageType == NVTX_MESSAGE_UNKNOWN, "");
#if __cplusplus >= 201402L
static_assert(std::is_final<argb>::value, "");
static_assert(std::is_final<named_category>::value, "");
constexpr event_attributes orange_third{rgb{255, 128, 0}, category{3}};
static_assert(orange_third.get()->color == 0xffff8000, "");
static_assert(orange_third.get()->colorType == NVTX_COLOR_ARGB, "");
static_assert(orange_third.get()->category == 3, "");
constexpr event_attributes hello{"hello", payload{uint64_t{7}}, payload{uint64_t{8}}};
static_assert(hello.get()->message.ascii[0] == 'h', "");
static_assert(hello.get()->payload.ullValue == 7, "the first of two payloads counts");
#endif
#if __cplusplus >= 202002L
constexpr event_attributes wide_hello{L"hello", payload{-1.5}};
static_assert(wide_hello.get()->message.unicode[0] == L'h');
static_assert(wide_hello.get()->payload.dValue == -1.5);
static_assert(payload{int32_t{-3}}.get_value().iValue == -3);
static_assert(payload{int64_t{-3}}.get_value().llValue == -3);
static_assert(payload{uint32_t{3}}.get_value().uiValue == 3);
static_assert(payload{2.5F}.get_value().fValue == 2.5F);
#endif

// ---- Macros: in functions of every kind -------------------------------------------

inline void in_inline_function(bool is_wanted)
{
    NVTX3_FUNC_RANGE();
    NVTX3_FUNC_RANGE_IF(is_wanted);
}

template <typename T> T in_template(T value)
{
    NVTX3_V1_FUNC_RANGE_IN(narrow);
    NVTX3_V1_FUNC_RANGE_IF_IN(wide, value > 0);
    return value;
}

struct with_members {
    with_members() { NVTX3_FUNC_RANGE_IN(wide); }
    ~with_members() { NVTX3_V1_FUNC_RANGE(); }
    int operator()(bool is_wanted) const
    {
        auto const lambda = [&] {
            NVTX3_V1_FUNC_RANGE_IF(is_wanted);
            return 1;
        };
        NVTX3_FUNC_RANGE_IF_IN(narrow, is_wanted);
        return lambda();
    }
};

int in_all_of_them(bool is_wanted);
int in_all_of_them(bool is_wanted)
{
    in_inline_function(is_wanted);
    return in_template(1) + with_members{}(is_wanted);
}

// ---- What comes with it -----------------------------------------------------------

std::unique_ptr<std::pair<std::size_t, std::string>> brings_these_headers;
