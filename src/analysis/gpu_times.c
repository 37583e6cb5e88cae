/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/gpu_times.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/by_time.h"
#include "base/alloc.h"
#include "base/busy_times.h"
#include "base/fail.h"
#include "base/hash.h"
#include "rangeline/values.h"
#include "reports/gpu/nccl_kernel.h"

/* Schemas of payloads, as docs/reference/FORMAT.md numbers them: kernel, copy, set and
 * graph are operations. */
#define KERNEL 0xC0DA0001u
#define COPY 0xC0DA0002u
#define GRAPH 0xC0DA0004u
#define WAIT 0xC0DA0006u

/* Values of a copy's copyKind, and of its srcKind and dstKind. */
#define HOST_TO_DEVICE 1
#define DEVICE_TO_HOST 2
#define PAGEABLE 0
/* A wait's syncType: a stream of the GPU waits, not a thread. */
#define STREAM_WAITS 2

/* --- Reading ---------------------------------------------------------------------- */

struct operation {
    size_t gpu;
    int64_t start_ns, end_ns;
    unsigned times;   /* a bit for each enum rln__gpu_time that it belongs to */
    uint64_t request; /* of a kernel outside graphs: process and correlation id; or 0 */
};

struct loose_launch {
    size_t gpu;
    struct rln__kernel_launch launch;
};

struct collected {
    struct operation *operations; /* owned */
    size_t n, capacity, n_kernels;
    int64_t *calls; /* owned: their beginnings */
    size_t n_calls, call_capacity;
    struct rln__map call_of; /* of a request: index + 1 */
};

static bool is_text(rln_text text, const char *other)
{
    return text.length == strlen(other) && memcmp(text.bytes, other, text.length) == 0;
}

/* `missing` if there is no such field. */
static uint64_t field_or(const rln_payload *payload, const char *name, uint64_t missing)
{
    for (size_t i = 1; i < payload->n_fields; i++)
        if (is_text(payload->fields[i].name, name) &&
            payload->fields[i].kind != RLN_FIELD_UNREAD)
            return payload->fields[i].bits;
    return missing;
}

static uint64_t field_of(const rln_payload *payload, const char *name)
{
    return field_or(payload, name, 0);
}

static uint64_t request_of(const rln_range *range)
{
    return (uint64_t)range->process << 32 | (uint32_t)range->id;
}

/* Its index, or SIZE_MAX when there is no memory. */
static size_t gpu_of(struct rln__gpu_times *work, uint32_t process, uint32_t device)
{
    struct rln__gpu *gpu;

    for (size_t i = 0; i < work->n; i++)
        if (work->gpus[i].process == process && work->gpus[i].device == device)
            return i;
    gpu = rln__append(&work->gpus, &work->n, &work->capacity, sizeof(*gpu));
    if (!gpu)
        return SIZE_MAX;
    *gpu = (struct rln__gpu){.process = process, .device = device};
    return work->n - 1;
}

static bool is_pageable(const rln_payload *copy)
{
    const uint64_t kind = field_of(copy, "copyKind");
    const char *host = kind == HOST_TO_DEVICE   ? "srcKind"
                       : kind == DEVICE_TO_HOST ? "dstKind"
                                                : NULL;

    return host && field_or(copy, host, PAGEABLE + 1) == PAGEABLE;
}

static unsigned times_of(const rln_range *range, const rln_payload *payload)
{
    unsigned times =
        1u << RLN__ALL_WORK | 1u << RLN__OWN_WORK | 1u << RLN__NOT_PAGEABLE;

    if (payload->schema == WAIT)
        return field_of(payload, "syncType") == STREAM_WAITS ? 0 : 1u << RLN__WAITS;
    if (payload->schema == KERNEL && rln__is_nccl_kernel(range->attributes.message))
        times &= ~(1u << RLN__OWN_WORK);
    if (payload->schema == COPY && is_pageable(payload))
        times &= ~(1u << RLN__NOT_PAGEABLE);
    return times;
}

