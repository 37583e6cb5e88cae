/* SPDX-License-Identifier: Apache-2.0 */
/* profiler_stub.c - replaces CUDA's runtime and driver: each function prints that it
 * was called, and fails if $STUB_FAILS is set; the runtime's call the driver's. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((visibility("default"))) int cudaProfilerStart(void);
__attribute__((visibility("default"))) int cudaProfilerStop(void);
__attribute__((visibility("default"))) int cuProfilerStart(void);
__attribute__((visibility("default"))) int cuProfilerStop(void);

static int called(const char *name)
{
    (void)puts(name);
    (void)fflush(stdout);
    return getenv("STUB_FAILS") ? 1 : 0;
}

int cuProfilerStart(void)
{
    return called("driver_start");
}

int cuProfilerStop(void)
{
    return called("driver_stop");
}

int cudaProfilerStart(void)
{
    const int result = called("start");

    return cuProfilerStart() || result;
}

int cudaProfilerStop(void)
{
    const int result = called("stop");

    return cuProfilerStop() || result;
}
