/* SPDX-License-Identifier: Apache-2.0 */
#include "record/during/switch_recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/count.h"
#include "base/wide_int.h"

#define EACH_MS 1000

/* --- Time ------------------------------------------------------------------------- */

static uint64_t raw_ns(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The closest of a few readings. */
static struct rln__switch_clock read_clock(enum rln__clock_kind kind)
{
    struct rln__switch_clock best = {0, 0};
    uint64_t narrowest = UINT64_MAX;

    if (kind == RLN__CLOCK_MONOTONIC_RAW) {
        best.ticks = best.raw_ns = raw_ns();
        return best;
    }
    for (int i = 0; i < 4; i++) {
        const uint64_t before = rln__counter();
        const uint64_t ns = raw_ns();
        const uint64_t width = rln__counter() - before;

        if (width >= narrowest)
            continue;
        narrowest = width;
        best = (struct rln__switch_clock){before + width / 2, ns};
    }
    return best;
}

/* CLOCK_MONOTONIC_RAW is a straight line of the counter, and what the rings have is from
 * between the last two readings. */
static uint64_t ticks_of(const struct rln__switch_recorder *r, uint64_t time_ns)
{
    const uint64_t ns = r->now.raw_ns - r->before.raw_ns;
    const uint64_t ticks = r->now.ticks - r->before.ticks;
    const bool is_later = time_ns >= r->before.raw_ns;
    const uint64_t distance =
        is_later ? time_ns - r->before.raw_ns : r->before.raw_ns - time_ns;
    const uint64_t offset = ns ? (uint64_t)((rln__u128)distance * ticks / ns) : 0;

    return is_later ? r->before.ticks + offset : r->before.ticks - offset;
}

/* --- Records ---------------------------------------------------------------------- */

/* False: there is no room. */
static bool put_long(struct rln__switch_recorder *r, unsigned sub,
                     const uint64_t *operands, size_t n)
{
    uint64_t *at = rln__chunk_writer_take(&r->chunk, n + 1, &r->since);

    if (!at)
        return false;
    memcpy(at + 1, operands, n * sizeof(*operands));
    rln__chunk_writer_announce(at, sub, n + 1);
    return true;
}

static bool put_switch(struct rln__switch_recorder *r, uint64_t ticks, unsigned kind,
                       uint32_t tid)
{
    const uint64_t operands[] = {ticks, rln__pair32(kind, tid)};
    uint64_t *at = rln__chunk_writer_take(&r->chunk, 1, &r->since);
    uint64_t offset;

    if (!at)
        return false;
    offset = ticks - r->chunk.base_ticks;
    if (offset >> RLN__TICKS_BITS || tid > RLN__MAX_ID)
        return put_long(r, RLN__SUB_SWITCH, operands, 2); /* the hole stays */
    __atomic_store_n(at, offset << RLN__TICKS_SHIFT | tid << RLN__ID_SHIFT | kind,
                     __ATOMIC_RELEASE);
    return true;
}

static bool put(struct rln__switch_recorder *r, const struct rln__ring_record *record)
{
    const uint64_t ticks = ticks_of(r, record->time_ns);
    const uint64_t born[] = {ticks, rln__pair32(record->pid, record->tid),
                             rln__pair32(record->parent_pid, record->parent_tid)};
    const uint64_t lost[] = {ticks_of(r, record->from_ns), ticks, record->n_lost};

    if (record->kind == RLN__SUB_BORN)
        return put_long(r, RLN__SUB_BORN, born, RLN_COUNT(born));
    if (record->kind == RLN__SUB_SWITCHES_LOST)
        return put_long(r, RLN__SUB_SWITCHES_LOST, lost, RLN_COUNT(lost));
    return put_switch(r, ticks, record->kind, record->tid);
}

/* --- What is not written ---------------------------------------------------------- */

/* The state of a thread outlives what is not written. */
static void note_state(struct rln__switch_recorder *r,
                       const struct rln__ring_record *record)
{
    if (record->kind == RLN__SWITCH_ENDED)
        (void)rln__map_remove(&r->states, record->tid);
    else if (record->kind == RLN__SUB_BORN)
        (void)rln__map_put(&r->states, record->tid, RLN__SWITCH_PREEMPTED);
    else if (record->kind != RLN__SUB_SWITCHES_LOST)
        (void)rln__map_put(&r->states, record->tid, record->kind);
}

static void take(void *context, const struct rln__ring_record *record)
{
    struct rln__switch_recorder *r = context;

    note_state(r, record);
    if (r->writes && put(r, record))
        return;
    if (!r->unwritten.n++)
        r->unwritten.from_ns = record->time_ns;
}

/* Says what was not written, and the state of all threads after it. */
static void resume(struct rln__switch_recorder *r)
{
    const struct rln__ring_record lost = {.kind = RLN__SUB_SWITCHES_LOST,
                                          .time_ns = r->before.raw_ns,
                                          .from_ns = r->unwritten.from_ns,
                                          .n_lost = r->unwritten.n};
    const uint64_t none = RLN__NO_PROCESSOR;

    if (!r->unwritten.n || !put_long(r, RLN__SUB_PROCESSOR, &none, 1) || !put(r, &lost))
        return;
    r->unwritten.n = 0;
    for (size_t i = 0; r->states.slots && i <= r->states.mask; i++)
        if (r->states.slots[i].value &&
            !put_switch(r, r->before.ticks, (unsigned)r->states.slots[i].value,
                        (uint32_t)r->states.slots[i].key))
            break; /* unknown, as before */
}

/* Whether a window has been open since the rings were read last. */
static bool has_window(struct rln__switch_recorder *r)
{
    const uint64_t gate =
        __atomic_load_n(&r->chunk.file->super->control.gate, __ATOMIC_ACQUIRE);
    const bool is_same = gate >> 32 == r->gate >> 32 && r->gate & RLN__GATE_CLOSED &&
                         gate & RLN__GATE_CLOSED;

    r->gate = gate;
    return !is_same;
}

/* --- The thread ------------------------------------------------------------------- */

static void drain(struct rln__switch_recorder *r)
{
    const enum rln__clock_kind kind = (enum rln__clock_kind)r->chunk.file->clock_kind;
    const bool is_open = has_window(r);
    struct rln__clock_tuple since;

    rln__clock_read(kind, &since);
    r->now = read_clock(kind);
    if (is_open)
        resume(r);
    for (size_t i = 0; i < r->rings.n; i++) {
        struct rln__switch_ring *ring = &r->rings.rings[i];
        const uint64_t processor = ring->processor;

        if (!rln__switch_ring_has_any(ring))
            continue;
        r->chunk.thread = ring->processor + 1; /* if a chunk begins amid the ring's */
        r->writes = is_open && put_long(r, RLN__SUB_PROCESSOR, &processor, 1);
        rln__switch_ring_read(&r->rings, ring, take, r);
    }
    if (is_open)
        (void)put_long(r, RLN__SUB_SWITCHES_UNTIL, &r->now.ticks, 1);
    r->before = r->now;
    r->since = since;
}

static void *run(void *context)
{
    struct rln__switch_recorder *r = context;
    struct pollfd stop = {.fd = r->stop[0], .events = POLLIN};

    while (poll(&stop, 1, 0) == 0) {
        rln__switch_rings_wait(&r->rings, r->stop[0], EACH_MS);
        drain(r);
    }
    return NULL;
}

/* 0 or -errno; then the rings are still open. */
static int begin_thread(struct rln__switch_recorder *r)
{
    int result = rln__chunk_writer_begin(&r->chunk);

    if (result)
        return result;
    if (pipe2(r->stop, O_CLOEXEC) < 0)
        return -errno;
    result = pthread_create(&r->thread, NULL, run, r);
    if (!result)
        return 0;
    (void)close(r->stop[0]);
    (void)close(r->stop[1]);
    return -result;
}

int rln__switch_recorder_begin(struct rln__switch_recorder *r,
                               const struct rln__file *file, uint32_t process,
                               pid_t child)
{
    const enum rln__clock_kind kind = (enum rln__clock_kind)file->clock_kind;
    int result;

    *r = (struct rln__switch_recorder){
        .chunk = {.file = file, .process = process, .kind = RLN__CHUNK_SWITCHES}};
    rln__clock_read(kind, &r->since);
    r->before = read_clock(kind);
    r->gate = RLN__GATE_CLOSED;
    result = rln__switch_rings_open(&r->rings, child);
    if (result)
        return result;
    result = begin_thread(r);
    r->is_on = !result;
    if (result) {
        rln__chunk_writer_end(&r->chunk);
        rln__switch_rings_close(&r->rings);
    }
    return result;
}

void rln__switch_recorder_end(struct rln__switch_recorder *r)
{
    if (!r->is_on)
        return;
    r->is_on = false;
    (void)close(r->stop[1]);
    (void)pthread_join(r->thread, NULL);
    (void)close(r->stop[0]);
    drain(r);
    rln__chunk_writer_end(&r->chunk);
    rln__switch_rings_close(&r->rings);
    rln__map_clear(&r->states);
}
