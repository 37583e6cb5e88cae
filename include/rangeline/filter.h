/* SPDX-License-Identifier: Apache-2.0 */
/* filter.h - selects ranges, marks and samples by conditions.
 *
 *     rln_filter *filter;
 *
 *     if (rln_filter_new(&filter, &error) == RLN_OK &&
 *         rln_filter_add(filter, RLN_FILTER_DOMAIN, "NCCL", &error) == RLN_OK)
 *         rln_reader_set_filter(reader, filter);
 *
 * An event matches if it matches at least one pattern of each kind that the filter has.
 */
#ifndef RANGELINE_FILTER_H
#define RANGELINE_FILTER_H

#include "reader.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What to filter by. Values are never renumbered. All but the last take a pattern: `*`
 * is any text, `?` any character, and /REGEX/ an extended regular expression without
 * back-references that matches anywhere in the first 4096 bytes of the text. */
typedef enum rln_filter_kind {
    RLN_FILTER_PROCESS = 0,  /**< A pid, or the name of its program. */
    RLN_FILTER_THREAD = 1,   /**< A tid, or a name. */
    RLN_FILTER_DOMAIN = 2,   /**< A name; `default` is the default domain. */
    RLN_FILTER_CATEGORY = 3, /**< A number, or a name. */
    RLN_FILTER_NAME = 4,     /**< The message. */
    RLN_FILTER_PAYLOAD = 5   /**< Tests: ">= 1M", "1000..2000", "Bytes>=1M, Op=Sum". For
                                  a range, the payloads of its begin and its end. */
} rln_filter_kind;

/** A filter. */
typedef struct rln_filter rln_filter;

/**
 * Makes a filter that everything matches.
 *
 * Ownership: the caller owns `*out` and frees it with rln_filter_free(). On failure
 *            `*out` is NULL.
 * Threads:   any.
 * Errors:    RLN_ERR_NOMEM.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_filter_new(rln_filter **out, rln_error *err);

/**
 * Adds a pattern.
 *
 * Ownership: `pattern` is copied.
 * Threads:   one, while no reader that has the filter is in use.
 * Errors:    RLN_ERR_NOMEM; RLN_ERR_ARGUMENT: no such kind, or an invalid regular
 *            expression or test.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_filter_add(rln_filter *filter,
                                                rln_filter_kind kind,
                                                const char *pattern, rln_error *err);

/**
 * Excludes ranges shorter than `ns`; 0: none.
 *
 * Ownership: none.
 * Threads:   as rln_filter_add().
 * Errors:    none.
 * Since:     0.1
 */
RLN_API void rln_filter_set_min_duration(rln_filter *filter, int64_t ns);

/**
 * Frees a filter that no reader uses.
 *
 * Ownership: takes `filter`. NULL is accepted.
 * Threads:   one.
 * Errors:    none.
 * Since:     0.1
 */
RLN_API void rln_filter_free(rln_filter *filter);

/**
 * Sets a reader's filter. It applies to events, ranges, reports, findings, exports and
 * live totals, not to the counts of rln_info. Set it before you open any of these.
 *
 * Ownership: `filter` is borrowed until the reader is closed; NULL: everything.
 * Threads:   as rln_reader_open().
 * Errors:    none. An empty filter acts like none.
 * Since:     0.1
 */
RLN_API void rln_reader_set_filter(rln_reader *reader, const rln_filter *filter);

#ifdef __cplusplus
}
#endif

#endif
