/* SPDX-License-Identifier: Apache-2.0 */
/* lod_saved.c - writes an index and reads it, by the same functions: each goes through
 * the parts of the index in one order, and either appends a part or sets it.
 *
 * All is numbers of 7 bits a byte. Of a row's buckets each field is a column, which is
 * left out if it is 0 throughout: what is compressed afterwards gets a third of the size.
 */
#include "timeline/lod_saved.h"

#include "base/alloc.h"
#include "base/fail.h"
#include "timeline/lod_query.h"

#include <string.h>

struct exchange {
    struct rln__buf *out;          /* NULL: reading */
    const unsigned char *at, *end; /* what is to be read */
    int has_failed, has_no_memory;
};

/* --- Numbers, texts, arrays ------------------------------------------------------- */

static void append(struct exchange *x, uint64_t value)
{
    for (; value >= 128; value >>= 7)
        rln__buf_char(x->out, (char)(value | 128));
    rln__buf_char(x->out, (char)value);
}

static uint64_t take(struct exchange *x)
{
    uint64_t value = 0;

    for (unsigned shift = 0; shift < 64 && x->at < x->end; shift += 7) {
        const unsigned char byte = *x->at++;

        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return value;
    }
    x->has_failed = 1;
    return 0;
}

static void number(struct exchange *x, uint64_t *value)
{
    if (x->out)
        append(x, *value);
    else
        *value = take(x);
}

/* Of at most `most`. */
static uint32_t limited(struct exchange *x, uint32_t value, uint32_t most)
{
    uint64_t wide = value;

    number(x, &wide);
    x->has_failed |= wide > most;
    return wide > most ? 0 : (uint32_t)wide;
}

static void number32(struct exchange *x, uint32_t *value)
{
    *value = limited(x, *value, UINT32_MAX);
}

static void number8(struct exchange *x, uint8_t *value)
{
    *value = (uint8_t)limited(x, *value, UINT8_MAX);
}

/* An index of `n` items. */
static uint32_t index_in(struct exchange *x, uint32_t value, size_t n)
{
    x->has_failed |= n == 0;
    return limited(x, value, n ? (uint32_t)(n - 1) : 0);
}

/* The same, or RLN__NONE. */
static void index_of(struct exchange *x, uint32_t *value, size_t n)
{
    const uint32_t next = limited(x, *value + 1u, n < UINT32_MAX ? (uint32_t)n : 0);

    *value = next - 1u;
}

/* Numbers near to 0 on either side become small ones. */
static uint64_t folded(int64_t value)
{
    return (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0);
}

static int64_t unfolded(uint64_t value)
{
    return (int64_t)(value >> 1 ^ (value & 1 ? UINT64_MAX : 0));
}

static void time_ns(struct exchange *x, int64_t *ns)
{
    uint64_t wide = folded(*ns);

    number(x, &wide);
    *ns = unfolded(wide);
}

static void text(struct exchange *x, rln_text *value)
{
    uint64_t n = value->length;

    number(x, &n);
    if (x->out) {
        rln__buf_add(x->out, value->bytes, value->length);
        return;
    }
    x->has_failed |= n > (uint64_t)(x->end - x->at);
    *value = x->has_failed ? (rln_text){NULL, 0}
                           : (rln_text){(const char *)x->at, (size_t)n};
    x->at += value->length;
}

/* The items of an array: those that there are, or as many new ones, of which each takes
 * a byte at least. */
static void *array(struct exchange *x, void *items, size_t *n, size_t item_bytes)
{
    uint64_t wide = *n;

    number(x, &wide);
    if (x->out)
        return items;
    x->has_failed |= wide > (uint64_t)(x->end - x->at);
    *n = 0;
    if (x->has_failed)
        return NULL;
    items = rln__alloc((size_t)wide, item_bytes);
    x->has_no_memory |= !items;
    x->has_failed |= !items;
    *n = items ? (size_t)wide : 0;
    return items;
}

/* --- What rows have --------------------------------------------------------------- */

/* The fields of a bucket as numbers, most of them 0. */
enum column { START, LENGTH, THIRD, LOW, HIGH, ATTR, COUNT, N_COLUMNS };

/* A bucket as words: what the third and the fourth are depends on what it holds. */
struct words {
    uint64_t start, end, third, fourth;
    uint32_t attr, count;
};

_Static_assert(sizeof(struct words) == sizeof(struct rln__range_bucket),
               "a bucket is these words");

/* Operations of a GPU have the time of their call as the third, projected ranges their
 * own. */
