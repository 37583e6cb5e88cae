/* SPDX-License-Identifier: Apache-2.0 */
/* perfetto.c - Perfetto's own format: ui.perfetto.dev and its trace processor.
 *
 *   process
 *     thread                  pushes, pops and marks of the default domain
 *       io                    those of the domain `io`
 *     start/end, io           lanes: as many tracks of one name as are open at once;
 *                             deferred ranges have some for each scope, too
 *     queued                  a counter
 *
 * A flow connects a range that another thread ends with a mark there. Names are
 * interned: a packet contains the new ones.
 */
#include "base/alloc.h"
#include "export/exporters.h"
#include "export/lanes.h"
#include "export/perfetto/perfetto_args.h"
#include "export/perfetto/perfetto_fields.h"
#include "export/perfetto/perfetto_packets.h"
#include "export/perfetto/perfetto_switches.h"
#include "export/perfetto/proto.h"
#include "export/samples.h"
#include "export/stacks.h"
#include "export/time_origin.h"
#include "ranges/ranges.h"
#include "trace/open/pid_aliases.h"

#include <math.h>

/* The kind of a track; a key's first word. */
enum kind { PROCESS, THREAD, DOMAIN, LANES, COUNTER, GPU };

/* Tracks on which one range is open at a time. */
struct lanes {
    uint64_t *free; /* owned: uuids */
    size_t n_free, capacity;
    uint64_t parent;
};

struct perfetto {
    struct rln__export *x;        /* borrowed */
    struct rln__key_index tracks; /* kind, process, thread or category, domain */
    size_t n_tracks;              /* tracks already written */
    uint64_t last[4], last_track; /* stack_track()'s answer, and its question */
    uint64_t n_uuids;             /* of lanes, which have no key */
    struct rln__key_index lane_keys;
    struct lanes *lanes; /* owned; by number of the key */
    size_t n_lanes, lanes_capacity;
    struct rln__map on_lane;     /* rln__open_key() -> uuid */
    struct rln__lanes gpu_lanes; /* of streams, and of the calls of threads */
    struct rln__sampling sampling;
    struct rln__packets packets;
    struct rln__pid_aliases aliases; /* its interface takes a pid for a process */
};

static struct rln__buf *out_of(const struct perfetto *p)
{
    return &p->x->output.buf;
}

/* --- Tracks ----------------------------------------------------------------------- */

#define KEYED_TRACK ((uint64_t)1 << 32) /* from here on; lanes' uuids are below */

/* The uuid of a track; `*is_new` if it is not written yet. 0 when there is no memory.
 */
static uint64_t track_of(struct perfetto *p, enum kind kind, uint64_t a, uint64_t b,
                         uint64_t c, int *is_new)
{
    const struct rln__key key = {{kind, a, b, c}};
    const uint32_t number = rln__key_index_number(&p->tracks, &key);

    if (number == UINT32_MAX)
        return 0;
    *is_new = number >= p->n_tracks;
    p->n_tracks += *is_new != 0;
    return KEYED_TRACK + number;
}

static size_t begin_track(struct perfetto *p, uint64_t uuid, uint64_t parent,
                          size_t *packet)
{
    struct rln__buf *out = out_of(p);
    size_t track;

    *packet = rln__packet_begin(&p->packets);
    track = rln__proto_begin(out, PACKET_TRACK_DESCRIPTOR);
    rln__proto_varint(out, TRACK_UUID, uuid);
    if (parent)
        rln__proto_varint(out, TRACK_PARENT_UUID, parent);
    return track;
}

static void end_track(struct perfetto *p, size_t track, size_t packet)
{
    rln__proto_end(out_of(p), track);
    rln__proto_end(out_of(p), packet);
}

static void write_track(struct perfetto *p, uint64_t uuid, uint64_t parent,
                        rln_text name)
{
    size_t packet;
    const size_t track = begin_track(p, uuid, parent, &packet);

    rln__proto_text(out_of(p), TRACK_NAME, name);
    end_track(p, track, packet);
}

