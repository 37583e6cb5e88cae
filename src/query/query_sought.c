/* SPDX-License-Identifier: Apache-2.0 */
#include "query/query_sought.h"

#include "base/alloc.h"
#include "base/json.h"
#include "query/query_about.h"
#include "timeline/lod_longest.h"
#include "timeline/lod_rows.h"

uint8_t *rln__query_names_sought(const struct rln__query_context *a)
{
    const struct rln__question *q = a->question;
    const uint32_t *kinds = q->is_folded ? rln__lod_kinds_of_names(a->lod) : NULL;
    uint8_t *sought = kinds || !q->is_folded ? rln__alloc(a->lod->n_names, 1) : NULL;

    for (size_t i = 0; i < a->lod->n_names && sought; i++) {
        if (q->text.is_given)
            sought[i] = (uint8_t)rln__lod_name_holds(&a->lod->names[i],
                                                     rln__query_text(&q->text));
        else
            sought[i] = kinds ? kinds[i] == kinds[q->name] : i == q->name;
    }
    return sought;
}

/* What a request seeks: its names, where its filter matches. */
struct seeking {
    struct rln__lod_sought sought;
    struct rln__lod_filter filter;
    struct rln__lod_filter_cache cache;
    uint8_t *names, *rows; /* owned */
};

static int seek(const struct rln__query_context *a, struct seeking *s)
{
    const rln_text thread = rln__query_text(&a->question->filter_thread);

    *s = (struct seeking){.names = rln__query_names_sought(a)};
    s->cache.filter = rln__query_filter(a, &s->filter);
    s->rows = thread.length ? rln__query_rows_of_threads(a->lod, thread) : NULL;
    s->sought =
        (struct rln__lod_sought){s->names, s->rows, s->cache.filter ? &s->cache : NULL};
    return s->names && (s->rows || !thread.length) ? 0 : -1;
}

static void stop_seeking(struct seeking *s)
{
    rln__free(s->names);
    rln__free(s->rows);
    rln__lod_filter_cache_clear(&s->cache);
}

/* The nearest of a name, or of all names that contain a text. */
int rln__query_next(const struct rln__query_context *a, struct rln__buf *out)
{
    const struct rln__question *q = a->question;
    struct rln__lod_position from = {q->after, q->row, q->tie_index};
    struct rln__lod_found found;
    struct seeking s;
    int failed;

    if (q->kind == RLN__QUERY_NEXT && q->name >= a->lod->n_names)
        return 404;
    failed = seek(a, &s);
    if (q->row == RLN__NONE && q->is_earlier) /* only a time: before all of then */
        from.row = from.tie_index = 0;
    if (!failed && rln__lod_next(a->lod, &s.sought, &from, q->is_earlier, &found)) {
        rln__query_begin_item(out, a->lod, found.row, found.bucket);
        rln__buf_char(out, '}');
    } else {
        rln__buf_text(out, "null");
    }
    stop_seeking(&s);
    return failed ? 500 : 200;
}

/* The nearest range above in which it begins: its name; -1: none. */
static int64_t parent_name(struct rln__lod *lod, const struct rln__lod_found *found)
{
    uint32_t row = lod->rows[found->row].above;

    for (; row != RLN__NONE; row = lod->rows[row].above) {
        const struct rln__range_bucket *around =
            rln__lod_at(lod, row, found->bucket->start_ns);

        if (around)
            return rln__query_name(lod, around);
    }
    return -1;
}

int rln__query_occurrences(const struct rln__query_context *a, struct rln__buf *out)
{
    const struct rln__question *q = a->question;
    struct rln__lod_longest longest = {0};
    struct seeking s;
    int failed;

    if (q->name >= a->lod->n_names)
        return 404;
    failed =
        seek(a, &s) || rln__lod_longest(a->lod, &s.sought, q->from, q->to, &longest);
    stop_seeking(&s);
    rln__buf_format(out, "{\"n\":%llu,\"isRough\":%s,\"rows\":[",
                    (unsigned long long)longest.n_all,
                    longest.is_rough ? "true" : "false");
    for (size_t i = 0; i < longest.n; i++) {
        const struct rln__lod_found *found = &longest.items[i];
        const struct rln__lod_row *row = &a->lod->rows[found->row];
        struct rln__lod *lod = rln__lod_is_close(row) ? longest.narrow : a->lod;

        rln__buf_text(out, i ? ",\n" : "");
        rln__query_begin_item(out, lod, found->row, found->bucket);
        rln__json_u64(out, "n", found->bucket->n);
        rln__json_u64(out, "longest", rln__range_bucket_longest(found->bucket));
        rln__json_i64(out, "parent", parent_name(lod, found));
        rln__buf_char(out, '}');
    }
    rln__buf_text(out, "]}");
    rln__lod_longest_clear(&longest);
    return failed ? 500 : 200;
}

