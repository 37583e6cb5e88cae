/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_write.c - the bytes of sums: everything in an order that depends on content
 * alone.
 *
 *   strings   by their bytes
 *   traces    by name, then by id
 *   origins   ranks by number, then processes by trace
 *   paths     parents first, then by name
 *   rows      by path, then by origin
 */
#include "base/alloc.h"
#include "base/fail.h"
#include "reduce/reduced_file.h"
#include "reduce/reduced_model.h"
#include "reduce/reduced_put.h"

#include <stdlib.h>
#include <string.h>

/* --- Order ------------------------------------------------------------------------ */

/* The same of what only this file writes. */
struct orders {
    struct rln__reduced_orders all;
    rln_reduced *r;
    uint32_t *paths; /* owned, as these three; from 0 on */
    uint32_t *sorted_paths;
    struct keyed *rows; /* in the order of the file */
};

struct keyed {
    uint64_t key;
    const void *item;
};

struct sortable {
    uint64_t words[4];
    uint32_t number;
};

static int by_words(const void *a, const void *b)
{
    const struct sortable *x = a, *y = b;

    for (int i = 0; i < 4; i++) {
        if (x->words[i] != y->words[i])
            return x->words[i] < y->words[i] ? -1 : 1;
    }
    return 0;
}

struct text_number {
    rln_text text;
    uint32_t number;
};

static int by_text(const void *a, const void *b)
{
    const struct text_number *x = a, *y = b;

    return rln__compare_text(x->text, y->text);
}

static int order_strings(struct orders *o)
{
    const size_t n = o->r->strings.n ? o->r->strings.n - 1 : 0;
    struct text_number *texts = rln__alloc(n + 1, sizeof(*texts));

    o->all.strings = rln__alloc(n + 1, sizeof(uint32_t));
    o->all.sorted_strings = rln__alloc(n + 1, sizeof(uint32_t));
    if (!texts || !o->all.strings || !o->all.sorted_strings) {
        rln__free(texts);
        return -1;
    }
    for (uint32_t i = 0; i < n; i++)
        texts[i] = (struct text_number){rln__strings_get(&o->r->strings, i + 1), i + 1};
    if (n)
        qsort(texts, n, sizeof(*texts), by_text);
    for (uint32_t i = 0; i < n; i++) {
        o->all.sorted_strings[i] = texts[i].number;
        o->all.strings[texts[i].number] = i + 1;
    }
    rln__free(texts);
    return 0;
}

/* Level by level, so that the parents of a level have their places. `keys` are sorted
 * by depth, their first word. */
static void order_levels(struct orders *o, struct sortable *keys, size_t n)
{
    size_t end;

    for (size_t begin = 0; begin < n; begin = end) {
        for (end = begin; end < n && keys[end].words[0] == keys[begin].words[0];
             end++) {
            const uint64_t *words = o->r->paths.entries[keys[end].number].key.words;

            keys[end].words[1] =
                words[0] ? (uint64_t)o->paths[words[0] - 1] + 1 : 0; /* its parent */
            keys[end].words[2] = words[1] << 32 | o->all.strings[words[2]];
            keys[end].words[3] = o->all.strings[words[3]];
        }
        qsort(keys + begin, end - begin, sizeof(*keys), by_words);
        for (size_t i = begin; i < end; i++) {
            o->paths[keys[i].number] = (uint32_t)i;
            o->sorted_paths[i] = keys[i].number;
        }
    }
}

static int order_paths(struct orders *o)
{
    const rln_reduced *r = o->r;
    const size_t n = r->paths.n;
    struct sortable *keys = rln__alloc(n + 1, sizeof(*keys));
    uint32_t *depths = rln__alloc(n + 1, sizeof(*depths));

    o->paths = rln__alloc(n + 1, sizeof(uint32_t));
    o->sorted_paths = rln__alloc(n + 1, sizeof(uint32_t));
    if (keys && depths && o->paths && o->sorted_paths) {
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t parent = rln__reduced_parent(r, i);

            depths[i] = parent == UINT32_MAX ? 0 : depths[parent] + 1;
            keys[i] = (struct sortable){{depths[i]}, i};
        }
        qsort(keys, n, sizeof(*keys), by_words);
        order_levels(o, keys, n);
    }
    rln__free(keys);
    rln__free(depths);
    return keys && depths && o->paths && o->sorted_paths ? 0 : -1;
}

/* The index of a part among those of all traces. */
static int number_parts(const rln_reduced *r, struct rln__map *parts)
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

