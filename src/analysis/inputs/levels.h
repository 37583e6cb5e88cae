/* SPDX-License-Identifier: Apache-2.0 */
/* levels.h - the levels of counters over time, for rules.
 *
 *     samples   3   5        4         in units; changes are added up
 *               |___         |___
 *     level     |   |________|         a level holds until the next sample
 */
#ifndef RLN_ANALYSIS_INPUTS_LEVELS_H
#define RLN_ANALYSIS_INPUTS_LEVELS_H

#include <stdbool.h>

#include "base/key_index.h"
#include "rangeline/model.h"
#include "rangeline/values.h"

struct rln__level {
    int64_t at_ns;
    double value;
};

/* A counter of a process, or a field of a group. Text is borrowed from the reader. */
struct rln__gauge {
    rln_text domain_name, name, field, unit;
    bool is_default_domain, adds_up;
    uint32_t process;
    const rln_counter *counter; /* borrowed from the iteration over events */
    double last;                /* value, in units */
    double sum;                 /* of the changes, if it adds up */
    struct rln__level *levels;  /* owned; by time */
    size_t n, capacity;
};

struct rln__levels {
    struct rln__gauge *gauges; /* owned */
    size_t n, capacity;
    struct rln__key_index keys;
};

/* Whether a rule wants a counter's levels; no `field`: any field of a group that is not
 * known yet. */
typedef bool rln__level_filter(rln_text name, const rln_text *field,
                               const rln_semantics *semantics);

/* Reads the traces if one of their counters matches. Clear `out` also on failure. */
rln_status rln__levels_read(rln_reader *reader, const rln_info *info,
                            rln__level_filter *matches, struct rln__levels *out,
                            rln_error *err);
void rln__levels_clear(struct rln__levels *levels);

/* The level at a time; false: there is none yet. */
bool rln__level_at(const struct rln__gauge *gauge, int64_t t_ns, double *out);

#endif
