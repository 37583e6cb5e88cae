/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_take.h - takes numbers and texts from the bytes of sums. What is wrong with
 * them is kept: the rest is 0 then, and nothing is taken.
 */
#ifndef RLN_REDUCE_REDUCED_TAKE_H
#define RLN_REDUCE_REDUCED_TAKE_H

#include "reduce/reduced_model.h"

struct rln__reduced_cursor {
    struct rln__reduced *r;
    const unsigned char *bytes;
    size_t at, end;
    const char *fault; /* why the bytes are no file of sums; NULL: so far they are */
    int is_full;       /* no memory */
    uint32_t version;
    uint32_t n_strings;
    uint64_t *part_ids; /* owned: of all parts, in the order of the file */
    size_t n_parts, parts_capacity;
    int64_t base_ns; /* as in rln__reduced_orders */
};

/* Notes the first fault. */
void rln__take_fault(struct rln__reduced_cursor *c, const char *fault);
int rln__take_is_bad(const struct rln__reduced_cursor *c);
/* Notes the failure of adding what was taken. */
void rln__take_status(struct rln__reduced_cursor *c, rln_status status);

uint64_t rln__take_number(struct rln__reduced_cursor *c);
uint64_t rln__take_at_most(struct rln__reduced_cursor *c, uint64_t most,
                           const char *fault);
/* How many items follow, of so many bytes at least. */
size_t rln__take_count(struct rln__reduced_cursor *c, size_t item_bytes);
int64_t rln__take_signed(struct rln__reduced_cursor *c);
uint64_t rln__take_fixed(struct rln__reduced_cursor *c, unsigned n_bytes);
/* Borrowed from the bytes. */
rln_text rln__take_text(struct rln__reduced_cursor *c);
/* The number of a string, 0 for none. */
uint32_t rln__take_string(struct rln__reduced_cursor *c);
/* The index of an origin, of which its distance from an earlier one is given. */
uint32_t rln__take_origin(struct rln__reduced_cursor *c, uint64_t from);
/* Whether an item comes after the one before: `order` is less than 0 then. */
void rln__take_order(struct rln__reduced_cursor *c, int order);

#endif
