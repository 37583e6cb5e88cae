/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_read.c - reads the bytes of sums, and trusts none of them: counts are bounded
 * by the bytes that are left, numbers by what they count, and everything has to be in
 * the order in which it is written, so that nothing is there twice. */
#include "base/alloc.h"
#include "base/fail.h"
#include "format/layout.h"
#include "reduce/reduced_file.h"
#include "reduce/reduced_model.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct cursor {
    rln_reduced *r;
    const unsigned char *bytes;
    size_t at, end;
    const char *fault; /* why the bytes are no file of sums; NULL: so far they are */
    int is_full;       /* no memory */
    uint32_t n_strings;
    uint64_t *part_ids; /* owned: of all parts, in the order of the file */
    size_t n_parts, parts_capacity;
    int64_t base_ns;
};

/* --- Numbers ---------------------------------------------------------------------- */

static void fail_at(struct cursor *c, const char *fault)
{
    if (!c->fault)
        c->fault = fault;
}

static int is_bad(const struct cursor *c)
{
    return c->fault || c->is_full;
}

static uint64_t take(struct cursor *c)
{
    uint64_t value = 0;

    for (unsigned shift = 0; shift < 70 && c->at < c->end && !is_bad(c); shift += 7) {
        const uint64_t byte = c->bytes[c->at++];

        if (shift == 63 && byte > 1)
            break;
        value |= (byte & 127) << shift;
        if (byte >= 128)
            continue;
        if (!byte && shift)
            fail_at(c, "a number is longer than it need be");
        return value;
    }
    fail_at(c, "a number does not end");
    return 0;
}

static uint64_t take_at_most(struct cursor *c, uint64_t most, const char *fault)
{
    const uint64_t value = take(c);

    if (value <= most)
        return value;
    fail_at(c, fault);
    return 0;
}

/* How many items follow, of so many bytes at least. */
static size_t take_count(struct cursor *c, size_t item_bytes)
{
    return (size_t)take_at_most(c, (c->end - c->at) / item_bytes,
                                "more items than bytes");
}

static int64_t take_signed(struct cursor *c)
{
    const uint64_t value = take(c);

    return (int64_t)(value >> 1 ^ (0 - (value & 1)));
}

static uint64_t take_fixed(struct cursor *c, unsigned n_bytes)
{
    uint64_t value = 0;

    if (c->end - c->at < n_bytes) {
        fail_at(c, "a number does not end");
        return 0;
    }
    for (unsigned i = 0; i < n_bytes; i++)
        value |= (uint64_t)c->bytes[c->at++] << 8 * i;
    return value;
}

/* Borrowed from the bytes. */
static rln_text take_text(struct cursor *c)
{
    const size_t length = take_count(c, 1);
    const rln_text text = {(const char *)c->bytes + c->at, length};

    c->at += length;
    return text;
}

static uint32_t take_string(struct cursor *c)
{
    return (uint32_t)take_at_most(c, c->n_strings, "no such string");
}

static void check_order(struct cursor *c, int order)
{
    if (order >= 0)
        fail_at(c, "out of order");
}

/* --- Sections --------------------------------------------------------------------- */

static void read_options(struct cursor *c, struct rln__buf *out)
{
    const rln_text text = take_text(c);

    if (is_bad(c))
        return;
    if (memchr(text.bytes, '\0', text.length))
        fail_at(c, "options with a zero byte");
    out->length = 0;
    rln__buf_add(out, text.bytes, text.length);
    rln__buf_char(out, '\0');
    c->is_full |= out->has_failed;
}

/* The n-th string gets the number n, from 1 on. */
static void read_strings(struct cursor *c)
{
    const size_t n = take_count(c, 1);
    rln_text last = {NULL, 0};

    if (n >= UINT32_MAX)
        fail_at(c, "too many strings");
    for (size_t i = 0; i < n && !is_bad(c); i++) {
        const rln_text text = take_text(c);

        if (is_bad(c))
            return;
        if (i)
            check_order(c, rln__compare_text(last, text));
        if (!is_bad(c) &&
            rln__strings_add(&c->r->strings, text.bytes, text.length) != i + 1)
            c->is_full = 1;
        last = text;
    }
    c->n_strings = (uint32_t)n;
}

