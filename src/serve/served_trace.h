/* SPDX-License-Identifier: Apache-2.0 */
/* served_trace.h - a trace with open pages: its index, which is built while they are
 * open, and the answers to their queries.
 *
 *   maker      read read read . read read . . . refresh, read again (a live trace)
 *   queries                query        query     one thread at a time has the reader
 */
#ifndef RLN_SERVE_SERVED_TRACE_H
#define RLN_SERVE_SERVED_TRACE_H

#include "base/buf.h"
#include "query/question.h"
#include "rangeline/reader.h"

struct rln__served_trace;

/* Starts to build the index. `reader` is borrowed until the trace is closed, and used
 * only here meanwhile; `title` is copied, and so is `filter`, the reader's filter and
 * window in words. */
rln_status rln__served_trace_open(rln_reader *reader, const char *title,
                                  const char *filter, struct rln__served_trace **out,
                                  rln_error *err);
/* NULL is accepted. */
void rln__served_trace_close(struct rln__served_trace *served);

/* Grows whenever the answer to about() changes. Any thread. */
uint64_t rln__served_trace_version(struct rln__served_trace *served);

/* Appends JSON; viewer/README.md has its form. Any thread. Returns the HTTP status:
 * 200, 404 (no such row or name) or 500; unless it is 200, discard the appended bytes.
 * `compared` is the second trace if `served` is the first of two, else NULL. */
int rln__served_trace_query(struct rln__served_trace *served,
                            struct rln__served_trace *compared,
                            const struct rln__question *question, struct rln__buf *out);

#endif
