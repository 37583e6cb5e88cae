// SPDX-License-Identifier: Apache-2.0
// cpp_calls.cpp - every call of the C++ API, in all its forms, in a fixed order.
//
// C++11 and later, for any copy of nvtx3.hpp. Prints results like core_calls.c. The
// recorded trace must be the same whichever headers it was built with.
#include <nvtx3/nvtx3.hpp>

#include <cstdio>

namespace
{

struct narrow {
    static constexpr char const *name{"narrow"};
};
struct wide {
    static constexpr wchar_t const *name{L"wide \u00e9"};
};
struct array {
    static constexpr char name[] = "array";
};
constexpr char array::name[];

// Text made at run time, by a type that only has a conversion.
struct converted {
    operator char const *() const { return "converted"; }
};
struct by_conversion {
    static converted name;
};
converted by_conversion::name;

// The same name again: tools know domains by name.
struct narrow_again {
    static char const *const name;
};
char const *const narrow_again::name = "narrow";

struct first_category {
    static constexpr char const *name{"first"};
    static constexpr uint32_t id{1};
};
struct second_category {
    static constexpr wchar_t const *name{L"second"};
    static constexpr uint32_t id{2};
};
struct first_message {
    static constexpr char const *message{"first message"};
};
struct second_message {
    static constexpr wchar_t const *message{L"second message"};
};

void say(char const *what, bool is_so)
{
    std::printf("%s: %s\n", what, is_so ? "yes" : "no");
}

// ---- Names ------------------------------------------------------------------------

template <typename D> void domains(char const *what)
{
    nvtxDomainHandle_t const handle = nvtx3::domain::get<D>();

    say(what, handle != nullptr);
    say("  the same again", handle == nvtx3::domain::get<D>());
    nvtx3::mark_in<D>("mark");
}

template <typename D> void categories()
{
    nvtx3::named_category_in<D> const by_hand{7, "by hand"};
    nvtx3::named_category_in<D> const by_wide_hand{8, L"by wide hand"};
    auto const &first = nvtx3::named_category_in<D>::template get<first_category>();
    auto const &second = nvtx3::named_category_in<D>::template get<second_category>();
    auto const &again = nvtx3::named_category_in<D>::template get<first_category>();

    say("categories", by_hand.get_id() == 7 && by_wide_hand.get_id() == 8);
    say("  by type", first.get_id() == 1 && second.get_id() == 2);
    say("  the same again", &first == &again);
    nvtx3::mark_in<D>(by_hand);
    nvtx3::mark_in<D>(first);
    nvtx3::mark_in<D>(nvtx3::category{9}, "category without a name");
}

template <typename D> void strings()
{
    std::string const text{"of string"};
    std::wstring const wide_text{L"of wstring"};
    nvtx3::registered_string_in<D> const of_literal{"of literal"};
    nvtx3::registered_string_in<D> const of_wide_literal{L"of wide literal"};
    nvtx3::registered_string_in<D> const of_string{text};
    nvtx3::registered_string_in<D> const of_wstring{wide_text};
    auto const copied = of_literal;

    say("string", of_literal.get_handle() != nullptr);
    say("  its copy is the same", copied.get_handle() == of_literal.get_handle());
    nvtx3::mark_in<D>(copied);
    nvtx3::mark_in<D>(of_wide_literal);
    nvtx3::mark_in<D>(of_string.get_handle());
    nvtx3::mark_in<D>(of_wstring);
    nvtx3::mark_in<D>(nvtx3::registered_string_in<D>::template get<first_message>());
    nvtx3::mark_in<D>(nvtx3::registered_string_in<D>::template get<second_message>());
    nvtx3::mark_in<D>(nvtx3::registered_string_in<D>::template get<first_message>());
}

// ---- Attributes -------------------------------------------------------------------

template <typename D> void messages()
{
    std::string const text{"string"};
    std::wstring const wide_text{L"wstring"};
    char buffer[] = "buffer";
    nvtxMessageValue_t value;

    value.ascii = "value";
    nvtx3::mark_in<D>();
    nvtx3::mark_in<D>("literal");
    nvtx3::mark_in<D>(L"wide literal");
    nvtx3::mark_in<D>(buffer);
    nvtx3::mark_in<D>(text);
    nvtx3::mark_in<D>(wide_text);
    nvtx3::mark_in<D>(std::string{"temporary string"});
    nvtx3::mark_in<D>(nvtx3::message{"message"});
    nvtx3::mark_in<D>(nvtx3::message{NVTX_MESSAGE_TYPE_ASCII, value});
    nvtx3::mark_in<D>(nvtx3::message{NVTX_MESSAGE_UNKNOWN, value});
    nvtx3::mark_in<D>(static_cast<char const *>(nullptr));
}

template <typename D> void payloads()
{
    nvtx3::payload::value_type value;

    value.llValue = -11;
    nvtx3::mark_in<D>(nvtx3::payload{int64_t{-1}});
    nvtx3::mark_in<D>(nvtx3::payload{int32_t{-2}});
    nvtx3::mark_in<D>(nvtx3::payload{~uint64_t{0}});
    nvtx3::mark_in<D>(nvtx3::payload{~uint32_t{0}});
    nvtx3::mark_in<D>(nvtx3::payload{0.5F});
    nvtx3::mark_in<D>(nvtx3::payload{-0.25});
    nvtx3::mark_in<D>(nvtx3::payload{short{5}});
    nvtx3::mark_in<D>(nvtx3::payload{true});
    nvtx3::mark_in<D>(nvtx3::payload{'c'});
    nvtx3::mark_in<D>(nvtx3::payload{sizeof(char)});
    nvtx3::mark_in<D>(nvtx3::payload{NVTX_PAYLOAD_TYPE_INT64, value});
    nvtx3::mark_in<D>(nvtx3::payload{NVTX_PAYLOAD_UNKNOWN, value});
}

template <typename D> void attributes()
{
    nvtx3::rgb const orange{255, 128, 0};
    nvtx3::argb const glass{64, 1, 2, 3};
    nvtx3::event_attributes all{"all", orange, nvtx3::payload{1}, nvtx3::category{2}};
    nvtx3::event_attributes const copied{all};
    nvtx3::event_attributes const none;

    nvtx3::mark_in<D>(orange);
    nvtx3::mark_in<D>(glass);
    nvtx3::mark_in<D>(nvtx3::color{0x12345678});
    nvtx3::mark_in<D>(nvtx3::color{glass});
    nvtx3::mark_in<D>(all);
    nvtx3::mark_in<D>(copied);
    nvtx3::mark_in<D>(none);
    nvtx3::mark_in<D>(nvtx3::category{2}, nvtx3::payload{1}, orange, "other order");
    nvtx3::mark_in<D>("first", "second", nvtx3::category{1}, nvtx3::category{2});
    all = none;
    nvtx3::mark_in<D>(all);
    nvtxDomainMarkEx(nvtx3::domain::get<D>(), copied.get());
}

// ---- Ranges -----------------------------------------------------------------------

template <typename D> void scoped_ranges()
{
    nvtx3::event_attributes const attributes{"attributes", nvtx3::payload{2.0}};
    nvtx3::scoped_range_in<D> const nothing;
    nvtx3::scoped_range_in<D> const of_attributes{attributes};
    nvtx3::scoped_range_in<D> const of_message{"message"};
    nvtx3::scoped_range_in<D> const of_string{std::string{"temporary string"}};
    {
        nvtx3::scoped_range_in<D> const inner{"inner", nvtx3::rgb{0, 0, 1},
                                              nvtx3::payload{3}};
        nvtx3::mark_in<D>("in inner");
    }
    nvtx3::detail::optional_scoped_range_in<D> never;
    nvtx3::detail::optional_scoped_range_in<D> later;
    later.begin(attributes);
    later.begin(attributes);
}

template <typename D> nvtx3::unique_range_in<D> hand_on(nvtx3::unique_range_in<D> range)
{
    nvtx3::mark_in<D>("handed on");
    return range;
}

template <typename D> void unique_ranges()
{
    nvtx3::event_attributes const attributes{"attributes", nvtx3::payload{4.0}};
    nvtx3::unique_range_in<D> const nothing;
    nvtx3::unique_range_in<D> a{attributes};
    nvtx3::unique_range_in<D> b{"message", nvtx3::category{1}};

    nvtx3::mark_in<D>("a's range ends");
    a = std::move(b);
    nvtx3::mark_in<D>("b is empty");
    b = hand_on<D>(std::move(a));
    nvtx3::mark_in<D>("and has it again");
    {
        std::unique_ptr<nvtx3::unique_range_in<D>> const on_heap{
            new nvtx3::unique_range_in<D>{"on heap"}};
    }
}

template <typename D> void handles()
{
    nvtx3::event_attributes const attributes{"attributes"};
    auto const a = nvtx3::start_range_in<D>(attributes);
    auto const b = nvtx3::start_range_in<D>("message", nvtx3::rgb{1, 1, 1});
    auto const c = nvtx3::start_range_in<D>();

    say("handle", a == nvtx3::range_handle{a.get_value()});
    say("  is one", static_cast<bool>(a));
    say("  is that of another range", a == b && a);
    nvtx3::end_range_in<D>(a);
    nvtx3::end_range_in<D>(c);
    nvtx3::end_range_in<D>(b);
    nvtx3::end_range_in<D>(nullptr);
}

template <typename D> void all_of(char const *domain_name)
{
    std::printf("# %s\n", domain_name);
    domains<D>(domain_name);
    categories<D>();
    strings<D>();
    messages<D>();
    payloads<D>();
    attributes<D>();
    scoped_ranges<D>();
    unique_ranges<D>();
    handles<D>();
}

// ---- The default domain, by names that do not say so --------------------------------

void default_domain()
{
    nvtx3::event_attributes const attributes{"attributes"};
    nvtx3::scoped_range const scoped{"scoped"};
    nvtx3::unique_range const unique{"unique"};
    nvtx3::named_category const category{3, "third"};

    nvtx3::mark(attributes);
    nvtx3::mark("mark", nvtx3::registered_string::get<first_message>());
    nvtx3::mark();
    nvtx3::mark(category, nvtx3::named_category::get<second_category>());
    auto const a = nvtx3::start_range(attributes);
    auto const b = nvtx3::start_range("start", nvtx3::payload{5});
    auto const c = nvtx3::start_range();
    nvtx3::end_range(b);
    nvtx3::end_range(a);
    nvtx3::end_range(c);
    nvtx3::end_range(nvtx3::range_handle{});
}

// ---- Functions --------------------------------------------------------------------

void function(bool is_wanted)
{
    NVTX3_FUNC_RANGE();
    NVTX3_FUNC_RANGE_IF(is_wanted);
    nvtx3::mark("in function");
}

void function_in(bool is_wanted)
{
    NVTX3_FUNC_RANGE_IN(narrow);
    NVTX3_FUNC_RANGE_IF_IN(wide, is_wanted);
    nvtx3::mark_in<wide>("in function_in");
}

template <typename T> T versioned(T value)
{
    NVTX3_V1_FUNC_RANGE();
    {
        NVTX3_V1_FUNC_RANGE_IN(narrow);
        nvtx3::v1::mark("in versioned");
    }
    NVTX3_V1_FUNC_RANGE_IF(value > 0);
    {
        NVTX3_V1_FUNC_RANGE_IF_IN(narrow, value > 1);
    }
    return value;
}

struct type {
    type() { NVTX3_FUNC_RANGE(); }
    ~type() { NVTX3_FUNC_RANGE_IN(narrow); }
    int operator()(int value) const
    {
        NVTX3_FUNC_RANGE();
        return value;
    }
};

void functions()
{
    std::printf("# functions\n");
    function(false);
    function(true);
    function(true);
    function_in(true);
    function_in(false);
    versioned(0);
    versioned(1L);
    versioned(2);
    versioned(2);
    type{}(1);
    [] { NVTX3_FUNC_RANGE(); }();
}

} // namespace

int main()
{
    all_of<nvtx3::domain::global>("default domain");
    all_of<narrow>("narrow");
    all_of<wide>("wide");
    domains<array>("array");
    domains<by_conversion>("by conversion");
    domains<narrow_again>("narrow again");
    default_domain();
    functions();
    std::printf("# done\n");
    return 0;
}
