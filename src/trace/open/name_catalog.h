/* SPDX-License-Identifier: Apache-2.0 */
/* name_catalog.h - lists the names that the programs of a trace use, without reading
 * events. They include names of events that were excluded or did not occur while
 * recording.
 *
 *     rln__name_catalog *names;
 *     const rln__name_catalog_message *m;
 *
 *     if (rln__name_catalog_open(reader, &names, &error) == RLN_OK)
 *         for (size_t i = 0; (m = rln__name_catalog_message_at(names, i)); i++)
 *             ...
 */
#ifndef RLN_TRACE_OPEN_NAME_CATALOG_H
#define RLN_TRACE_OPEN_NAME_CATALOG_H

#include "format/locations.h"
#include "rangeline/reader.h"

/* The names in a trace when rln__name_catalog_open() listed them. */
struct rln__name_catalog;

/* A message of ranges or marks in the trace. */
struct rln__name_catalog_message {
    rln_text message;
    uint32_t domain;      /* Index for rln_info_domain(); 0 is the default domain. */
    rln_text domain_name; /* None in the default domain. */
    /* How often a range of this name began that would have opened a capture window if
     * it were in the domain that --nvtx-capture requests; counted for the first 16 such
     * names. */
    uint64_t n_missed;
};

/* A category that a program named. */
struct rln__name_catalog_category {
    uint32_t process; /* Index for rln_info_process(). */
    uint32_t domain;
    uint32_t category;
    rln_text name;
    rln_text domain_name;
};

/* A thread that a program named; the last name. */
struct rln__name_catalog_thread {
    uint32_t process;
    uint32_t tid;
    rln_text name;
};

/* Lists the names, each kind in the order in which it was recorded.
 *
 * Messages that programs pass with each call, and that the collector did not intern,
 * are only in events. A message is listed once per domain, a domain once, a category or
 * thread each time it was named. */
rln_status rln__name_catalog_open(rln_reader *reader, struct rln__name_catalog **out,
                                  rln_error *err);

/* Frees the list. */
void rln__name_catalog_close(struct rln__name_catalog *names);

/* Gives a message by its index. NULL past the last one. */
const struct rln__name_catalog_message *
rln__name_catalog_message_at(const struct rln__name_catalog *names, size_t index);

/* Gives the name of a domain that a program created, by its index. NULL past the last
 * one. */
const rln_text *rln__name_catalog_domain_at(const struct rln__name_catalog *named,
                                            size_t index);

/* Gives a category by its index. NULL past the last one. */
const struct rln__name_catalog_category *
rln__name_catalog_category_at(const struct rln__name_catalog *names, size_t index);

/* Gives a thread by its index. NULL past the last one. */
const struct rln__name_catalog_thread *
rln__name_catalog_thread_at(const struct rln__name_catalog *names, size_t index);

/* One category, by its index in the reader's names. */
rln_status rln__reader_category(rln_reader *reader, size_t index,
                                struct rln__name_catalog_category *out, rln_error *err);

/* Finds the name that the program gave a thread, as far as the trace has been read. */
rln_text rln__reader_thread_name(const rln_reader *reader, uint32_t process,
                                 uint32_t tid);

/* Gives where the function is that has this name as its message. */
struct rln__location rln__reader_location(const rln_reader *reader, rln_text message);

/* Gives the name of a stream of a GPU, which rln_event.thread and rln_range.thread are
 * for GPU work: "GPU 0/context 1/stream 7". */
rln_text rln__reader_stream_name(const rln_reader *reader, uint32_t thread);

#endif
