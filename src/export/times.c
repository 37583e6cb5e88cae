/* SPDX-License-Identifier: Apache-2.0 */
#include "export/times.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/time_span.h"

#include <string.h>

/* Cuts one range at the front of `text`; NULL if it makes no sense. */
static const char *read_range(const char *text, struct rln__time_range *out)
{
    memset(out, 0, sizeof(*out));
    if (*text == ':') {
        out->is_start_open = 1;
        text++;
    }
    text = rln__time_span_read(text, &out->start_ns, &out->end_ns);
    if (text && *text == ':') {
        out->is_end_open = 1;
        text++;
    }
    return text;
}

rln_status rln__time_ranges_add(struct rln__time_ranges *t, const char *text,
                                rln_error *err)
{
    for (const char *at = text; at;) {
        struct rln__time_range *items =
            rln__grow(t->items, &t->capacity, t->n + 1, sizeof(*items));
        const char *end;

        if (!items)
            return rln__fail_nomem(err);
        t->items = items;
        end = read_range(at, &items[t->n]);
        if (!end || (*end && *end != ','))
            return rln__fail(
                err, RLN_ERR_ARGUMENT, 0,
                "cannot read times: times=\"%s\": not [:][START]/[END][:]\nhint: use "
                "START/END with the start first, such as --times 1s/2500ms",
                text);
        t->n++;
        at = *end ? end + 1 : NULL;
    }
    return RLN_OK;
}

int rln__time_ranges_have(const struct rln__time_ranges *t, int64_t start_ns,
                          int64_t end_ns)
{
    for (size_t i = 0; i < t->n; i++) {
        const struct rln__time_range *r = &t->items[i];

        if ((r->is_start_open ? end_ns >= r->start_ns : start_ns >= r->start_ns) &&
            (r->is_end_open ? start_ns <= r->end_ns : end_ns <= r->end_ns))
            return 1;
    }
    return 0;
}

void rln__time_ranges_clear(struct rln__time_ranges *t)
{
    rln__free(t->items);
    memset(t, 0, sizeof(*t));
}
