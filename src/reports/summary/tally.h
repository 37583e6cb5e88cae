/* SPDX-License-Identifier: Apache-2.0 */
/* tally.h - how often, and how much: count, total, extremes and spread of the values of
 * one row of a report, such as durations. */
#ifndef RLN_REPORTS_SUMMARY_TALLY_H
#define RLN_REPORTS_SUMMARY_TALLY_H

#include "statistics/exact_spread.h"

/* Empty when zeroed. */
struct rln__tally {
    uint64_t n, total, min, max;
    struct rln__spread spread;   /* once it has ended */
    struct rln__samples samples; /* owned; until it has ended */
};

/* 0, or -1 when there is no memory. */
static inline int rln__tally_add(struct rln__tally *tally, uint64_t value)
{
    if (!tally->n++ || value < tally->min)
        tally->min = value;
    if (value > tally->max)
        tally->max = value;
    tally->total += value;
    return rln__samples_add(&tally->samples, value);
}

/* Finds the spread, after the last value. 0, or -1 when there is no memory. */
int rln__tally_end(struct rln__tally *tally);
/* One that has ended owns nothing. */
void rln__tally_clear(struct rln__tally *tally);

#endif
