/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/page_tracks.h"

#include "base/alloc.h"
#include "base/fail.h"
#include "format/gpu_schemas.h"
#include "rangeline/counter.h"
#include "rangeline/payload.h"
#include "rangeline/window.h"
#include "ranges/range_prefilter.h"
#include "reports/each_sum.h"
#include "trace/payload/in_unit.h"
#include "trace/payload/numbers.h"
#include "trace/payload/payload_json.h"

typedef struct rln__page_tracks tracks;
typedef struct rln__page_track track;
typedef struct rln__page_item item;

/* --- Names ------------------------------------------------------------------------ */

uint32_t rln__page_name(tracks *d, rln_text domain, rln_text message, rln_text field)
{
    const struct rln__key key = {
        {rln__key_of_text(domain), rln__key_of_text(message), rln__key_of_text(field)}};
    const uint32_t number = rln__key_index_number(&d->name_keys, &key);
    struct rln__page_name *name = rln__key_index_item(
        &d->names, &d->n_names, &d->names_capacity, number, sizeof(*name));

    if (!name)
        return UINT32_MAX;
    *name = (struct rln__page_name){domain, message, field};
    return number;
}

/* The index + 1; 0 is none, UINT32_MAX no memory. */
static uint32_t category_of(tracks *d, const rln_attributes *with)
{
    const struct rln__key key = {{rln__key_of_text(with->domain_name), with->category,
                                  rln__key_of_text(with->category_name)}};
    size_t n_numbers = d->n_categories;
    struct rln__page_name *category;
    uint32_t *number; /* the program's */
    uint32_t at;

    if (!with->category)
        return 0;
    at = rln__key_index_number(&d->category_keys, &key);
    number = rln__key_index_item(&d->category_numbers, &n_numbers, &d->numbers_capacity,
                                 at, sizeof(*number));
    category = number
                   ? rln__key_index_item(&d->categories, &d->n_categories,
                                         &d->categories_capacity, at, sizeof(*category))
                   : NULL;
    if (!category)
        return UINT32_MAX;
    *number = with->category;
    *category =
        (struct rln__page_name){with->domain_name, with->category_name, {NULL, 0}};
    return at + 1;
}

/* --- Tracks and items ------------------------------------------------------------- */

track *rln__page_track(tracks *d, track like)
{
    const struct rln__key key = {
        {(uint64_t)like.kind << 32 | like.thread, like.pid, like.name}};
    const uint32_t number = rln__key_index_number(&d->track_keys, &key);
    const size_t n_known = d->n_tracks;
    track *t = rln__key_index_item(&d->tracks, &d->n_tracks, &d->tracks_capacity,
                                   number, sizeof(*t));

    if (t && number >= n_known)
        *t = like;
    return t;
}

/* The time span of the page covers all that it contains. */
static void reach(tracks *d, int64_t from_ns, int64_t to_ns)
{
    d->first_ns = from_ns < d->first_ns ? from_ns : d->first_ns;
    d->last_ns = to_ns > d->last_ns ? to_ns : d->last_ns;
}

int rln__page_add(tracks *d, track *t, item new)
{
    item *items;

    if (!t || new.name == UINT32_MAX || new.category == UINT32_MAX)
        return -1;
    items = rln__grow(t->items, &t->capacity, t->n + 1, sizeof(*items));
    if (!items)
        return -1;
    t->items = items;
    items[t->n++] = new;
    reach(d, new.at_ns, new.at_ns + (new.ns > 0 ? new.ns : 0));
    return 0;
}

static void set_value(item *of, uint8_t type, uint64_t bits)
{
    type = rln__number_widen(type, &bits);
    of->has_value = type != 0;
    if (type)
        of->value = rln__number_double(type, bits);
}

/* Keeps payloads as JSON while there is room. */
static void set_payloads(tracks *d, item *of, const rln_payload *payloads, size_t n)
{
    const size_t before = d->payloads.length;

    if (before >= RLN__PAGE_PAYLOAD_BYTES) {
        d->n_payloads_left_out++;
        return;
    }
    if (rln__json_of_payloads(&d->payloads, payloads, n) && !d->payloads.has_failed &&
        d->payloads.length <= RLN__PAGE_PAYLOAD_BYTES) {
        of->payload = (uint32_t)before + 1;
        of->payload_bytes = (uint32_t)(d->payloads.length - before);
        return;
    }
    d->n_payloads_left_out += d->payloads.length > RLN__PAGE_PAYLOAD_BYTES;
    d->payloads.length = before;
}

static item item_of(tracks *d, int64_t at_ns, int64_t ns, const rln_attributes *with,
                    uint64_t payload_bits)
{
    const rln_text none = {NULL, 0};
    item new = {.at_ns = at_ns, .ns = ns, .end_thread = UINT32_MAX};

    new.name = rln__page_name(
        d, rln__is_gpu_domain(with->domain_name) ? none : with->domain_name,
        with->message, none);
    new.category = category_of(d, with);
    new.color = with->has_color ? (with->color & 0xffffff) + 1 : 0;
    new.value_type = with->payload_type;
    new.value_bits = payload_bits;
    new.has_value = with->payload_type != 0;
    return new;
}

