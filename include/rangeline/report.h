/* SPDX-License-Identifier: Apache-2.0 */
/* report.h - builds the reports of `rangeline stats` as tables of typed cells: times
 * are in nanoseconds, counts are integers, and nothing is rounded or formatted.
 *
 *     const rln_report_request request = {.name = "nvtx_sum"};
 *     rln_report *report;
 *
 *     if (rln_report_build(reader, &request, &report, &error) == RLN_OK)
 *         for (size_t i = 0; i < rln_report_count_rows(report); i++)
 *             total_ns += rln_report_cell(report, i, 1).bits;
 */
#ifndef RANGELINE_REPORT_H
#define RANGELINE_REPORT_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a column contains. Values are never renumbered. */
typedef enum rln_column_kind {
    RLN_COLUMN_NUMBER = 0,
    RLN_COLUMN_ID = 1, /**< A number that identifies something; sums are meaningless. */
    RLN_COLUMN_TEXT = 2
} rln_column_kind;

/** Flags of columns. */
enum {
    RLN_COLUMN_IS_DIGEST = 1, /**< Sums up the RLN_COLUMN_IS_DETAIL columns in words. */
    RLN_COLUMN_IS_DETAIL = 2, /**< One of many similar columns, such as one per rank. */
    RLN_COLUMN_IS_SIZE = 4    /**< Bytes; printed reports may use megabytes. */
};

/** A column. Library-owned; grows at its end. */
typedef struct rln_report_column {
    const char *header;   /**< "Total Time" */
    rln_column_kind kind; /**< Of its cells that are not empty. */
    uint8_t is_time;      /**< Nanoseconds; printed reports may use another unit. */
    uint8_t flags;        /**< RLN_COLUMN_IS_... */
} rln_report_column;

/** What a cell holds. Values are never renumbered. */
typedef enum rln_cell_kind {
    RLN_CELL_EMPTY = 0,     /**< No value. */
    RLN_CELL_TEXT = 1,      /**< `text` */
    RLN_CELL_COUNT = 2,     /**< `bits` */
    RLN_CELL_INTEGER = 3,   /**< `bits`, of an int64_t */
    RLN_CELL_ID = 4,        /**< `bits` */
    RLN_CELL_DURATION = 5,  /**< `bits`: ns */
    RLN_CELL_TIME = 6,      /**< `bits`, of an int64_t: ns since the trace began */
    RLN_CELL_MEAN = 7,      /**< `number`: ns, computed */
    RLN_CELL_RATE = 8,      /**< `number`: ns per unit of something */
    RLN_CELL_NUMBER = 9,    /**< `number` */
    RLN_CELL_ABOUT = 10,    /**< `number`, of which six digits are meaningful */
    RLN_CELL_FIXED = 11,    /**< `number`, of which `decimals` are worth showing */
    RLN_CELL_DISTANCE = 12, /**< `bits`, of an int64_t: ns from one time to another */
    RLN_CELL_SIZE = 13      /**< `number`: bytes, computed or not */
} rln_cell_kind;

/** A cell, by value. */
typedef struct rln_cell {
    rln_cell_kind kind;
    unsigned decimals;
    uint64_t bits;
    double number; /**< Set for all kinds except text and empty; may be rounded. */
    rln_text text; /**< Not zero-terminated. */
} rln_cell;

/** A requested report. */
typedef struct rln_report_request {
    const char *name;     /**< Or an alias. */
    const char *argument; /**< Words, "thread:gpu", as `rangeline stats --help-reports`
                             lists them, or a range as "NAME" or "DOMAIN:NAME"; or NULL:
                             for reports of a range, the one that took longest. */
    /** For the tree: `max_depth` limits its levels, if has_max_depth. `min_share`, 0 to
     * 1, hides nodes with a smaller share of the time. `under` keeps only ranges of
     * this name and those inside them; or NULL. */
    uint8_t has_max_depth;
    uint32_t max_depth;
    double min_share;
    const char *under;
} rln_report_request;

/** One report. */
typedef struct rln_report rln_report;

/**
 * Reads the traces, as often as the report needs, with the reader's filter and window,
 * and builds it.
 *
 * Ownership: the caller owns `*out` and frees it with rln_report_free(), before the
 *            reader. On failure `*out` is NULL. `request` is not kept.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_ARGUMENT for an unknown name or argument, which the message names;
 *            RLN_ERR_NOMEM, RLN_ERR_IO.
 * Since:     0.2
 */
RLN_API RLN_NODISCARD rln_status rln_report_build(rln_reader *reader,
                                                  const rln_report_request *request,
                                                  rln_report **out, rln_error *err);

/**
 * Gives a column.
 *
 * Ownership: borrowed until rln_report_free().
 * Threads:   any, until it is freed.
 * Errors:    NULL if there is none.
 * Since:     0.1
 */
RLN_API const rln_report_column *rln_report_column_at(const rln_report *report,
                                                      size_t column);

/**
 * Counts the rows.
 *
 * Ownership: none.
 * Threads:   any, until it is freed.
 * Errors:    none.
 * Since:     0.1
 */
RLN_API size_t rln_report_count_rows(const rln_report *report);

/**
 * Tells whether a row is a heading for the rows up to the next heading, such as a
 * thread in "tree:thread". Its numbers are the totals of these rows.
 *
 * Ownership: none.
 * Threads:   any, until it is freed.
 * Errors:    none.
 * Since:     0.1
 */
RLN_API int rln_report_is_heading(const rln_report *report, size_t row);

/**
 * Gives a cell; an empty one if there is none.
 *
 * Reports with one row per range make rows on demand: reading them from the first to
 * the last takes no memory, any other order 8 bytes a row.
 *
 * Ownership: its text is borrowed until a cell of another row is requested, or
 *            rln_report_free().
 * Threads:   one at a time.
 * Errors:    none; rln_report_status() tells whether memory ran out.
 * Since:     0.1
 */
RLN_API rln_cell rln_report_cell(const rln_report *report, size_t row, size_t column);

/**
 * Tells whether all requested cells could be made. If not, some are empty.
 *
 * Ownership: none.
 * Threads:   as rln_report_cell().
 * Errors:    RLN_ERR_NOMEM.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_report_status(const rln_report *report,
                                                   rln_error *err);

/**
 * Frees a report; NULL is accepted.
 *
 * Ownership: takes `report`.
 * Threads:   one.
 * Errors:    none.
 * Since:     0.1
 */
RLN_API void rln_report_free(rln_report *report);

#ifdef __cplusplus
}
#endif

#endif
