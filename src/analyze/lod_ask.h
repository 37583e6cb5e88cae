/* SPDX-License-Identifier: Apache-2.0 */
/* lod_ask.h - what an index says about a span of time, a name or a single range.
 *
 * Where ranges are kept several to a leaf (leaves.h), numbers of ranges and times that
 * they fill stay exact, and all of a leaf counts as what its longest range is.
 */
#ifndef RLN_ANALYZE_LOD_ASK_H
#define RLN_ANALYZE_LOD_ASK_H

#include "analyze/lod.h"

/* What is looked for; no text is all. `name` is a part of it, in any case. */
struct rln__lod_filter {
    rln_text name, domain, category;
};

/* Whether attributes are wanted: asked once for each. Zeroed, nothing was asked. */
struct rln__lod_wanted {
    const struct rln__lod_filter *filter; /* borrowed; NULL: all are */
    uint8_t *answers;                     /* owned: by index of attributes */
    size_t n;
};
/* -1: no memory. */
int rln__lod_wants(struct rln__lod *lod, struct rln__lod_wanted *wanted, uint32_t attr);
void rln__lod_wanted_clear(struct rln__lod_wanted *wanted);

/* Whether `text` holds `part`, whatever the case of ASCII's letters. */
int rln__lod_holds(rln_text text, rln_text part);
/* Adds a name as it is shown: domain:message.field. */
void rln__lod_put_name(struct rln__buf *out, const struct rln__lod_name *name);
/* Whether what is shown of a name holds `part`. */
int rln__lod_name_holds(const struct rln__lod_name *name, rln_text part);

struct rln__lod_sum {
    uint32_t name;
    uint32_t parent; /* of a path: index, which is smaller; RLN__NONE: none */
    uint64_t total_ns, n;
    int64_t self_ns; /* without what is inside, as far as that is wanted */
};

struct rln__lod_sums {
    struct rln__lod_sum *names; /* owned, as the next; the longest total first */
    size_t n_names, names_capacity;
    struct rln__lod_sum *paths;
    size_t n_paths, paths_capacity;
    /* All of a leaf of several names counts as the longest's: of names, of paths. */
    int are_names_rough, are_paths_rough;
};

/* What ranges come to in [from_ns, to_ns], as names and as paths. Names are exact of
 * the whole and without a filter, and both where a span is narrow enough to be read
 * again. 0, or -1: no memory; `out` is to be cleared in either case. */
int rln__lod_sum_up(struct rln__lod *lod, int64_t from_ns, int64_t to_ns,
                    const struct rln__lod_filter *filter, struct rln__lod_sums *out);

/* Leaves the longest paths, about `most`, and what is around them. `rest_ns` is what
 * those come to that are left out and in nothing. 0, or -1: no memory, and all stay. */
int rln__lod_keep_longest(struct rln__lod_sums *sums, size_t most, uint64_t *rest_ns);
void rln__lod_sums_clear(struct rln__lod_sums *sums);

struct rln__lod_found {
    uint32_t row;
    const struct rln__leaf *leaf; /* borrowed until the index changes */
};

/* The nearest range or mark of a name that begins later or earlier than `after_ns`. 0:
 * there is none. */
int rln__lod_next(struct rln__lod *lod, uint32_t name, int64_t after_ns, int is_earlier,
                  struct rln__lod_found *out);

/* The index to ask about push/pop ranges and marks of a span, at `pixel_ns` to a pixel:
 * `lod` itself, or one of these alone that was read again, and is `lod`'s until it is
 * asked again. */
struct rln__lod *rln__lod_closely(struct rln__lod *lod, int64_t from_ns, int64_t to_ns,
                                  int64_t pixel_ns);

/* Whether a row is of those. */
static inline int rln__lod_is_close(const struct rln__lod_row *row)
{
    return (row->kind == RLN__LOD_PUSHED || row->kind == RLN__LOD_MARKS) &&
           !row->is_deferred && row->thread != RLN__NONE;
}

/* While an index is made: the range that is open at a place of the pairing's pool, up
 * to where the index has come, if it stands in `row`. */
int rln__lod_open(struct rln__lod *lod, size_t place, uint32_t row,
                  struct rln__leaf *out);

/* What stands in a row at a time; NULL if nothing does. */
const struct rln__leaf *rln__lod_at(struct rln__lod *lod, uint32_t row, int64_t ns);

/* A range's own event, read again: its value, and its payloads as JSON, or nothing. */
struct rln__lod_said {
    uint8_t value_type; /* rln_payload_type; 0: none */
    uint64_t value_bits;
    struct rln__buf payloads; /* owned by the caller */
};
rln_status rln__lod_read(struct rln__lod *lod, const struct rln__leaf *leaf,
                         struct rln__lod_said *out, rln_error *err);

#endif
