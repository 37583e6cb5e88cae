/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_read.c - reads the bytes of sums, and trusts none of them: counts are bounded
 * by the bytes that are left, numbers by what they count, and everything has to be in
 * the order in which it is written, so that nothing is there twice. */
#include "base/alloc.h"
#include "base/fail.h"
#include "format/layout.h"
#include "reduce/reduced_file.h"
#include "reduce/reduced_take.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- Sections --------------------------------------------------------------------- */

static void read_options(struct rln__reduced_cursor *c, struct rln__buf *out)
{
    const rln_text text = rln__take_text(c);

    if (rln__take_is_bad(c))
        return;
    if (memchr(text.bytes, '\0', text.length))
        rln__take_fault(c, "options with a zero byte");
    out->length = 0;
    rln__buf_add(out, text.bytes, text.length);
    rln__buf_char(out, '\0');
    c->is_full |= out->has_failed;
}

/* The n-th string gets the number n, from 1 on. */
static void read_strings(struct rln__reduced_cursor *c)
{
    const size_t n = rln__take_count(c, 1);
    rln_text last = {NULL, 0};

    if (n >= UINT32_MAX)
        rln__take_fault(c, "too many strings");
    for (size_t i = 0; i < n && !rln__take_is_bad(c); i++) {
        const rln_text text = rln__take_text(c);

        if (rln__take_is_bad(c))
            return;
        if (i)
            rln__take_order(c, rln__compare_text(last, text));
        if (!rln__take_is_bad(c) &&
            rln__strings_add(&c->r->strings, text.bytes, text.length) != i + 1)
            c->is_full = 1;
        last = text;
    }
    c->n_strings = (uint32_t)n;
}

static void read_part(struct rln__reduced_cursor *c, struct rln__reduced_part *part)
{
    uint64_t next = 0;
    uint64_t *id;
    size_t n;

    part->id = rln__take_fixed(c, 8);
    part->start_ns = rln__take_signed(c);
    part->host = rln__take_string(c);
    part->n_windows =
        (uint32_t)rln__take_at_most(c, RLN__MAX_WINDOWS, "too many windows");
    part->has_processes = (uint8_t)rln__take_at_most(c, 1, "neither 0 nor 1");
    if (c->version >= RLN__REDUCED_CPU_TIMES)
        part->cpu_times =
            (uint8_t)rln__take_at_most(c, RLN__REDUCED_READINGS, "no such times");
    n = rln__take_count(c, 1);
    part->ranks = rln__take_is_bad(c) ? NULL : rln__alloc(n + 1, sizeof(uint32_t));
    id = part->ranks
             ? rln__append(&c->part_ids, &c->n_parts, &c->parts_capacity, sizeof(*id))
             : NULL;
    if (!id) {
        c->is_full |= !rln__take_is_bad(c);
        return;
    }
    *id = part->id;
    for (size_t i = 0; i < n && !rln__take_is_bad(c); i++) {
        const uint64_t rank =
            next + rln__take_at_most(c, UINT32_MAX - 1 - (next < UINT32_MAX ? next : 0),
                                     "no such rank");

        if (rank >= UINT32_MAX)
            rln__take_fault(c, "no such rank");
        part->ranks[part->n_ranks++] = (uint32_t)rank;
        next = rank + 1;
    }
    if (rln__map_get(&c->r->traces_by_id, part->id))
        rln__take_fault(c, "a trace is there twice");
}

static void read_trace(struct rln__reduced_cursor *c)
{
    struct rln__reduced_trace t = {.source = c->r->source};
    size_t n;

    t.name = rln__take_string(c);
    t.is_finished = (uint8_t)rln__take_at_most(c, 1, "neither 0 nor 1");
    for (size_t i = 0; i < RLN__N_REDUCED_COUNTS; i++)
        t.counts[i] = rln__take_number(c);
    t.damage_offset = rln__take_number(c);
    t.damage = rln__take_string(c);
    t.first_ns = rln__take_signed(c);
    t.last_ns = (int64_t)((uint64_t)t.first_ns + rln__take_number(c));
    n = rln__take_count(c, 13);
    if (!t.name || !n)
        rln__take_fault(c, "a trace without a name or a part");
    t.parts = rln__take_is_bad(c) ? NULL : rln__alloc(n, sizeof(*t.parts));
    c->is_full |= !rln__take_is_bad(c) && !t.parts;
    for (size_t i = 0; i < n && !rln__take_is_bad(c); i++) {
        t.n_parts++;
        read_part(c, &t.parts[i]);
        for (size_t k = 0; k < i && !rln__take_is_bad(c); k++) {
            if (t.parts[k].id == t.parts[i].id)
                rln__take_fault(c, "a trace is there twice");
        }
    }
    if (!rln__take_is_bad(c) && c->r->n_traces)
        rln__take_order(c, rln__reduced_compare_traces(
                               c->r, &c->r->traces[c->r->n_traces - 1], &t));
    if (rln__take_is_bad(c))
        rln__reduced_trace_clear(&t);
    else if (rln__reduced_append(c->r, &t))
        c->is_full = 1;
}

