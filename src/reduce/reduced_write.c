/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_write.c - the bytes of sums: everything in an order that depends on content
 * alone.
 *
 *   strings   by their bytes
 *   traces    by name, then by id
 *   origins   ranks by number, then processes by trace
 *   sums      as their kind says
 */
#include "base/alloc.h"
#include "base/fail.h"
#include "reduce/reduced_file.h"
#include "reduce/reduced_model.h"
#include "reduce/reduced_put.h"

#include <stdlib.h>
#include <string.h>

/* --- Order ------------------------------------------------------------------------ */

struct text_number {
    rln_text text;
    uint32_t number;
};

static int by_text(const void *a, const void *b)
{
    const struct text_number *x = a, *y = b;

    return rln__compare_text(x->text, y->text);
}

static int order_strings(struct rln__reduced_orders *o)
{
    const size_t n = o->r->strings.n ? o->r->strings.n - 1 : 0;
    struct text_number *texts = rln__alloc(n + 1, sizeof(*texts));

    o->strings = rln__alloc(n + 1, sizeof(uint32_t));
    o->sorted_strings = rln__alloc(n + 1, sizeof(uint32_t));
    if (!texts || !o->strings || !o->sorted_strings) {
        rln__free(texts);
        return -1;
    }
    for (uint32_t i = 0; i < n; i++)
        texts[i] = (struct text_number){rln__strings_get(&o->r->strings, i + 1), i + 1};
    if (n)
        qsort(texts, n, sizeof(*texts), by_text);
    for (uint32_t i = 0; i < n; i++) {
        o->sorted_strings[i] = texts[i].number;
        o->strings[texts[i].number] = i + 1;
    }
    rln__free(texts);
    return 0;
}

/* The index of a part among those of all traces. */
static int number_parts(const struct rln__reduced *r, struct rln__map *parts)
{
    uint64_t n = 0;

    for (size_t i = 0; i < r->n_traces; i++) {
        for (size_t k = 0; k < r->traces[i].n_parts; k++) {
            if (rln__map_put(parts, r->traces[i].parts[k].id, ++n))
                return -1;
        }
    }
    return 0;
}

static int order_origins(struct rln__reduced_orders *o)
{
    const struct rln__reduced *r = o->r;
    const size_t n = r->origins.n;
    struct rln__reduced_item *keys = rln__alloc(n + 1, sizeof(*keys));
    struct rln__map parts = {0};
    int failed = number_parts(r, &parts);

    o->origins = rln__alloc(n + 1, sizeof(uint32_t));
    o->sorted_origins = rln__alloc(n + 1, sizeof(uint32_t));
    failed |= !keys || !o->origins || !o->sorted_origins;
    for (uint32_t i = 0; i < n && !failed; i++) {
        const uint64_t *words = r->origins.entries[i].key.words;

        keys[i] = (struct rln__reduced_item){{words[0],
                                              words[0] == RLN__ORIGIN_RANK
                                                  ? words[1]
                                                  : rln__map_get(&parts, words[1]) - 1,
                                              words[2]},
                                             i};
    }
    if (!failed && n)
        qsort(keys, n, sizeof(*keys), rln__by_words);
    for (uint32_t i = 0; i < n && !failed; i++) {
        o->origins[keys[i].number] = i;
        o->sorted_origins[i] = keys[i].number;
    }
    rln__free(keys);
    rln__map_clear(&parts);
    return failed;
}

static int order_all(struct rln__reduced_orders *o)
{
    rln__reduced_sort(o->r);
    return order_strings(o) || order_origins(o);
}

static void orders_clear(struct rln__reduced_orders *o)
{
    rln__free(o->strings);
    rln__free(o->sorted_strings);
    rln__free(o->origins);
    rln__free(o->sorted_origins);
}

/* --- Bytes ------------------------------------------------------------------------ */

static void put_strings(const struct rln__reduced_orders *o, struct rln__buf *out)
{
    const size_t n = o->r->strings.n ? o->r->strings.n - 1 : 0;

    rln__put_number(out, n);
    for (size_t i = 0; i < n; i++) {
        const rln_text text = rln__strings_get(&o->r->strings, o->sorted_strings[i]);

        rln__put_counted_text(out, text.bytes, text.length);
    }
}

