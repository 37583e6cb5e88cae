/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/cpu_ranks.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "ranges/cpu_times.h"
#include "ranges/ranges.h"

static int add_range(struct rln__rank_sum *ranks, struct rln__cpu_times *times,
                     const rln_range *range)
{
    rln_range inside = rln__range_inside(times->reader, range);
    struct rln__cpu_split split = {0};

    if (!(range->flags & RLN_FLAG_DEFERRED)) /* of no thread */
        split = rln__cpu_times_of(times, range->thread, inside.start_ns, inside.end_ns);
    inside.end_ns = inside.start_ns + (int64_t)split.on_ns;
    return rln__rank_sum_add(ranks, &inside);
}

static rln_status read_all(struct rln__rank_sum *ranks, struct rln__cpu_times *times,
                           rln_error *err)
{
    const rln_range *range;
    rln_ranges *ranges;
    rln_status status = rln_ranges_open(times->reader, &ranges, err);

    if (status)
        return status;
    while ((status = rln_ranges_next(ranges, &range, err)) == RLN_OK)
        if (add_range(ranks, times, range))
            break;
    rln_ranges_close(ranges);
    return status == RLN_END && !rln__rank_sum_end(ranks) ? RLN_OK
           : status == RLN_OK || status == RLN_END        ? rln__fail_nomem(err)
                                                          : status;
}

static rln_status require_switches(const rln_reader *reader, rln_error *err)
{
    const size_t n = reader->layout.n_parts;
    size_t n_switched = 0;

    for (uint32_t i = 0; i < n; i++)
        n_switched += rln__has_cpu_times(reader, i) != 0;
    if (n_switched == n)
        return RLN_OK;
    return n_switched ? rln__fail(err, RLN_ERR_FORMAT, 0,
                                  "not all traces have context switches")
                      : rln__cpu_times_require(reader, RLN__NONE, err);
}

rln_status rln__cpu_ranks_new(rln_reader *reader, struct rln__sums **out,
                              rln_error *err)
{
    struct rln__sums *sums;
    struct rln__cpu_times times;
    rln_status status = require_switches(reader, err);

    *out = NULL;
    if (!status)
        status = rln__cpu_times_load(&times, reader, err);
    if (status)
        return status;
    if (times.n_readings) {
        rln__cpu_times_clear(&times);
        return rln__fail(err, RLN_ERR_FORMAT, 0,
                         "no context switches were recorded, only the clocks of "
                         "threads");
    }
    sums = rln__alloc(1, sizeof(*sums));
    if (!sums || rln__rank_sum_begin(&sums->ranks, reader))
        status = rln__fail_nomem(err);
    if (!status)
        status = read_all(&sums->ranks, &times, err);
    rln__cpu_times_clear(&times);
    if (status)
        rln__sums_free(sums);
    else
        *out = sums;
    return status;
}
