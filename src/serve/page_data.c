/* SPDX-License-Identifier: Apache-2.0 */
/* page_data.c - writes a trace as JSON for the viewer (viewer/decode.js).
 *
 * Names are kept once. Items are columns of numbers; each time is the difference to the
 * one before, which is short.
 */
#include "base/fail.h"
#include "base/utf8.h"
#include "rangeline/window.h"
#include "serve/page.h"
#include "serve/page_tracks.h"
#include "serve/viewer_json.h"
#include "timeline/lod_query.h"

#include <stdlib.h>
#include <string.h>

/* --- Writing ---------------------------------------------------------------------- */

static void put_text(struct rln__buf *out, rln_text text)
{
    struct rln__buf json = {0};

    rln__buf_json(&json, text.bytes, text.length);
    rln__viewer_json(out, json.bytes, json.length);
    out->has_failed |= json.has_failed;
    rln__buf_clear(&json);
}

static void put_key(struct rln__buf *out, const char *key, rln_text text)
{
    rln__buf_format(out, "\"%s\":", key);
    put_text(out, text);
    rln__buf_char(out, ',');
}

static int by_start(const void *a, const void *b)
{
    const struct rln__page_item *x = a, *y = b;

    if (x->at_ns != y->at_ns)
        return x->at_ns < y->at_ns ? -1 : 1;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    /* An outer range comes first; one never closed is outside all others. */
    if (x->ns != y->ns && (x->ns < 0 || y->ns < 0))
        return x->ns < 0 ? -1 : 1;
    if (x->ns != y->ns)
        return x->ns > y->ns ? -1 : 1;
    return (x->depth > y->depth) - (x->depth < y->depth);
}

enum column {
    AT,
    NS,
    NAME,
    COLOR,
    CATEGORY,
    VALUE,
    LEVEL,
    DEPTH,
    MORE,
    VARIED,
    COVERED,
    LOW,
    HIGH
};

static void put_real(struct rln__buf *out, int is_there, double value)
{
    if (is_there && value - value == 0) /* finite */
        rln__buf_double(out, value, 0);
    else
        rln__buf_text(out, "null");
}

static void put_number(struct rln__buf *out, const struct rln__page_track *t, size_t i,
                       enum column column)
{
    const struct rln__page_item *item = &t->items[i];

    switch (column) {
    case AT:
        rln__buf_i64(out, item->at_ns - (i ? t->items[i - 1].at_ns : 0));
        break;
    case NS:
        rln__buf_i64(out, item->ns);
        break;
    case NAME:
        rln__buf_u64(out, item->name);
        break;
    case COLOR:
        rln__buf_u64(out, item->color);
        break;
    case CATEGORY:
        rln__buf_u64(out, item->category);
        break;
    case VALUE:
        if (item->value_type)
            rln__viewer_json_number(out, item->value_type, item->value_bits);
        else
            put_real(out, item->has_value, item->value);
        break;
    case LEVEL:
        rln__buf_u64(out, item->level);
        break;
    case DEPTH:
        rln__buf_u64(out, item->depth);
        break;
    case MORE:
        rln__buf_u64(out, item->n_more);
        break;
    case VARIED:
        rln__buf_u64(out, item->is_varied);
        break;
    case COVERED:
        rln__buf_u64(out, item->covered_ns);
        break;
    case LOW:
        put_real(out, item->has_value, item->low);
        break;
    case HIGH:
        put_real(out, item->has_value, item->high);
        break;
    }
}

/* Columns of zeros are left out, and those that a track cannot have. */
static int is_needed(const struct rln__page_track *t, enum column column)
{
    if (column == NAME && t->kind == 'c')
        return 0;
    for (size_t i = 0; i < t->n; i++) {
        const struct rln__page_item *item = &t->items[i];

        if ((column == COLOR && item->color) || (column == VALUE && item->has_value) ||
            (column == CATEGORY && item->category) ||
            (column == NS && (item->ns || t->kind == 'p' || t->kind == 's')) ||
            (column == LEVEL && item->level) || (column == DEPTH && item->depth) ||
            (column == MORE && item->n_more) || (column == VARIED && item->is_varied) ||
            (column == COVERED && item->covered_ns) ||
            (column >= LOW && t->kind == 'c' && item->n_more) || column == AT ||
            column == NAME)
            return 1;
    }
    return 0;
}

static rln_status put_column(struct rln__output *output,
                             const struct rln__page_track *t, enum column column,
                             rln_error *err)
{
    static const char *const names[] = {
        "at",    "ns",   "name",   "color",   "category", "value", "level",
        "depth", "more", "varied", "covered", "low",      "high"};
    rln_status status = RLN_OK;

    if (!is_needed(t, column))
        return RLN_OK;
    rln__buf_format(&output->buf, "\"%s\":[", names[column]);
    for (size_t i = 0; i < t->n && !status; i++) {
        if (i)
            rln__buf_char(&output->buf, ',');
        put_number(&output->buf, t, i, column);
        status = rln__output_flush_full(output, err);
    }
    rln__buf_text(&output->buf, "],");
    return status;
}

