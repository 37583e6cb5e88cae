/* SPDX-License-Identifier: Apache-2.0 */
/* py_torch_abi.h - declares what PyTorch's C++ library calls and is called with.
 *
 * PyTorch reports each operator, autograd node and label to observers, in C++, as an
 * at::RecordFunction. No function of Python reaches them, and a library that is
 * compiled with PyTorch's headers only suits one release. So the types are declared
 * here as compilers for x86-64 pass them, and found in libtorch_cpu.so by name.
 * rangeline/torch/_observe.py compares them with the header that comes with the
 * installed PyTorch; if they differ, nothing here is used.
 */
#ifndef RLN_PYTHON_TORCH_ABI_H
#define RLN_PYTHON_TORCH_ABI_H

#include <stdbool.h>
#include <stdint.h>

/* A const at::RecordFunction &. */
typedef const void *rln_torch_function;

#define RLN_TORCH_MAX_SCOPES 37

/* at::RecordFunctionCallback, which is passed by value: in memory, so that flags beyond
 * its end are ignored. */
struct rln_torch_observer {
    /* Returns a std::unique_ptr: that is, sets *context and returns its address. */
    void **(*start)(void **context, rln_torch_function function);
    void (*end)(rln_torch_function function, void *context);
    double probability;
    /* One per at::RecordScope, then needs_inputs, needs_outputs, needs_ids. */
    bool flags[RLN_TORCH_MAX_SCOPES + 3];
};

struct rln_torch_library {
    uint64_t (*add_global)(struct rln_torch_observer);
    uint64_t (*add_thread_local)(struct rln_torch_observer);
    void (*remove)(uint64_t handle);
    const char *(*name)(rln_torch_function function);
};

/* In the order of rln_torch_library. */
#define RLN_TORCH_SYMBOLS                                                              \
    {                                                                                  \
        "_ZN2at17addGlobalCallbackENS_22RecordFunctionCallbackE",                      \
            "_ZN2at22addThreadLocalCallbackENS_22RecordFunctionCallbackE",             \
            "_ZN2at14removeCallbackEm", "_ZNK2at14RecordFunction4nameEv"               \
    }

#endif