static void read_traces(struct rln__reduced_cursor *c)
{
    for (size_t n = rln__take_count(c, 30); n && !rln__take_is_bad(c); n--)
        read_trace(c);
}

static void read_unreadable(struct rln__reduced_cursor *c)
{
    struct rln__reduced *r = c->r;
    size_t n = rln__take_count(c, 2);
    struct rln__unreadable *files;

    if (rln__take_is_bad(c) || !n)
        return;
    files = rln__alloc(n, sizeof(*files));
    c->is_full = !files;
    if (!files)
        return;
    r->unreadable = files;
    r->unreadable_capacity = n;
    for (; n && !rln__take_is_bad(c); n--) {
        struct rln__unreadable *file = &files[r->n_unreadable];

        file->name = rln__take_string(c);
        file->reason = rln__take_string(c);
        if (!file->name || !file->reason)
            rln__take_fault(c, "a file without a name or a reason");
        if (r->n_unreadable)
            rln__take_order(c, file->name <= file[-1].name &&
                                       (file->name < file[-1].name ||
                                        file->reason <= file[-1].reason)
                                   ? 1
                                   : -1);
        r->n_unreadable++;
    }
}

/* Numbers of origins are their indexes in the file. */
static void read_origins(struct rln__reduced_cursor *c)
{
    const size_t n = rln__take_count(c, 2);
    uint64_t last[3] = {0}, words[3];

    for (size_t i = 0; i < n && !rln__take_is_bad(c); i++) {
        words[0] = rln__take_at_most(c, RLN__ORIGIN_PROCESS, "no such kind of origin");
        words[1] = rln__take_at_most(c, UINT32_MAX - 1, "no such rank");
        words[2] = words[0] ? rln__take_at_most(c, UINT32_MAX, "no such process") : 0;
        if (words[0] && words[1] >= c->n_parts)
            rln__take_fault(c, "no such part");
        if (rln__take_is_bad(c))
            return;
        if (i)
            rln__take_order(c, words[0] != last[0]   ? (last[0] > words[0] ? 1 : -1)
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

static void read_all(struct rln__reduced_cursor *c)
{
    read_options(c, &c->r->filters);
    read_options(c, &c->r->renames);
    read_options(c, &c->r->steps_name);
    read_strings(c);
    read_traces(c);
    read_unreadable(c);
    read_origins(c);
    for (size_t i = 0; i < RLN__N_REDUCED_KINDS; i++)
        rln__reduced_kinds[i]->read(c->r->sums[i], c);
    if (!rln__take_is_bad(c) && c->at != c->end)
        rln__take_fault(c, "more bytes than content");
}

/* --- Outside ---------------------------------------------------------------------- */

static rln_status refuse(const char *name, const struct rln__reduced_cursor *c,
                         const char *why, rln_error *err)
{
    return rln__fail(err, RLN_ERR_FORMAT, c->at,
                     "cannot read sums: path=\"%.200s\", offset=%zu: %s", name, c->at,
                     why);
}

/* The head, and that the bytes are whole. */
static rln_status check_whole(struct rln__reduced_cursor *c, size_t n, const char *name,
                              rln_error *err)
{
    uint64_t version, n_bytes;

    if (!rln__reduced_has_magic(c->bytes, n))
        return refuse(name, c, "not a file of reduced traces", err);
    c->at = RLN__REDUCED_MAGIC_BYTES;
    c->end = n;
    version = rln__take_fixed(c, 8);
    n_bytes = rln__take_fixed(c, 8);
    if (!c->fault && (uint32_t)version > RLN__REDUCED_VERSION)
        return rln__fail(err, RLN_ERR_VERSION, 0,
                         "cannot read sums: path=\"%.200s\": they need a newer "
                         "rangeline: version=%" PRIu32 ", supported=%u",
                         name, (uint32_t)version, RLN__REDUCED_VERSION);
    c->version = (uint32_t)version;
    if (!c->fault && (version == 0 || version > RLN__REDUCED_VERSION))
        return refuse(name, c, "no such version", err);
    if (c->fault || n_bytes > n || n < RLN__REDUCED_HEAD_BYTES + RLN__REDUCED_END_BYTES)
        return refuse(name, c, "the file is cut off", err);
    c->at = n - RLN__REDUCED_END_BYTES;
    if (n_bytes != n || rln__take_fixed(c, 8) !=
                            rln__reduced_checksum(c->bytes, n - RLN__REDUCED_END_BYTES))
        return refuse(name, c, "the file is damaged: its checksum differs", err);
    c->at = RLN__REDUCED_HEAD_BYTES;
    c->end = n - RLN__REDUCED_END_BYTES;
    return RLN_OK;
}

rln_status rln__reduced_read(const void *bytes, size_t n_bytes, const char *name,
                             struct rln__reduced **out, rln_error *err)
{
    struct rln__reduced_cursor c = {.r = rln__reduced_alloc(), .bytes = bytes};
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
        rln__reduced_free(c.r);
    else
        *out = c.r;
    return status;
}