static int order_origins(struct orders *o)
{
    const rln_reduced *r = o->r;
    const size_t n = r->origins.n;
    struct sortable *keys = rln__alloc(n + 1, sizeof(*keys));
    struct rln__map parts = {0};
    int failed = number_parts(r, &parts);

    o->all.origins = rln__alloc(n + 1, sizeof(uint32_t));
    o->all.sorted_origins = rln__alloc(n + 1, sizeof(uint32_t));
    failed |= !keys || !o->all.origins || !o->all.sorted_origins;
    for (uint32_t i = 0; i < n && !failed; i++) {
        const uint64_t *words = r->origins.entries[i].key.words;

        keys[i] = (struct sortable){{words[0],
                                     words[0] == RLN__ORIGIN_RANK
                                         ? words[1]
                                         : rln__map_get(&parts, words[1]) - 1,
                                     words[2]},
                                    i};
    }
    if (!failed && n)
        qsort(keys, n, sizeof(*keys), by_words);
    for (uint32_t i = 0; i < n && !failed; i++) {
        o->all.origins[keys[i].number] = i;
        o->all.sorted_origins[i] = keys[i].number;
    }
    rln__free(keys);
    rln__map_clear(&parts);
    return failed;
}

static int by_key(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;

    return (x->key > y->key) - (x->key < y->key);
}

static int order_rows(struct orders *o)
{
    const rln_reduced *r = o->r;

    o->rows = rln__alloc(r->n_rows + 1, sizeof(*o->rows));
    if (!o->rows)
        return -1;
    for (size_t i = 0; i < r->n_rows; i++)
        o->rows[i] = (struct keyed){(uint64_t)o->paths[r->rows[i].path] << 32 |
                                        o->all.origins[r->rows[i].origin],
                                    &r->rows[i]};
    qsort(o->rows, r->n_rows, sizeof(*o->rows), by_key);
    return 0;
}

void *rln__reduced_put_sorted(const struct rln__reduced_orders *o, const void *items,
                              size_t n, size_t item_bytes,
                              int (*compare)(const void *, const void *),
                              struct rln__buf *out)
{
    char *copies = rln__alloc(n + 1, item_bytes);

    rln__put_number(out, n);
    out->has_failed |= !copies;
    if (!copies || !n)
        return copies;
    memcpy(copies, items, n * item_bytes);
    for (size_t i = 0; i < n; i++) {
        uint32_t origin;

        memcpy(&origin, copies + i * item_bytes, sizeof(origin));
        memcpy(copies + i * item_bytes, &o->origins[origin], sizeof(origin));
    }
    qsort(copies, n, item_bytes, compare);
    return copies;
}

static int order_all(struct orders *o)
{
    rln__reduced_sort(o->r);
    return order_strings(o) || order_paths(o) || order_origins(o) || order_rows(o);
}

static void orders_clear(struct orders *o)
{
    rln__free(o->all.strings);
    rln__free(o->all.sorted_strings);
    rln__free(o->paths);
    rln__free(o->sorted_paths);
    rln__free(o->all.origins);
    rln__free(o->all.sorted_origins);
    rln__free(o->rows);
}

/* --- Bytes ------------------------------------------------------------------------ */

static void put_strings(const struct orders *o, struct rln__buf *out)
{
    const size_t n = o->r->strings.n ? o->r->strings.n - 1 : 0;

    rln__put_number(out, n);
    for (size_t i = 0; i < n; i++) {
        const rln_text text =
            rln__strings_get(&o->r->strings, o->all.sorted_strings[i]);

        rln__put_counted_text(out, text.bytes, text.length);
    }
}

static void put_part(const struct orders *o, const struct rln__reduced_part *part,
                     struct rln__buf *out)
{
    rln__put_fixed(out, part->id, 8);
    rln__put_signed(out, part->start_ns);
    rln__put_number(out, o->all.strings[part->host]);
    rln__put_number(out, part->n_windows);
    rln__put_number(out, part->has_processes);
    rln__put_number(out, part->n_ranks);
    for (size_t i = 0; i < part->n_ranks; i++)
        rln__put_number(out,
                        i ? part->ranks[i] - part->ranks[i - 1] - 1 : part->ranks[i]);
}

static void put_trace(const struct orders *o, const struct rln__reduced_trace *t,
                      struct rln__buf *out)
{
    rln__put_number(out, o->all.strings[t->name]);
    rln__put_number(out, t->is_finished);
    for (size_t i = 0; i < RLN__N_REDUCED_COUNTS; i++)
        rln__put_number(out, t->counts[i]);
    rln__put_number(out, t->damage_offset);
    rln__put_number(out, o->all.strings[t->damage]);
    rln__put_signed(out, t->first_ns);
    rln__put_number(out, (uint64_t)t->last_ns - (uint64_t)t->first_ns);
    rln__put_number(out, t->n_parts);
    for (size_t i = 0; i < t->n_parts; i++)
        put_part(o, &t->parts[i], out);
}