/* A field of 32 bits with a sign. */
static uint64_t pid_of(const struct perfetto *p, uint32_t process)
{
    return rln__aliased_pid(&p->aliases, p->x->reader, process) & INT32_MAX;
}

static uint64_t process_track(struct perfetto *p, uint32_t process)
{
    const rln_reader *reader = p->x->reader;
    struct rln__buf *out = out_of(p), label = {0};
    int is_new;
    const uint64_t uuid = track_of(p, PROCESS, process, 0, 0, &is_new);
    size_t packet, track, part;

    if (!uuid || !is_new)
        return uuid;
    track = begin_track(p, uuid, 0, &packet);
    part = rln__proto_begin(out, TRACK_PROCESS);
    rln__proto_varint(out, PROCESS_PID, pid_of(p, process));
    rln__process_label(reader, process, &label);
    rln__proto_text(out, PROCESS_NAME, (rln_text){label.bytes, label.length});
    rln__buf_clear(&label);
    rln__proto_end(out, part);
    end_track(p, track, packet);
    return uuid;
}

static uint64_t thread_track(struct perfetto *p, const rln_range *r)
{
    struct rln__buf *out = out_of(p);
    const uint64_t parent = process_track(p, r->process);
    int is_new;
    const uint64_t uuid = track_of(p, THREAD, r->process, r->thread, r->tid, &is_new);
    size_t packet, track, part;

    if (!uuid || !parent)
        return 0;
    if (!is_new)
        return uuid;
    track = begin_track(p, uuid, parent, &packet);
    part = rln__proto_begin(out, TRACK_THREAD);
    rln__proto_varint(out, THREAD_PID, pid_of(p, r->process));
    rln__proto_varint(out, THREAD_TID, r->tid);
    rln__proto_text(out, THREAD_NAME,
                    rln__thread_name(p->x->reader, r->process, r->tid, r->thread));
    rln__proto_end(out, part);
    end_track(p, track, packet);
    return uuid;
}

/* The name of a track beneath others. Appended. */
static void name_track(struct perfetto *p, const rln_range *r, struct rln__buf *name)
{
    if (rln__export_needs(p->x, RLN_EXPORT_BY_CATEGORY) &&
        r->attributes.category_name.length)
        rln__buf_add(name, r->attributes.category_name.bytes,
                     r->attributes.category_name.length);
    else if (rln__export_needs(p->x, RLN_EXPORT_BY_CATEGORY) && r->attributes.category)
        rln__buf_format(name, "category %u", r->attributes.category);
    else if (rln__export_needs(p->x, RLN_EXPORT_BY_CATEGORY))
        rln__buf_text(name, "no category");
    else if (r->attributes.domain_name.length)
        rln__buf_add(name, r->attributes.domain_name.bytes,
                     r->attributes.domain_name.length);
    else
        rln__buf_text(name, r->style == RLN_RANGE_START_END ? "start/end" : "default");
    if (r->scope.length) {
        rln__buf_char(name, ' ');
        rln__buf_add(name, r->scope.bytes, r->scope.length);
    }
    if (r->flags & RLN_FLAG_DEFERRED)
        rln__buf_text(name, " (deferred)");
}

/* On a track ranges nest, so each domain of a thread has its own. */
static uint64_t find_stack_track(struct perfetto *p, const rln_range *r)
{
    const int is_by_category = rln__export_needs(p->x, RLN_EXPORT_BY_CATEGORY);
    const uint64_t is_deferred = (r->flags & RLN_FLAG_DEFERRED) != 0;
    const uint64_t about =
        is_by_category ? (uint64_t)r->attributes.category << 1 | 1 : 0;
    uint64_t parent, uuid;
    struct rln__buf name = {0};
    int is_new;

    if (!is_by_category && !is_deferred && !r->attributes.domain)
        return thread_track(p, r);
    parent = is_by_category ? process_track(p, r->process) : thread_track(p, r);
    uuid = track_of(p, DOMAIN, (uint64_t)r->process << 32 | r->thread,
                    (uint64_t)r->attributes.domain << 1 | is_deferred,
                    is_by_category ? about << 32 | r->tid : rln__key_of_text(r->scope),
                    &is_new);
    if (!parent || !uuid)
        return 0;
    if (is_new) {
        name_track(p, r, &name);
        write_track(p, uuid, parent, (rln_text){name.bytes, name.length});
        out_of(p)->has_failed |= name.has_failed;
        rln__buf_clear(&name);
    }
    return uuid;
}

