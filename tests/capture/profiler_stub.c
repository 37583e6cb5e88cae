/* SPDX-License-Identifier: Apache-2.0 */
/* profiler_stub.c - replaces CUDA's runtime: prints that it was called, and fails if
 * $STUB_FAILS is set. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((visibility("default"))) int cudaProfilerStart(void);
__attribute__((visibility("default"))) int cudaProfilerStop(void);

static int called(const char *name)
{
    (void)puts(name);
    (void)fflush(stdout);
    return getenv("STUB_FAILS") ? 1 : 0;
}

int cudaProfilerStart(void)
{
    return called("start");
}

int cudaProfilerStop(void)
{
    return called("stop");
}
