/* SPDX-License-Identifier: Apache-2.0 */
/* windows_stand_in.hpp - what nvtx3.hpp uses of the C++ library, declared, not defined:
 * enough to read the header, not to run a program. See windows_stand_in.h. */
#ifndef WINDOWS_STAND_IN_HPP
#define WINDOWS_STAND_IN_HPP

#include <stddef.h>
#include <stdint.h>

void *operator new(size_t, void *) noexcept;

namespace std
{

using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::int8_t;
using ::size_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::uint8_t;
using ::uintptr_t;
using nullptr_t = decltype(nullptr);
[[noreturn]] void abort();

/* ---- type_traits ----------------------------------------------------------------- */

template <typename T, T V> struct integral_constant {
    static constexpr T value = V;
    constexpr operator T() const noexcept { return V; }
};
template <bool B> using bool_constant = integral_constant<bool, B>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;

template <bool, typename T = void> struct enable_if {
};
template <typename T> struct enable_if<true, T> {
    using type = T;
};
template <bool, typename T, typename> struct conditional {
    using type = T;
};
template <typename T, typename F> struct conditional<false, T, F> {
    using type = F;
};
template <typename, typename> struct is_same : false_type {
};
template <typename T> struct is_same<T, T> : true_type {
};
template <typename T> struct is_lvalue_reference : false_type {
};
template <typename T> struct is_lvalue_reference<T &> : true_type {
};
template <typename T> struct remove_reference {
    using type = T;
};
template <typename T> struct remove_reference<T &> {
    using type = T;
};
template <typename T> struct remove_reference<T &&> {
    using type = T;
};
template <typename T> struct remove_cv {
    using type = T;
};
template <typename T> struct remove_cv<T const> {
    using type = T;
};
template <typename T> struct remove_cv<T volatile> {
    using type = T;
};
template <typename T> struct remove_cv<T const volatile> {
    using type = T;
};
template <typename T> struct is_pointer : false_type {
};
template <typename T> struct is_pointer<T *> : true_type {
};
template <typename T> struct decay {
    using type = typename remove_cv<typename remove_reference<T>::type>::type;
};
template <typename T, size_t N> struct decay<T (&)[N]> {
    using type = T *;
};
template <typename T>
struct is_standard_layout : bool_constant<__is_standard_layout(T)> {
};
template <typename T>
struct is_trivially_copyable : bool_constant<__is_trivially_copyable(T)> {
};
template <typename From, typename To>
struct is_convertible : bool_constant<__is_convertible_to(From, To)> {
};

/* ---- utility --------------------------------------------------------------------- */

template <typename T> T &&declval() noexcept;
template <typename T>
constexpr typename remove_reference<T>::type &&move(T &&value) noexcept
{
    return static_cast<typename remove_reference<T>::type &&>(value);
}
template <typename T>
constexpr T &&forward(typename remove_reference<T>::type &t) noexcept
{
    return static_cast<T &&>(t);
}
template <typename T> void swap(T &, T &) noexcept;

/* ---- string, stdexcept, memory --------------------------------------------------- */

template <typename C> struct basic_string {
    basic_string() noexcept;
    basic_string(C const *);
    basic_string(basic_string const &);
    ~basic_string();
    basic_string &operator=(basic_string const &);
    C const *c_str() const noexcept;
    C const *data() const noexcept;
    size_t size() const noexcept;
    bool empty() const noexcept;
};
template <typename C>
basic_string<C> operator+(basic_string<C> const &, basic_string<C> const &);
template <typename C> basic_string<C> operator+(basic_string<C> const &, C const *);
using string = basic_string<char>;
using wstring = basic_string<wchar_t>;

struct logic_error {
    explicit logic_error(char const *);
    explicit logic_error(string const &);
};

template <typename T> struct shared_ptr {
    shared_ptr() noexcept;
    template <typename U> shared_ptr(shared_ptr<U> const &) noexcept;
    T *get() const noexcept;
    T *operator->() const noexcept;
    void reset() noexcept;
    explicit operator bool() const noexcept;
};
template <typename T, typename... Args> shared_ptr<T> make_shared(Args &&...);

} /* namespace std */

#endif /* WINDOWS_STAND_IN_HPP */
