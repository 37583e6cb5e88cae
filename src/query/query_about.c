/* SPDX-License-Identifier: Apache-2.0 */
#include "query/query_about.h"

#include "base/alloc.h"
#include "base/json.h"
#include "query/query_states.h"
#include "query/viewer_json.h"
#include "rangeline/values.h"
#include "ranges/event_filter.h"
#include "timeline/lod_query.h"
#include "timeline/lod_rows.h"
#include "timeline/lod_saved.h"
#include "trace/open/pid_aliases.h"
#include "trace/payload/in_unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define KINSHIP_BITS 64u

/* The distinct domains or categories of kinships, and the number of each kinship's. */
struct texts {
    rln_text *items;   /* owned, as the next */
    uint32_t *numbers; /* by kinship */
    size_t n;
    struct rln__buf *shown; /* owned: what `items` of categories borrow from */
    size_t n_shown;
};

static int find_texts(const struct rln__lod *lod, int is_category, struct texts *out)
{
    const size_t n = lod->n_kinships;
    struct rln__key_index keys = {0};
    int failed;

    *out = (struct texts){.items = rln__alloc(n, sizeof(*out->items)),
                          .numbers = rln__alloc(n, sizeof(*out->numbers)),
                          .shown = rln__alloc(n, sizeof(*out->shown)),
                          .n_shown = n};
    failed = !out->items || !out->numbers || !out->shown;
    for (size_t i = 0; i < n && !failed; i++) {
        rln_text text = lod->kinships[i].domain;
        struct rln__buf *shown = &out->shown[i];
        struct rln__key key;

        if (is_category) {
            if (lod->kinships[i].number) /* else the empty text */
                rln__lod_put_category(shown, &lod->kinships[i]);
            failed = shown->has_failed;
            text = (rln_text){shown->bytes, shown->length};
        }
        key = (struct rln__key){{rln__key_of_text(text)}};
        out->numbers[i] = rln__key_index_number(&keys, &key);
        if (out->numbers[i] == out->n)
            out->items[out->n++] = text;
    }
    rln__key_index_clear(&keys);
    return failed ? -1 : 0;
}

static void clear_texts(struct texts *texts)
{
    for (size_t i = 0; i < texts->n_shown && texts->shown; i++)
        rln__buf_clear(&texts->shown[i]);
    rln__free(texts->shown);
    rln__free(texts->items);
    rln__free(texts->numbers);
}

static void put_texts(struct rln__buf *out, const char *key, const struct texts *texts)
{
    rln__buf_format(out, "\"%s\":[", key);
    for (size_t i = 0; i < texts->n; i++) {
        rln__buf_text(out, i ? ",\n" : "");
        rln__buf_json(out, texts->items[i].bytes, texts->items[i].length);
    }
    rln__buf_text(out, "],\n");
}

/* The texts that occur in a row. */
static void put_occurring(struct rln__buf *out, const char *key,
                          const struct texts *texts, size_t n_kinships, uint64_t bits)
{
    uint64_t seen = 0;

    rln__json_begin(out, key, '[');
    for (size_t i = 0; i < n_kinships; i++) {
        const size_t bit = i < KINSHIP_BITS - 1 ? i : KINSHIP_BITS - 1;
        const uint32_t number = texts->numbers[i];

        if (!(bits >> bit & 1) || (number < KINSHIP_BITS && (seen >> number & 1)))
            continue;
        seen |= number < KINSHIP_BITS ? (uint64_t)1 << number : 0;
        rln__json_u64(out, NULL, number);
    }
    rln__buf_char(out, ']');
}

/* --- Names, threads, processes ---------------------------------------------------- */

static void put_name(struct rln__buf *out, const struct rln__lod_name *n)
{
    rln__buf_text(out, "\n{");
    rln__put_text(out, "domain", n->domain);
    rln__put_text(out, "message", n->message);
    rln__put_text(out, "field", n->field);
    if (n->function.file.length) {
        rln__put_text(out, "file", n->function.file);
        rln__json_u64(out, "line", n->function.line);
    }
    if (n->is_of_gpu)
        rln__json_bool(out, "isOfGpu", 1);
    if (n->color)
        rln__buf_format(out, ",\"color\":%u}", n->color - 1);
    else
        rln__buf_text(out, ",\"color\":null}");
}