static void read_part(struct cursor *c, struct rln__reduced_part *part)
{
    uint64_t next = 0;
    uint64_t *ids;
    size_t n;

    part->id = take_fixed(c, 8);
    part->start_ns = take_signed(c);
    part->host = take_string(c);
    part->n_windows = (uint32_t)take_at_most(c, RLN__MAX_WINDOWS, "too many windows");
    part->has_processes = (uint8_t)take_at_most(c, 1, "neither 0 nor 1");
    n = take_count(c, 1);
    part->ranks = is_bad(c) ? NULL : rln__alloc(n + 1, sizeof(uint32_t));
    ids = rln__grow(c->part_ids, &c->parts_capacity, c->n_parts + 1, sizeof(*ids));
    if (ids)
        c->part_ids = ids;
    if (!part->ranks || !ids) {
        c->is_full |= !is_bad(c);
        return;
    }
    for (size_t i = 0; i < n && !is_bad(c); i++) {
        const uint64_t rank =
            next + take_at_most(c, UINT32_MAX - 1 - (next < UINT32_MAX ? next : 0),
                                "no such rank");

        if (rank >= UINT32_MAX)
            fail_at(c, "no such rank");
        part->ranks[part->n_ranks++] = (uint32_t)rank;
        next = rank + 1;
    }
    if (rln__map_get(&c->r->traces_by_id, part->id))
        fail_at(c, "a trace is there twice");
    ids[c->n_parts++] = part->id;
}

static void read_trace(struct cursor *c)
{
    struct rln__reduced_trace t = {.source = c->r->source};
    size_t n;

    t.name = take_string(c);
    t.is_finished = (uint8_t)take_at_most(c, 1, "neither 0 nor 1");
    for (size_t i = 0; i < RLN__N_REDUCED_COUNTS; i++)
        t.counts[i] = take(c);
    t.damage_offset = take(c);
    t.damage = take_string(c);
    t.first_ns = take_signed(c);
    t.last_ns = (int64_t)((uint64_t)t.first_ns + take(c));
    n = take_count(c, 13);
    if (!t.name || !n)
        fail_at(c, "a trace without a name or a part");
    t.parts = is_bad(c) ? NULL : rln__alloc(n, sizeof(*t.parts));
    c->is_full |= !is_bad(c) && !t.parts;
    for (size_t i = 0; i < n && !is_bad(c); i++) {
        t.n_parts++;
        read_part(c, &t.parts[i]);
        for (size_t k = 0; k < i && !is_bad(c); k++) {
            if (t.parts[k].id == t.parts[i].id)
                fail_at(c, "a trace is there twice");
        }
    }
    if (!is_bad(c) && c->r->n_traces)
        check_order(c, rln__reduced_compare_traces(
                           c->r, &c->r->traces[c->r->n_traces - 1], &t));
    if (is_bad(c))
        rln__reduced_trace_clear(&t);
    else if (rln__reduced_add_trace(c->r, &t))
        c->is_full = 1;
}

static void read_traces(struct cursor *c)
{
    for (size_t n = take_count(c, 30); n && !is_bad(c); n--)
        read_trace(c);
}

static void read_unreadable(struct cursor *c)
{
    rln_reduced *r = c->r;
    size_t n = take_count(c, 2);
    struct rln__unreadable *files;

    if (is_bad(c) || !n)
        return;
    files = rln__alloc(n, sizeof(*files));
    c->is_full = !files;
    if (!files)
        return;
    r->unreadable = files;
    r->unreadable_capacity = n;
    for (; n && !is_bad(c); n--) {
        struct rln__unreadable *file = &files[r->n_unreadable];

        file->name = take_string(c);
        file->reason = take_string(c);
        if (!file->name || !file->reason)
            fail_at(c, "a file without a name or a reason");
        if (r->n_unreadable)
            check_order(c,
                        file->name <= file[-1].name && (file->name < file[-1].name ||
                                                        file->reason <= file[-1].reason)
                            ? 1
                            : -1);
        r->n_unreadable++;
    }
}

