/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvtx_compiler.h - what each compiler calls the same thing. Included by nvToolsExt.h.
 *
 * There are two dialects: GNU C, of gcc and clang on every system, MinGW included, and
 * Microsoft's, of cl and clang-cl. Outside this file the C headers do not distinguish
 * compilers; nvtx_system.h has what differs between systems.
 */
#ifndef NVTX_COMPILER_H
#define NVTX_COMPILER_H

#if defined(NVTX_AS_SYSTEM_HEADER) && defined(__clang__)
#pragma clang system_header
#elif defined(NVTX_AS_SYSTEM_HEADER) && defined(__GNUC__)
#pragma GCC system_header
#endif

#if !defined(_MSC_VER) && !defined(__GNUC__)
#error "These NVTX headers need a compiler that speaks GNU C or Microsoft's dialect."
#endif

/* ---- Functions ------------------------------------------------------------------- */

/* Calling convention of the functions and of a tool's callbacks. */
#if defined(_WIN32)
#define NVTX_API __stdcall
#else
#define NVTX_API
#endif

/* Symbols that no other executable or library can see. In a DLL it is the default. */
#if defined(_WIN32)
#define NVTX_HIDDEN
#define NVTX_DYNAMIC_EXPORT __declspec(dllexport)
#else
#define NVTX_HIDDEN __attribute__((visibility("hidden")))
#define NVTX_DYNAMIC_EXPORT __attribute__((visibility("default")))
#endif

/* In the body of an exported function: its name in the DLL is that in the source. The
 * linker of 32-bit Windows adds an underscore and the size of the arguments. In clang
 * __FUNCTION__ is no text for a pragma. */
#if !defined(NVTX_EXPORT_UNMANGLED_FUNCTION_NAME)
#if defined(_MSC_VER) && !defined(__clang__) &&                                        \
    (defined(_M_IX86) || defined(_M_ARM64EC))
#define NVTX_EXPORT_UNMANGLED_FUNCTION_NAME                                            \
    __pragma(comment(linker, "/EXPORT:" __FUNCTION__ "=" __FUNCDNAME__))
#else
#define NVTX_EXPORT_UNMANGLED_FUNCTION_NAME
#endif
#endif

#if defined(_MSC_VER)
#define NVTX_INLINE_STATIC static __inline
#else
#define NVTX_INLINE_STATIC static __inline__
#endif

/* Sets the linker's name of a function; Microsoft's compiler has no such thing. */
#if !defined(_MSC_VER) && defined(__APPLE__)
#define NVTX_ASM_NAME(name) __asm__("_" name)
#elif !defined(_MSC_VER)
#define NVTX_ASM_NAME(name) __asm__(name)
#endif

/* Functions that run at most once, placed away from the program's own code. */
#if defined(_MSC_VER) && defined(__cplusplus)
#define NVTX_COLD inline __declspec(noinline)
#elif defined(_MSC_VER)
#define NVTX_COLD static __inline __declspec(noinline)
#elif defined(__cplusplus)
#define NVTX_COLD inline NVTX_HIDDEN __attribute__((cold))
#else
#define NVTX_COLD static __attribute__((unused, noinline, cold))
#endif

#if defined(_MSC_VER)
#define NVTX_UNLIKELY(condition) (condition)
#else
#define NVTX_UNLIKELY(condition) (__builtin_expect(condition, 0))
#endif

/* ---- Variables ------------------------------------------------------------------- */

/* Variables shared by the linkage unit's object files, hidden from all other units.
 * Their definitions have initializers; ..._LATER declares one before its definition.
 * In C, gcc ignores selectany unless the first declaration has it; clang takes a
 * declaration that has it for a definition. */
#if defined(_WIN32)
#define NVTX_ONE_IN_UNIT __declspec(selectany)
#if defined(_MSC_VER) || defined(__clang__)
#define NVTX_ONE_IN_UNIT_LATER extern
#else
#define NVTX_ONE_IN_UNIT_LATER __declspec(selectany) extern
#endif
#else
#define NVTX_ONE_IN_UNIT NVTX_HIDDEN __attribute__((weak))
#define NVTX_ONE_IN_UNIT_LATER extern NVTX_HIDDEN
#endif

/* ---- Atomic operations ----------------------------------------------------------- */

/* On words and pointers of `type`; the last three are for uintptr_t only. NVTX_CLAIM
 * stores `value` if *address is 0, sets *seen, which must be 0, to what *address was
 * before, and returns whether it stored.
 *
 * Microsoft's compiler has no builtins for any type. Its volatile access to an aligned
 * word is never split; its Interlocked functions, of <windows.h>, are full barriers. */
#if defined(_MSC_VER)
#define NVTX_LOAD_RELAXED(type, address) (*NVTX_STATIC_CAST(type volatile *, address))
#define NVTX_STORE_RELAXED(type, address, value)                                       \
    (*NVTX_STATIC_CAST(type volatile *, address) = (value))
#define NVTX_SWAPPED(address, seen, value)                                             \
    NVTX_REINTERPRET_CAST(uintptr_t,                                                   \
                          InterlockedCompareExchangePointer(                           \
                              NVTX_REINTERPRET_CAST(void *volatile *, address),        \
                              NVTX_REINTERPRET_CAST(void *, value),                    \
                              NVTX_REINTERPRET_CAST(void *, seen)))
#define NVTX_WORD(value) NVTX_STATIC_CAST(uintptr_t, value)
#define NVTX_LOAD_ACQUIRE(address) NVTX_SWAPPED(address, NVTX_WORD(0), NVTX_WORD(0))
#define NVTX_STORE_RELEASE(address, value)                                             \
    NVTX_STATIC_CAST(void, InterlockedExchangePointer(                                 \
                               NVTX_REINTERPRET_CAST(void *volatile *, address),       \
                               NVTX_REINTERPRET_CAST(void *, NVTX_WORD(value))))
#define NVTX_CLAIM(address, seen, value)                                               \
    ((*(seen) = NVTX_SWAPPED(address, *(seen), value)) == 0)
#else
#define NVTX_LOAD_RELAXED(type, address) __atomic_load_n(address, __ATOMIC_RELAXED)
#define NVTX_STORE_RELAXED(type, address, value)                                       \
    __atomic_store_n(address, value, __ATOMIC_RELAXED)
#define NVTX_LOAD_ACQUIRE(address) __atomic_load_n(address, __ATOMIC_ACQUIRE)
#define NVTX_STORE_RELEASE(address, value)                                             \
    __atomic_store_n(address, value, __ATOMIC_RELEASE)
#define NVTX_CLAIM(address, seen, value)                                               \
    __atomic_compare_exchange_n(address, seen, value, 0, __ATOMIC_ACQUIRE,             \
                                __ATOMIC_ACQUIRE)
#endif

#endif /* NVTX_COMPILER_H */