/* What only few items have, by their index: threads that end them, and payloads. */
static rln_status put_rare(struct rln__output *output, const struct rln__page_tracks *d,
                           const struct rln__page_track *t, rln_error *err)
{
    struct rln__buf *out = &output->buf;
    const char *before = "\"endThread\":{";
    rln_status status = RLN_OK;

    for (size_t i = 0; i < t->n; i++) {
        if (t->items[i].end_thread == UINT32_MAX)
            continue;
        rln__buf_format(out, "%s\"%zu\":%u", before, i, t->items[i].end_thread);
        before = ",";
    }
    rln__buf_text(out, *before == ',' ? "}," : "");
    before = "\"payloads\":{";
    for (size_t i = 0; i < t->n && !status; i++) {
        const struct rln__page_item *item = &t->items[i];

        if (!item->payload)
            continue;
        rln__buf_format(out, "%s\"%zu\":", before, i);
        rln__viewer_json(out, d->payloads.bytes + item->payload - 1,
                         item->payload_bytes);
        before = ",";
        status = rln__output_flush_full(output, err);
    }
    rln__buf_text(out, *before == ',' ? "}," : "");
    return status;
}

static void put_bound(struct rln__buf *out, const char *key, int is_there, double value)
{
    if (!is_there || value - value != 0) /* finite */
        return;
    rln__buf_format(out, "\"%s\":", key);
    rln__buf_double(out, value, 0);
    rln__buf_char(out, ',');
}

static void put_counter(struct rln__buf *out, const struct rln__page_track *t)
{
    const char *how = rln__interpolation_name(t->interpolation);

    rln__buf_format(out, "\"counter\":%u,", t->name);
    put_key(out, "unit", t->unit);
    if (how)
        rln__buf_format(out, "\"holds\":\"%s\",", how);
    put_bound(out, "least", t->has_least, t->least);
    put_bound(out, "most", t->has_most, t->most);
}

static rln_status put_track(struct rln__output *output,
                            const struct rln__page_tracks *d, struct rln__page_track *t,
                            rln_error *err)
{
    struct rln__buf *out = &output->buf;
    rln_status status = RLN_OK;

    qsort(t->items, t->n, sizeof(*t->items), by_start);
    rln__buf_format(out, "\n{\"kind\":\"%c\",\"pid\":%u,\"tid\":%u,", t->kind, t->pid,
                    t->tid);
    if (t->kind == 'c')
        put_counter(out, t);
    else if (t->thread != UINT32_MAX)
        rln__buf_format(out, "\"thread\":%u,", t->thread);
    for (enum column c = AT; c <= HIGH && !status; c++)
        status = put_column(output, t, c, err);
    if (!status)
        status = put_rare(output, d, t, err);
    rln__buf_text(out, "\"end\":0}");
    return status ? status : rln__output_flush_full(output, err);
}

static rln_status put_tracks(struct rln__output *output, struct rln__page_tracks *d,
                             rln_error *err)
{
    rln__buf_text(&output->buf, "\"tracks\":[");
    for (size_t i = 0; i < d->n_tracks; i++) {
        rln_status status;

        if (i)
            rln__buf_char(&output->buf, ',');
        status = put_track(output, d, &d->tracks[i], err);
        if (status)
            return status;
    }
    rln__buf_text(&output->buf, "],\n");
    return RLN_OK;
}

static rln_status put_names(struct rln__output *output,
                            const struct rln__page_tracks *d, rln_error *err)
{
    struct rln__buf *out = &output->buf;

    rln__buf_text(out, "\"names\":[");
    for (size_t i = 0; i < d->n_names; i++) {
        const struct rln__page_name *n = &d->names[i];
        rln_status status;

        rln__buf_text(out, i ? ",\n[" : "\n[");
        put_text(out, n->domain);
        rln__buf_char(out, ',');
        put_text(out, n->message);
        if (n->field.length) {
            rln__buf_char(out, ',');
            put_text(out, n->field);
        }
        rln__buf_char(out, ']');
        status = rln__output_flush_full(output, err);
        if (status)
            return status;
    }
    rln__buf_text(out, "],\n");
    return RLN_OK;
}

/* [name, total, self, ranges, marks] and, for the first ones, what instances() returns:
 * least, median, 95 %, most, and the count of each bar. */
static void put_sum(struct rln__buf *out, const struct rln__page_sum *sum)
{
    const struct rln__duration_histogram_spread *spread = &sum->spread;

    rln__buf_format(out, "[%u,%llu,%llu,%llu,%llu", sum->name,
                    (unsigned long long)sum->total_ns, (unsigned long long)sum->self_ns,
                    (unsigned long long)sum->n, (unsigned long long)sum->n_marks);
    if (spread->n_bars)
        rln__buf_format(out, ",%llu,%.1f,%llu,%llu", (unsigned long long)sum->min_ns,
                        spread->median_ns, (unsigned long long)spread->p95_ns,
                        (unsigned long long)sum->max_ns);
    for (size_t i = 0; i < spread->n_bars; i++)
        rln__buf_format(out, "%s%llu", i ? "," : ",[",
                        (unsigned long long)spread->bars[i].n);
    rln__buf_text(out, spread->n_bars ? "]]" : "]");
}