/* Numbers of origins are their indexes in the file. */
static void read_origins(struct cursor *c)
{
    const size_t n = take_count(c, 2);
    uint64_t last[3] = {0}, words[3];

    for (size_t i = 0; i < n && !is_bad(c); i++) {
        words[0] = take_at_most(c, RLN__ORIGIN_PROCESS, "no such kind of origin");
        words[1] = take_at_most(c, UINT32_MAX - 1, "no such rank");
        words[2] = words[0] ? take_at_most(c, UINT32_MAX, "no such process") : 0;
        if (words[0] && words[1] >= c->n_parts)
            fail_at(c, "no such part");
        if (is_bad(c))
            return;
        if (i)
            check_order(c, words[0] != last[0]   ? (last[0] > words[0] ? 1 : -1)
                           : words[1] != last[1] ? (last[1] > words[1] ? 1 : -1)
                           : last[2] < words[2]  ? -1
                                                 : 1);
        memcpy(last, words, sizeof(last));
        if (rln__reduced_origin(c->r, (unsigned)words[0],
                                words[0] ? c->part_ids[words[1]] : words[1],
                                (uint32_t)words[2]) == UINT32_MAX)
            c->is_full = 1;
    }
}

static void read_row(struct cursor *c, struct rln__reduced_row *row)
{
    uint64_t range_ns;

    row->n = take(c);
    row->n_open = take(c);
    row->total_ns = take(c);
    row->self_ns = take(c);
    row->min_ns = take(c);
    range_ns = take(c);
    row->squares = take(c);
    row->squares |= (rln__u128)take(c) << 64;
    row->first_ns = (int64_t)((uint64_t)c->base_ns + take(c));
    row->last_ns = (int64_t)((uint64_t)row->first_ns + take(c));
    if (__builtin_add_overflow(row->min_ns, range_ns, &row->max_ns) || !row->n ||
        row->n_open > row->n || row->max_ns > row->total_ns ||
        row->last_ns < row->first_ns)
        fail_at(c, "sums that no ranges have");
}

static void read_values(struct cursor *c, struct rln__duration_histogram *h,
                        const struct rln__reduced_row *whole)
{
    uint64_t value = 0;

    for (uint64_t i = 0; i < whole->n && !is_bad(c); i++) {
        if (__builtin_add_overflow(value, take(c), &value))
            fail_at(c, "a duration of more than 64 bits");
        if (!is_bad(c) && rln__duration_histogram_add(h, value))
            c->is_full = 1;
    }
    if (!is_bad(c) && (h->min_ns != whole->min_ns || h->max_ns != whole->max_ns))
        fail_at(c, "durations that the sums do not have");
}

static void read_counts(struct cursor *c, struct rln__duration_histogram *h,
                        const struct rln__reduced_row *whole)
{
    const size_t n_steps = take_count(c, 2);
    uint64_t next = 0, n_counted = 0, first = UINT64_MAX;

    for (size_t i = 0; i < n_steps && !is_bad(c); i++) {
        uint64_t step =
            take_at_most(c, RLN__DURATION_HISTOGRAM_N_STEPS, "no such step");
        const uint64_t count = take(c);

        step += next;
        next = step + 1;
        first = i ? first : step;
        if (step >= RLN__DURATION_HISTOGRAM_N_STEPS || !count ||
            __builtin_add_overflow(n_counted, count, &n_counted))
            fail_at(c, "no such step");
        if (!is_bad(c) && rln__duration_histogram_count(h, (uint32_t)step, count))
            c->is_full = 1;
    }
    if (n_counted != whole->n || first != rln__duration_histogram_step(whole->min_ns) ||
        next != (uint64_t)rln__duration_histogram_step(whole->max_ns) + 1)
        fail_at(c, "durations that the sums do not have");
    h->n = whole->n;
    h->min_ns = whole->min_ns;
    h->max_ns = whole->max_ns;
}

