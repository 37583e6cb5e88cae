/* SPDX-License-Identifier: Apache-2.0 */
/* view.h - the opened traces for one of several threads that read them at once.
 *
 *   tables of names and threads    shared, and fixed: what would add to them fails
 *   clocks, decoder, damage        the view's own, because reading changes them
 *
 * A view is right until something is added to the tables; then it is renewed.
 */
#ifndef RLN_TRACE_OPEN_VIEW_H
#define RLN_TRACE_OPEN_VIEW_H

#include "trace/open/opened.h"

struct rln__view {
    rln_reader reader;       /* for what takes a reader; owns only the view's own */
    const rln_reader *whole; /* borrowed */
    struct rln__input file;  /* of the chunk being read; damage goes to `reader` */
};

/* On failure there is nothing to clear, and it was memory. */
int rln__view_init(struct rln__view *view, const rln_reader *whole);
void rln__view_clear(struct rln__view *view);

/* Sees what was added since, and forgets the damage found so far. */
void rln__view_renew(struct rln__view *view);

/* The file of a part. It is borrowed until the next call. */
const struct rln__input *rln__view_file(struct rln__view *view, uint32_t part);

#endif