int rln__query_nth(const struct rln__query_context *a, struct rln__buf *out)
{
    int64_t start_ns;
    int found;

    if (a->question->name >= a->lod->n_names)
        return 404;
    found = rln__lod_nth(a->lod, a->question->name, a->question->n, &start_ns);
    if (found > 0)
        rln__buf_format(out, "{\"start\":%lld}", (long long)start_ns);
    else
        rln__buf_text(out, "null");
    return found < 0 ? 500 : 200;
}

/* --- All of a name ---------------------------------------------------------------- */

/* Of a name, or of all of its kind. */
static int add_durations(const struct rln__query_context *a,
                         struct rln__duration_histogram *out)
{
    uint8_t *sought = rln__query_names_sought(a); /* owned */
    int failed = !sought;

    failed = failed || rln__lod_merge_durations(a->lod, sought, out);
    rln__free(sought);
    return failed;
}

static void put_spread(struct rln__buf *out, const struct rln__duration_histogram *l,
                       const struct rln__duration_histogram_spread *spread)
{
    rln__buf_format(out, "{\"n\":%llu", spread->n_bars ? (unsigned long long)l->n : 0);
    if (spread->n_bars)
        rln__buf_format(out, ",\"min\":%llu,\"median\":%.1f,\"p95\":%llu,\"max\":%llu",
                        (unsigned long long)l->min_ns, spread->median_ns,
                        (unsigned long long)spread->p95_ns,
                        (unsigned long long)l->max_ns);
    rln__buf_text(out, ",\"histogram\":[");
    for (size_t i = 0; i < spread->n_bars; i++) {
        rln__buf_text(out, i ? ",{\"from\":" : "{\"from\":");
        rln__put_real(out, spread->bars[i].from_ns);
        rln__buf_text(out, ",\"to\":");
        rln__put_real(out, spread->bars[i].to_ns);
        rln__buf_format(out, ",\"n\":%llu}", (unsigned long long)spread->bars[i].n);
    }
    rln__buf_text(out, "]}");
}

int rln__query_instances(const struct rln__query_context *a, struct rln__buf *out)
{
    struct rln__duration_histogram durations = {0};
    struct rln__duration_histogram_spread spread;
    int failed;

    if (a->question->name >= a->lod->n_names)
        return 404;
    failed = add_durations(a, &durations) ||
             rln__duration_histogram_spread(&durations, &spread);
    if (!failed)
        put_spread(out, &durations, &spread);
    rln__duration_histogram_clear(&durations);
    return failed ? 500 : 200;
}

int rln__query_search(const struct rln__query_context *a, struct rln__buf *out)
{
    struct seeking s;
    const int failed = seek(a, &s);
    uint64_t n_ranges = 0;
    size_t n = 0;
    int is_rough = 0;

    rln__buf_text(out, "{\"names\":[");
    for (size_t i = 0; i < a->lod->n_names && !failed; i++) {
        const struct rln__lod_name *name = &a->lod->names[i];

        if (!s.names[i])
            continue;
        if (n++ < RLN__MOST_HITS_SENT)
            rln__json_u64(out, NULL, i);
        n_ranges += name->n_marks + name->durations.n;
    }
    if (!failed && (s.sought.cache || s.rows))
        n_ranges = rln__lod_count(a->lod, &s.sought, &is_rough);
    rln__buf_format(out, "],\"n\":%llu,\"isRough\":%s}", (unsigned long long)n_ranges,
                    is_rough ? "true" : "false");
    stop_seeking(&s);
    return failed ? 500 : 200;
}
