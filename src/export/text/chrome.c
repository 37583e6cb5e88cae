/* SPDX-License-Identifier: Apache-2.0 */
/* chrome.c - Trace Event JSON: for chrome://tracing and other readers of its files.
 *
 *     push/pop    X on its thread; B if it is still open. Readers drop what crosses
 *                 another one: it is on a thread of its own, "main (2)"
 *     start/end   b and e with an id: asynchronous
 *     mark        i        sample   C
 *
 * With --tracks category, each category of a process is a thread of its own, of as many
 * lanes as its ranges need to nest.
 */
#include "base/digits.h"
#include "base/json.h"
#include "export/exporters.h"
#include "export/lanes.h"
#include "export/row_text_cache.h"
#include "export/samples.h"
#include "trace/open/load.h"
#include "trace/open/name_catalog.h"
#include "trace/open/pid_aliases.h"
#include "trace/payload/payload_json.h"

#include <stdio.h>

#define FIRST_TRACK 0x1000000u /* above all thread ids of Linux */
#define LANES_A_GROUP 4096u

enum { WHERE = 1, WHAT }; /* cached parts of an event */

struct chrome {
    struct rln__export *x; /* borrowed */
    struct rln__sampling sampling;
    struct rln__lanes lanes; /* of threads, or of categories */
    struct rln__pid_aliases aliases;
    struct rln__row_text_cache text_cache;
    struct rln__map named; /* process, or process and tid -> 1: has its metadata */
    uint64_t last_track;   /* its key + 1: most rows are of the one before */
    int has_events;
};

static struct rln__buf *out_of(const struct chrome *c)
{
    return &c->x->output.buf;
}

/* --- Parts of an event ------------------------------------------------------------ */

/* Microseconds with all their nanoseconds. */
static void add_us(struct rln__buf *out, int64_t ns)
{
    const uint64_t size = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    char *at = rln__buf_room(out, RLN__DIGITS_I64 + sizeof(".12345678"));

    if (!at)
        return;
    if (ns < 0)
        *at++ = '-';
    at = rln__digits_u64(at, size / 1000);
    *at = '.';
    (void)rln__digits_store(at + 1, rln__eight_digits((uint32_t)(size % 1000)) >> 40);
    out->length = (size_t)(at + sizeof(".123") - 1 - out->bytes);
}

static uint64_t pid_of(const struct chrome *c, uint32_t process)
{
    return rln__aliased_pid(&c->aliases, c->x->reader, process);
}

/* {"ph":"X","pid":1,"tid":2,"ts":0.000 */
static void begin_event(struct chrome *c, const char *phase, uint32_t process,
                        uint32_t tid, int64_t t_ns)
{
    struct rln__buf *out = out_of(c);

    const struct rln__row_text_cache_key key = {
        {(uint64_t)process << 32 | tid, (unsigned char)*phase, WHERE}};
    size_t begin;

    if (c->has_events)
        rln__buf_char(out, ',');
    rln__buf_char(out, '\n');
    c->has_events = 1;
    begin = out->length;
    if (!rln__row_text_cache_add(&c->text_cache, &key, out)) {
        rln__json_begin(out, NULL, '{');
        rln__json_word(out, "ph", phase);
        rln__json_u64(out, "pid", pid_of(c, process));
        rln__json_u64(out, "tid", tid);
        rln__json_key(out, "ts");
        rln__row_text_cache_keep(&c->text_cache, &key, out, begin);
    }
    add_us(out, t_ns);
}

static void add_text(struct rln__buf *out, const char *key, rln_text text)
{
    rln__json_key(out, key);
    rln__buf_json(out, text.bytes, text.length);
}

static void add_names(struct rln__buf *out, const rln_attributes *with)
{
    const rln_text none = {"(no message)", 12}, unnamed = {"default", 7};

    add_text(out, "name", with->message.bytes ? with->message : none);
    add_text(out, "cat", with->domain_name.bytes ? with->domain_name : unnamed);
}

