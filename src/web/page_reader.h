/* SPDX-License-Identifier: Apache-2.0 */
/* page_reader.h - a trace that answers the viewer's questions without a server.
 *
 *   page -- "0/tile?from=0&..." --> question.c --> query.c -- JSON --> page
 *
 * What WebAssembly exports. There is one trace per instance, and one thread. A status
 * is that of HTTP; unless it is 2xx, the answer is a message for people, or empty.
 */
#ifndef RLN_WEB_PAGE_READER_H
#define RLN_WEB_PAGE_READER_H

#include <stddef.h>

/* Room for an argument of `n_bytes`, which the caller fills; terminated. It belongs to
 * the reader, and is valid until the next call. NULL: no memory. */
char *rln_page_argument(size_t n_bytes);

/* Opens the trace in the file whose name is the argument. 200. */
int rln_page_open(void);

/* The file whose name is the argument has the trace that the opened one is compared
 * with: it is opened when a question is about both. 200. */
int rln_page_compare(void);

/* Takes the saved index (timeline/lod_saved.h) that is the argument, in place of a
 * trace. 200. */
int rln_page_open_index(void);

/* Reads some more of the opened trace, for milliseconds. 202: there is more; 200: all of
 * it has been read. */
int rln_page_read(void);

/* Answers the question that is the argument (question.h) from what has been read. */
int rln_page_ask(void);

/* The last answer, which belongs to the reader and is valid until the next call. */
const char *rln_page_answer(void);
size_t rln_page_answer_bytes(void);

void rln_page_close(void);

#endif
