/* SPDX-License-Identifier: Apache-2.0 */
/* exporter.h - what a format is made of, and how it is told of a trace.
 *
 *   walk.c --> open, close, mark, sample    in the order of time: formats of events
 *      |
 *      '--> rows.c --> row                  whole, in the order of beginnings: formats
 *                                           of tables
 *
 * A format is one file with one table of these operations. It keeps what it needs in a
 * state of its own and never holds more of the trace than what is open.
 */
#ifndef RLN_EXPORT_EXPORTER_H
#define RLN_EXPORT_EXPORTER_H

#include "base/buf.h"
#include "base/fail.h"
#include "export/nsys/nsys_tables.h"
#include "export/times.h"
#include "output/output.h"
#include "rangeline/counter.h"
#include "rangeline/export.h"
#include "rangeline/payload.h"
#include "ranges/event_filter.h"
#include "ranges/events.h"

/* A range, or a moment, as a row of a table. */
struct rln__row {
    const rln_range *range; /* borrowed; of a moment: `start_ns` and `end_ns` are it */
    uint32_t time;  /* 0, or the rln_event_type: a mark, a thread's name, a domain that
                     * is destroyed */
    uint64_t aside; /* 0, or what aside() was told of this range */
    rln_text json;  /* of its payloads, if they are included; borrowed */
    rln_text blob;  /* the same, as Nsight lays them out */
};

/* An export as its format sees it: rln_export from the inside. */
struct rln_export {
    const struct rln__exporter *exporter;
    rln_reader *reader;               /* borrowed */
    rln_export_options options;       /* its texts are borrowed while it is opened */
    struct rln__table_filter *tables; /* owned; NULL: all */
    struct rln__time_ranges times;    /* owned; none: all */
    struct rln__output output;
    rln_ranges *ranges; /* borrowed: what is being walked over */
    int64_t last_ns;    /* of the last event so far */
    uint64_t n_told;    /* ranges, marks and samples */
    int has_run;
};

static inline int rln__export_wants(const struct rln_export *x, uint32_t flag)
{
    return (x->options.flags & flag) != 0;
}

/* Of Nsight's schema, 3.x. */
static inline int rln__export_schema_minor(const struct rln_export *x)
{
    return rln__export_wants(x, RLN_EXPORT_SCHEMA_3_28) ? 28 : 25;
}

struct rln__exporter {
    rln_format format;
    size_t state_bytes;
    int wants_payloads; /* of its rows, whatever the wish says */
    /* All but begin() and end() may be NULL: what they would tell is of no use to it.
     */
    rln_status (*begin)(void *state, struct rln_export *x, rln_error *err);
    /* A range begins: its end is not known. */
    rln_status (*open)(void *state, const rln_range *range, rln_error *err);
    /* It ends; or, after all others and the newest first, nobody ended it. */
    rln_status (*close)(void *state, const rln_range *range, rln_error *err);
    rln_status (*mark)(void *state, const rln_event *event, rln_error *err);
    /* Instead of these three. */
    rln_status (*row)(void *state, const struct rln__row *row, rln_error *err);
    /* A row will come late: `number`, never 0, is what it will have as `aside`. */
    rln_status (*aside)(void *state, uint64_t number, rln_error *err);
    rln_status (*sample)(void *state, const rln_event *event, rln_error *err);
    rln_status (*end)(void *state, rln_error *err);
    void (*clear)(void *state);
};

/* Walks over the traces and tells the format of them. The output has been opened, and
 * is the caller's to end or to drop. */
rln_status rln__export_walk(struct rln_export *x, rln_error *err);

#endif