static void put_names(struct rln__buf *out, const struct rln__lod *lod, size_t from)
{
    rln__buf_format(out, "\"namesInAll\":%zu,\"namesFrom\":%zu,\n\"names\":[",
                    lod->n_names, from);
    for (size_t i = from; i < lod->n_names && i < RLN__MOST_NAMES_SENT; i++) {
        rln__buf_text(out, i > from ? "," : "");
        put_name(out, &lod->names[i]);
    }
    rln__buf_text(out, "],\n");
}

int rln__query_names(const struct rln__query_context *a, struct rln__buf *out)
{
    rln__buf_char(out, '[');
    for (size_t i = 0; i < a->question->n_rows; i++) {
        if (a->question->rows[i] >= a->lod->n_names)
            return 404;
        rln__buf_text(out, i ? "," : "");
        put_name(out, &a->lod->names[a->question->rows[i]]);
    }
    rln__buf_text(out, "]\n");
    return 200;
}

static rln_text thread_name(const rln_reader *reader, uint32_t thread)
{
    const struct rln__trace_thread *t = &reader->threads[thread];

    return rln__thread_name(reader, t->process, t->tid, thread);
}

/* The page takes a pid for a process; it shows 24 bits of it. */
static unsigned long long page_pid(const rln_reader *reader,
                                   const struct rln__pid_aliases *aliases,
                                   uint32_t process)
{
    return rln__aliased_pid(aliases, reader, process);
}

static void put_threads(struct rln__buf *out, const rln_reader *reader,
                        const struct rln__pid_aliases *aliases)
{
    rln__buf_text(out, "\"threads\":[");
    for (size_t i = 0; i < reader->n_threads && i < RLN__MOST_THREADS_SENT; i++) {
        const struct rln__trace_thread *t = &reader->threads[i];

        rln__buf_text(out, i ? ",\n{" : "\n{");
        rln__put_text(out, "name", thread_name(reader, (uint32_t)i));
        rln__buf_format(out, ",\"pid\":%llu,\"tid\":%u}",
                        page_pid(reader, aliases, t->process), t->tid);
    }
    rln__buf_text(out, "],\n");
}

static void put_processes(struct rln__buf *out, const rln_reader *reader,
                          const struct rln__pid_aliases *aliases)
{
    struct rln__buf label = {0};

    rln__buf_text(out, "\"processes\":[");
    for (size_t i = 0; i < reader->names.n_processes; i++) {
        rln__buf_format(out, "%s{\"pid\":%llu", i ? ",\n" : "\n",
                        page_pid(reader, aliases, (uint32_t)i));
        rln__process_label(reader, (uint32_t)i, &label);
        rln__put_text(out, "label", (rln_text){label.bytes, label.length});
        rln__buf_char(out, '}');
        label.length = 0;
    }
    rln__buf_clear(&label);
    rln__buf_text(out, "],\n");
}

/* --- Rows ------------------------------------------------------------------------- */

/* How many threads share a row. */
static size_t n_others(const struct rln__lod *lod)
{
    size_t n = lod->reader->n_threads;

    for (size_t i = 0; i < lod->n_groups; i++)
        n -= lod->groups[i].thread != RLN__NONE;
    return n;
}

struct heading {
    rln_text label;
    uint32_t pid, tid;
    char others[64]; /* the target of other labels */
};

static void head(const struct rln__lod *lod, const struct rln__lod_group *g,
                 struct heading *out)
{
    static const char counters[] = "counters";
    const rln_reader *reader = lod->reader;

    out->label = (rln_text){counters, strlen(counters)};
    out->pid = out->tid = 0;
    if (g->process == RLN__NONE)
        out->label = (rln_text){out->others,
                                (size_t)snprintf(out->others, sizeof(out->others),
                                                 "%zu further threads", n_others(lod))};
    else
        out->pid = reader->names.processes[g->process].record.pid;
    if (g->thread != RLN__NONE) {
        out->label = thread_name(reader, g->thread);
        if (!reader->threads[g->thread].is_stream)
            out->tid = reader->threads[g->thread].tid;
        if (!out->label.length)
            out->label = rln__process_name(reader, g->process);
    }
}