static rln_status put_sums(struct rln__output *output, const struct rln__page_tracks *d,
                           rln_error *err)
{
    rln_status status = RLN_OK;

    if (!d->sums)
        return RLN_OK;
    rln__buf_format(&output->buf, "\"sumsLeftOut\":%zu,\n\"sums\":[",
                    d->n_sums_left_out);
    for (size_t i = 0; i < d->n_sums && !status; i++) {
        rln__buf_text(&output->buf, i ? ",\n" : "\n");
        put_sum(&output->buf, &d->sums[i]);
        status = rln__output_flush_full(output, err);
    }
    rln__buf_text(&output->buf, "],\n");
    return status;
}

static void put_threads(struct rln__buf *out, const rln_info *info)
{
    const rln_thread_info *t;
    const rln_process_info *p;

    rln__buf_text(out, "\"threads\":[");
    for (uint32_t i = 0; (t = rln_info_thread(info, i)); i++) {
        p = rln_info_process(info, t->process);
        rln__buf_text(out, i ? ",\n[" : "\n[");
        put_text(out, t->name.length ? t->name : t->system_name);
        rln__buf_format(out, ",%u,%u]", p ? p->pid : 0, t->tid);
    }
    rln__buf_text(out, "],\n\"processes\":{");
    for (uint32_t i = 0, n = 0; (p = rln_info_process(info, i)); i++) {
        if (p->is_launcher)
            continue;
        rln__buf_format(out, "%s\"%u\":", n++ ? ",\n" : "\n", p->pid);
        put_text(out, p->exe);
    }
    rln__buf_text(out, "},\n");
}

static void put_windows(struct rln__buf *out, const rln_info *info)
{
    const rln_window *w;

    rln__buf_text(out, "\"windows\":[");
    for (size_t i = 0; (w = rln_info_window(info, i)); i++)
        rln__buf_format(out, "%s[%lld,%lld]", i ? "," : "", (long long)w->opened_ns,
                        (long long)w->closed_ns);
    rln__buf_text(out, "],\n");
}

/* As filters and details name them. */
static void put_categories(struct rln__buf *out, const struct rln__page_tracks *d)
{
    struct rln__buf label = {0};

    rln__buf_text(out, "\"categories\":[");
    for (size_t i = 0; i < d->n_categories; i++) {
        const struct rln__page_name *c = &d->categories[i];

        const struct rln__lod_kinship kinship = {c->domain, c->message,
                                                 d->category_numbers[i]};

        label.length = 0;
        rln__lod_put_category(&label, &kinship);
        rln__buf_text(out, i ? "," : "");
        put_text(out, (rln_text){label.bytes, label.length});
    }
    out->has_failed |= label.has_failed;
    rln__buf_clear(&label);
    rln__buf_text(out, "],\n");
}

static rln_status put_all(struct rln__output *output, struct rln__page_tracks *d,
                          const rln_info *info, const struct rln__page_options *options,
                          rln_error *err)
{
    const rln_totals *t = rln_info_totals(info);
    struct rln__buf *out = &output->buf;
    rln_status status;

    rln__buf_text(out, "{\n");
    put_key(out, "title", (rln_text){options->title, strlen(options->title)});
    put_key(out, "filter", (rln_text){options->filter, strlen(options->filter)});
    rln__buf_format(
        out,
        "\n\"first\":%lld,\"last\":%lld,\"dropped\":%llu,"
        "\"payloadsLeftOut\":%llu,\"resolution\":%lld,\n",
        (long long)(d->n_tracks ? d->first_ns : 0),
        (long long)(d->n_tracks ? d->last_ns : 0), (unsigned long long)t->n_dropped,
        (unsigned long long)d->n_payloads_left_out, (long long)d->resolution_ns);
    rln__viewer_json_complete_since(out, d->reader);
    put_threads(out, info);
    put_windows(out, info);
    put_categories(out, d);
    rln__viewer_json_gaps(out, d->gaps, d->n_gaps);
    status = put_names(output, d, err);
    if (!status)
        status = put_sums(output, d, err);
    if (!status)
        status = put_tracks(output, d, err);
    rln__buf_format(out, "\"events\":%llu}\n", (unsigned long long)t->n_events);
    return status;
}

rln_status rln__page_data(rln_reader *reader, const struct rln__page_options *options,
                          struct rln__output *output, rln_error *err)
{
    struct rln__page_tracks d = {.reader = reader};
    const uint64_t most =
        options->most_ranges ? options->most_ranges : RLN__PAGE_RANGES;
    rln_info *info = NULL; /* owned */
    rln_status status = rln_info_open(reader, &info, err);

    if (!status)
        status = rln__page_tracks_collect(&d, info, most, err);
    if (!status)
        status = put_all(output, &d, info, options, err);
    if (!status && output->buf.has_failed)
        status = rln__fail_nomem(err);
    if (options->is_empty)
        *options->is_empty = d.n_tracks == 0;
    if (options->is_overview)
        *options->is_overview = d.resolution_ns != 0;
    rln_info_close(info);
    rln__page_tracks_clear(&d);
    return status;
}
