/* SPDX-License-Identifier: Apache-2.0 */
/* answer.h - an index's answer to a question, as JSON (viewer/README.md). Whoever asks
 * has the reader to himself meanwhile. */
#ifndef RLN_SERVE_ANSWER_H
#define RLN_SERVE_ANSWER_H

#include "analyze/lod_ask.h"
#include "base/buf.h"
#include "serve/request.h"

/* Of more, an answer says how many they are, or that there are more: it stays small,
 * whatever a trace has. */
#define RLN__MOST_NAMES_TOLD 20000u   /* others are told when they are asked for */
#define RLN__MOST_THREADS_TOLD 20000u /* only groups name the others */
#define RLN__MOST_SUMS_TOLD 2000u     /* the longest */
#define RLN__MOST_PATHS_TOLD 20000u   /* the longest */
#define RLN__MOST_HITS_TOLD 100000u   /* names; the number of ranges is that of all */

struct rln__asked {
    const struct rln__request *request;
    struct rln__lod *lod;
    const char *title;
    const char *filter;     /* what the index is restricted to, in words; or "" */
    int64_t from_ns, to_ns; /* where the index will begin and end, at least */
    int is_live;
};

/* The status of HTTP: 200, 404 (no such row or name) or 500. */
int rln__answer(const struct rln__asked *asked, struct rln__buf *out);

/* answer_about.c */
int rln__answer_about(const struct rln__asked *asked, struct rln__buf *out);
int rln__answer_names(const struct rln__asked *asked, struct rln__buf *out);
/* answer_tile.c */
int rln__answer_tile(const struct rln__asked *asked, struct rln__buf *out);

/* The filter of a request; NULL: there is none. */
const struct rln__lod_filter *rln__asked_filter(const struct rln__asked *asked,
                                                struct rln__lod_filter *filter);

/* "key": and text. */
void rln__put_text(struct rln__buf *out, const char *key, rln_text text);
/* A number, or null where it is none. */
void rln__put_real(struct rln__buf *out, double value);

#endif