/* Where pushes, pops and marks go. One range mostly goes where the last one went. */
static uint64_t stack_track(struct perfetto *p, const rln_range *r)
{
    const uint64_t words[] = {(uint64_t)r->process << 32 | r->thread,
                              (uint64_t)r->tid << 32 | r->attributes.domain,
                              (uint64_t)r->attributes.category << 32 |
                                  (r->flags & RLN_FLAG_DEFERRED),
                              rln__key_of_text(r->scope)};

    if (!p->last_track || (p->last[0] ^ words[0]) | (p->last[1] ^ words[1]) |
                              (p->last[2] ^ words[2]) | (p->last[3] ^ words[3])) {
        p->last_track = find_stack_track(p, r);
        memcpy(p->last, words, sizeof(words));
    }
    return p->last_track;
}

/* --- Lanes of start/end ranges
 * -------------------------------------------------------- */

static struct lanes *lanes_of(struct perfetto *p, const rln_range *r)
{
    const struct rln__key key = {
        {(uint64_t)r->process << 32 | r->attributes.domain,
         rln__export_needs(p->x, RLN_EXPORT_BY_CATEGORY) ? r->attributes.category : 0,
         (r->flags & RLN_FLAG_DEFERRED) != 0, rln__key_of_text(r->scope)}};
    const uint32_t number = rln__key_index_number(&p->lane_keys, &key);
    const size_t n_known = p->n_lanes;
    struct lanes *lanes = rln__key_index_item(
        &p->lanes, &p->n_lanes, &p->lanes_capacity, number, sizeof(*lanes));

    if (lanes && number >= n_known)
        lanes->parent = process_track(p, r->process);
    return lanes;
}

/* 0 when there is no memory. */
static uint64_t take_lane(struct perfetto *p, const rln_range *r)
{
    struct lanes *l = lanes_of(p, r);
    struct rln__buf name = {0};
    uint64_t uuid;

    if (!l || !l->parent)
        return 0;
    if (l->n_free) {
        uuid = l->free[--l->n_free];
    } else {
        uuid = ++p->n_uuids;
        name_track(p, r, &name);
        write_track(p, uuid, l->parent, (rln_text){name.bytes, name.length});
        out_of(p)->has_failed |= name.has_failed;
        rln__buf_clear(&name);
    }
    return rln__map_put(&p->on_lane, rln__open_key(r), uuid) ? 0 : uuid;
}

static int free_lane(struct perfetto *p, const rln_range *r, uint64_t uuid)
{
    struct lanes *l = lanes_of(p, r);
    uint64_t *free =
        l ? rln__append(&l->free, &l->n_free, &l->capacity, sizeof(*free)) : NULL;

    if (!free)
        return -1;
    *free = uuid;
    return 0;
}

/* --- Events
 * --------------------------------------------------------------------------- */

static rln_status on_open(void *state, const rln_range *r, rln_error *err)
{
    struct perfetto *p = state;
    const uint64_t track = rln__is_on_stack(r) ? stack_track(p, r) : take_lane(p, r);
    struct rln__buf *out = out_of(p);
    size_t packet, event;

    if (!track)
        return rln__fail_nomem(err);
    packet = rln__packet_begin_event(&p->packets, TYPE_SLICE_BEGIN, track, r->start_ns,
                                     &event);
    rln__packet_attributes(&p->packets, &r->attributes);
    rln__perfetto_payload(out, r->attributes.payload_type, r->payload_bits);
    if (!rln__is_on_stack(r))
        rln__perfetto_uint_arg(out, "thread", r->tid);
    if (r->style == RLN_RANGE_START_END)
        rln__proto_fixed64(out, EVENT_FLOW_IDS, r->id);
    return rln__packet_end_event(&p->packets, packet, event, err);
}

