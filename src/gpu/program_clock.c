/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/program_clock.h"

#include <stddef.h>
#include <time.h>

#define SECOND UINT64_C(1000000000)

struct tie {
    uint64_t there, ns; /* of the program's clock, of CLOCK_REALTIME */
};

static rln__cupti_clock *clock_there; /* NULL: CUPTI's own, which is CLOCK_REALTIME */
static struct tie early, recent, late;

static uint64_t realtime_ns(void)
{
    struct timespec t = {0};

    (void)clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

/* Between two readings of CLOCK_REALTIME: the narrowest of some attempts. */
static struct tie read_both(void)
{
    uint64_t narrowest = UINT64_MAX;
    struct tie tie = {0};

    for (int i = 0; i < 4; i++) {
        const uint64_t before = realtime_ns();
        const uint64_t there = clock_there();
        const uint64_t width = realtime_ns() - before;

        if (width >= narrowest)
            continue;
        narrowest = width;
        tie = (struct tie){there, before + width / 2};
    }
    return tie;
}

void rln__program_clock_set(rln__cupti_clock *now)
{
    clock_there = now;
    if (now)
        early = recent = late = read_both();
}

/* The clocks' ratio is that of the last 10 to 20 seconds: long enough to be exact, and
 * short enough that adjustments of CLOCK_REALTIME are seen. */
void rln__program_clock_tie(void)
{
    if (!clock_there)
        return;
    late = read_both();
    if (late.ns - recent.ns > 10 * SECOND) {
        early = recent;
        recent = late;
    }
}

/* Whether it may be CLOCK_REALTIME: no record is a day old when it is handed over. */
static int is_realtime(uint64_t t)
{
    const uint64_t now = realtime_ns(), day = 86400 * SECOND;

    return t > now - day && t < now + day;
}

uint64_t rln__program_clock_ns(uint64_t t)
{
    const double passed = (double)(int64_t)(late.there - early.there);
    const double passed_ns = (double)(int64_t)(late.ns - early.ns);
    const double since = (double)(int64_t)(t - late.there);

    if (is_realtime(t))
        return t;
    if (!clock_there)
        return 0;
    return late.ns + (uint64_t)(int64_t)(passed > 0 ? since * passed_ns / passed : 0);
}
