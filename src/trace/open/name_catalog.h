/* SPDX-License-Identifier: Apache-2.0 */
/* name_catalog.h - lists the names that the programs of a trace use, without reading
 * events. They include names of events that were excluded or did not occur while
 * recording.
 *
 *     rln_name_catalog *names;
 *     const rln_name_catalog_message *m;
 *
 *     if (rln_name_catalog_open(reader, &names, &error) == RLN_OK)
 *         for (size_t i = 0; (m = rln_name_catalog_message_at(names, i)); i++)
 *             ...
 */
#ifndef RANGELINE_NAME_CATALOG_H
#define RANGELINE_NAME_CATALOG_H

#include "rangeline/reader.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The names in a trace when rln_name_catalog_open() listed them. */
typedef struct rln_name_catalog rln_name_catalog;

/** A message of ranges or marks in the trace. Library-owned; grows at its end. */
typedef struct rln_name_catalog_message {
    rln_text message;
    uint32_t domain;      /**< Index for rln_info_domain(); 0 is the default domain. */
    rln_text domain_name; /**< None in the default domain. */
    /** How often a range of this name began that would have opened a capture window if
     * it were in the domain that --nvtx-capture requests; counted for the first 16 such
     * names. */
    uint64_t n_missed;
} rln_name_catalog_message;

/** A category that a program named. Library-owned; grows at its end. */
typedef struct rln_name_catalog_category {
    uint32_t process; /**< Index for rln_info_process(). */
    uint32_t domain;
    uint32_t category;
    rln_text name;
    rln_text domain_name;
} rln_name_catalog_category;

/** A thread that a program named; the last name. Library-owned; grows at its end. */
typedef struct rln_name_catalog_thread {
    uint32_t process;
    uint32_t tid;
    rln_text name;
} rln_name_catalog_thread;

/**
 * Lists the names, each kind in the order in which it was recorded.
 *
 * Messages that programs pass with each call, and that the collector did not intern,
 * are only in events. A message is listed once per domain, a domain once, a category or
 * thread each time it was named.
 *
 * Ownership: the caller owns `*out` and closes it with rln_name_catalog_close(), before
 *            the reader. On failure `*out` is NULL.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_NOMEM. `err` may be NULL.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_name_catalog_open(rln_reader *reader,
                                                       rln_name_catalog **out,
                                                       rln_error *err);

/**
 * Frees the list.
 *
 * Ownership: what was borrowed from it ends here; text when the reader is closed. NULL
 *            is accepted.
 * Threads:   as rln_reader_open().
 * Errors:    none.
 * Since:     0.1
 */
RLN_API void rln_name_catalog_close(rln_name_catalog *names);

/**
 * Gives a message by its index.
 *
 * Ownership: borrowed until rln_name_catalog_close().
 * Threads:   any, until it is closed.
 * Errors:    NULL past the last one.
 * Since:     0.1
 */
RLN_API const rln_name_catalog_message *
rln_name_catalog_message_at(const rln_name_catalog *names, size_t index);

/**
 * Gives the name of a domain that a program created, by its index.
 *
 * Ownership: borrowed until rln_name_catalog_close().
 * Threads:   any, until it is closed.
 * Errors:    NULL past the last one.
 * Since:     0.1
 */
RLN_API const rln_text *rln_name_catalog_domain_at(const rln_name_catalog *named,
                                                   size_t index);

/**
 * Gives a category by its index.
 *
 * Ownership: borrowed until rln_name_catalog_close().
 * Threads:   any, until it is closed.
 * Errors:    NULL past the last one.
 * Since:     0.1
 */
RLN_API const rln_name_catalog_category *
rln_name_catalog_category_at(const rln_name_catalog *names, size_t index);

/**
 * Gives a thread by its index.
 *
 * Ownership: borrowed until rln_name_catalog_close().
 * Threads:   any, until it is closed.
 * Errors:    NULL past the last one.
 * Since:     0.1
 */
RLN_API const rln_name_catalog_thread *
rln_name_catalog_thread_at(const rln_name_catalog *names, size_t index);

/**
 * Finds the name that the program gave a thread, as far as the trace has been read.
 *
 * Ownership: borrowed until rln_reader_close(). {NULL, 0} if it has none.
 * Threads:   as rln_reader_open().
 * Errors:    none.
 * Since:     0.1
 */
RLN_API rln_text rln_reader_thread_name(const rln_reader *reader, uint32_t process,
                                        uint32_t tid);

/**
 * Gives the name of a stream of a GPU, which rln_event.thread and rln_range.thread are
 * for GPU work: "GPU 0/context 1/stream 7".
 *
 * Ownership: borrowed until the reader is closed.
 * Threads:   as the reader.
 * Errors:    none; no text if `thread` is a thread of a program, or unknown.
 * Since:     0.2
 */
RLN_API rln_text rln_reader_stream_name(const rln_reader *reader, uint32_t thread);

#ifdef __cplusplus
}
#endif

#endif
