/* SPDX-License-Identifier: Apache-2.0 */
/* exporter.h - the operations of a format, and how they receive a trace.
 *
 *   export_walk.c --> open, close, mark, sample, gpu   in time order: formats of
 *      |                                               events
 *      '--> rows.c --> row                             whole, in the order of begins:
 *                                                      formats of tables
 *
 * A format is one file with one table of these operations. It keeps a state of its own
 * and never holds more of the trace than the open ranges.
 */
#ifndef RLN_EXPORT_EXPORTER_H
#define RLN_EXPORT_EXPORTER_H

#include "base/buf.h"
#include "base/fail.h"
#include "export/times.h"
#include "output/output.h"
#include "rangeline/export.h"
#include "rangeline/values.h"
#include "ranges/event_filter.h"
#include "ranges/events.h"

struct rln__table_filter;

/* A format. */
struct rln__format {
    const char *name;      /* "perfetto" */
    const char *extension; /* Of its files, with the dot: ".pftrace". */
    const char *help;      /* One line: "Perfetto's own format, for ui.perfetto.dev" */
    /* Library that the format needs and that this build lacks; or NULL. */
    const char *missing_library;
    /* Written from beginning to end, and so to standard output, to a pipe, or
     * compressed into NAME.gz or NAME.zst. */
    uint8_t is_stream;
    uint8_t is_folder; /* It is a folder of files. */
    uint8_t is_binary; /* Not text; refused on a terminal. */
    uint8_t has_rows;  /* A row is a whole range; rln_export_options.times applies. */
};

/* A range, or a single time, as a row of a table. */
struct rln__row {
    const rln_range *range; /* borrowed; of a mark: `start_ns` equals `end_ns` */
    uint32_t time;  /* 0, or the rln_event_type: a mark, a thread's name, a domain that
                     * is destroyed */
    uint64_t aside; /* 0, or the number that aside() got for this range */
    rln_text json;  /* of its payloads, if they are included; borrowed */
    rln_text blob;  /* the same, as Nsight lays them out */
    int is_gpu;     /* it would go to gpu() */
};

/* An export as its format sees it: rln__export from the inside. */
struct rln__export {
    const struct rln__exporter *exporter;
    rln_reader *reader;               /* borrowed */
    rln_export_options options;       /* its texts are borrowed while it is opened */
    struct rln__table_filter *tables; /* owned; NULL: all */
    struct rln__time_ranges times;    /* owned; none: all */
    struct rln__output output;
    rln_ranges *ranges; /* borrowed: the trace being exported */
    int64_t last_ns;    /* of the last event so far */
    uint64_t n_opened;  /* ranges, marks and samples */
    int has_run;
};

static inline int rln__export_needs(const struct rln__export *x, uint32_t flag)
{
    return (x->options.flags & flag) != 0;
}

struct rln__exporter {
    struct rln__format format;
    size_t state_bytes;
    int needs_payloads;      /* of its rows, whatever the options are */
    int has_only_operations; /* gpu() gets no calls, waits or names of domains */
    int has_gpu_rows;        /* row() gets GPU work, too */
    int needs_begins;        /* aside() gets the range, as it began; else NULL */
    /* All but begin() and end() may be NULL if the format has no use for them. */
    rln_status (*begin)(void *state, struct rln__export *x, rln_error *err);
    /* A range begins: its end is not known. */
    rln_status (*open)(void *state, const rln_range *range, rln_error *err);
    /* A range ends. Ranges never closed follow all others, the newest first. */
    rln_status (*close)(void *state, const rln_range *range, rln_error *err);
    rln_status (*mark)(void *state, const rln_event *event, rln_error *err);
    /* Instead of these three. */
    rln_status (*row)(void *state, const struct rln__row *row, rln_error *err);
    /* A row will come late: it will have `number`, never 0, as `aside`. */
    rln_status (*aside)(void *state, uint64_t number, const rln_range *range,
                        rln_error *err);
    rln_status (*sample)(void *state, const rln_event *event, rln_error *err);
    /* GPU work, or a call of CUDA: whole, in the order of begins. */
    rln_status (*gpu)(void *state, const struct rln__row *row, rln_error *err);
    rln_status (*end)(void *state, rln_error *err);
    void (*clear)(void *state);
};

#endif