/* --- Ranges ----------------------------------------------------------------------- */

static int is_shown(const rln_range *r)
{
    return (r->style <= RLN_RANGE_START_END || r->style == RLN_RANGE_GPU) &&
           rln__countable_ns(r) >= 0;
}

static rln_status add_range(tracks *d, rln_ranges *ranges, const rln_range *r,
                            rln_error *err)
{
    const int is_open = (r->flags & RLN_FLAG_OPEN) != 0;
    const track like = {
        .kind = r->style == RLN_RANGE_PUSH_POP ? 'p' : 's',
        .thread = r->thread,
        .pid = r->pid,
        .tid = r->style == RLN_RANGE_GPU ? 0 : r->tid,
    };
    item new;

    reach(d, r->start_ns, r->end_ns);
    new = item_of(d, r->start_ns, is_open ? -1 : r->end_ns - r->start_ns,
                  &r->attributes, r->payload_bits);
    new.depth = like.kind == 'p' ? r->depth : 0;
    if (like.kind == 's' && !is_open && r->end_thread != r->thread)
        new.end_thread = r->end_thread;
    if (r->n_payloads && r->style != RLN_RANGE_GPU) {
        const rln_payload *payloads;
        size_t n;
        const rln_status status = rln_ranges_payloads(ranges, &payloads, &n, err);

        if (status)
            return status;
        set_payloads(d, &new, payloads, n);
    }
    return rln__page_add(d, rln__page_track(d, like), new) ? rln__fail_nomem(err)
                                                           : RLN_OK;
}

static rln_status collect_ranges(tracks *d, rln_error *err)
{
    const rln_range *range;
    rln_ranges *ranges;
    rln_status status = rln_ranges_open(d->reader, &ranges, err);

    if (status)
        return status;
    while ((status = rln_ranges_next(ranges, &range, err)) == RLN_OK) {
        status = is_shown(range) ? add_range(d, ranges, range, err) : RLN_OK;
        if (status)
            break;
    }
    rln_ranges_close(ranges);
    return status == RLN_END ? RLN_OK : status;
}

/* --- Marks and samples ------------------------------------------------------------ */

static track *counter_track(tracks *d, const rln_event *e, const rln_sample_value *v)
{
    const rln_semantics *m = v->semantics;
    int has_least, has_most;
    const double least = rln__limit_in_unit(m, m->has_min, m->min_bits, &has_least);
    const double most = rln__limit_in_unit(m, m->has_max, m->max_bits, &has_most);
    const track like = {
        .kind = 'c',
        .pid = e->pid,
        .name = rln__page_name(d, e->attributes.domain_name, e->attributes.message,
                               v->name),
        .unit = m->unit,
        .interpolation = m->interpolation,
        .adds_up = m->value_type == RLN_VALUE_DELTA,
        .least = least,
        .most = most,
        .has_least = (uint8_t)has_least,
        .has_most = (uint8_t)has_most,
    };

    return like.name == UINT32_MAX ? NULL : rln__page_track(d, like);
}

static int add_values(tracks *d, const rln_event *e)
{
    for (size_t i = 0; i < e->n_values; i++) {
        const rln_sample_value *v = &e->values[i];
        track *t = counter_track(d, e, v);
        item new = {.at_ns = e->t_ns, .end_thread = UINT32_MAX};

        if (!t)
            return -1;
        new.name = t->name;
        set_value(&new, v->type, v->bits);
        new.value = rln__in_unit(v->semantics, new.value);
        if (t->adds_up && new.has_value)
            new.value = t->level += new.value;
        if (rln__page_add(d, t, new))
            return -1;
    }
    return 0;
}

/* A sample without a value ends the lines of its counter, unless it means 0. Samples
 * that say "unchanged" do not come here. */
static int add_no_value(tracks *d, const rln_event *e)
{
    for (size_t i = 0; i < d->n_tracks; i++) {
        track *t = &d->tracks[i];
        const struct rln__page_name *name = t->kind == 'c' ? &d->names[t->name] : NULL;
        item new = {.at_ns = e->t_ns, .end_thread = UINT32_MAX};

        if (!name || t->pid != e->pid ||
            rln__compare_text(name->domain, e->attributes.domain_name) != 0 ||
            rln__compare_text(name->message, e->attributes.message) != 0)
            continue;
        new.name = t->name;
        new.has_value = e->no_value == RLN_NO_VALUE_ZERO;
        new.value = t->adds_up ? t->level : 0;
        /* A line that has ended does not end again. */
        if (!new.has_value && (!t->n || !t->items[t->n - 1].has_value))
            continue;
        if (rln__page_add(d, t, new))
            return -1;
    }
    return 0;
}

