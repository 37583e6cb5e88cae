/* SPDX-License-Identifier: Apache-2.0 */
/* never_ended.c - a million starts that are never ended do not grow the program's
 * memory. */
#include <nvtx3/nvToolsExt.h>

#include <string.h>

#include "check.h"

/* The program's own kilobytes, without the mapped trace, which is on disk. */
static long own_kilobytes(void)
{
    FILE *status = fopen("/proc/self/status", "r");
    char line[256];
    long kilobytes = -1;

    CHECK(status != NULL);
    while (fgets(line, sizeof line, status)) {
        if (strncmp(line, "RssAnon:", 8) == 0)
            kilobytes = atol(line + 8);
    }
    fclose(status);
    CHECK(kilobytes > 0);
    return kilobytes;
}

static long mapped_kilobytes(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[4608];
    unsigned long begin, end;
    long kilobytes = 0;

    CHECK(maps != NULL);
    while (fgets(line, sizeof line, maps)) {
        if (strstr(line, ".rln") && sscanf(line, "%lx-%lx", &begin, &end) == 2)
            kilobytes += (long)((end - begin) / 1024);
    }
    fclose(maps);
    return kilobytes;
}

int main(void)
{
    nvtxRangeId_t last = 0;
    long before;

    for (int i = 0; i < 10000; i++)
        last = nvtxRangeStartA("never ended");
    before = own_kilobytes();
    for (int i = 0; i < 1000000; i++) {
        const nvtxRangeId_t id = nvtxRangeStartA("never ended");

        CHECK(id != 0 && id != last);
        last = id;
    }
    CHECK(own_kilobytes() - before < 512);
    /* A few blocks, most of them already unmapped. */
    CHECK(mapped_kilobytes() < 64 * 1024);
    return 0;
}