/* The other end of the flow: a mark on the thread that ended the range. */
static rln_status end_flow(struct perfetto *p, const rln_range *r, rln_error *err)
{
    rln_range there = *r;
    size_t packet, event;
    uint64_t track;

    there.process = r->end_process;
    there.thread = r->end_thread;
    there.pid = r->end_pid;
    there.tid = r->end_tid;
    there.style = RLN_RANGE_PUSH_POP;
    track = stack_track(p, &there);
    if (!track)
        return rln__fail_nomem(err);
    packet =
        rln__packet_begin_event(&p->packets, TYPE_INSTANT, track, r->end_ns, &event);
    rln__packet_names(&p->packets, &r->attributes);
    rln__proto_fixed64(out_of(p), EVENT_TERMINATING_FLOW_IDS, r->id);
    return rln__packet_end_event(&p->packets, packet, event, err);
}

/* Payloads come with the end, where those of both are known. */
static rln_status end_slice(struct perfetto *p, const rln_range *r, uint64_t track,
                            rln_error *err)
{
    struct rln__buf *out = out_of(p);
    const rln_payload *payloads = NULL;
    size_t packet, event, n = 0;
    rln_status status = RLN_OK;

    if (r->n_payloads)
        status = rln_ranges_payloads(p->x->ranges, &payloads, &n, err);
    if (status)
        return status;
    packet =
        rln__packet_begin_event(&p->packets, TYPE_SLICE_END, track, r->end_ns, &event);
    rln__perfetto_payloads(out, payloads, n);
    if (r->end_thread != r->thread)
        rln__perfetto_uint_arg(out, "ended by thread", r->end_tid);
    return rln__packet_end_event(&p->packets, packet, event, err);
}

/* A range never closed has no end: Perfetto draws it so. */
static rln_status on_close(void *state, const rln_range *r, rln_error *err)
{
    struct perfetto *p = state;
    uint64_t track;
    rln_status status;

    if (r->flags & RLN_FLAG_OPEN)
        return RLN_OK;
    if (rln__is_on_stack(r)) {
        track = stack_track(p, r);
        return track ? end_slice(p, r, track, err) : rln__fail_nomem(err);
    }
    track = rln__map_remove(&p->on_lane, rln__open_key(r));
    if (!track)
        return RLN_OK;
    status = end_slice(p, r, track, err);
    if (!status && r->end_thread != r->thread)
        status = end_flow(p, r, err);
    if (!status && free_lane(p, r, track))
        status = rln__fail_nomem(err);
    return status;
}

static rln_status on_mark(void *state, const rln_event *e, rln_error *err)
{
    struct perfetto *p = state;
    struct rln__buf *out = out_of(p);
    const rln_payload *payloads = NULL;
    const rln_range where = {.style = RLN_RANGE_PUSH_POP,
                             .flags = e->flags,
                             .process = e->process,
                             .thread = e->thread,
                             .pid = e->pid,
                             .tid = e->tid,
                             .attributes = e->attributes};
    const uint64_t track = stack_track(p, &where);
    size_t packet, event, n = 0;
    rln_status status = RLN_OK;

    if (!track)
        return rln__fail_nomem(err);
    if (e->n_payloads)
        status =
            rln_events_payloads(rln__ranges_events(p->x->ranges), &payloads, &n, err);
    if (status)
        return status;
    packet = rln__packet_begin_event(&p->packets, TYPE_INSTANT, track, e->t_ns, &event);
    rln__packet_attributes(&p->packets, &e->attributes);
    rln__perfetto_payload(out, e->attributes.payload_type, e->payload_bits);
    rln__perfetto_payloads(out, payloads, n);
    return rln__packet_end_event(&p->packets, packet, event, err);
}