static int add_operation(struct rln__gpu_times *work, struct collected *c,
                         const rln_range *range, const rln_payload *payload)
{
    const size_t gpu =
        gpu_of(work, range->process, (uint32_t)field_of(payload, "deviceId"));
    const bool is_launch =
        payload->schema == KERNEL && range->id && !field_of(payload, "graphNodeId");
    struct operation *operation =
        gpu == SIZE_MAX
            ? NULL
            : rln__append(&c->operations, &c->n, &c->capacity, sizeof(*operation));

    if (!operation)
        return -1;
    *operation =
        (struct operation){gpu, range->start_ns, range->end_ns,
                           times_of(range, payload), is_launch ? request_of(range) : 0};
    c->n_kernels += is_launch;
    return 0;
}

static int add_call(struct collected *c, const rln_range *range)
{
    int64_t *call =
        rln__append(&c->calls, &c->n_calls, &c->call_capacity, sizeof(*call));

    if (!call)
        return -1;
    *call = range->start_ns;
    return rln__map_put(&c->call_of, request_of(range), c->n_calls);
}

static rln_status add(struct rln__gpu_times *work, struct collected *c,
                      rln_ranges *ranges, const rln_range *range, rln_error *err)
{
    const rln_payload *payload;
    rln_status status;
    int failed = 0;
    size_t n;

    if (range->flags & RLN_FLAG_UNPLACED)
        return RLN_OK;
    if (range->style == RLN_RANGE_CALL && range->id)
        failed = add_call(c, range);
    if (range->style == RLN_RANGE_GPU) {
        status = rln_ranges_payloads(ranges, &payload, &n, err);
        if (status)
            return status;
        if (n && ((payload->schema >= KERNEL && payload->schema <= GRAPH) ||
                  payload->schema == WAIT))
            failed = add_operation(work, c, range, payload);
    }
    return failed ? rln__fail_nomem(err) : RLN_OK;
}

static rln_status collect(rln_reader *reader, struct rln__gpu_times *work,
                          struct collected *c, rln_error *err)
{
    const rln_range *range;
    rln_ranges *ranges;
    rln_status status = rln_ranges_open(reader, &ranges, err);

    while (!status && !(status = rln_ranges_next(ranges, &range, err)))
        status = add(work, c, ranges, range, err);
    rln_ranges_close(ranges);
    return status == RLN_END ? RLN_OK : status;
}

/* --- Putting in order ------------------------------------------------------------- */