/* What Chrome has no field for; and the thread of what is on another track. */
static void add_args(const struct chrome *c, struct rln__buf *out,
                     const struct rln__row *row, uint32_t track)
{
    const rln_attributes *with = &row->range->attributes;
    const struct rln__location function =
        rln__reader_location(c->x->reader, with->message);
    const int is_elsewhere = track != row->range->tid;

    if (!is_elsewhere && !with->category && !with->has_color && !with->payload_type &&
        !row->json.length && !function.file.length)
        return;
    rln__json_begin(out, "args", '{');
    if (is_elsewhere)
        rln__json_u64(out, "thread", row->range->tid);
    if (with->category && with->category_name.bytes)
        add_text(out, "category", with->category_name);
    else
        rln__json_some(out, "category", with->category);
    if (with->has_color) {
        rln__json_key(out, "color");
        rln__buf_text(out, "\"#");
        rln__buf_hex(out, with->color, 8);
        rln__buf_char(out, '"');
    }
    if (with->payload_type) {
        rln__json_key(out, "payload");
        rln__json_number(out, with->payload_type, row->range->payload_bits);
    }
    if (row->json.length) {
        rln__json_key(out, "payloads");
        rln__buf_add(out, row->json.bytes, row->json.length);
    }
    if (function.file.length) {
        add_text(out, "file", function.file);
        rln__json_u64(out, "line", function.line);
    }
    rln__buf_char(out, '}');
}

/* Both, for the many that have no payload. */
static void add_what(struct chrome *c, const struct rln__row *row, uint32_t track)
{
    struct rln__buf *out = out_of(c);
    const rln_attributes *with = &row->range->attributes;
    const struct rln__row_text_cache_key key = rln__row_text_cache_key(
        with, 0, track != row->range->tid, row->range->tid, WHAT);
    const int is_usual = !with->payload_type && !row->json.length;
    const size_t begin = out->length;

    if (is_usual && rln__row_text_cache_add(&c->text_cache, &key, out))
        return;
    add_names(out, with);
    add_args(c, out, row, track);
    if (is_usual)
        rln__row_text_cache_keep(&c->text_cache, &key, out, begin);
}

static rln_status end_event(struct chrome *c, rln_error *err)
{
    rln__buf_char(out_of(c), '}');
    return rln__output_flush_full(&c->x->output, err);
}

/* --- Names of processes and threads ----------------------------------------------- */

static void add_metadata(struct chrome *c, const char *what, uint32_t process,
                         uint32_t tid, rln_text name)
{
    struct rln__buf *out = out_of(c);

    begin_event(c, "M", process, tid, 0);
    rln__json_word(out, "name", what);
    rln__json_word(out, "cat", "__metadata");
    rln__json_begin(out, "args", '{');
    add_text(out, "name", name);
    rln__buf_text(out, "}}");
}

static int is_new(struct chrome *c, uint64_t key, rln_status *status, rln_error *err)
{
    if (rln__map_get(&c->named, key))
        return 0;
    if (rln__map_put(&c->named, key, 1))
        *status = rln__fail_nomem(err);
    return 1;
}

static void name_process(struct chrome *c, uint32_t process)
{
    struct rln__buf label = {0};

    rln__process_label(c->x->reader, process, &label);
    if (label.length)
        add_metadata(c, "process_name", process, 0,
                     (rln_text){label.bytes, label.length});
    rln__buf_clear(&label);
}

static uint64_t track_key(const rln_range *r, uint32_t tid)
{
    return (uint64_t)r->process << 32 | tid;
}

/* `name` is that of a track that is not a thread. */
static rln_status see_track(struct chrome *c, const rln_range *r, uint32_t tid,
                            rln_text name, rln_error *err)
{
    struct rln__export *x = c->x;
    const uint64_t key = track_key(r, tid);
    rln_status status = RLN_OK;

    if (c->last_track == key + 1)
        return RLN_OK;
    c->last_track = key + 1;
    if (is_new(c, (uint64_t)r->process << 32 | UINT32_MAX, &status, err))
        name_process(c, r->process);
    if (!is_new(c, key, &status, err))
        return status;
    if (!name.bytes)
        name = rln__thread_name(x->reader, r->process, r->tid, r->thread);
    if (name.length)
        add_metadata(c, "thread_name", r->process, tid, name);
    return status;
}

/* --- Lanes ------------------------------------------------------------------------ */

/* The name of a track of a category. Appended. */
static void name_category(const rln_attributes *with, struct rln__buf *out)
{
    if (with->category_name.length)
        rln__buf_add(out, with->category_name.bytes, with->category_name.length);
    else if (with->category)
        rln__buf_format(out, "category %u", with->category);
    else
        rln__buf_text(out, "no category");
}

/* "main (2)", "main (deferred)". Appended. */
static void name_lane(const struct chrome *c, const rln_range *r, uint32_t lane,
                      struct rln__buf *out)
{
    const rln_text name = rln__thread_name(c->x->reader, r->process, r->tid, r->thread);