/* --- GPU work
 * -------------------------------------------------------------------------- */

/* Tracks of a stream beneath its process, or of calls beneath their thread: as many as
 * are needed for ranges to nest. 0 when there is no memory. */
static uint64_t gpu_track(struct perfetto *p, const rln_range *r)
{
    const int is_on_stream = r->style == RLN_RANGE_GPU;
    const struct rln__key key = {{r->process, r->thread, r->tid}};
    const uint64_t parent =
        is_on_stream ? process_track(p, r->process) : thread_track(p, r);
    uint32_t group;
    const uint32_t lane =
        rln__lanes_assign(&p->gpu_lanes, &key, r->start_ns, r->end_ns, &group);
    int is_new = 0;
    const uint64_t uuid =
        lane == UINT32_MAX ? 0 : track_of(p, GPU, group, lane, 0, &is_new);

    if (!parent || !uuid)
        return 0;
    if (is_new)
        write_track(p, uuid, parent,
                    is_on_stream
                        ? rln__thread_name(p->x->reader, r->process, r->tid, r->thread)
                        : (rln_text){"CUDA", 4});
    return uuid;
}

static rln_status on_gpu(void *state, const struct rln__row *row, rln_error *err)
{
    struct perfetto *p = state;
    const rln_range *r = row->range;
    const uint64_t track = gpu_track(p, r);
    struct rln__buf *out = out_of(p);
    const rln_payload *payloads = NULL;
    size_t packet, event, n = 0;
    rln_status status = RLN_OK;

    if (!track)
        return rln__fail_nomem(err);
    if (r->n_payloads)
        status = rln_ranges_payloads(p->x->ranges, &payloads, &n, err);
    if (status)
        return status;
    packet = rln__packet_begin_event(&p->packets, TYPE_SLICE_BEGIN, track, r->start_ns,
                                     &event);
    rln__packet_attributes(&p->packets, &r->attributes);
    rln__perfetto_payloads(out, payloads, n);
    status = rln__packet_end_event(&p->packets, packet, event, err);
    if (status)
        return status;
    packet =
        rln__packet_begin_event(&p->packets, TYPE_SLICE_END, track, r->end_ns, &event);
    return rln__packet_end_event(&p->packets, packet, event, err);
}

/* --- Counters
 * -------------------------------------------------------------------------- */

static int is_bytes(rln_text unit)
{
    return (unit.length == 5 && memcmp(unit.bytes, "bytes", 5) == 0) ||
           (unit.length == 1 && *unit.bytes == 'B');
}

/* 0 when there is no memory. */
static uint64_t counter_track(struct perfetto *p, const rln_event *e,
                              const struct rln__sampled_counter *counter,
                              const struct rln__sampled *f)
{
    struct rln__buf *out = out_of(p);
    struct rln__buf name = {0};
    const uint64_t parent = process_track(p, e->process);
    int is_new;
    const uint64_t uuid = track_of(p, COUNTER, counter->number, f->index, 0, &is_new);
    size_t packet, track, part;

    if (!uuid || !parent)
        return 0;
    if (!is_new)
        return uuid;
    rln__buf_add(&name, e->attributes.domain_name.bytes,
                 e->attributes.domain_name.length);
    rln__buf_text(&name, e->attributes.domain_name.length ? ":" : "");
    rln__buf_add(&name, e->attributes.message.bytes, e->attributes.message.length);
    rln__buf_text(&name, f->field.length ? "." : "");
    rln__buf_add(&name, f->field.bytes, f->field.length);
    track = begin_track(p, uuid, parent, &packet);
    rln__proto_text(out, TRACK_NAME, (rln_text){name.bytes, name.length});
    part = rln__proto_begin(out, TRACK_COUNTER);
    if (is_bytes(f->semantics->unit))
        rln__proto_varint(out, COUNTER_UNIT, UNIT_SIZE_BYTES);
    else if (f->semantics->unit.length)
        rln__proto_text(out, COUNTER_UNIT_NAME, f->semantics->unit);
    rln__proto_end(out, part);
    end_track(p, track, packet);
    out->has_failed |= name.has_failed;
    rln__buf_clear(&name);
    return uuid;
}

