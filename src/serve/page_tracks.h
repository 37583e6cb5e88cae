/* SPDX-License-Identifier: Apache-2.0 */
/* page_tracks.h - the contents of a page, before it is written.
 *
 *   ranges, as they end --> tracks {thread, style} --> items: four numbers each, and
 *   marks, samples -------> tracks of their own        members that few of them have
 *
 * A trace with more than a page may hold gets an overview instead, from the index that
 * the server uses (timeline/lod.h): short neighbors are one item.
 */
#ifndef RLN_SERVE_PAGE_TRACKS_H
#define RLN_SERVE_PAGE_TRACKS_H

#include "base/buf.h"
#include "base/key_index.h"
#include "rangeline/model.h"
#include "timeline/lod.h"

/* For all extended payloads together. */
#define RLN__PAGE_PAYLOAD_BYTES (8u << 20)
#define RLN__PAGE_GAPS 10000u
#define RLN__PAGE_SUMS 20000u   /* of names, the longest */
#define RLN__PAGE_SPREADS 2000u /* of these, with the spread of their durations */

struct rln__page_item {
    int64_t at_ns;
    int64_t ns;          /* -1: never closed */
    double value;        /* of a sample */
    uint64_t value_bits; /* of a payload */
    uint32_t name;
    uint32_t color;      /* 0xRRGGBB + 1, or 0 */
    uint32_t category;   /* index + 1, or 0 */
    uint32_t end_thread; /* UINT32_MAX: where it began */
    uint32_t payload;    /* offset of its JSON in `payloads`, + 1; or 0 */
    uint32_t payload_bytes;
    uint8_t has_value, value_type; /* rln_payload_type; 0: none, or a sample's */
    uint32_t depth;                /* of a push/pop range, in its domain */
    /* Of an overview. */
    uint32_t level;      /* or lane */
    uint32_t n_more;     /* of several ranges: all but one... */
    uint8_t is_varied;   /* ...which differ */
    uint64_t covered_ns; /* of several */
    double low, high;    /* of several samples */
};

/* The contents of one row of the picture, or of several that belong together. */
struct rln__page_track {
    char kind; /* p(ush/pop), s(tart/end), m(arks), c(ounter) */
    uint32_t thread, pid, tid;
    uint32_t name; /* of a counter, as all before `items` */
    rln_text unit;
    double level, least, most; /* sum of deltas so far; bounds of its axis */
    uint8_t interpolation, adds_up, has_least, has_most;
    struct rln__page_item *items; /* owned */
    size_t n, capacity;
};

struct rln__page_name {
    rln_text domain, message, field;
};

/* Of an overview: the sums of a name over the whole trace. */
struct rln__page_sum {
    uint32_t name;
    uint64_t total_ns, self_ns, n, n_marks, min_ns, max_ns;
    struct rln__duration_histogram_spread spread; /* of the first ones */
};

struct rln__page_tracks {
    rln_reader *reader;
    struct rln__key_index track_keys, name_keys, category_keys;
    struct rln__page_track *tracks; /* owned, as all that follow */
    struct rln__page_name *names;
    struct rln__page_name *categories; /* `field` is unused */
    uint32_t *category_numbers;
    struct rln__lod_gap *gaps;
    struct rln__page_sum *sums; /* the longest first; NULL: not needed */
    size_t n_sums, n_sums_left_out;
    struct rln__buf payloads;
    size_t n_tracks, n_names, n_categories, n_gaps;
    size_t tracks_capacity, names_capacity, categories_capacity, numbers_capacity,
        gaps_capacity;
    uint64_t n_payloads_left_out;
    int64_t resolution_ns; /* of an overview; 0: each range is an item */
    int64_t first_ns, last_ns;
};

/* At most about `most` ranges, marks and samples; if there are more, an overview. */
rln_status rln__page_tracks_collect(struct rln__page_tracks *d, const rln_info *info,
                                    uint64_t most, rln_error *err);
void rln__page_tracks_clear(struct rln__page_tracks *d);

/* page_overview.c: collects nothing, and leaves the resolution 0, if every range has
 * its own item. */
rln_status rln__page_overview_collect(struct rln__page_tracks *d, uint64_t most,
                                      rln_error *err);

/* --- Inside ----------------------------------------------------------------------- */

/* The number of a name; UINT32_MAX: no memory. */
uint32_t rln__page_name(struct rln__page_tracks *d, rln_text domain, rln_text message,
                        rln_text field);
/* The track of that kind, thread, process and name; NULL: no memory. */
struct rln__page_track *rln__page_track(struct rln__page_tracks *d,
                                        struct rln__page_track like);
/* 0, or -1: no memory, now or when the track or the name was made. */
int rln__page_add(struct rln__page_tracks *d, struct rln__page_track *track,
                  struct rln__page_item item);

int rln__page_add_gap(struct rln__page_tracks *d, struct rln__lod_gap gap);

#endif
