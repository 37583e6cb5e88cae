/* SPDX-License-Identifier: Apache-2.0 */
/* payload_condition.h - the conditions of --filter-payload.
 *
 *   >= 1M                        the plain payload, like the next
 *   1000..2000
 *   Bytes >= 1M, Op = Sum        a choice of two tests, both of which must hold
 *
 *   choice = test {"," test}
 *   test   = [field] ("=" | "==" | "!=" | "<" | "<=" | ">" | ">=") value | number
 *   value  = number | number ".." number | pattern
 *
 * One of several choices suffices. A field is an entry of a schema, "a.b" one in a
 * struct, and may begin with the schema's name; in an array any element may match.
 * Without a field the test is for NVTX's plain payload, or an extended one that is a
 * single value. A backslash escapes characters with a meaning here.
 *
 * A range's begin and its end may both have payloads, so the results for one are kept
 * until the other comes: one bit per test, `held`. Hence there are at most 64 tests.
 */
#ifndef RLN_RANGES_PAYLOAD_CONDITION_H
#define RLN_RANGES_PAYLOAD_CONDITION_H

#include "rangeline/values.h"
#include "ranges/pattern.h"

enum rln__payload_op {
    RLN__OP_EQUAL,
    RLN__OP_NOT_EQUAL,
    RLN__OP_LESS,
    RLN__OP_AT_MOST,
    RLN__OP_MORE,
    RLN__OP_AT_LEAST,
};

struct rln__payload_number {
    uint64_t bits;
    uint8_t type; /* RLN_PAYLOAD_I64, _U64 or _DOUBLE */
};

struct rln__payload_test {
    const char *field; /* borrowed from its choice; "": none */
    enum rln__payload_op op;
    int has_number;
    struct rln__payload_number from, to; /* the same, unless it is a span */
    struct rln__pattern pattern; /* for = and != with a field; else its text is NULL */
};

struct rln__payload_choice {
    char *text;         /* owned; split in place */
    char *given;        /* owned; as it was given */
    uint64_t must_hold; /* a bit for each of its tests */
};

/* Zeroed: no tests, any payload matches. */
struct rln__payload_tests {
    struct rln__payload_test *items; /* owned, like the next */
    size_t n, capacity;
    struct rln__payload_choice *choices;
    size_t n_choices, choices_capacity;
};

/* The tests that hold for a plain payload, or for one of the extension. */
uint64_t rln__payload_held(const struct rln__payload_tests *tests, uint8_t type,
                           uint64_t bits);
uint64_t rln__payload_held_fields(const struct rln__payload_tests *tests,
                                  const rln_payload *payload);

/* Whether all tests of a choice hold. */
int rln__payload_matches(const struct rln__payload_tests *tests, uint64_t held);

#endif
