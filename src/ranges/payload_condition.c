/* SPDX-License-Identifier: Apache-2.0 */
/* payload_condition.c - which payload tests hold for a payload. */
#include "ranges/payload_condition.h"
#include "base/key_index.h"
#include "trace/payload/numbers.h"

#include <stdio.h>
#include <string.h>

/* --- Numbers ---------------------------------------------------------------------- */

/* A float has fewer digits than the test's text: its 0.1 must equal the written one. */
static int order(struct rln__payload_number n, struct rln__payload_number wanted,
                 int is_float)
{
    if (is_float) {
        const double number = rln__number_double(wanted.type, wanted.bits);

        wanted.bits = rln__number_bits((double)(float)number);
        wanted.type = RLN_PAYLOAD_DOUBLE;
    }
    return rln__number_order(n.type, n.bits, wanted.type, wanted.bits);
}

static int fits_number(const struct rln__payload_test *test,
                       struct rln__payload_number n, int is_float)
{
    const int from = order(n, test->from, is_float);

    switch (test->op) {
    case RLN__OP_LESS:
        return from == -1;
    case RLN__OP_AT_MOST:
        return from == -1 || from == 0;
    case RLN__OP_MORE:
        return from == 1;
    case RLN__OP_AT_LEAST:
        return from == 0 || from == 1;
    default:
        return (from == 0 || (from == 1 && order(n, test->to, is_float) <= 0)) ==
               (test->op == RLN__OP_EQUAL);
    }
}

/* --- Fields ----------------------------------------------------------------------- */

static int has_text(const rln_field *f)
{
    switch (f->kind) {
    case RLN_FIELD_TEXT:
    case RLN_FIELD_BYTES:
    case RLN_FIELD_ENUM:
    case RLN_FIELD_CATEGORY:
    case RLN_FIELD_SCOPE:
        return 1;
    default:
        return 0;
    }
}

static int has_number(const rln_field *f, struct rln__payload_number *out)
{
    switch (f->kind) {
    case RLN_FIELD_INT:
        *out = (struct rln__payload_number){f->bits, RLN_PAYLOAD_I64};
        return 1;
    case RLN_FIELD_INT128:
    case RLN_FIELD_UINT128:
    case RLN_FIELD_FLOAT:
    case RLN_FIELD_DOUBLE:
        *out = (struct rln__payload_number){rln__number_bits(f->number),
                                            RLN_PAYLOAD_DOUBLE};
        return 1;
    case RLN_FIELD_UINT:
    case RLN_FIELD_ADDRESS:
    case RLN_FIELD_ENUM:
    case RLN_FIELD_CATEGORY:
    case RLN_FIELD_COLOR:
    case RLN_FIELD_SCOPE:
        *out = (struct rln__payload_number){f->bits, RLN_PAYLOAD_U64};
        return 1;
    case RLN_FIELD_NULL:
        *out = (struct rln__payload_number){0, RLN_PAYLOAD_U64};
        return 1;
    default:
        return 0;
    }
}

/* The text itself or, in a set "A|B", one of its members. */
static int fits_text(const struct rln__pattern *pattern, const rln_field *f)
{
    const char *at = f->text.bytes, *const end = at + f->text.length;

    if (rln__pattern_matches(pattern, f->text))
        return 1;
    while (f->kind == RLN_FIELD_ENUM && at < end) {
        const char *bar = memchr(at, '|', (size_t)(end - at));
        const char *stop = bar ? bar : end;

        if (rln__pattern_matches(pattern, (rln_text){at, (size_t)(stop - at)}))
            return 1;
        at = stop + 1;
    }
    return 0;
}

/* For fields with a number and a name, like enums, = may mean either. */
static int fits(const struct rln__payload_test *test, const rln_field *f)
{
    const int is_not = test->op == RLN__OP_NOT_EQUAL;
    struct rln__payload_number n;

    if (test->has_number && has_number(f, &n)) {
        const int holds = fits_number(test, n, f->kind == RLN_FIELD_FLOAT);

        if (holds || is_not)
            return holds;
    }
    return test->pattern.text && has_text(f) && fits_text(&test->pattern, f) != is_not;
}

/* The rest of a path after a member of a struct; NULL if it leads elsewhere. */
static const char *path_behind(const char *path, const rln_field *member)
{
    char number[16];
    rln_text name = member->name;

    if (!name.length) {
        name.bytes = number;
        name.length =
            (size_t)snprintf(number, sizeof(number), "%u", (unsigned)member->index);
    }
    if (strncmp(path, name.bytes, name.length) != 0)
        return NULL;
    path += name.length;
    return *path == '.' && path[1] ? path + 1 : *path ? NULL : path;
}

/* Whether field `*at`, if `path` leads to it, or one below it fits; moves `*at` past
 * all of these. A `path` of NULL leads elsewhere. */
static int find(const struct rln__payload_test *test, const rln_payload *p, size_t *at,
                const char *path)
{
    const rln_field *f = &p->fields[(*at)++];
    int is_found = path && !*path && fits(test, f);

    for (uint32_t i = 0; i < f->n_children && *at < p->n_fields; i++) {
        const char *rest = path;

        if (path && f->kind != RLN_FIELD_ARRAY)
            rest = path_behind(path, &p->fields[*at]);
        is_found |= find(test, p, at, rest);
    }
    return is_found;
}

static int holds_of(const struct rln__payload_test *test, const rln_payload *p)
{
    const rln_text schema = p->schema_name;
    size_t at = 0;

    if (find(test, p, &at, test->field))
        return 1;
    at = 0;
    return schema.length && strncmp(test->field, schema.bytes, schema.length) == 0 &&
           test->field[schema.length] == '.' &&
           find(test, p, &at, test->field + schema.length + 1);
}

/* --- Payloads --------------------------------------------------------------------- */

uint64_t rln__payload_held(const struct rln__payload_tests *tests, uint8_t type,
                           uint64_t bits)
{
    struct rln__payload_number n = {bits, 0};
    uint64_t held = 0;

    n.type = rln__number_widen(type, &n.bits);
    for (size_t i = 0; n.type && i < tests->n; i++)
        if (!*tests->items[i].field &&
            fits_number(&tests->items[i], n, type == RLN_PAYLOAD_FLOAT))
            held |= UINT64_C(1) << i;
    return held;
}

uint64_t rln__payload_held_fields(const struct rln__payload_tests *tests,
                                  const rln_payload *payload)
{
    uint64_t held = 0;

    if (!payload->fields || !payload->n_fields || payload->is_hidden)
        return 0;
    for (size_t i = 0; i < tests->n; i++)
        if (holds_of(&tests->items[i], payload))
            held |= UINT64_C(1) << i;
    return held;
}

int rln__payload_matches(const struct rln__payload_tests *tests, uint64_t held)
{
    for (size_t i = 0; i < tests->n_choices; i++)
        if (!(tests->choices[i].must_hold & ~held))
            return 1;
    return tests->n_choices == 0;
}
