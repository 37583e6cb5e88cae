/* SPDX-License-Identifier: Apache-2.0 */
/* early_client.c - a library that annotates while it is loaded and unloaded: main() may
 * not have begun yet, or may have returned. */
#include <nvtx3/nvToolsExt.h>

#include <stdlib.h>

static void at_exit(void)
{
    nvtxMarkA("kept");
}

__attribute__((constructor)) static void begin(void)
{
    nvtxMarkA("kept");
    (void)atexit(at_exit);
    nvtxMarkA("kept");
}

__attribute__((destructor)) static void end(void)
{
    nvtxMarkA("kept");
    nvtxMarkA("kept");
}
