/* SPDX-License-Identifier: Apache-2.0 */
/* histogram.c - the durations of one range, by frequency. */
#include <math.h>

#include "reports/pace.h"
#include "reports/report_list.h"
#include "statistics/root.h"

#define MOST_BUCKETS 16

/* Bucket i is from edges[i] up to, but without, edges[i + 1]. */
struct buckets {
    uint64_t edges[MOST_BUCKETS + 1];
    uint64_t counts[MOST_BUCKETS], times[MOST_BUCKETS];
    size_t n;
};

/* Each is wider than the one before by the same factor. */
static void make_edges(struct buckets *b, const struct rln__pace *found)
{
    uint64_t least = UINT64_MAX, most = 0, from;
    double factor, bound;

    for (size_t i = 0; i < found->n; i++) {
        const uint64_t ns = rln__duration_of(&found->rows[i]);

        least = ns < least ? ns : least;
        most = ns > most ? ns : most;
    }
    from = least ? least : 1;
    factor = rln__root((double)most / (double)from, MOST_BUCKETS);
    b->edges[0] = least;
    bound = (double)from;
    for (size_t i = 1; i < MOST_BUCKETS; i++) {
        uint64_t edge;

        bound *= factor;
        edge = (uint64_t)ceil(bound * (1 - 1e-12)); /* 2.0000000000000004 is 2 */
        if (edge > b->edges[b->n] && edge <= most)
            b->edges[++b->n] = edge;
    }
    b->edges[++b->n] = most + 1;
}

static void fill_buckets(struct buckets *b, const struct rln__pace *found)
{
    for (size_t i = 0; i < found->n; i++) {
        const uint64_t ns = rln__duration_of(&found->rows[i]);
        size_t at = b->n - 1;

        while (ns < b->edges[at])
            at--;
        b->counts[at]++;
        b->times[at] += ns;
    }
}

static const rln_report_column columns[] = {
    RLN__TIMES("From"),       RLN__TIMES("To"),          RLN__NUMBERS("Instances"),
    RLN__NUMBERS("Time (%)"), RLN__NUMBERS("Share (%)"),
};

static rln_status build_histogram(const struct rln__report_source *source,
                                  rln_report *out)
{
    struct buckets b = {.n = 0};
    uint64_t total = 0;
    struct rln__pace found;
    const rln_status status = rln__pace_find(source, &found);

    if (status)
        return status;
    if (found.n) {
        make_edges(&b, &found);
        fill_buckets(&b, &found);
    }
    for (size_t i = 0; i < b.n; i++)
        total += b.times[i];
    for (size_t i = 0; i < b.n; i++) {
        rln__report_put_ns(out, b.edges[i]);
        rln__report_put_ns(out, b.edges[i + 1]);
        rln__report_put_count(out, b.counts[i]);
        rln__report_put_percent(out, b.times[i], total);
        rln__report_put_percent(out, b.counts[i], found.n);
    }
    rln__pace_clear(&found);
    return RLN_OK;
}

const struct rln__report_kind rln__report_histogram = {
    .about = {.name = "histogram",
              .title = "Histogram",
              .help = "durations of one range (histogram:NAME), by frequency",
              .subject = "such ranges",
              .is_of_a_range = 1,
              .details =
                  "histogram:DOMAIN:NAME, histogram::NAME (default domain) or "
                  "histogram:NAME (all domains together); \\ escapes a comma. "
                  "Without NAME: the range with the longest total, if possible "
                  "one that ran at least ten times. One row per class of "
                  "durations, at least From and less than To. Time (%): share of "
                  "the time; Share (%): share of the Instances. Ranges of both "
                  "styles count."},
    .build = build_histogram,
    RLN__COLUMNS(columns),
};
