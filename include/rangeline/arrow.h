/* SPDX-License-Identifier: Apache-2.0 */
/* arrow.h - reads traces as tables through Apache Arrow's C stream interface; pandas,
 * polars, DuckDB and pyarrow import them without a copy.
 *
 *   stream --get_next--> batch of at most 65,536 rows --get_next--> ... --> end
 *
 * A batch owns its memory and may outlive the stream; the stream is self-contained.
 */
#ifndef RANGELINE_ARROW_H
#define RANGELINE_ARROW_H

#include "reader.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Arrow's structures, defined here as its specification requires. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

/** A dictionary's order is significant: in ArrowSchema.flags. */
#define ARROW_FLAG_DICTIONARY_ORDERED 1
/** A column may have no value in some rows: in ArrowSchema.flags. */
#define ARROW_FLAG_NULLABLE 2
/** A map's keys are sorted: in ArrowSchema.flags. */
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
 * bytes that are not UTF-8 become U+FFFD. Missing values are null. */
typedef enum rln_arrow_table {
    /** Ranges of programs, in the order in which they end, then those never closed,
     * in the order in which they began: start, end (null: never closed), duration,
     * style (push_pop, start_end, wait, hold), name, domain, category, category_name,
     * color, payload (as a float), payload_int, pid, tid, end_pid, end_tid, depth (of
     * push/pop ranges), id (of the others), registered, resumed, scope (of deferred
     * ranges); on_cpu, preempted and blocked: what the duration was made of, as in the
     * report "cpu_sum" (null: not all of it is known). */
    RLN_ARROW_RANGES = 1,
    /** time, name, domain, category, category_name, color, payload, payload_int, pid,
     * tid, registered, scope; in time order, like the next two. */
    RLN_ARROW_MARKS = 2,
    /** A row for each number of a sample: time, counter, field (of a group), value,
     * value_int (of integers), unit, domain, counter_id, pid, tid, no_value (zero,
     * unchanged, unavailable, other). */
    RLN_ARROW_SAMPLES = 3,
    /** time, type (as docs/reference/JSON.md has it), name, domain, category,
     * category_name, color, payload, payload_int, pid, tid, depth, id, duration (of an
     * event that ends a range, of GPU work and calls). */
    RLN_ARROW_EVENTS = 4,
    /** A row per style, domain and name of ranges, the longest total first (stats.h):
     * style, domain, name, count, open, total, average, median, min, max, stddev. */
    RLN_ARROW_SUMMARY = 5,
    /** The call tree (tree.h), a node after its parent: parent (its row), level,
     * domain, name, count, open, total, self. */
    RLN_ARROW_TREE = 6,
    /** A row per operation on a stream of a GPU, and per wait for one, in the order in
     * which they begin: start, end, duration, kind (kernel, copy, set, graph, sync),
     * name, pid, correlation (that of the call, in its process), device, context,
     * stream (null: a wait for a whole context), short_name (of a kernel, without its
     * types), bytes, source_memory, destination_memory (Pageable, Pinned, Device, ...),
     * grid_x, grid_y, grid_z (blocks), block_x, block_y, block_z (threads),
     * registers_per_thread, static_shared_memory, dynamic_shared_memory (bytes of a
     * block), graph_node (in its process, of a CUDA graph). */
    RLN_ARROW_GPU = 7,
    /** A row per call of CUDA, and per span of its overhead, in the order in which they
     * begin: start, end, duration, kind (call; overhead; node: a node of a CUDA graph
     * is created), name, pid, tid, correlation, result (CUDA's error number; 0:
     * success). */
    RLN_ARROW_CALLS = 8,
} rln_arrow_table;

/** Which rows a table has. If all members except `size` and `window` are zero: all. */
struct rln_arrow_options {
    size_t size;   /**< sizeof this struct, for later versions. */
    size_t window; /**< Index of the only window to read, or RLN_ALL_WINDOWS. */
    /** NULL, or a NULL-terminated list of texts "KIND=PATTERN". Kinds are name, domain
     * (`default` is the default one), category, thread and process, by number or name,
     * and payload, tests such as "Bytes>=1M, Op=Sum" (docs/guide/EXPORT.md). In a
     * pattern * is any text, ? any character, and a backslash escapes them. A row must
     * match one pattern of each kind given. "rename=RULE" renames messages, by
     * `numbers` or s/PATTERN/TEXT/, as `rangeline export --rename` does. */
    const char *const *filters;
    /** Of ranges, GPU work and calls; ranges never closed always match. */
    uint64_t min_duration_ns;
};

/**
 * Opens traces as one and streams one of their tables.
 *
 * As in every Arrow stream, the schema is a struct of the columns. Memory grows with
 * the batches that the consumer keeps, not with the trace, except for RLN_ARROW_RANGES with
 * its context switches, of each of which it keeps 8 bytes. The first get_next() is the
 * first to read events.
 *
 * Ownership: the caller owns `*out` and each batch, and ends each with its release().
 *            On failure `out->release` is NULL. `paths` and `options` are not kept;
 *            `options` may be NULL.
 * Threads:   one thread at a time per stream; streams and batches are independent.
 * Errors:    as rln_reader_open(); RLN_ERR_ARGUMENT for an unknown table, window or
 *            kind of filter. Later errors are ENOMEM or EIO from get_next(), with the
 *            text in get_last_error().
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
