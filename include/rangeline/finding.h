/* SPDX-License-Identifier: Apache-2.0 */
/* finding.h - finds mistakes in the annotations of a program, and defects of its trace.
 *
 *     push a    push b (io)    pop a        pop (io)     pop
 *       |------------|------------|             |          |
 *                    |--------- crosses a ------|          closes nothing
 *
 *     rln_check *check;
 *     const rln_finding *finding;
 *
 *     if (rln_check_new(reader, &check, &error) == RLN_OK)
 *         for (size_t i = 0; (finding = rln_check_at(check, i)); i++)
 *             printf("%s: %s\n", finding->name, finding->advice);
 */
#ifndef RANGELINE_FINDING_H
#define RANGELINE_FINDING_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Findings about the opened traces. */
typedef struct rln_check rln_check;

/** Kinds of findings. Values are never renumbered. */
typedef enum rln_finding_kind {
    RLN_FINDING_UNMATCHED_POP = 1, /**< A pop on a thread where no range is open. */
    RLN_FINDING_WRONG_THREAD = 2,  /**< An unmatched pop, while another thread has a
                                      range in that domain that is never closed. */
    RLN_FINDING_UNKNOWN_END = 3,   /**< An end whose id is not in the trace. */
    RLN_FINDING_ENDED_TWICE = 4,   /**< An end of a range that has already ended. */
    RLN_FINDING_NEVER_CLOSED = 5,  /**< A range that was open at the end. */
    RLN_FINDING_CROSSED = 6, /**< A push/pop range that began inside a range of another
                                domain and ended after it. */
    RLN_FINDING_ENDED_ELSEWHERE = 7, /**< A start/end range, ended by another thread. */
    RLN_FINDING_UNUSED_DOMAIN = 8,   /**< A domain without a single event. */
    RLN_FINDING_HOT_STRING = 9,  /**< A plain message, RLN_CHECK_HOT times or more. */
    RLN_FINDING_MANY_NAMES = 10, /**< A domain with RLN_CHECK_MANY_NAMES messages or
                                      more, most of them used once or twice. */
    RLN_FINDING_CLOCK = 11,      /**< The clock ran unsteadily, or jumped. */
    RLN_FINDING_UNPLACED = 12,   /**< Deferred events of an unknown clock. */
    RLN_FINDING_LOST = 13,       /**< Events that could not be recorded. */
    RLN_FINDING_REFUSED = 14,    /**< Names cut or refused, or invalid handles. */
    RLN_FINDING_DAMAGED = 15,    /**< Damage: a part of the file that cannot be read. */
    RLN_FINDING_GRAPHS = 16,     /**< Launches of CUDA graphs without their kernels. */
    RLN_FINDING_GPU_LOST = 17,   /**< GPU work that could not be recorded; `message`
                                    says why. */
} rln_finding_kind;

/** How severe a finding is. Values are never renumbered. */
typedef enum rln_severity {
    RLN_SEVERITY_NOTE = 1,    /**< Could be better. */
    RLN_SEVERITY_WARNING = 2, /**< Reports may be distorted. */
    RLN_SEVERITY_ERROR = 3,   /**< Data is wrong or missing. */
} rln_severity;

/** How often a plain message must occur to be worth registering. */
#define RLN_CHECK_HOT 100000u
/** How many messages a domain must have for its names to be checked. */
#define RLN_CHECK_MANY_NAMES 1000u

/** All findings of one kind, thread, domain and message. Library-owned; grows at its
 * end. */
typedef struct rln_finding {
    rln_finding_kind kind;
    const char *name;   /**< Of its kind, as on the command line: "unmatched-pop". */
    const char *advice; /**< On its kind, in a sentence or two. Both are static. */
    rln_severity severity;
    uint64_t n; /**< Occurrences; UNUSED_DOMAIN: 1, MANY_NAMES: messages. */
    uint8_t has_time;
    int64_t first_ns;     /**< The first occurrence, if has_time. */
    uint32_t thread;      /**< Index for rln_info_thread(); UINT32_MAX if none. */
    uint32_t pid, tid;    /**< 0 if none. */
    uint32_t depth;       /**< Of the first occurrence; for push/pop ranges. */
    uint32_t domain;      /**< Index for rln_info_domain(); UINT32_MAX if none. */
    rln_text domain_name; /**< None in the default domain. */
    rln_text message;     /**< The range's; for MANY_NAMES one of the names. */
    rln_text other;       /**< For CROSSED the range that it crosses; from CLOCK on
                             details, if any. */
    rln_text other_domain_name; /**< For CROSSED; none in the default domain. */
    uint32_t other_tid; /**< For WRONG_THREAD and ENDED_ELSEWHERE the other thread. */
    uint64_t offset;    /**< For DAMAGED: in the file that `message` names. */
    uint32_t
        part; /**< Of the thread or process: index for rln_info_part(); UINT32_MAX if
                      none. */
} rln_finding;

/**
 * Reads the traces and checks them.
 *
 * Ownership: the caller owns `*out` and frees it with rln_check_free(), before the
 *            reader. On failure `*out` is NULL.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_NOMEM, RLN_ERR_IO.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_check_new(rln_reader *reader, rln_check **out,
                                               rln_error *err);

/**
 * Frees findings.
 *
 * Ownership: they end here. NULL is accepted.
 * Threads:   as rln_reader_open().
 * Errors:    none.
 * Since:     0.1
 */
RLN_API void rln_check_free(rln_check *check);

/**
 * Gives a finding: errors first, then warnings, then notes; within these by kind, the
 * most frequent first.
 *
 * Ownership: borrowed until rln_check_free(); its text until the reader is closed.
 * Threads:   any, until it is freed.
 * Errors:    NULL past the last finding.
 * Since:     0.1
 */
RLN_API const rln_finding *rln_check_at(const rln_check *check, size_t index);

#ifdef __cplusplus
}
#endif

#endif
