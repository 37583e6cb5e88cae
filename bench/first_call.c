/* SPDX-License-Identifier: Apache-2.0 */
/* first_call.c - how long does the first call of a process take, in which the collector
 * is loaded, joins or makes the trace, and records?
 */
#include <nvtx3/nvToolsExt.h>

#include "bench.h"

int main(void)
{
    double begin, end;

    begin = bench_now_ns(CLOCK_MONOTONIC);
    nvtxMarkA("first");
    end = bench_now_ns(CLOCK_MONOTONIC);
    bench_declare("first call of a process", "us", NULL, 100);
    bench_sample("first call of a process", (end - begin) / 1e3);
    return 0;
}
