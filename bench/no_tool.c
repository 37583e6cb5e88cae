/* SPDX-License-Identifier: Apache-2.0 */
/* no_tool.c - what do annotations cost a program that is not recorded?
 *
 * A push and a pop of the core, a mark and a sample of extensions, and a range in C++.
 * Each loop is compiled with our headers and, if available, with NVIDIA's:
 * no_tool_loop.c and, with a C++ compiler, no_tool_loop.cpp. Run it without a tool.
 */
#include "bench.h"

void push_pop_our_headers(size_t n);
void extensions_our_headers(size_t n);
#ifdef HAVE_NVIDIA_HEADERS
void push_pop_nvidia_headers(size_t n);
void extensions_nvidia_headers(size_t n);
#endif

#ifdef HAVE_CPP
void function_range_our_headers(size_t n);
#ifdef HAVE_NVIDIA_HEADERS
void function_range_nvidia_headers(size_t n);
#endif
#endif

#define NVIDIA "no tool, NVIDIA's headers"
#define NVIDIA_CPP "no tool, NVIDIA's nvtx3.hpp"
#define NVIDIA_EXT "no tool, NVIDIA's extensions"

static const struct bench_case cases[] = {
#ifdef HAVE_NVIDIA_HEADERS
    {NVIDIA, push_pop_nvidia_headers, 0, NULL, 1},
    {"no tool, our headers, to NVIDIA's", push_pop_our_headers, 1.0, NVIDIA, 1},
    {NVIDIA_EXT, extensions_nvidia_headers, 0, NULL, 1},
    {"no tool, our extensions, to NVIDIA's", extensions_our_headers, 1.0, NVIDIA_EXT,
     1},
#endif
    {"no tool, our headers", push_pop_our_headers, 0.6, NULL, 1},
    {"no tool, our extensions", extensions_our_headers, 0.6, NULL, 1},
#ifdef HAVE_CPP
#ifdef HAVE_NVIDIA_HEADERS
    {NVIDIA_CPP, function_range_nvidia_headers, 0, NULL, 1},
    {"no tool, our nvtx3.hpp, to NVIDIA's", function_range_our_headers, 1.0, NVIDIA_CPP,
     1},
#endif
    {"no tool, our nvtx3.hpp", function_range_our_headers, 0, NULL, 1},
#endif
};

int main(void)
{
    bench_rounds(cases, sizeof cases / sizeof *cases, 10000000, 3);
    return 0;
}
