/* SPDX-License-Identifier: Apache-2.0 */
/* fake_roctx.c - as AMD's library, with levels from 100 and ids from 1000. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>

#define EXPORTED __attribute__((visibility("default")))

EXPORTED void roctxMarkA(const char *message);
EXPORTED int roctxRangePushA(const char *message);
EXPORTED int roctxRangePop(void);
EXPORTED uint64_t roctxRangeStartA(const char *message);
EXPORTED void roctxRangeStop(uint64_t id);

static int level = 100;
static uint64_t n = 1000;

/* As a library that looks for files when it is loaded. */
__attribute__((constructor)) static void loaded(void)
{
    errno = ENOENT;
}

void roctxMarkA(const char *message)
{
    (void)fprintf(stderr, "the real one has %s\n", message);
}

int roctxRangePushA(const char *message)
{
    (void)message;
    return level++;
}

int roctxRangePop(void)
{
    return level == 100 ? -1 : --level;
}

uint64_t roctxRangeStartA(const char *message)
{
    (void)message;
    return n++;
}

void roctxRangeStop(uint64_t id)
{
    (void)id;
}