static void put_group(struct rln__buf *out, const struct rln__lod *lod,
                      const struct rln__lod_group *g,
                      const struct rln__pid_aliases *aliases)
{
    struct heading h;

    head(lod, g, &h);
    rln__buf_char(out, '{');
    rln__put_text(out, "label", h.label);
    rln__buf_format(out, ",\"pid\":%llu,\"tid\":%u}",
                    h.pid ? page_pid(lod->reader, aliases, g->process) : 0, h.tid);
}

void rln__query_put_group(struct rln__buf *out, const struct rln__lod *lod,
                          size_t group)
{
    struct heading h;

    head(lod, &lod->groups[group], &h);
    rln__buf_add(out, h.label.bytes, h.label.length);
    rln__buf_format(out, " %u/%u", h.pid, h.tid);
}

/* Whether a group's text contains `part`. */
static int group_holds(const struct rln__lod *lod, size_t group, rln_text part)
{
    struct rln__buf shown = {0};
    int result;

    if (lod->saved)
        return rln__lod_holds(lod->saved->groups[group], part);
    rln__query_put_group(&shown, lod, group);
    result = rln__lod_holds((rln_text){shown.bytes, shown.length}, part);
    rln__buf_clear(&shown);
    return result;
}

static void put_limit(struct rln__buf *out, const char *key, const rln_semantics *m,
                      int has_limit, uint64_t bits)
{
    int is_there;
    const double limit = rln__limit_in_unit(m, has_limit, bits, &is_there);

    rln__json_key(out, key);
    rln__put_real(out, is_there ? limit : (double)NAN);
}

static void put_counter(struct rln__buf *out, const struct rln__lod *lod,
                        const struct rln__lod_row *r)
{
    const char *how = rln__interpolation_name(r->semantics.interpolation);
    const struct rln__lod_name *name = &lod->names[r->name];
    struct rln__buf label = {0};
    double low = (double)NAN, high = (double)NAN;

    for (size_t i = 0; i < r->sample_buckets.n; i++) {
        low = rln__least_value(low, r->sample_buckets.items[i].least);
        high = rln__most_value(high, r->sample_buckets.items[i].most);
    }
    rln__lod_put_name(&label, name);
    rln__json_u64(out, "name", r->name);
    rln__put_text(out, "label", (rln_text){label.bytes, label.length});
    rln__put_text(out, "unit", r->semantics.unit);
    put_limit(out, "least", &r->semantics, r->semantics.has_min, r->semantics.min_bits);
    put_limit(out, "most", &r->semantics, r->semantics.has_max, r->semantics.max_bits);
    rln__json_key(out, "low");
    rln__put_real(out, low);
    rln__json_key(out, "high");
    rln__put_real(out, high);
    rln__buf_format(out, how ? ",\"interpolation\":\"%s\"" : ",\"interpolation\":null",
                    how ? how : "");
    rln__buf_clear(&label);
}

static void put_row(struct rln__buf *out, const struct rln__lod *lod,
                    const struct rln__lod_row *r, const struct texts *domains,
                    const struct texts *categories)
{
    rln__buf_format(out, "{\"group\":%u,\"kind\":\"%c\",\"level\":%u,\"thread\":%lld",
                    r->group, (char)r->kind, r->level,
                    r->thread == RLN__NONE ? -1LL : (long long)r->thread);
    if (r->is_deferred)
        rln__buf_format(out, ",\"lane\":%u", r->lane + 1);
    if (r->is_of_waits)
        rln__buf_text(out, ",\"isOfWaits\":true");
    if (r->kind == RLN__LOD_STARTED && r->above != RLN__NONE)
        rln__json_u64(out, "above", r->above);
    if (r->kind == RLN__LOD_COUNTER)
        put_counter(out, lod, r);
    else if (r->is_deferred && r->level == 0 && r->scope.length)
        rln__put_text(out, "label", r->scope);
    else if (r->is_deferred && r->level == 0)
        rln__buf_text(out, ",\"label\":\"submitted later\"");
    else if (r->kind == RLN__LOD_STARTED && r->level == 0)
        rln__buf_text(out, ",\"label\":\"start/end\"");
    else
        rln__buf_text(out, ",\"label\":\"\"");
    put_occurring(out, "domains", domains, lod->n_kinships, r->kinships);
    put_occurring(out, "categories", categories, lod->n_kinships, r->kinships);
    rln__buf_char(out, '}');
}

