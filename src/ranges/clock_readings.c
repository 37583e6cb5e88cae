/* SPDX-License-Identifier: Apache-2.0 */
#include "ranges/clock_readings.h"

/* The kernel counts the time of a thread on a processor at its ticks, of which the longest
 * are 10 ms; what is so much more than there was is another thread's, which has its
 * number now. */
#define MOST_LATE_NS 20000000u

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static int are_of_one_thread(const struct rln__clock_reading *first,
                             const struct rln__clock_reading *next)
{
    return next->t_ns >= first->t_ns && next->on_ns >= first->on_ns &&
           next->waited_ns >= first->waited_ns &&
           next->waited_ns - first->waited_ns <= INT64_MAX &&
           next->on_ns - first->on_ns <=
               (uint64_t)(next->t_ns - first->t_ns) + MOST_LATE_NS;
}

/* Sets the time between two readings, and what there is no room for in it: that was
 * before, and was counted late. */
static void settle(struct rln__clock_reading *at, const struct rln__clock_reading *next,
                   struct rln__clock_reading *late)
{
    const uint64_t ns = (uint64_t)(next->t_ns - at->t_ns);
    const uint64_t on_ns = next->on_ns - at->on_ns + late->on_ns;
    const uint64_t waited_ns = next->waited_ns - at->waited_ns + late->waited_ns;

    at->on_ns = least(on_ns, ns);
    at->waited_ns = least(waited_ns, ns - at->on_ns);
    late->on_ns = on_ns - at->on_ns;
    late->waited_ns = waited_ns - at->waited_ns;
}

/* What it waited was counted after a reading and may have been before it: there is room for it where
 * the thread was blocked, and where what was counted then was itself before that. */
static void find_late(const struct rln__clock_reading *before,
                      struct rln__clock_reading *at)
{
    const uint64_t room_ns = (uint64_t)(at->t_ns - before->t_ns) - before->on_ns -
                             before->waited_ns + before->late_ns;

    at->late_ns = least(at->waited_ns, room_ns);
}

void rln__clock_readings_settle(struct rln__clock_reading *readings, size_t n)
{
    struct rln__clock_reading next = {0}, late = {0};

    for (size_t i = n; i-- > 0;) {
        const struct rln__clock_reading read = readings[i];

        if (i + 1 < n && are_of_one_thread(&read, &next)) {
            settle(&readings[i], &next, &late);
        } else {
            readings[i].on_ns = RLN__CLOCKS_UNKNOWN;
            late = (struct rln__clock_reading){0};
        }
        next = read;
    }
    for (size_t i = 1; i < n; i++)
        if (readings[i].on_ns != RLN__CLOCKS_UNKNOWN &&
            readings[i - 1].on_ns != RLN__CLOCKS_UNKNOWN)
            find_late(&readings[i - 1], &readings[i]);
}