static int has_call_time(const struct words *w, int has_others)
{
    return has_others && (w->count & RLN__MOST_IN_BUCKET) == 1 && w->fourth >> 32;
}

static uint64_t get(const struct words *w, enum column column, uint64_t before,
                    int has_others)
{
    switch (column) {
    case START:
        return folded((int64_t)(w->start - before));
    case LENGTH:
        return folded((int64_t)(w->end - w->start));
    case LOW:
        return w->fourth & UINT32_MAX;
    case HIGH:
        return w->fourth >> 32;
    case THIRD:
        return has_call_time(w, has_others) ? folded((int64_t)(w->start - w->third))
                                            : w->third;
    case ATTR:
        return w->attr;
    default: /* most are of one range */
        return w->count ^ 1u;
    }
}

static void set(struct words *w, enum column column, uint64_t before, int has_others,
                uint64_t value)
{
    switch (column) {
    case START:
        w->start = before + (uint64_t)unfolded(value);
        break;
    case LENGTH:
        w->end = w->start + (uint64_t)unfolded(value);
        break;
    case LOW:
        w->fourth |= value & UINT32_MAX;
        break;
    case HIGH:
        w->fourth |= value << 32;
        break;
    case THIRD:
        w->third =
            has_call_time(w, has_others) ? w->start - (uint64_t)unfolded(value) : value;
        break;
    case ATTR:
        w->attr = (uint32_t)value;
        break;
    default:
        w->count = (uint32_t)value ^ 1u;
        break;
    }
}

/* The third depends on those before it. */
static const enum column in_order[N_COLUMNS] = {START, LENGTH, COUNT, ATTR,
                                                LOW,   HIGH,   THIRD};

static void column_of(struct exchange *x, struct words *words, size_t n,
                      enum column column, int has_others)
{
    uint64_t before = 0, is_there = column == START;

    for (size_t i = 0; i < n && x->out && !is_there; i++)
        is_there = get(&words[i], column, 0, has_others) != 0;
    number(x, &is_there);
    for (size_t i = 0; i < n; i++) {
        uint64_t value = x->out ? get(&words[i], column, before, has_others) : 0;

        if (is_there)
            number(x, &value);
        if (!x->out)
            set(&words[i], column, before, has_others, value);
        before = words[i].start;
    }
}

static void range_buckets(struct exchange *x, struct rln__lod_row *row)
{
    struct rln__range_buckets *b = &row->buckets;
    struct words *words;

    (void)rln__range_buckets_from(b, 0); /* sorts them */
    b->items = array(x, b->items, &b->n, sizeof(*b->items));
    words = rln__alloc(b->n, sizeof(*words));
    if (!words) {
        x->has_failed = x->has_no_memory = 1;
        return;
    }
    if (x->out && b->n)
        memcpy(words, b->items, b->n * sizeof(*words));
    for (size_t i = 0; i < N_COLUMNS; i++)
        column_of(x, words, b->n, in_order[i], rln__lod_has_others_times(row));
    if (!x->out && b->n)
        memcpy(b->items, words, b->n * sizeof(*words));
    rln__free(words);
    number8(x, &b->is_mixed);
}

/* Numbers of few digits end with many zeros. */
static void real(struct exchange *x, double *value, double like)
{
    uint64_t bits, base;

    memcpy(&bits, value, sizeof(bits));
    memcpy(&base, &like, sizeof(base));
    bits = __builtin_bswap64(bits ^ base);
    number(x, &bits);
    bits = __builtin_bswap64(bits) ^ base;
    memcpy(value, &bits, sizeof(bits));
}

static void sample_buckets(struct exchange *x, struct rln__sample_buckets *b)
{
    int64_t before = 0;

    (void)rln__sample_buckets_from(b, 0);
    b->items = array(x, b->items, &b->n, sizeof(*b->items));
    for (size_t i = 0; i < b->n; i++) {
        struct rln__sample_bucket *s = &b->items[i];
        int64_t since = (int64_t)((uint64_t)s->first_ns - (uint64_t)before);
        int64_t took = (int64_t)((uint64_t)s->last_ns - (uint64_t)s->first_ns);

        time_ns(x, &since);
        time_ns(x, &took);
        s->first_ns = before = (int64_t)((uint64_t)before + (uint64_t)since);
        s->last_ns = (int64_t)((uint64_t)s->first_ns + (uint64_t)took);
        number32(x, &s->n);
        real(x, &s->value, 0);
        real(x, &s->least, s->value);
        real(x, &s->most, s->value);
    }
}