static void read_durations(struct cursor *c, struct rln__reduced_whole *whole)
{
    if (is_bad(c))
        return;
    if (whole->sum.n <= RLN__DURATION_HISTOGRAM_EXACT)
        read_values(c, &whole->durations, &whole->sum);
    else
        read_counts(c, &whole->durations, &whole->sum);
}

/* The rows of a path, and their durations. */
static void read_sums(struct cursor *c, uint32_t path)
{
    const size_t n = take_count(c, 11);
    uint64_t next = 0;

    for (size_t i = 0; i < n && !is_bad(c); i++) {
        struct rln__reduced_row row = {.path = path};
        const uint64_t origin =
            next + take_at_most(c, c->r->origins.n, "no such origin");
        rln_status status;

        if (origin >= c->r->origins.n)
            fail_at(c, "no such origin");
        next = origin + 1;
        row.origin = (uint32_t)origin;
        read_row(c, &row);
        if (is_bad(c))
            return;
        status = rln__reduced_add_row(c->r, &row, NULL);
        if (status == RLN_ERR_ARGUMENT)
            fail_at(c, "sums of more than 64 bits");
        c->is_full |= status == RLN_ERR_NOMEM;
    }
    if (n)
        read_durations(c, &c->r->wholes[path]);
}

/* Numbers of paths are their indexes in the file. */
static void read_path(struct cursor *c, uint64_t *last)
{
    const uint32_t index = (uint32_t)c->r->paths.n;
    const uint64_t parent = take_at_most(c, index, "no such parent");
    const uint64_t style = take_at_most(c, RLN__RENAMED, "no such style");
    const uint64_t words[4] = {parent, style, take_string(c), take_string(c)};
    int order = 0;

    if (!style ||
        (parent &&
         rln__reduced_style(c->r, (uint32_t)parent - 1) != RLN_RANGE_PUSH_POP) ||
        (style == RLN_RANGE_START_END && parent) || (style == RLN__RENAMED && !parent))
        fail_at(c, "a path that no range has");
    for (int i = 0; i < 4 && !order && index; i++)
        order = (last[i] > words[i]) - (last[i] < words[i]);
    if (index)
        check_order(c, order);
    memcpy(last, words, sizeof(words));
    if (is_bad(c))
        return;
    if (rln__reduced_path(c->r, (uint32_t)(parent - 1), (uint32_t)style,
                          (uint32_t)words[2], (uint32_t)words[3]) == UINT32_MAX)
        c->is_full = 1;
    else
        read_sums(c, index);
}

/* The earliest start of all rows is the base. */
static void check_base(struct cursor *c)
{
    int64_t first_ns = c->r->n_rows ? INT64_MAX : 0;

    for (size_t i = 0; i < c->r->n_rows; i++)
        first_ns =
            c->r->rows[i].first_ns < first_ns ? c->r->rows[i].first_ns : first_ns;
    if (first_ns != c->base_ns)
        fail_at(c, "starts that are not counted from the first");
}

/* By origin, by start and by duration; alike ones may follow each other. */
static void read_steps(struct cursor *c)
{
    const size_t n = take_count(c, 3);
    struct rln__reduced_step last = {0};

    if (n && !*c->r->steps_name.bytes)
        fail_at(c, "steps without a name");
    for (size_t i = 0; i < n && !is_bad(c); i++) {
        const uint64_t origin =
            last.origin + take_at_most(c, UINT32_MAX, "no such origin");
        const int is_next = i && origin == last.origin;
        const int64_t from_ns = is_next ? last.start_ns : c->base_ns;
        struct rln__reduced_step step = {.origin = (uint32_t)origin};

        step.start_ns = (int64_t)((uint64_t)from_ns + take(c));
        step.ns = take(c);
        if (origin >= c->r->origins.n)
            fail_at(c, "no such origin");
        if (step.start_ns < from_ns ||
            (is_next && step.start_ns == from_ns && step.ns < last.ns))
            fail_at(c, "out of order");
        if (!is_bad(c) && rln__reduced_add_step(c->r, &step))
            c->is_full = 1;
        last = step;
    }
}

