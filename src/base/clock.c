/* SPDX-License-Identifier: Apache-2.0 */
/* clock.c - chooses the clock of a run, and reads all clocks together. No libc. */
#include "base/clock.h"

#include <sys/prctl.h>

#if defined(__x86_64__)
/* The kernel removes "tsc" from its list of clock sources when it finds the counters of
 * two processors out of step, or their rate changing. */
static int kernel_trusts_tsc(void)
{
    static const char path[] =
        "/sys/devices/system/clocksource/clocksource0/available_clocksource";
    char list[128];
    const int fd = rln__sys_open(path, O_RDONLY | O_CLOEXEC, 0);
    long n_bytes;

    if (fd < 0)
        return 0;
    n_bytes = rln__sys_read(fd, list, sizeof list);
    rln__sys_close(fd);
    for (long i = 0; i + 3 <= n_bytes; i++) {
        const int at_start = i == 0 || list[i - 1] == ' ';

        if (at_start && list[i] == 't' && list[i + 1] == 's' && list[i + 2] == 'c')
            return 1;
    }
    return 0;
}

int rln__clock_is_allowed(enum rln__clock_kind kind)
{
    int mode = 0;

    return kind != RLN__CLOCK_TSC ||
           rln__sys_prctl(PR_GET_TSC, (unsigned long)&mode) < 0 ||
           mode == PR_TSC_ENABLE;
}

enum rln__clock_kind rln__clock_choose(void)
{
    if (!rln__clock_is_allowed(RLN__CLOCK_TSC))
        return RLN__CLOCK_MONOTONIC_RAW;
    return kernel_trusts_tsc() ? RLN__CLOCK_TSC : RLN__CLOCK_MONOTONIC_RAW;
}

uint64_t rln__clock_rate(enum rln__clock_kind kind)
{
    return kind == RLN__CLOCK_MONOTONIC_RAW ? 1000000000u : 0;
}
#else
int rln__clock_is_allowed(enum rln__clock_kind kind)
{
    (void)kind;
    return 1;
}

enum rln__clock_kind rln__clock_choose(void)
{
    return RLN__CLOCK_CNTVCT;
}

uint64_t rln__clock_rate(enum rln__clock_kind kind)
{
    uint64_t rate;

    if (kind == RLN__CLOCK_MONOTONIC_RAW)
        return 1000000000u;
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(rate));
    return rate;
}
#endif

static uint64_t ticks_now(enum rln__clock_kind kind)
{
    return kind == RLN__CLOCK_MONOTONIC_RAW ? rln__sys_clock_ns(CLOCK_MONOTONIC_RAW)
                                            : rln__counter();
}

/* How far CLOCK_REALTIME is ahead of CLOCK_MONOTONIC. Read one after the other they
 * would be apart by a system call, which is more than lies between a range's begin and
 * the call of CUDA in it. */
static uint64_t realtime_ahead_ns(void)
{
    uint64_t narrowest = UINT64_MAX, ahead = 0;

    for (int i = 0; i < 4; i++) {
        const uint64_t before = rln__sys_clock_ns(CLOCK_MONOTONIC);
        const uint64_t realtime_ns = rln__sys_clock_ns(CLOCK_REALTIME);
        const uint64_t width = rln__sys_clock_ns(CLOCK_MONOTONIC) - before;

        if (width >= narrowest)
            continue;
        narrowest = width;
        ahead = realtime_ns - (before + width / 2);
    }
    return ahead;
}

void rln__clock_read(enum rln__clock_kind kind, struct rln__clock_tuple *out)
{
    out->uncertainty_ticks = UINT64_MAX;
    for (int i = 0; i < 4; i++) {
        const uint64_t before = ticks_now(kind);
        const uint64_t monotonic_ns = rln__sys_clock_ns(CLOCK_MONOTONIC);
        const uint64_t width = ticks_now(kind) - before;

        /* As narrow as the previous attempt: nothing interrupted either. */
        if (width >= out->uncertainty_ticks) {
            if (width / 2 < out->uncertainty_ticks)
                break;
            continue;
        }
        out->ticks = before + width / 2;
        out->monotonic_ns = monotonic_ns;
        out->uncertainty_ticks = width;
    }
    out->realtime_ns = out->monotonic_ns + realtime_ahead_ns();
}