int rln__page_add_gap(tracks *d, struct rln__lod_gap gap)
{
    struct rln__lod_gap *gaps;

    if (d->n_gaps == RLN__PAGE_GAPS)
        return 0;
    gaps = rln__grow(d->gaps, &d->gaps_capacity, d->n_gaps + 1, sizeof(*gaps));
    if (!gaps)
        return -1;
    d->gaps = gaps;
    reach(d, gap.t_ns, gap.t_ns);
    gaps[d->n_gaps++] = gap;
    return 0;
}

static rln_status add_mark(tracks *d, rln_events *events, const rln_event *e,
                           rln_error *err)
{
    const track like = {.kind = 'm', .thread = e->thread, .pid = e->pid, .tid = e->tid};
    track *t = rln__page_track(d, like);
    item new;

    if (!t)
        return rln__fail_nomem(err);
    new = item_of(d, e->t_ns, 0, &e->attributes, e->payload_bits);
    if (e->n_payloads) {
        const rln_payload *payloads;
        size_t n;
        const rln_status status = rln_events_payloads(events, &payloads, &n, err);

        if (status)
            return status;
        set_payloads(d, &new, payloads, n);
    }
    return rln__page_add(d, t, new) ? rln__fail_nomem(err) : RLN_OK;
}

/* Losses have neither names nor values: only their thread is tested. */
static rln_status ask(const tracks *d, const struct rln__range_prefilter *prefilter,
                      rln_events *events, const rln_event *e, int *matches,
                      rln_error *err)
{
    const struct rln_filter *filter = d->reader->filter;

    *matches = 0;
    if (e->flags & RLN_FLAG_UNPLACED)
        return RLN_OK;
    if (e->type == RLN_EVENT_MARK || e->type == RLN_EVENT_SAMPLE)
        return rln__range_prefilter_accepts(prefilter, events, e, matches, err);
    *matches =
        !filter || rln__filter_has_thread(filter, d->reader, e->process, e->thread);
    return RLN_OK;
}

static rln_status add_event(tracks *d, rln_events *events, const rln_event *e,
                            rln_error *err)
{
    int has_failed = 0;

    if (e->type == RLN_EVENT_MARK)
        return add_mark(d, events, e, err);
    if (e->type == RLN_EVENT_GAP)
        has_failed =
            rln__page_add_gap(d, (struct rln__lod_gap){e->t_ns, e->n_lost, e->thread});
    else if (e->type == RLN_EVENT_SAMPLE && e->n_values)
        has_failed = add_values(d, e);
    else if (e->type == RLN_EVENT_SAMPLE && e->no_value != RLN_NO_VALUE_UNCHANGED)
        has_failed = add_no_value(d, e);
    return has_failed ? rln__fail_nomem(err) : RLN_OK;
}

static rln_status collect_events(tracks *d, rln_error *err)
{
    const rln_event *event;
    struct rln__range_prefilter prefilter;
    rln_events *events;
    int matches;
    rln_status status =
        rln__range_prefilter_init(&prefilter, d->reader, d->reader->filter, err);

    if (status)
        return status;
    status = rln_events_open(d->reader, &events, err);
    while (!status && (status = rln_events_next(events, &event, err)) == RLN_OK) {
        status = ask(d, &prefilter, events, event, &matches, err);
        if (!status && matches)
            status = add_event(d, events, event, err);
    }
    rln_events_close(events);
    rln__range_prefilter_clear(&prefilter);
    return status == RLN_END ? RLN_OK : status;
}

/* --- All of it -------------------------------------------------------------------- */

rln_status rln__page_tracks_collect(struct rln__page_tracks *d, const rln_info *info,
                                    uint64_t most, rln_error *err)
{
    const rln_totals *t = rln_info_totals(info);
    const uint64_t n = t->n_pushes + t->n_starts + t->n_marks + t->n_samples;
    rln_status status = RLN_OK;

    d->first_ns = INT64_MAX;
    d->last_ns = INT64_MIN;
    if (n > most)
        status = rln__page_overview_collect(d, most, err);
    if (status || d->resolution_ns)
        return status;
    status = collect_ranges(d, err);
    if (!status)
        status = collect_events(d, err);
    return status;
}

void rln__page_tracks_clear(struct rln__page_tracks *d)
{
    for (size_t i = 0; i < d->n_tracks; i++)
        rln__free(d->tracks[i].items);
    rln__free(d->tracks);
    rln__free(d->names);
    rln__free(d->categories);
    rln__free(d->category_numbers);
    rln__free(d->gaps);
    rln__free(d->sums);
    rln__buf_clear(&d->payloads);
    rln__key_index_clear(&d->track_keys);
    rln__key_index_clear(&d->name_keys);
    rln__key_index_clear(&d->category_keys);
}