static void read_all(struct cursor *c)
{
    uint64_t last[4] = {0};
    size_t n_paths;

    read_options(c, &c->r->filters);
    read_options(c, &c->r->renames);
    read_options(c, &c->r->steps_name);
    read_strings(c);
    read_traces(c);
    read_unreadable(c);
    read_origins(c);
    c->base_ns = take_signed(c);
    n_paths = take_count(c, 5);
    for (size_t i = 0; i < n_paths && !is_bad(c); i++)
        read_path(c, last);
    if (!is_bad(c))
        check_base(c);
    read_steps(c);
    if (!is_bad(c) && c->at != c->end)
        fail_at(c, "more bytes than content");
}

/* --- Outside ---------------------------------------------------------------------- */

static rln_status refuse(const char *name, const struct cursor *c, const char *why,
                         rln_error *err)
{
    return rln__fail(err, RLN_ERR_FORMAT, c->at,
                     "cannot read sums: path=\"%.200s\", offset=%zu: %s", name, c->at,
                     why);
}

/* The head, and that the bytes are whole. */
static rln_status check_whole(struct cursor *c, size_t n, const char *name,
                              rln_error *err)
{
    uint64_t version, n_bytes;

    if (!rln__reduced_has_magic(c->bytes, n))
        return refuse(name, c, "not a file of reduced traces", err);
    c->at = RLN__REDUCED_MAGIC_BYTES;
    c->end = n;
    version = take_fixed(c, 8);
    n_bytes = take_fixed(c, 8);
    if (!c->fault && (uint32_t)version > RLN__REDUCED_VERSION)
        return rln__fail(err, RLN_ERR_VERSION, 0,
                         "cannot read sums: path=\"%.200s\": they need a newer "
                         "rangeline: version=%" PRIu32 ", supported=%u",
                         name, (uint32_t)version, RLN__REDUCED_VERSION);
    if (!c->fault && version != RLN__REDUCED_VERSION)
        return refuse(name, c, "no such version", err);
    if (c->fault || n_bytes > n || n < RLN__REDUCED_HEAD_BYTES + RLN__REDUCED_END_BYTES)
        return refuse(name, c, "the file is cut off", err);
    c->at = n - RLN__REDUCED_END_BYTES;
    if (n_bytes != n ||
        take_fixed(c, 8) != rln__reduced_checksum(c->bytes, n - RLN__REDUCED_END_BYTES))
        return refuse(name, c, "the file is damaged: its checksum differs", err);
    c->at = RLN__REDUCED_HEAD_BYTES;
    c->end = n - RLN__REDUCED_END_BYTES;
    return RLN_OK;
}

rln_status rln_reduced_read(const void *bytes, size_t n_bytes, const char *name,
                            rln_reduced **out, rln_error *err)
{
    struct cursor c = {.r = rln__reduced_alloc(), .bytes = bytes};
    rln_status status = RLN_OK;

    *out = NULL;
    if (!c.r)
        return rln__fail_nomem(err);
    status = check_whole(&c, n_bytes, name, err);
    if (!status) {
        /* With its zero byte, to be printed. */
        c.r->source = rln__strings_add(&c.r->sources, name, strlen(name) + 1);
        c.is_full = !c.r->source;
        read_all(&c);
    }
    if (!status && c.is_full)
        status = rln__fail_nomem(err);
    else if (!status && c.fault)
        status = refuse(name, &c, c.fault, err);
    rln__free(c.part_ids);
    if (status)
        rln_reduced_free(c.r);
    else
        *out = c.r;
    return status;
}