static void row_of(struct exchange *x, struct rln__lod *lod, size_t i)
{
    struct rln__lod_row *row = &lod->rows[i];
    uint8_t kind = (uint8_t)row->kind;

    number8(x, &kind);
    row->kind = (enum rln__lod_kind)kind;
    number32(x, &row->level);
    row->group = index_in(x, row->group, lod->n_groups);
    index_of(x, &row->above, i); /* one before it: the way up ends */
    index_of(x, &row->thread, lod->saved->n_threads);
    number8(x, &row->is_deferred);
    number8(x, &row->is_stream);
    number8(x, &row->is_of_waits);
    index_of(x, &row->name, lod->n_names);
    number(x, &row->kinships);
    number8(x, &row->semantics.interpolation);
    range_buckets(x, row);
    sample_buckets(x, &row->sample_buckets);
}

/* --- Names ------------------------------------------------------------------------ */

static void lengths(struct exchange *x, struct rln__duration_histogram *h, uint64_t n)
{
    uint64_t before = 0;

    if (x->out)
        rln__duration_histogram_sort(h);
    for (size_t i = 0; i < n && !x->has_failed; i++) {
        uint64_t more = x->out ? h->items[i] - before : 0;

        number(x, &more);
        before += more;
        if (!x->out && rln__duration_histogram_add(h, before))
            x->has_failed = x->has_no_memory = 1;
    }
}

/* Pairs of a count and its step, up to one of none. */
static void counts(struct exchange *x, struct rln__duration_histogram *h)
{
    for (uint32_t i = 0; i <= h->n_steps && x->out; i++) {
        if (i < h->n_steps && !h->items[i])
            continue;
        append(x, i < h->n_steps ? h->items[i] : 0);
        append(x, h->first_step + i);
    }
    while (!x->out && !x->has_failed) {
        const uint64_t count = take(x);
        const uint32_t step = limited(x, 0, RLN__DURATION_HISTOGRAM_N_STEPS);

        if (!count)
            break;
        if (step == RLN__DURATION_HISTOGRAM_N_STEPS)
            x->has_failed = 1;
        else if (rln__duration_histogram_count(h, step, count))
            x->has_failed = x->has_no_memory = 1;
    }
}

/* Of a name: how long its ranges are. */
static void durations(struct exchange *x, struct rln__duration_histogram *h)
{
    uint64_t n = h->n;
    uint8_t is_known = h->items != NULL;

    number(x, &n);
    number8(x, &is_known);
    if (is_known && n <= RLN__DURATION_HISTOGRAM_EXACT) {
        lengths(x, h, n);
        return;
    }
    number(x, &h->min_ns);
    number(x, &h->max_ns);
    h->n = n;
    if (is_known)
        counts(x, h);
}

static void name_of(struct exchange *x, struct rln__lod_name *name)
{
    text(x, &name->domain);
    text(x, &name->message);
    text(x, &name->field);
    text(x, &name->function.file);
    number32(x, &name->function.line);
    number32(x, &name->color);
    number8(x, &name->is_of_gpu);
    number(x, &name->n_marks);
    number(x, &name->total_ns);
    number(x, &name->self_ns);
    number(x, &name->nested_ns);
    durations(x, &name->durations);
}

static void names(struct exchange *x, struct rln__lod *lod)
{
    lod->names = array(x, lod->names, &lod->n_names, sizeof(*lod->names));
    for (size_t i = 0; i < lod->n_names; i++)
        name_of(x, &lod->names[i]);
    lod->kinships = array(x, lod->kinships, &lod->n_kinships, sizeof(*lod->kinships));
    for (size_t i = 0; i < lod->n_kinships; i++) {
        text(x, &lod->kinships[i].domain);
        text(x, &lod->kinships[i].category);
        number32(x, &lod->kinships[i].number);
    }
    lod->attrs = array(x, lod->attrs, &lod->n_attrs, sizeof(*lod->attrs));
    for (size_t i = 0; i < lod->n_attrs; i++) {
        struct rln__lod_attr *attr = &lod->attrs[i];

        attr->name = limited(x, attr->name, (uint32_t)lod->n_names);
        if (attr->name) {
            number32(x, &attr->color);
            attr->kinship = index_in(x, attr->kinship, lod->n_kinships);
        }
    }
}

/* --- What stands for the trace ---------------------------------------------------- */

