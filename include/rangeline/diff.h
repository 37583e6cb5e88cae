/* SPDX-License-Identifier: Apache-2.0 */
/* diff.h - what became slower or faster from one run to another.
 *
 *   before   step |-----------------|      after   step |--------------------|
 *            load |----|  solve |---|              load |----|  solve |------|
 *
 * Ranges are matched by their path: their own name and the names of all that is around
 * them, "step > solve". Whether durations differ by more than noise is decided by
 * statistics over all of them, never by two numbers.
 */
#ifndef RANGELINE_DIFF_H
#define RANGELINE_DIFF_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A comparison. */
typedef struct rln_diff rln_diff;

/** What differs. Bits; values are never renumbered. */
enum {
    RLN_DIFF_NEW = 1,  /**< There was no such range before. */
    RLN_DIFF_GONE = 2, /**< There is none any more. */
    /** There are more of them, or fewer, in each trace. */
    RLN_DIFF_COUNT = 4,
    /** Durations as a whole lie higher or lower: a rank test (Mann and Whitney's) says
     * so, and one of the sides has the longer one of two in at least 56 % of all pairs
     * (Vargha and Delaney's least effect). Of all rows for which a test says so, at
     * most 1 % are by chance (Benjamini and Hochberg's limit). And the medians of runs
     * differ more between the sides than within them (Student's test, 1 %); with one
     * run a side, those of ten stretches of time of each, so that what differs from run
     * to run counts as a change there. Medians that are less
     * than 50 ns apart are not told apart: recording takes as long. */
    RLN_DIFF_MIDDLE = 8,
    /** More or fewer of them are longer than 95 % of those before, by half or a third
     * and more; chance as above. Needs 100 ranges a side. */
    RLN_DIFF_TAIL = 16,
    /** Too few to tell: whatever their durations were, more than 1 % would be left to
     * chance. */
    RLN_DIFF_FEW = 32,
};

/** A range on one side. Library-owned; grows at its end. */
typedef struct rln_diff_side {
    uint64_t n_ranges;
    uint64_t n_open; /**< Of them nobody closed. */
    uint64_t total_ns;
    double median_ns; /**< Exact. */
    double p95_ns;    /**< Exact: so long or shorter are 95 % of them. */
} rln_diff_side;

/** A range with what is around it, over all threads and processes. Library-owned;
 * grows at its end. */
typedef struct rln_diff_row {
    rln_range_style style;
    size_t parent; /**< Index of the range around it; SIZE_MAX for an outermost one. */
    uint32_t level;
    uint8_t is_default_domain;
    rln_text domain_name;
    rln_text message;
    rln_diff_side before, after;
    unsigned changes; /**< RLN_DIFF_... */
    /** How likely it is that chance alone makes such a difference, and of the tail; 1
     * if that was not tested. */
    double p_middle;
    double p_tail;
    /** Of two durations, one of each side, how often that of the after side is the
     * longer one; 0.5 if there is no difference. */
    double superiority;
    /** How likely it is that runs, or stretches of one run a side, differ so by chance;
     * 1 if that was not tested. */
    double p_runs;
} rln_diff_row;

/**
 * Reads the traces of both sides and compares them.
 *
 * Keeps eight bytes a range. Of more than 200,000 of one path and side, the tests look
 * at so many, evenly chosen.
 *
 * Counts and totals are those of all traces of a side. Where the sides have different
 * numbers of traces, RLN_DIFF_COUNT is about the number in each.
 *
 * Ownership: the caller owns `*out` and frees it with rln_diff_free(), before the
 *            readers. On failure `*out` is NULL.
 * Threads:   as rln_reader_open(), for both readers.
 * Errors:    RLN_ERR_NOMEM, RLN_ERR_IO.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_diff_new(rln_reader *before, rln_reader *after,
                                              rln_diff **out, rln_error *err);

/**
 * Frees a comparison.
 *
 * Ownership: its rows end here. NULL is accepted.
 * Threads:   as rln_reader_open().
 * Errors:    none.
 * Since:     0.1
 */
RLN_API void rln_diff_free(rln_diff *diff);

/**
 * Gives a row; a range comes after what is around it.
 *
 * Ownership: borrowed until rln_diff_free().
 * Threads:   any, while nobody frees it.
 * Errors:    NULL if there are not so many.
 * Since:     0.1
 */
RLN_API const rln_diff_row *rln_diff_at(const rln_diff *diff, size_t index);

/**
 * Says how many traces a side has: 0 is before, 1 is after.
 *
 * Ownership: none.
 * Threads:   any, while nobody frees it.
 * Errors:    0 for another side.
 * Since:     0.1
 */
RLN_API size_t rln_diff_count_traces(const rln_diff *diff, int side);

#ifdef __cplusplus
}
#endif

#endif
