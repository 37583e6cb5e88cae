/* SPDX-License-Identifier: Apache-2.0 */
/* arrow.h - what is in traces as tables, by Apache Arrow's C stream interface: pandas,
 * polars, DuckDB and pyarrow read them without a copy and without each other.
 *
 *   stream --get_next--> batch of at most 65,536 rows --get_next--> ... --> end
 *
 * A batch owns its memory: it outlives the stream, and the stream needs nobody else.
 */
#ifndef RANGELINE_ARROW_H
#define RANGELINE_ARROW_H

#include "window.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Arrow's own structures, as its specification wants everybody to define them. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

/** Says that a dictionary's order means something: flags of ArrowSchema. */
#define ARROW_FLAG_DICTIONARY_ORDERED 1
/** Says that a column may have no value in some rows: flags of ArrowSchema. */
#define ARROW_FLAG_NULLABLE 2
/** Says that a map's keys are sorted: flags of ArrowSchema. */
#define ARROW_FLAG_MAP_KEYS_SORTED 4

/** Apache Arrow's: the type of a column or of a table. */
struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

/** Apache Arrow's: the values of a column, or the columns of a batch. */
struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

/** Apache Arrow's: batches, one after the other. */
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

/** The tables. Values are never renumbered; columns are only ever added, at the end.
 *
 * All times are nanoseconds since the first trace began. Texts are dictionary-encoded;
 * bytes that are not UTF-8 are U+FFFD. What there is nothing of is null. */
typedef enum rln_arrow_table {
    /** Ranges of both styles and of synchronisation objects, in the order in which they
     * end, then those that nobody closed, in that in which they began: start, end
     * (null: nobody closed it), duration, style (push_pop, start_end, wait, hold),
     * name, domain, category, category_name, color, payload (as a float), payload_int,
     * pid, tid, end_pid, end_tid, depth (of push/pop ranges), id (of the others),
     * registered, resumed. */
    RLN_ARROW_RANGES = 1,
    /** time, name, domain, category, category_name, color, payload, payload_int, pid,
     * tid, registered; in the order of time, as the next two. */
    RLN_ARROW_MARKS = 2,
    /** A row for each number of a sample: time, counter, field (of a group), value,
     * value_int (of integers), unit, domain, counter_id, pid, tid, no_value (zero,
     * unchanged, unavailable, other). */
    RLN_ARROW_SAMPLES = 3,
    /** time, type (as docs/JSON.md has it), name, domain, category, category_name,
     * color, payload, payload_int, pid, tid, depth, id, duration (of what ends a
     * range). */
    RLN_ARROW_EVENTS = 4,
    /** A row for all ranges of one style, domain and name, the longest total first
     * (stats.h): style, domain, name, count, open, total, average, median, min, max,
     * stddev. */
    RLN_ARROW_SUMMARY = 5,
    /** The call tree (tree.h), an inner node behind what is around it: parent (the row
     * of what is around it), level, domain, name, count, open, total, self. */
    RLN_ARROW_TREE = 6,
} rln_arrow_table;

/** What is left out of a table. Zeroed but for `size` and `window`, nothing is. */
struct rln_arrow_options {
    size_t size;   /**< sizeof this, for later versions of it. */
    size_t window; /**< Index of the window that is read alone, or RLN_ALL_WINDOWS. */
    /** NULL, or texts "KIND=PATTERN", the last one NULL: name, domain (`default` is the
     * default one), category, thread, process, numbers or names; payload, tests as
     * "Bytes>=1M, Op=Sum" (docs/EXPORT.md). In a pattern * is any text, ? any
     * character, and a backslash takes away their meaning. Of one kind any may match,
     * of several kinds all must. "rename=RULE" is one of rln_reader_rename(). */
    const char *const *filters;
    uint64_t min_duration_ns; /**< Of ranges; those that nobody closed are kept. */
};

/**
 * Opens traces as one and makes a stream of one of their tables.
 *
 * The schema's format is a struct of the columns, as for every table. Memory does not
 * grow with the trace, but with what the consumer keeps. Events are read when the first
 * batch is asked for, not before.
 *
 * Ownership: the caller owns `*out` and ends it with its release(), and so each batch.
 *            On failure `out->release` is NULL. `paths` and `options` are not kept;
 *            `options` may be NULL.
 * Threads:   one thread at a time per stream; streams and batches are independent.
 * Errors:    as rln_reader_open(); RLN_ERR_ARGUMENT for an unknown table, window or
 *            kind of filter. Later ones are ENOMEM or EIO of get_next(), and
 *            get_last_error() has the text.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_arrow_open(const char *const *paths,
                                                size_t n_paths, rln_arrow_table table,
                                                const struct rln_arrow_options *options,
                                                struct ArrowArrayStream *out,
                                                rln_error *err);

#ifdef __cplusplus
}
#endif

#endif