static void stand_in(struct exchange *x, struct rln__lod_saved *s)
{
    text(x, &s->head);
    text(x, &s->tail);
    s->groups = array(x, s->groups, &s->n_groups, sizeof(*s->groups));
    for (size_t i = 0; i < s->n_groups; i++)
        text(x, &s->groups[i]);
    s->threads = array(x, s->threads, &s->n_threads, sizeof(*s->threads));
    for (size_t i = 0; i < s->n_threads; i++) {
        text(x, &s->threads[i].name);
        number32(x, &s->threads[i].process);
        number32(x, &s->threads[i].tid);
        index_of(x, &s->threads[i].adopter, s->n_threads);
    }
    s->payloads = array(x, s->payloads, &s->n_payloads, sizeof(*s->payloads));
    for (size_t i = 0; i < s->n_payloads; i++) {
        number8(x, &s->payloads[i].value_type);
        number(x, &s->payloads[i].value_bits);
        text(x, &s->payloads[i].json);
    }
    number(x, &s->n_payloads_left_out);
}

static void whole(struct exchange *x, struct rln__lod *lod)
{
    uint8_t is_filtered = lod->is_filtered != 0;

    stand_in(x, lod->saved);
    names(x, lod);
    lod->groups = array(x, lod->groups, &lod->n_groups, sizeof(*lod->groups));
    x->has_failed |= lod->n_groups != lod->saved->n_groups;
    for (size_t i = 0; i < lod->n_groups; i++)
        number32(x, &lod->groups[i].process);
    lod->rows = array(x, lod->rows, &lod->n_rows, sizeof(*lod->rows));
    for (size_t i = 0; i < lod->n_rows; i++)
        row_of(x, lod, i);
    time_ns(x, &lod->resolution_ns);
    time_ns(x, &lod->first_ns);
    time_ns(x, &lod->last_ns);
    number(x, &lod->n_events);
    number8(x, &is_filtered);
    lod->is_filtered = is_filtered;
}

/* --- Outside ---------------------------------------------------------------------- */

void rln__lod_save(struct rln__lod *lod, const struct rln__lod_saved *saved,
                   struct rln__buf *out)
{
    struct rln__lod_saved copy = *saved;
    struct exchange x = {.out = out};

    rln__buf_text(out, RLN__LOD_MAGIC);
    lod->saved = &copy;
    whole(&x, lod);
    lod->saved = NULL;
    out->has_failed |= x.has_failed;
}

/* Whether queries find all that a bucket refers to. */
static int is_whole(const struct rln__lod *lod, const struct rln__lod_row *row,
                    const struct rln__range_bucket *b)
{
    if (b->attr >= lod->n_attrs || !lod->attrs[b->attr].name || b->n == 0)
        return 0;
    if (b->n > 1)
        return 1;
    if (row->kind == RLN__LOD_PROJECTED)
        return b->call_took < lod->n_rows;
    return row->is_stream ? b->caller <= lod->saved->n_threads
                          : b->address <= lod->saved->n_payloads;
}

static int check_row(const struct rln__lod *lod, struct rln__lod_row *row)
{
    for (size_t i = 0; i < row->buckets.n; i++) {
        if (!is_whole(lod, row, &row->buckets.items[i]))
            return 0;
    }
    return row->kind == RLN__LOD_COUNTER ? row->name != RLN__NONE
                                         : !row->is_stream || row->thread != RLN__NONE;
}

rln_status rln__lod_load(struct rln__lod *lod, void *bytes, size_t n_bytes,
                         rln_error *err)
{
    const size_t n_magic = strlen(RLN__LOD_MAGIC);
    struct exchange x = {.at = (unsigned char *)bytes + n_magic,
                         .end = (unsigned char *)bytes + n_bytes};
    int has_failed = n_bytes < n_magic || memcmp(bytes, RLN__LOD_MAGIC, n_magic) != 0;

    memset(lod, 0, sizeof(*lod));
    lod->saved = rln__alloc(1, sizeof(*lod->saved));
    if (!lod->saved) {
        rln__free(bytes);
        return rln__fail_nomem(err);
    }
    lod->saved->bytes = bytes;
    if (!has_failed)
        whole(&x, lod);
    has_failed |= x.has_failed;
    for (size_t i = 0; i < lod->n_rows && !has_failed; i++)
        has_failed = !check_row(lod, &lod->rows[i]);
    for (size_t i = 0; i < lod->n_rows && !has_failed; i++) /* without, it is slower */
        (void)rln__range_buckets_settle(&lod->rows[i].buckets);
    lod->is_complete = 1;
    if (!has_failed)
        return RLN_OK;
    return x.has_no_memory
               ? rln__fail_nomem(err)
               : rln__fail(err, RLN_ERR_FORMAT, 0, "what is in this page is damaged");
}