static int by_gpu_and_start(const void *a, const void *b)
{
    const struct operation *x = a, *y = b;

    if (x->gpu != y->gpu)
        return x->gpu < y->gpu ? -1 : 1;
    return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

static int by_gpu_and_launch(const void *a, const void *b)
{
    const struct loose_launch *x = a, *y = b;

    if (x->gpu != y->gpu)
        return x->gpu < y->gpu ? -1 : 1;
    return (x->launch.at_ns > y->launch.at_ns) - (x->launch.at_ns < y->launch.at_ns);
}

/* Puts what operations cover in the arrays of each kind. */
struct uniting {
    struct rln__gpu_times *work;
    struct rln__gpu *gpu;
    size_t n[RLN__N_TIMES];
};

static int extend(void *context, int64_t start_ns, int64_t end_ns, unsigned kinds)
{
    struct uniting *u = context;

    for (unsigned which = 0; which < RLN__N_TIMES; which++) {
        struct rln__times *times = &u->gpu->times[which];
        struct rln__busy *next = u->work->busy[which] + u->n[which];

        if (!(kinds >> which & 1))
            continue;
        if (times->n && start_ns <= next[-1].end_ns) {
            next[-1].end_ns = end_ns;
            continue;
        }
        if (!times->n++)
            times->at = next;
        *next = (struct rln__busy){start_ns, end_ns};
        u->n[which]++;
    }
    return 0;
}

static int unite_all(struct rln__gpu_times *work, struct collected *c)
{
    struct uniting u = {.work = work};
    struct rln__busy_sweep sweep = {.take = extend, .context = &u};

    for (unsigned which = 0; which < RLN__N_TIMES; which++) {
        work->busy[which] = rln__alloc(c->n + 1, sizeof(struct rln__busy));
        if (!work->busy[which])
            return -1;
    }
    qsort(c->operations, c->n, sizeof(*c->operations), by_gpu_and_start);
    for (size_t i = 0; i < c->n; i++) {
        const struct operation *o = &c->operations[i];

        if (u.gpu != &work->gpus[o->gpu])
            (void)rln__busy_end(&sweep); /* cannot fail, as nothing here */
        u.gpu = &work->gpus[o->gpu];
        (void)rln__busy_add(&sweep, o->start_ns, o->end_ns, o->times);
    }
    return rln__busy_end(&sweep);
}

static int order_launches(struct rln__gpu_times *work, const struct collected *c)
{
    struct loose_launch *loose = rln__alloc(c->n_kernels + 1, sizeof(*loose));
    size_t n = 0;

    work->launches = rln__alloc(c->n_kernels + 1, sizeof(*work->launches));
    if (!loose || !work->launches) {
        rln__free(loose);
        return -1;
    }
    for (size_t i = 0; i < c->n; i++) {
        const struct operation *o = &c->operations[i];
        const size_t call =
            o->request ? (size_t)rln__map_get(&c->call_of, o->request) : 0;

        if (o->request)
            loose[n++] = (struct loose_launch){o->gpu,
                                               {call ? c->calls[call - 1] : o->start_ns,
                                                (double)(o->end_ns - o->start_ns)}};
    }
    qsort(loose, n, sizeof(*loose), by_gpu_and_launch);
    for (size_t i = 0; i < n; i++) {
        struct rln__gpu *gpu = &work->gpus[loose[i].gpu];

        if (!gpu->n_launches++)
            gpu->launches = work->launches + i;
        work->launches[i] = loose[i].launch;
    }
    rln__free(loose);
    return 0;
}

rln_status rln__gpu_times_read(rln_reader *reader, struct rln__gpu_times *out,
                               rln_error *err)
{
    struct collected c = {0};
    rln_status status;

    memset(out, 0, sizeof(*out));
    status = collect(reader, out, &c, err);
    if (!status && c.n && (unite_all(out, &c) || order_launches(out, &c)))
        status = rln__fail_nomem(err);
    rln__map_clear(&c.call_of);
    rln__free(c.operations);
    rln__free(c.calls);
    return status;
}

void rln__gpu_times_clear(struct rln__gpu_times *work)
{
    rln__free(work->gpus);
    for (unsigned which = 0; which < RLN__N_TIMES; which++)
        rln__free(work->busy[which]);
    rln__free(work->launches);
    memset(work, 0, sizeof(*work));
}

/* --- By calls of the step --------------------------------------------------------- */

size_t rln__gpu_time_after(const struct rln__times *times, int64_t t)
{
    return times->n
               ? rln__count_until(&times->at->end_ns, times->n, sizeof(*times->at), t)
               : 0;
}

double rln__gpu_time_ns(const struct rln__times *times, int64_t from, int64_t to)
{
    double ns = 0;

    for (size_t i = rln__gpu_time_after(times, from);
         i < times->n && times->at[i].start_ns < to; i++) {
        const struct rln__busy *b = &times->at[i];

        ns += (double)((b->end_ns < to ? b->end_ns : to) -
                       (b->start_ns > from ? b->start_ns : from));
    }
    return ns;
}

static bool pair(const struct rln__track *track, const struct rln__gpu *gpu,
                 struct rln__gpu_track *out)
{
    size_t n = 0, n_worked = 0;

    *out = (struct rln__gpu_track){track, gpu, 1, 0, 0};
    if (track->n_warm_up > 1)
        out->first = track->n_warm_up;
    for (size_t i = out->first; i < track->n; i++) {
        const struct rln__call *call = &track->calls[i];
        const double busy_ns = rln__gpu_time_ns(&gpu->times[RLN__ALL_WORK],
                                                call->start_ns, rln__call_end(call));

        out->ns += call->ns;
        out->busy_ns += busy_ns;
        n_worked += busy_ns > 0;
        n++;
    }
    return out->ns > 0 && n_worked >= n - n_worked;
}

int rln__gpu_next_track(const struct rln__run *run, const struct rln__gpu_times *work,
                        double least, size_t *at, struct rln__gpu_track *out)
{
    while (work->n && *at < run->n_tracks * work->n) {
        const struct rln__track *track = &run->tracks[*at / work->n];
        const struct rln__gpu *gpu = &work->gpus[*at % work->n];

        ++*at;
        if (track->process == gpu->process && (double)track->n >= least &&
            pair(track, gpu, out))
            return 1;
    }
    return 0;
}
