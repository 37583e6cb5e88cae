/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_tables.h - the tables of arrow.h: their columns, and the values of a row.
 * arrow.c makes a stream of one of them.
 */
#ifndef RLN_EXPORT_ARROW_ARROW_TABLES_H
#define RLN_EXPORT_ARROW_ARROW_TABLES_H

#include "export/arrow/arrow_batch.h"
#include "export/gpu_fields.h"
#include "ranges/cpu_times.h"
#include "ranges/event_filter.h"
#include "reports/summary/stats.h"
#include "reports/summary/tree.h"

struct rln__arrow_stream;

struct rln__arrow_rows {
    const struct rln__arrow_field *fields;
    size_t n_fields;
    rln_status (*open)(struct rln__arrow_stream *stream);
    /* Puts the next row if it matches; RLN_END after the last. */
    rln_status (*next)(struct rln__arrow_stream *stream);
};

#define RLN__ARROW_GPU_COLUMNS 24

struct rln__arrow_stream {
    const struct rln__arrow_rows *rows;
    rln_reader *reader; /* owned, as the next four, of which one is opened */
    rln_ranges *ranges;
    rln_events *events;
    struct rln__stats *stats;
    struct rln__tree *tree;
    size_t at;          /* in these two */
    rln_filter *filter; /* owned; or NULL */
    uint64_t min_duration_ns;
    struct rln__cpu_times cpu_times; /* of ranges */
    /* Of each kind of GPU work: which of its fields a column has; made when opened. */
    int8_t gpu_columns[RLN__N_GPU_KINDS][RLN__ARROW_GPU_COLUMNS];
    struct rln__arrow_batch batch;
    int is_open, is_over;
    rln_error err;
};

/* By rln_arrow_table; without fields there is none. */
#define RLN__ARROW_TABLES 9
extern const struct rln__arrow_rows rln__arrow_tables[RLN__ARROW_TABLES];

#endif