static void put_rows(struct rln__buf *out, const struct rln__lod *lod,
                     const struct texts *domains, const struct texts *categories,
                     const struct rln__pid_aliases *aliases)
{
    rln__buf_text(out, "\"groups\":[");
    for (size_t i = 0; i < lod->n_groups; i++) {
        rln__buf_text(out, i ? ",\n" : "\n");
        put_group(out, lod, &lod->groups[i], aliases);
    }
    rln__buf_text(out, "],\n\"rows\":[");
    for (size_t i = 0; i < lod->n_rows; i++) {
        rln__buf_text(out, i ? ",\n" : "\n");
        put_row(out, lod, &lod->rows[i], domains, categories);
    }
    rln__buf_text(out, "]");
}

/* --- The whole -------------------------------------------------------------------- */

static void put_times(struct rln__buf *out, const struct rln__query_context *a)
{
    const struct rln__lod *lod = a->lod;
    int64_t first_ns = lod->first_ns, last_ns = lod->last_ns;

    if (!lod->is_complete && a->from_ns <= a->to_ns) {
        first_ns = lod->n_events && first_ns < a->from_ns ? first_ns : a->from_ns;
        last_ns = lod->n_events && last_ns > a->to_ns ? last_ns : a->to_ns;
    }
    rln__buf_format(out, "\"first\":%lld,\"last\":%lld,\"events\":%llu,\n",
                    (long long)first_ns, (long long)last_ns,
                    (unsigned long long)lod->n_events);
}

/* Else each trace is one window, from its beginning to its end. */
static int has_captures(const struct rln__windows *windows)
{
    for (size_t i = 0; i < windows->n; i++)
        if (windows->items[i].opened_by != RLN__WINDOW_BY_RUN ||
            windows->items[i].closed_by != RLN__WINDOW_BY_RUN)
            return 1;
    return 0;
}

static void put_windows_and_gaps(struct rln__buf *out, const struct rln__lod *lod)
{
    const struct rln__windows *windows = &lod->reader->windows;
    const size_t n = has_captures(windows) ? windows->n : 0;

    rln__buf_text(out, "\"windows\":[");
    for (size_t i = 0; i < n; i++) {
        const struct rln__window_info *w = &windows->items[i];
        const int is_open = w->closed_ns > lod->last_ns;

        rln__buf_format(out, "%s[%lld,%lld]", i ? "," : "", (long long)w->opened_ns,
                        (long long)(is_open ? lod->last_ns : w->closed_ns));
    }
    rln__buf_text(out, "],\n");
    rln__viewer_json_gaps(out, lod->gaps, lod->n_gaps);
}

/* What comes before the names. */
static void put_head(const struct rln__query_context *a, struct rln__buf *out)
{
    const struct rln__lod *lod = a->lod;

    rln__json_text(out, "title", a->title);
    rln__json_text(out, "filter", a->filter);
    rln__json_u64(out, "traces", a->question->n_traces);
    rln__json_bool(out, "isLive", a->is_live);
    rln__json_bool(out, "isComplete", lod->is_complete);
    rln__viewer_json_losses(out, lod->reader);
    put_times(out, a);
}

/* What comes after them. -1: no memory. */
static int put_tail(const struct rln__lod *lod, struct rln__buf *out)
{
    struct texts domains = {0}, categories = {0};
    struct rln__pid_aliases aliases;
    const int failed = rln__pid_aliases_init(&aliases, lod->reader, NULL, NULL) ||
                       find_texts(lod, 0, &domains) || find_texts(lod, 1, &categories);

    if (!failed) {
        put_threads(out, lod->reader, &aliases);
        put_processes(out, lod->reader, &aliases);
        put_texts(out, "domains", &domains);
        put_texts(out, "categories", &categories);
        put_windows_and_gaps(out, lod);
        put_rows(out, lod, &domains, &categories, &aliases);
    }
    clear_texts(&domains);
    clear_texts(&categories);
    rln__pid_aliases_clear(&aliases);
    return failed ? -1 : 0;
}

