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
#include "export/times.h"
#include "model/event_filter.h"
#include "model/events.h"
#include "output/output.h"
#include "rangeline/counter.h"
#include "rangeline/payload.h"

/* What the user asked for. Zeroed, it is what --help calls the defaults. */
struct rln__export_options {
    int schema_minor;        /* of Nsight's schema: 25, or 28 */
    int has_placeholder_gpu; /* a kernel of no length for each process */
    int includes_json;       /* payloads as text */
    int includes_blobs;      /* payloads as bytes */
    int is_full;             /* tables without rows are made, too */
    int has_indexes;
    int is_by_category; /* tracks are categories, not threads */
    int counts_calls;   /* weights of stacks are calls, not nanoseconds */
    const struct rln__table_filter *tables; /* borrowed; NULL: all */
    const struct rln__time_ranges *times;   /* borrowed; NULL: all */
    const struct rln_filter *filter;        /* borrowed; NULL: all */
    const char *product;                    /* "rangeline 1.2.3" */
    const char *input;                      /* path of the first trace */
    uint64_t *n_told; /* of ranges, marks and samples, in the end; may be NULL */
    /* Told now and then of a share of 0 to 1 and of events, if it is not NULL. */
    void (*progress)(void *context, double share, uint64_t n_events);
    void *context;
};

/* A range, or a moment, as a row of a table. */
struct rln__row {
    const rln_range *range; /* borrowed; of a moment: `start_ns` and `end_ns` are it */
    uint32_t moment; /* 0, or the rln_event_type: a mark, a thread's name, a domain that
                      * is destroyed */
    uint64_t aside;  /* 0, or what aside() was told of this range */
    rln_text json;   /* of its payloads, if they are included; borrowed */
    rln_text blob;   /* the same, as Nsight lays them out */
};

struct rln__export {
    rln_reader *reader; /* borrowed, as all these */
    const struct rln__export_options *options;
    struct rln__output *output;
    rln_ranges *ranges; /* what is being walked over */
    int64_t last_ns;    /* of the last event so far */
};

struct rln__exporter {
    const char *type;      /* what -t says */
    const char *extension; /* with its dot */
    const char *what;      /* one line for --help */
    const char *lacks;     /* the library that this build lacks for it, or NULL */
    size_t state_bytes;
    int is_text;        /* a stream: may go to - and be compressed */
    int is_folder;      /* the format makes `part` itself */
    int is_binary;      /* not for terminals */
    int wants_payloads; /* of its rows, whatever the options say */
    /* All but begin() and end() may be NULL: what they would tell is of no use to it.
     */
    rln_status (*begin)(void *state, const struct rln__export *x, rln_error *err);
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

/* All formats; ends with NULL. */
extern const struct rln__exporter *const rln__exporters[];

/* NULL if there is none of that name. */
const struct rln__exporter *rln__exporter_of(const char *type);

/* Writes the traces of `reader` to an output that has been opened. The output is the
 * caller's to end or to drop. */
rln_status rln__export_run(const struct rln__exporter *exporter, rln_reader *reader,
                           const struct rln__export_options *options,
                           struct rln__output *output, rln_error *err);

#endif
