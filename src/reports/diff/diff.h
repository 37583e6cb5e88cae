/* SPDX-License-Identifier: Apache-2.0 */
/* diff.h - compares two runs and finds ranges that became slower or faster.
 *
 *   before   step |-----------------|      after   step |--------------------|
 *            load |----|  solve |---|              load |----|  solve |------|
 *
 * Ranges are matched by path: the names of all enclosing ranges, then their own, as in
 * "step > solve". Statistical tests over all durations decide whether they differ by
 * more than noise; a comparison of two averages would not.
 */
#ifndef RLN_REPORTS_DIFF_DIFF_H
#define RLN_REPORTS_DIFF_DIFF_H

#include "rangeline/model.h"

/* A comparison. */
struct rln__diff;

/* What differs. Bits; values are never renumbered. */
enum {
    RLN__DIFF_NEW = 1,   /* Only the side after has such ranges. */
    RLN__DIFF_GONE = 2,  /* Only the side before has such ranges. */
    RLN__DIFF_COUNT = 4, /* The number of ranges per trace differs. */
    /* Durations as a whole are longer or shorter: a rank test (Mann-Whitney) finds a
     * difference, and one side has the longer duration in at least 56 % of all pairs
     * (Vargha and Delaney's smallest effect). At most 1 % of all rows that are found to
     * differ do so by chance (Benjamini-Hochberg). The medians of runs must also differ
     * more between the sides than within them (Student's test, 1 %). With one run per
     * side, ten time slices of each run stand in for runs, so that variation from run
     * to run counts as a change. Medians less than 50 ns apart count as equal:
     * recording itself takes as long; of time on a processor, also less than 2 %. Of
     * one run that is sums, nothing says how it varies: RLN__DIFF_UNSURE then, for the
     * tail, too. */
    RLN__DIFF_MIDDLE = 8,
    /* The share of ranges that exceed the 95th percentile of the side before has grown
     * by at least half or fallen by at least a third; chance as above. Needs 100 ranges
     * per side. */
    RLN__DIFF_TAIL = 16,
    /* Too few ranges: whatever their durations, chance would exceed 1 %. */
    RLN__DIFF_FEW = 32,
    /* The middle differs between all ranges of the sides, but runs of one side differ
     * so much, too, that chance would be 1 to 10 %: more runs are needed. With one run
     * per side, only if one of them is sums. */
    RLN__DIFF_UNSURE = 64,
};

/* A range on one side. */
struct rln__diff_side {
    uint64_t n_ranges;
    uint64_t n_open; /* How many of them were never closed. */
    uint64_t total_ns;
    double median_ns; /* Exact. */
    double p95_ns;    /* 95th percentile, exact. */
};

/* A range with its path, over all threads and processes. */
struct rln__diff_row {
    rln_range_style style;
    size_t parent; /* Index of the enclosing range; SIZE_MAX for an outermost one. */
    uint32_t level;
    uint8_t is_default_domain;
    rln_text domain_name;
    rln_text message;
    struct rln__diff_side before, after;
    unsigned changes; /* RLN_DIFF_... */
    /* Probability of such a difference by chance, in the middle and in the tail; 1 if
     * not tested. */
    double p_middle;
    double p_tail;
    /* Share of pairs of durations, one from each side, in which the one from the side
     * after is longer; 0.5 if there is no difference. */
    double superiority;
    /* Probability that runs, or time slices of one run per side, differ like this by
     * chance; 1 if not tested. */
    double p_runs;
    /* Bounds of the change of the median that runs show, 0.1 for 10 %: it is within
     * them unless a difference like this has a chance of less than 1 %. NAN if not
     * tested, or with one run per side. */
    double least_change, most_change;
};

enum { RLN__DIFF_BEFORE, RLN__DIFF_AFTER, RLN__N_DIFF_SIDES };

/* Makes a comparison without sides. Then rln__diff_add_traces() once per side or
 * rln__diff_add_sums() once per run; then rln__diff_compare(). */
rln_status rln__diff_new(struct rln__diff **out, rln_error *err);

/* Compares the sides, once.
 *
 * Counts and totals are those of all traces of a side. If the sides have different
 * numbers of traces, RLN__DIFF_COUNT compares the number per trace. */
rln_status rln__diff_compare(struct rln__diff *diff, rln_error *err);

/* The same rows by the time that ranges were on a processor, as far as it is known, after
 * rln__diff_compare(): a range that is slower, but not there, waited or had others run in
 * its place. Borrowed; NULL unless both sides have any. */
const struct rln__diff *rln__diff_on_processor(const struct rln__diff *diff);

/* The same of a row; NULL unless both sides have any of it. */
const struct rln__diff_row *rln__diff_row_on_processor(const struct rln__diff *diff,
                                                       const struct rln__diff_row *row);

/* Whether a side has any such time. */
int rln__diff_has_cpu_times(const struct rln__diff *diff, int side);

/* Frees a comparison. */
void rln__diff_free(struct rln__diff *diff);

/* Gives a row; a range comes after its enclosing range. NULL past the last row. */
const struct rln__diff_row *rln__diff_at(const struct rln__diff *diff, size_t index);

/* Counts the traces of a side: 0 is before, 1 is after. */
size_t rln__diff_count_traces(const struct rln__diff *diff, int side);

/* And its runs: traces, or files of sums. */
size_t rln__diff_count_runs(const struct rln__diff *diff, int side);

#endif