int rln__query_describe(const struct rln__query_context *a, struct rln__buf *head,
                        struct rln__buf *tail)
{
    put_head(a, head);
    return put_tail(a->lod, tail);
}

static void put_saved(struct rln__buf *out, rln_text text)
{
    rln__buf_add(out, text.bytes, text.length);
}

/* From when to when a row has anything; INT64_MAX to INT64_MIN: nothing. */
static void find_bounds(struct rln__lod_row *row, int64_t *from_ns, int64_t *to_ns)
{
    const struct rln__range_buckets *ranges = &row->buckets;
    const struct rln__sample_buckets *samples = &row->sample_buckets;

    (void)rln__range_buckets_from(&row->buckets, INT64_MIN); /* sorts them */
    (void)rln__sample_buckets_from(&row->sample_buckets, INT64_MIN);
    *from_ns = ranges->n    ? ranges->items[0].start_ns
               : samples->n ? samples->items[0].first_ns
                            : INT64_MAX;
    *to_ns = ranges->n    ? ranges->items[ranges->n - 1].end_ns
             : samples->n ? samples->items[samples->n - 1].last_ns
                          : INT64_MIN;
}

/* Where the program has annotated anything; null: nowhere, not all is known, or there is
 * no work of GPUs, which alone may be far away. */
static void put_annotated(struct rln__buf *out, struct rln__lod *lod)
{
    int64_t first_ns = INT64_MAX, last_ns = INT64_MIN, from_ns, to_ns;
    int has_streams = 0;

    for (size_t i = 0; i < lod->n_rows && !has_streams; i++)
        has_streams = lod->rows[i].is_stream;
    for (size_t i = 0; i < lod->n_rows && lod->is_complete && has_streams; i++) {
        if (lod->rows[i].is_stream || lod->rows[i].kind == RLN__LOD_CALLS ||
            lod->rows[i].kind == RLN__LOD_PROJECTED)
            continue;
        find_bounds(&lod->rows[i], &from_ns, &to_ns);
        first_ns = from_ns < first_ns ? from_ns : first_ns;
        last_ns = to_ns > last_ns ? to_ns : last_ns;
    }
    if (first_ns < last_ns)
        rln__buf_format(out, "\"annotated\":[%lld,%lld],\n", (long long)first_ns,
                        (long long)last_ns);
    else
        rln__buf_text(out, "\"annotated\":null,\n");
}

int rln__query_about(const struct rln__query_context *a, struct rln__buf *out)
{
    const struct rln__lod *lod = a->lod;
    const enum rln__lod_states_known known = rln__query_states_known(a);
    const uint32_t from = a->question->names_from;
    int failed = 0;

    rln__buf_char(out, '{');
    rln__json_bool(out, "hasReports", !lod->saved);
    rln__json_bool(out, "hasStates", known == RLN__LOD_STATES_KNOWN);
    if (known == RLN__LOD_STATES_TOO_MANY)
        rln__json_bool(out, "statesLeftOut", 1);
    if (lod->saved) {
        rln__json_i64(out, "resolution", lod->resolution_ns);
        rln__json_u64(out, "payloadsLeftOut", lod->saved->n_payloads_left_out);
        rln__buf_char(out, ',');
        put_saved(out, lod->saved->head);
    } else {
        put_head(a, out);
    }
    put_annotated(out, a->lod);
    put_names(out, lod, from < lod->n_names ? from : lod->n_names);
    if (lod->saved)
        put_saved(out, lod->saved->tail);
    else
        failed = put_tail(lod, out);
    rln__buf_text(out, "}\n");
    return failed ? 500 : 200;
}

uint8_t *rln__query_rows_of_threads(const struct rln__lod *lod, rln_text part)
{
    uint8_t *groups = rln__alloc(lod->n_groups, sizeof(*groups));
    uint8_t *rows = rln__alloc(lod->n_rows, sizeof(*rows));

    for (size_t i = 0; i < lod->n_groups && groups; i++)
        groups[i] = (uint8_t)group_holds(lod, i, part);
    for (size_t i = 0; i < lod->n_rows && groups && rows; i++)
        rows[i] = groups[lod->rows[i].group];
    if (!groups) {
        rln__free(rows);
        rows = NULL;
    }
    rln__free(groups);
    return rows;
}