static void put_part(const struct rln__reduced_orders *o,
                     const struct rln__reduced_part *part, struct rln__buf *out)
{
    rln__put_fixed(out, part->id, 8);
    rln__put_signed(out, part->start_ns);
    rln__put_number(out, o->strings[part->host]);
    rln__put_number(out, part->n_windows);
    rln__put_number(out, part->has_processes);
    rln__put_number(out, part->cpu_times);
    rln__put_number(out, part->n_ranks);
    for (size_t i = 0; i < part->n_ranks; i++)
        rln__put_number(out,
                        i ? part->ranks[i] - part->ranks[i - 1] - 1 : part->ranks[i]);
}

static void put_trace(const struct rln__reduced_orders *o,
                      const struct rln__reduced_trace *t, struct rln__buf *out)
{
    rln__put_number(out, o->strings[t->name]);
    rln__put_number(out, t->is_finished);
    for (size_t i = 0; i < RLN__N_REDUCED_COUNTS; i++)
        rln__put_number(out, t->counts[i]);
    rln__put_number(out, t->damage_offset);
    rln__put_number(out, o->strings[t->damage]);
    rln__put_signed(out, t->first_ns);
    rln__put_number(out, (uint64_t)t->last_ns - (uint64_t)t->first_ns);
    rln__put_number(out, t->n_parts);
    for (size_t i = 0; i < t->n_parts; i++)
        put_part(o, &t->parts[i], out);
}

/* `words` is that of the file: for a process, the index of its part. */
static void put_origins(const struct rln__reduced_orders *o, struct rln__buf *out)
{
    const struct rln__reduced *r = o->r;
    struct rln__map parts = {0};

    out->has_failed |= number_parts(r, &parts);
    rln__put_number(out, r->origins.n);
    for (size_t i = 0; i < r->origins.n; i++) {
        const uint64_t *words = r->origins.entries[o->sorted_origins[i]].key.words;

        rln__put_number(out, words[0]);
        if (words[0] == RLN__ORIGIN_RANK) {
            rln__put_number(out, words[1]);
            continue;
        }
        rln__put_number(out, rln__map_get(&parts, words[1]) - 1);
        rln__put_number(out, words[2]);
    }
    rln__map_clear(&parts);
}

static void put_all(struct rln__reduced_orders *o, struct rln__buf *out)
{
    struct rln__reduced *r = o->r;

    rln__buf_add(out, RLN__REDUCED_MAGIC, RLN__REDUCED_MAGIC_BYTES);
    rln__put_fixed(out, RLN__REDUCED_VERSION, 8);
    rln__put_fixed(out, 0, 8); /* the size, later */
    rln__put_counted_text(out, r->filters.bytes, r->filters.length - 1);
    rln__put_counted_text(out, r->renames.bytes, r->renames.length - 1);
    rln__put_counted_text(out, r->steps_name.bytes, r->steps_name.length - 1);
    put_strings(o, out);
    rln__put_number(out, r->n_traces);
    for (size_t i = 0; i < r->n_traces; i++)
        put_trace(o, &r->traces[i], out);
    rln__put_number(out, r->n_unreadable);
    for (size_t i = 0; i < r->n_unreadable; i++) {
        rln__put_number(out, o->strings[r->unreadable[i].name]);
        rln__put_number(out, o->strings[r->unreadable[i].reason]);
    }
    put_origins(o, out);
    for (size_t i = 0; i < RLN__N_REDUCED_KINDS; i++)
        rln__reduced_kinds[i]->put(r->sums[i], o, out);
}

static void put_end(struct rln__buf *out)
{
    const uint64_t n = out->length + RLN__REDUCED_END_BYTES;

    if (out->has_failed)
        return;
    for (unsigned i = 0; i < 8; i++)
        out->bytes[RLN__REDUCED_HEAD_BYTES - 8 + i] = (char)(unsigned char)(n >> 8 * i);
    rln__put_fixed(
        out, rln__reduced_checksum((const unsigned char *)out->bytes, out->length), 8);
}

rln_status rln__reduced_bytes(struct rln__reduced *r, const void **bytes,
                              size_t *n_bytes, rln_error *err)
{
    struct rln__reduced_orders orders = {.r = r};

    *bytes = NULL;
    *n_bytes = 0;
    if (!r->bytes.length) {
        if (!order_all(&orders)) {
            put_all(&orders, &r->bytes);
            put_end(&r->bytes);
        }
        orders_clear(&orders);
        if (!r->bytes.length || r->bytes.has_failed) {
            rln__buf_clear(&r->bytes);
            return rln__fail_nomem(err);
        }
    }
    *bytes = r->bytes.bytes;
    *n_bytes = r->bytes.length;
    return RLN_OK;
}
