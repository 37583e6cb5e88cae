/* SPDX-License-Identifier: Apache-2.0 */
/* page.h - one HTML file that shows traces: the viewer, its reader as WebAssembly, and
 * the traces; no network.
 *
 *   viewer/page.html   ...@DATA@...@SCRIPT@...
 *                            |         |
 *                         page.c    boot.js, which unpacks the others
 *
 * A trace of moderate size is in the page as its file, so that reports can be read from
 * it. Of a filtered, changed or large one the page has the index (query_saved.h).
 */
#ifndef RLN_SERVE_PAGE_H
#define RLN_SERVE_PAGE_H

#include "output/output.h"
#include "rangeline/reader.h"

/* A browser draws this many smoothly. A trace with more gets an overview. */
#define RLN__PAGE_RANGES 300000u

struct rln__page_options {
    const char *title;
    const char *filter;   /* the filter in words; or "" */
    int is_changed;       /* filtered, renamed, moved in time: not as in its file */
    uint64_t most_ranges; /* 0: RLN__PAGE_RANGES */
    int *is_overview;     /* short neighbors are merged; may be NULL, as the next */
    int *is_empty;        /* whether there is nothing on it */
};

/* Whether this build has the page: it needs a compiler of WebAssembly. */
int rln__page_is_there(void);

/* Writes the page with one trace, or two to compare, each with its options. */
rln_status rln__page_write(rln_reader *const *readers,
                           const struct rln__page_options *options, size_t n_traces,
                           struct rln__output *output, rln_error *err);

#endif