    if (name.length)
        rln__buf_add(out, name.bytes, name.length);
    else
        rln__buf_format(out, "thread %u", r->tid);
    if (r->scope.length) {
        rln__buf_char(out, ' ');
        rln__buf_add(out, r->scope.bytes, r->scope.length);
    }
    if (r->flags & RLN_FLAG_DEFERRED)
        rln__buf_text(out, " (deferred)");
    if (lane)
        rln__buf_format(out, " (%u)", lane + 1);
}

/* Ranges that share lanes: those of a thread, or of a category. */
static struct rln__key lanes_key(const struct chrome *c, const rln_range *r, int is_gpu)
{
    if (!is_gpu && rln__export_needs(c->x, RLN_EXPORT_BY_CATEGORY))
        return (struct rln__key){
            {(uint64_t)r->process + 1, r->attributes.domain, r->attributes.category}};
    return (struct rln__key){
        {0, (uint64_t)r->process << 32 | r->thread,
         (uint64_t)r->tid << 1 | ((r->flags & RLN_FLAG_DEFERRED) != 0),
         rln__key_of_text(r->scope)}};
}

static rln_status find_track(struct chrome *c, const struct rln__row *row,
                             uint32_t *tid, rln_error *err)
{
    const rln_range *r = row->range;
    const int64_t end_ns = r->flags & RLN_FLAG_OPEN ? INT64_MAX : r->end_ns;
    const int is_by_category =
        !row->is_gpu && rln__export_needs(c->x, RLN_EXPORT_BY_CATEGORY);
    const struct rln__key key = lanes_key(c, r, row->is_gpu);
    struct rln__buf name = {0};
    uint32_t group, lane;
    rln_status status;

    lane = row->aside ? rln__lanes_assign_late(&c->lanes, &key, row->aside, r->start_ns,
                                               end_ns, &group)
                      : rln__lanes_assign(&c->lanes, &key, r->start_ns, end_ns, &group);
    if (lane == UINT32_MAX)
        return rln__fail_nomem(err);
    if (lane || is_by_category || r->flags & RLN_FLAG_DEFERRED)
        *tid = FIRST_TRACK + group * LANES_A_GROUP + lane % LANES_A_GROUP;
    if (c->last_track == track_key(r, *tid) + 1)
        return RLN_OK;
    if (is_by_category)
        name_category(&r->attributes, &name);
    else if (*tid != r->tid)
        name_lane(c, r, lane, &name);
    status = see_track(c, r, *tid, (rln_text){name.bytes, name.length}, err);
    out_of(c)->has_failed |= name.has_failed;
    rln__buf_clear(&name);
    return status;
}

/* --- Events ----------------------------------------------------------------------- */

static rln_status add_async(struct chrome *c, const struct rln__row *row,
                            rln_error *err)
{
    struct rln__buf *out = out_of(c);
    const rln_range *r = row->range;
    const int has_end = !(r->flags & RLN_FLAG_OPEN);
    rln_status status = RLN_OK;

    for (int is_end = 0; is_end <= has_end && !status; is_end++) {
        /* Both are the first process's: it is there that they are matched. */
        begin_event(c, is_end ? "e" : "b", r->process, is_end ? r->end_tid : r->tid,
                    is_end ? r->end_ns : r->start_ns);
        add_names(out, &r->attributes);
        rln__json_key(out, "id");
        rln__buf_text(out, "\"0x");
        rln__buf_hex(out, r->id, 16);
        rln__buf_char(out, '"');
        if (!is_end)
            add_args(c, out, row, r->tid);
        status = end_event(c, err);
    }
    return status;
}

static rln_status add_range(struct chrome *c, const struct rln__row *row, uint32_t tid,
                            rln_error *err)
{
    struct rln__buf *out = out_of(c);
    const rln_range *r = row->range;
    const int is_open = (r->flags & RLN_FLAG_OPEN) != 0;

    begin_event(c, is_open ? "B" : "X", r->process, tid, r->start_ns);
    if (!is_open) {
        rln__json_key(out, "dur");
        add_us(out, r->end_ns - r->start_ns);
    }
    add_what(c, row, tid);
    return end_event(c, err);
}