/* `words` is that of the file: for a process, the index of its part. */
static void put_origins(const struct orders *o, struct rln__buf *out)
{
    const rln_reduced *r = o->r;
    struct rln__map parts = {0};

    out->has_failed |= number_parts(r, &parts);
    rln__put_number(out, r->origins.n);
    for (size_t i = 0; i < r->origins.n; i++) {
        const uint64_t *words = r->origins.entries[o->all.sorted_origins[i]].key.words;

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

static void put_row(const struct rln__reduced_row *row, int64_t base_ns,
                    struct rln__buf *out)
{
    rln__put_number(out, row->n);
    rln__put_number(out, row->n_open);
    rln__put_number(out, row->total_ns);
    rln__put_number(out, row->self_ns);
    rln__put_number(out, row->min_ns);
    rln__put_number(out, row->max_ns - row->min_ns);
    rln__put_number(out, (uint64_t)row->squares);
    rln__put_number(out, (uint64_t)(row->squares >> 64));
    rln__put_number(out, (uint64_t)row->first_ns - (uint64_t)base_ns);
    rln__put_number(out, (uint64_t)row->last_ns - (uint64_t)row->first_ns);
}

static void put_histogram(struct rln__duration_histogram *h, struct rln__buf *out)
{
    uint64_t last = 0, n = 0;

    if (rln__duration_histogram_is_exact(h)) {
        rln__duration_histogram_sort(h);
        for (size_t i = 0; i < h->n; i++) {
            rln__put_number(out, h->items[i] - last);
            last = h->items[i];
        }
        return;
    }
    for (uint32_t i = 0; i < h->n_steps; i++)
        n += h->items[i] != 0;
    rln__put_number(out, n);
    for (uint32_t i = 0; i < h->n_steps; i++) {
        if (!h->items[i])
            continue;
        rln__put_number(out, h->first_step + i - last); /* one more than the last one */
        rln__put_number(out, h->items[i]);
        last = h->first_step + i + 1;
    }
}

/* The rows of a path, from `*at` on, and the durations of all of them. */
static void put_sums(const struct orders *o, uint32_t path, int64_t base_ns, size_t *at,
                     struct rln__buf *out)
{
    const rln_reduced *r = o->r;
    const size_t begin = *at;
    uint64_t last = 0;

    while (*at < r->n_rows && o->rows[*at].key >> 32 == o->paths[path])
        ++*at;
    rln__put_number(out, *at - begin);
    for (size_t i = begin; i < *at; i++) {
        const uint64_t origin = (uint32_t)o->rows[i].key;

        rln__put_number(out, origin - last);
        put_row(o->rows[i].item, base_ns, out);
        last = origin + 1;
    }
    if (*at > begin)
        put_histogram(&r->wholes[path].durations, out);
}

static int64_t find_base(const rln_reduced *r)
{
    int64_t base_ns = r->n_rows ? INT64_MAX : 0;

    for (size_t i = 0; i < r->n_rows; i++)
        base_ns = r->rows[i].first_ns < base_ns ? r->rows[i].first_ns : base_ns;
    return base_ns;
}

static void put_paths(const struct orders *o, int64_t base_ns, struct rln__buf *out)
{
    const rln_reduced *r = o->r;
    size_t at = 0;

    rln__put_number(out, r->paths.n);
    for (size_t i = 0; i < r->paths.n; i++) {
        const uint32_t path = o->sorted_paths[i];
        const uint64_t *words = r->paths.entries[path].key.words;

        rln__put_number(out, words[0] ? (uint64_t)o->paths[words[0] - 1] + 1 : 0);
        rln__put_number(out, words[1]);
        rln__put_number(out, o->all.strings[words[2]]);
        rln__put_number(out, o->all.strings[words[3]]);
        put_sums(o, path, base_ns, &at, out);
    }
}

static void put_all(const struct orders *o, struct rln__buf *out)
{
    rln_reduced *r = o->r;

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
        rln__put_number(out, o->all.strings[r->unreadable[i].name]);
        rln__put_number(out, o->all.strings[r->unreadable[i].reason]);
    }
    put_origins(o, out);
    rln__put_signed(out, o->all.base_ns);
    put_paths(o, o->all.base_ns, out);
    for (size_t i = 0; i < RLN__N_REDUCED_KINDS; i++)
        rln__reduced_kinds[i]->put(r->sums[i], &o->all, out);
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

rln_status rln_reduced_bytes(rln_reduced *r, const void **bytes, size_t *n_bytes,
                             rln_error *err)
{
    struct orders orders = {.r = r, .all = {.r = r, .base_ns = find_base(r)}};

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
