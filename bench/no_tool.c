/* SPDX-License-Identifier: Apache-2.0 */
/* no_tool.c - what do annotations cost a program that nobody records?
 *
 * The same loop is compiled with our headers and, if they are at hand, with NVIDIA's:
 * no_tool_loop.c. Run it without a tool.
 */
#include "bench.h"

void push_pop_our_headers(size_t n);
#ifdef HAVE_NVIDIA_HEADERS
void push_pop_nvidia_headers(size_t n);
#endif

#define NVIDIA "no tool, NVIDIA's headers"

static const struct bench_case cases[] = {
#ifdef HAVE_NVIDIA_HEADERS
    {NVIDIA, push_pop_nvidia_headers, 0, NULL, 1},
    {"no tool, our headers, to NVIDIA's", push_pop_our_headers, 1.0, NVIDIA, 1},
#endif
    {"no tool, our headers", push_pop_our_headers, 0.6, NULL, 1},
};

int main(void)
{
    bench_rounds(cases, sizeof cases / sizeof *cases, 10000000, 3);
    return 0;
}
