/* SPDX-License-Identifier: Apache-2.0 */
/* page_reader.h - a trace that answers the viewer's questions without a server.
 *
 *   page -- "0/tile?from=0&..." --> question.c --> query.c -- JSON --> page
 *
 * What WebAssembly exports. There is one trace per instance, and one thread. A status
 * is that of HTTP; unless it is 200, the answer is a message for people, or empty.
 */
#ifndef RLN_WEB_PAGE_READER_H
#define RLN_WEB_PAGE_READER_H

#include <stddef.h>

/* Room for an argument of `n_bytes`, which the caller fills; terminated. It belongs to
 * the reader, and is valid until the next call. NULL: no memory. */
char *rln_page_argument(size_t n_bytes);

/* Opens the trace in the file whose name is the argument. */
int rln_page_open(void);

/* Builds the index of the opened trace, and calls rln_page_progress(). */
int rln_page_build(void);

/* Answers the question that is the argument: question.h. */
int rln_page_ask(void);

/* The last answer, which belongs to the reader and is valid until the next call. */
const char *rln_page_answer(void);
size_t rln_page_answer_bytes(void);

void rln_page_close(void);

/* What the host provides: told from time to time how many events have been read. */
void rln_page_progress(double n_events);

#endif
