/* SPDX-License-Identifier: Apache-2.0 */
/* question.h - the questions that the viewer may ask, as the text that it sends:
 *
 *   0/tile?from=0&to=9&...    of trace 0 (viewer/README.md has them all)
 *
 * Nothing here touches a trace: a question is refused before any work is done for it,
 * and an accepted one is numbers within bounds and short texts.
 */
#ifndef RLN_QUERY_QUESTION_H
#define RLN_QUERY_QUESTION_H

#include <stddef.h>
#include <stdint.h>

#define RLN__MAX_QUESTION_BYTES 16384u /* rows of a tile are listed in it */
#define RLN__MAX_TILE_ROWS 4096u
#define RLN__MAX_PIXELS 16384u
#define RLN__MAX_TEXT_BYTES 1024u
/* Times are a browser's numbers; none may be further from 0 than this. */
#define RLN__MAX_TIME_NS (INT64_C(1) << 62)

enum rln__query_kind {
    RLN__QUERY_ABOUT,
    RLN__QUERY_TILE,
    RLN__QUERY_SUMS,
    RLN__QUERY_FLAME,
    RLN__QUERY_DETAILS,
    RLN__QUERY_INSTANCES,
    RLN__QUERY_OCCURRENCES,
    RLN__QUERY_INSIDE,
    RLN__QUERY_HIGHLIGHTS,
    RLN__QUERY_LINKS,
    RLN__QUERY_OVERVIEW,
    RLN__QUERY_COUNTERS,
    RLN__QUERY_STATES,
    RLN__QUERY_NEXT,
    RLN__QUERY_HIT,
    RLN__QUERY_NTH,
    RLN__QUERY_SEARCH,
    RLN__QUERY_NAMES,
    RLN__QUERY_REPORTS,
    RLN__QUERY_REPORT,
};

struct rln__question_text {
    char bytes[RLN__MAX_TEXT_BYTES];
    size_t length;
    int is_given;
};

struct rln__question {
    enum rln__query_kind kind;
    unsigned trace, n_traces; /* which, 0 or 1, and of how many */
    int64_t from, to, start, after;
    uint32_t pixels, row, name;
    uint32_t tie_index;  /* of next() and details(), as a row: UINT32_MAX: not given */
    uint32_t n;          /* of nth() */
    uint32_t names_from; /* of about(): earlier ones are known already */
    int is_earlier;      /* of next(): by=-1 */
    int is_folded;       /* names that differ only in numbers are one */
    uint32_t *rows;      /* owned: of a tile, counters, ...; of names their numbers */
    size_t n_rows;       /* of sums 0: all */
    struct rln__question_text text; /* of a search; "NAME:ARGUMENT" of a report */
    struct rln__question_text sort; /* of a report: a header */
    uint32_t first;                 /* of a report: row */
    int format; /* the same: enum rln__table_format; -1: not given */
    /* The filter; not given: all. */
    struct rln__question_text filter_name, filter_domain, filter_category,
        filter_thread;
};

/* Returns the HTTP status: 200 and an owned question, or a refusal with nothing owned:
 * 404 (no such trace or question), 400 (an argument is missing, meaningless or
 * unknown), 414, 500 (no memory). */
int rln__question_parse(const char *text, unsigned n_traces, struct rln__question *out);
void rln__question_clear(struct rln__question *question);

#endif