static rln_status add_mark(struct chrome *c, const struct rln__row *row, uint32_t tid,
                           rln_error *err)
{
    const rln_range *r = row->range;

    begin_event(c, "i", r->process, tid, r->start_ns);
    rln__json_word(out_of(c), "s", "t");
    add_what(c, row, tid);
    return end_event(c, err);
}

/* Marks and start/end ranges need no lane, unless there is one per category. */
static int needs_lane(const struct chrome *c, const rln_range *r, uint32_t time)
{
    return rln__export_needs(c->x, RLN_EXPORT_BY_CATEGORY) ||
           (!time && r->style != RLN_RANGE_START_END);
}

/* GPU work, too: a stream is a track of its process; a call is among the ranges of its
 * thread. */
static rln_status on_row(void *state, const struct rln__row *row, rln_error *err)
{
    struct chrome *c = state;
    const rln_range *r = row->range;
    const rln_text none = {NULL, 0};
    uint32_t tid = r->tid;
    rln_status status;

    if (row->time && row->time != RLN_EVENT_MARK)
        return RLN_OK;
    if (row->is_gpu || needs_lane(c, r, row->time))
        status = find_track(c, row, &tid, err);
    else
        status = see_track(c, r, tid, none, err);
    if (status)
        return status;
    if (row->time)
        return add_mark(c, row, tid, err);
    if (!row->is_gpu && !needs_lane(c, r, 0))
        return add_async(c, row, err);
    return add_range(c, row, tid, err);
}

static rln_status on_aside(void *state, uint64_t number, const rln_range *range,
                           rln_error *err)
{
    struct chrome *c = state;
    const struct rln__key key = lanes_key(c, range, 0);

    return needs_lane(c, range, 0) &&
                   rln__lanes_keep(&c->lanes, &key, range->start_ns, number)
               ? rln__fail_nomem(err)
               : RLN_OK;
}

/* A counter of each process; its name has its domain's in front. */
static rln_status on_sample(void *state, const rln_event *e, rln_error *err)
{
    struct chrome *c = state;
    struct rln__buf *out = out_of(c);
    const struct rln__sampled_counter *counter;
    const rln_status status = rln__sampling_see(&c->sampling, e, &counter, err);
    size_t n = 0;

    for (size_t i = 0; !status && i < counter->n; i++) {
        const struct rln__sampled *f = &counter->fields[i];
        const rln_text unit = f->semantics->unit;
        const rln_text key = f->field.length ? f->field
                             : unit.length   ? unit
                                             : (rln_text){"value", 5};

        if (!f->has_value || f->level - f->level != 0) /* infinite, or no number */
            continue;
        if (!n++) {
            begin_event(c, "C", e->process, e->tid, e->t_ns);
            add_names(out, &e->attributes);
            rln__json_begin(out, "args", '{');
        }
        rln__json_key(out, NULL);
        rln__buf_json(out, key.bytes, key.length);
        rln__buf_char(out, ':');
        rln__buf_double(out, f->level, 0);
    }
    if (status || !n)
        return status;
    rln__buf_char(out, '}');
    return end_event(c, err);
}

static rln_status begin(void *state, struct rln__export *x, rln_error *err)
{
    struct chrome *c = state;

    c->x = x;
    rln__buf_text(out_of(c), "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"producer\":"
                             "\"rangeline ");
    rln__buf_text(out_of(c), rln_version());
    rln__buf_text(out_of(c), "\"},\"traceEvents\":[");
    return rln__pid_aliases_init(&c->aliases, x->reader, NULL, err);
}

static rln_status end(void *state, rln_error *err)
{
    (void)err;
    rln__buf_text(out_of(state), "\n]}\n");
    return RLN_OK;
}

static void clear(void *state)
{
    struct chrome *c = state;

    rln__row_text_cache_clear(&c->text_cache);
    rln__sampling_clear(&c->sampling);
    rln__lanes_clear(&c->lanes);
    rln__pid_aliases_clear(&c->aliases);
    rln__map_clear(&c->named);
}

const struct rln__exporter rln__exporter_chrome = {
    .format = {.name = "chrome",
               .extension = ".json",
               .help = "Trace Event JSON, as chrome://tracing reads it",
               .is_stream = 1,
               .has_rows = 1},
    .state_bytes = sizeof(struct chrome),
    .needs_payloads = 1,
    .begin = begin,
    .has_gpu_rows = 1,
    .needs_begins = 1,
    .row = on_row,
    .aside = on_aside,
    .sample = on_sample,
    .end = end,
    .clear = clear,
};