static rln_status on_sample(void *state, const rln_event *e, rln_error *err)
{
    struct perfetto *p = state;
    const struct rln__sampled_counter *counter;
    rln_status status = rln__sampling_see(&p->sampling, e, &counter, err);

    for (size_t i = 0; !status && i < counter->n; i++) {
        const struct rln__sampled *f = &counter->fields[i];
        size_t packet, event;
        uint64_t track;

        if (!f->has_value || !isfinite(f->level))
            continue;
        track = counter_track(p, e, counter, f);
        if (!track)
            return rln__fail_nomem(err);
        packet =
            rln__packet_begin_event(&p->packets, TYPE_COUNTER, track, e->t_ns, &event);
        rln__proto_double(out_of(p), EVENT_DOUBLE_COUNTER_VALUE, f->level);
        status = rln__packet_end_event(&p->packets, packet, event, err);
    }
    return status;
}

/* --- Beginning and end ------------------------------------------------------------ */

static void add_clock(struct rln__buf *out, enum clock_id id, uint64_t ns)
{
    const size_t begin = rln__proto_begin(out, SNAPSHOT_CLOCKS);

    rln__proto_varint(out, CLOCK_ID, id);
    rln__proto_varint(out, CLOCK_TIMESTAMP, ns);
    rln__proto_end(out, begin);
}

/* Times are those of CLOCK_MONOTONIC, declared as the clock since boot; the snapshot
 * relates it to the calendar. */
static rln_status begin(void *state, struct rln__export *x, rln_error *err)
{
    struct perfetto *p = state;
    const struct rln__clock_tuple *zero = &x->reader->layout.parts[0].super.created[0];
    struct rln__buf *out = &x->output.buf;
    rln_status status = rln__export_time_origin(x->reader, &p->packets.zero_ns, err);
    size_t packet, snapshot;

    p->x = x;
    p->packets.output = &x->output;
    p->packets.reader = x->reader;
    if (!status)
        status = rln__pid_aliases_init(&p->aliases, x->reader, NULL, err);
    if (status)
        return status;
    packet = rln__packet_begin(&p->packets);
    snapshot = rln__proto_begin(out, PACKET_CLOCK_SNAPSHOT);
    add_clock(out, ID_BOOTTIME, p->packets.zero_ns);
    add_clock(out, ID_MONOTONIC, p->packets.zero_ns);
    add_clock(out, ID_REALTIME, zero->realtime_ns);
    rln__proto_varint(out, SNAPSHOT_PRIMARY, ID_BOOTTIME);
    rln__proto_end(out, snapshot);
    return rln__packet_end(&p->packets, packet, err);
}

static rln_status end(void *state, rln_error *err)
{
    struct perfetto *p = state;

    return rln__perfetto_switches(&p->packets, p->x->reader, err);
}

static void clear(void *state)
{
    struct perfetto *p = state;

    for (size_t i = 0; i < p->n_lanes; i++)
        rln__free(p->lanes[i].free);
    rln__free(p->lanes);
    rln__key_index_clear(&p->tracks);
    rln__key_index_clear(&p->lane_keys);
    rln__map_clear(&p->on_lane);
    rln__lanes_clear(&p->gpu_lanes);
    rln__sampling_clear(&p->sampling);
    rln__packets_clear(&p->packets);
    rln__pid_aliases_clear(&p->aliases);
}

const struct rln__exporter rln__exporter_perfetto = {
    .format = {.name = "perfetto",
               .extension = ".pftrace",
               .help = "Perfetto's own format, for ui.perfetto.dev",
               .is_stream = 1,
               .is_binary = 1},
    .state_bytes = sizeof(struct perfetto),
    .begin = begin,
    .open = on_open,
    .close = on_close,
    .mark = on_mark,
    .sample = on_sample,
    .gpu = on_gpu,
    .end = end,
    .clear = clear,
};
