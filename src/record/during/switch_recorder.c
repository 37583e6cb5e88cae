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
/* Where only the newest switches are kept, copies are taken while the program runs. */
#define EACH_MS_OF_NEWEST 100
#define MOST_WAIT_MS 1000 /* for the rings to be read */
/* Clocks are read so often, if that takes at most this part of what the run may use: a
 * percent of its processors, and of 16 at the most. */
#define CLOCKS_MS 10
#define CLOCKS_SHARE 100
#define MOST_SHARES 16
/* New processes are looked for with each so many readings of clocks. */
#define SEARCH_EACH 10

/* --- Time ------------------------------------------------------------------------- */

/* The closest of a few readings. */
static struct rln__switch_clock read_clock(enum rln__clock_kind kind)
{
    struct rln__switch_clock best = {0, 0};
    uint64_t narrowest = UINT64_MAX;

    if (kind == RLN__CLOCK_MONOTONIC_RAW) {
        best.ticks = best.raw_ns = rln__ring_now();
        return best;
    }
    for (int i = 0; i < 4; i++) {
        const uint64_t before = rln__counter();
        const uint64_t ns = rln__ring_now();
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

/* What is written next happened on it. */
static bool put_processor(struct rln__switch_recorder *r, uint32_t processor)
{
    const uint64_t operand = processor;

    if (r->processor == processor)
        return true;
    if (!put_long(r, RLN__SUB_PROCESSOR, &operand, 1))
        return false;
    r->processor = processor;
    r->chunk.thread = processor + 1; /* of the next chunk, which may begin at once */
    return true;
}

static bool put(struct rln__switch_recorder *r, const struct rln__ring_record *record,
                uint64_t ticks)
{
    const uint64_t born[] = {ticks, rln__pair32(record->pid, record->tid),
                             rln__pair32(record->parent_pid, record->parent_tid)};
    const uint64_t lost[] = {ticks_of(r, record->from_ns), ticks, record->n_lost,
                             record->tid};

    if (!put_processor(r, record->processor))
        return false;
    if (record->kind == RLN__SUB_BORN)
        return put_long(r, RLN__SUB_BORN, born, RLN_COUNT(born));
    if (record->kind == RLN__SUB_SWITCHES_LOST)
        return put_long(r, RLN__SUB_SWITCHES_LOST, lost, RLN_COUNT(lost));
    return put_switch(r, ticks, record->kind, record->tid);
}

/* --- What is not written ---------------------------------------------------------- */

static void take(void *context, const struct rln__ring_record *record)
{
    struct rln__switch_recorder *r = context;
    const uint64_t ticks = ticks_of(r, record->time_ns);

    rln__last_switches_note(&r->last, record, ticks);
    if (r->writes && put(r, record, ticks))
        return;
    if (!r->unwritten.n++)
        r->unwritten.from_ns = r->before.raw_ns; /* records are in no order */
}

/* Says what was not written, and what all threads do after it. */
static void resume(struct rln__switch_recorder *r)
{
    const struct rln__ring_record lost = {.kind = RLN__SUB_SWITCHES_LOST,
                                          .time_ns = r->before.raw_ns,
                                          .from_ns = r->unwritten.from_ns,
                                          .n_lost = r->unwritten.n,
                                          .processor = RLN__NO_PROCESSOR};
    struct rln__last_switch last;
    size_t at = 0;

    if (!r->unwritten.n || !put(r, &lost, r->before.ticks))
        return;
    r->unwritten.n = 0;
    while (rln__last_switches_next(&r->last, &at, &last))
        if (last.kind != RLN__SWITCH_ENDED &&
            !put_switch(r, last.ticks > r->before.ticks ? last.ticks : r->before.ticks,
                        last.kind, last.tid))
            break; /* unknown, as before */
}

/* Of a thread that has ended, too: an earlier record of it, on another processor, may come
 * only now. */
static size_t repeat_last(void *context, uint64_t since_ticks, uint64_t *to,
                          size_t most_words)
{
    const struct rln__switch_recorder *r = context;
    uint64_t lost_until = r->last.lost_until;
    struct rln__last_switch last;
    size_t at = 0, n = 0;

    while (rln__last_switches_next(&r->last, &at, &last))
        if (n + 4 <= most_words) {
            to[n++] = last.ticks;
            to[n++] = rln__pair32(last.kind, last.tid);
        } else if (last.ticks > lost_until) {
            lost_until = last.ticks;
        }
    if (lost_until > since_ticks) {
        to[n++] = lost_until;
        to[n++] = 0; /* of any thread */
    }
    return n;
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

/* --- Threads that are recorded each by itself ------------------------------------- */

/* It takes the number of the first thread of its process, and the kernel says no more of
 * its own one. */
static void take_rename(struct rln__switch_recorder *r,
                        const struct rln__ring_record *execed)
{
    const struct rln__switch_source *source = r->sources.all[r->source];
    struct rln__ring_record ended = *execed;

    if (source->tid == execed->tid)
        return;
    ended.kind = RLN__SWITCH_ENDED;
    ended.tid = source->tid;
    take(r, &ended);
    rln__switch_sources_rename(&r->sources, r->source, execed->tid);
}

static void take_of_thread(void *context, const struct rln__ring_record *record)
{
    struct rln__switch_recorder *r = context;
    struct rln__switch_source *source = r->sources.all[r->source];
    struct rln__ring_record of = *record;

    switch (record->kind) {
    case RLN__SUB_BORN: /* what it has done since is not known */
        rln__new_threads_note(&r->new_threads, &(struct rln__new_thread){
                                                   .pid = record->pid,
                                                   .tid = record->tid,
                                               });
        return;
    case RLN__SWITCH_ENDED:
        source->has_ended = true;
        break;
    case RLN__SWITCH_EXECED:
        take_rename(r, record);
        break;
    case RLN__SUB_SWITCHES_LOST:
        of.tid = source->tid;
        rln__new_threads_note(&r->new_threads, &(struct rln__new_thread){
                                                   .pid = source->pid,
                                                   .tid = source->tid,
                                                   .is_recorded = true,
                                               });
        break;
    default:
        break;
    }
    take(r, &of);
}

/* Its end did not fit into its ring. */
static void take_end(struct rln__switch_recorder *r,
                     const struct rln__switch_source *source)
{
    const struct rln__ring_record lost = {.kind = RLN__SUB_SWITCHES_LOST,
                                          .time_ns = r->now.raw_ns,
                                          .from_ns = source->switches.last_ns,
                                          .n_lost = 1,
                                          .tid = source->tid,
                                          .processor = RLN__NO_PROCESSOR};

    take(r, &lost);
}

/* --- Clocks of threads ------------------------------------------------------------- */

static bool are_same(const struct rln__cpu_reading *a, const struct rln__cpu_reading *b)
{
    return a->on_ns == b->on_ns && a->waited_ns == b->waited_ns;
}

static void put_reading(struct rln__switch_recorder *r, struct rln__switch_source *of,
                        const struct rln__cpu_reading *reading)
{
    const uint64_t operands[] = {ticks_of(r, reading->time_ns), rln__pair32(0, of->tid),
                                 reading->on_ns, reading->waited_ns};

    if (r->writes && reading->time_ns != of->clocks.written.time_ns &&
        put_processor(r, RLN__NO_PROCESSOR) &&
        put_long(r, RLN__SUB_CPU_CLOCKS, operands, RLN_COUNT(operands)))
        of->clocks.written = *reading; /* else the next one is of a longer time */
}

/* Of a time in which nothing changes, only its ends are written. */
static void take_reading(struct rln__switch_recorder *r, struct rln__switch_source *of,
                         const struct rln__cpu_reading *reading)
{
    struct rln__cpu_clocks *clocks = &of->clocks;

    if (!are_same(reading, &clocks->written) ||
        reading->time_ns - clocks->written.time_ns > EACH_MS * 1000000ull) {
        put_reading(r, of, &clocks->newest);
        put_reading(r, of, reading);
    }
    clocks->newest = *reading;
}

static void read_clocks(struct rln__switch_recorder *r, bool writes_all)
{
    rln__new_threads_search(&r->new_threads, &r->sources,
                            r->n_readings++ % SEARCH_EACH == 0);
    rln__new_threads_add(&r->new_threads, &r->sources, take, r);
    for (size_t i = r->sources.n; i-- > 0;) {
        struct rln__switch_source *source = r->sources.all[i];
        struct rln__cpu_reading reading;

        if (rln__cpu_clocks_read(&source->clocks, &reading)) {
            take_reading(r, source, &reading);
            if (writes_all)
                put_reading(r, source, &reading);
        } else {
            put_reading(r, source, &source->clocks.newest);
            rln__switch_sources_remove(&r->sources, i);
        }
    }
}

/* Of this thread, on a processor. */
static uint64_t own_cpu_ns(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* How long to wait after what took so long on a processor, as it mostly does. */
static int wait_ms(struct rln__switch_recorder *r, uint64_t took_ns)
{
    const uint64_t n =
        r->sources.n_processors < MOST_SHARES ? r->sources.n_processors : MOST_SHARES;
    uint64_t ms;

    r->took_ns = r->took_ns ? (7 * r->took_ns + took_ns) / 8 : took_ns;
    ms = r->took_ns * CLOCKS_SHARE / (n ? n : 1) / 1000000;

    if (r->sources.way != RLN__CLOCKS_BY_THREAD)
        return r->chunk.newest ? EACH_MS_OF_NEWEST : EACH_MS;
    return ms > EACH_MS ? EACH_MS : ms > CLOCKS_MS ? (int)ms : CLOCKS_MS;
}

/* --- The thread of the launcher --------------------------------------------------- */

static void read_processors(struct rln__switch_recorder *r)
{
    for (size_t i = r->sources.n; i-- > 0;) {
        struct rln__switch_source *source = r->sources.all[i];

        if (rln__switch_ring_has_any(&source->switches))
            rln__switch_ring_read(&source->switches, take, r);
        if (source->is_over)
            rln__switch_sources_remove(&r->sources, i);
    }
}

/* Those from an index on. */
static void read_threads_from(struct rln__switch_recorder *r, size_t first)
{
    for (size_t i = r->sources.n; i-- > first;) {
        struct rln__switch_source *source = r->sources.all[i];

        r->source = i;
        if (rln__switch_ring_has_any(&source->lives))
            rln__switch_ring_read(&source->lives, take_of_thread, r);
        if (rln__switch_ring_has_any(&source->switches))
            rln__switch_ring_read(&source->switches, take_of_thread, r);
        if (!source->is_over)
            continue;
        if (!source->has_ended)
            take_end(r, source);
        rln__switch_sources_remove(&r->sources, i);
    }
}

static void read_threads(struct rln__switch_recorder *r)
{
    size_t n;

    read_threads_from(r, 0);
    n = r->sources.n;
    rln__new_threads_add(&r->new_threads, &r->sources, take, r);
    read_threads_from(r, n); /* nothing wakes us for what they have already */
}

/* `writes_all`: also that nothing has changed. */
static void drain(struct rln__switch_recorder *r, bool writes_all)
{
    const enum rln__clock_kind kind = (enum rln__clock_kind)r->chunk.file->clock_kind;
    const uint64_t before_ns = own_cpu_ns();
    struct rln__clock_tuple since;

    rln__clock_read(kind, &since);
    r->now = read_clock(kind);
    r->writes = has_window(r);
    if (r->writes)
        resume(r);
    if (r->sources.way == RLN__CLOCKS_BY_THREAD)
        read_clocks(r, writes_all);
    else if (r->sources.way == RLN__SWITCHES_BY_THREAD)
        read_threads(r);
    else
        read_processors(r);
    rln__last_switches_forget_ended(&r->last);
    if (r->writes)
        (void)put_long(r, RLN__SUB_SWITCHES_UNTIL, &r->now.ticks, 1);
    r->wait_ms = wait_ms(r, own_cpu_ns() - before_ns);
    r->before = r->now;
    r->since = since;
}

static bool has_any(int fd)
{
    char bytes[16];

    return read(fd, bytes, sizeof(bytes)) > 0;
}

static void *run(void *context)
{
    struct rln__switch_recorder *r = context;

    while (rln__switch_sources_wait(
        &r->sources,
        r->new_threads.n && r->sources.way != RLN__CLOCKS_BY_THREAD ? 0 : r->wait_ms)) {
        const bool is_awaited = has_any(r->stop[0]);

        drain(r, is_awaited);
        if (is_awaited && write(r->drained[1], "", 1) < 0)
            continue; /* it is full of answers that came too late */
    }
    return NULL;
}

/* All but the sources and `stop`'s end for writing. */
static void clear(struct rln__switch_recorder *r)
{
    (void)close(r->stop[0]);
    (void)close(r->drained[0]);
    (void)close(r->drained[1]);
    rln__chunk_writer_end(&r->chunk);
    rln__newest_chunks_clear(&r->newest);
    rln__new_threads_clear(&r->new_threads);
    rln__last_switches_clear(&r->last);
}

/* 0 or -errno; what was done before stays. */
static int begin(struct rln__switch_recorder *r, pid_t child)
{
    int result;

    if (pipe2(r->stop, O_CLOEXEC | O_NONBLOCK) < 0 ||
        pipe2(r->drained, O_CLOEXEC | O_NONBLOCK) < 0)
        return -errno;
    result = rln__switch_sources_open(&r->sources, child, r->stop[0]);
    if (result)
        return result;
    result = rln__chunk_writer_begin(&r->chunk);
    if (!result)
        result = -pthread_create(&r->thread, NULL, run, r);
    if (result)
        rln__switch_sources_close(&r->sources);
    return result;
}

/* Only the newest switches, in about so many bytes. */
static void keep_newest(struct rln__switch_recorder *r, uint64_t n_bytes)
{
    r->newest = (struct rln__newest_chunks){
        .most_bytes = n_bytes, .repeat = repeat_last, .context = r};
    r->chunk.newest = &r->newest;
    r->chunk.kind = RLN__CHUNK_NEWEST_SWITCHES;
}

int rln__switch_recorder_begin(struct rln__switch_recorder *r,
                               const struct rln__file *file, uint32_t process,
                               pid_t child)
{
    const enum rln__clock_kind kind = (enum rln__clock_kind)file->clock_kind;
    int result;

    *r = (struct rln__switch_recorder){
        .chunk = {.file = file, .process = process, .kind = RLN__CHUNK_SWITCHES},
        .processor = RLN__NO_PROCESSOR,
        .stop = {-1, -1},
        .drained = {-1, -1}};
    rln__clock_read(kind, &r->since);
    r->before = read_clock(kind);
    r->gate = RLN__GATE_CLOSED;
    if (file->super->ring.buffer_bytes)
        keep_newest(r, file->super->ring.buffer_bytes);
    result = begin(r, child);
    r->is_on = !result;
    if (result) {
        (void)close(r->stop[1]);
        clear(r);
    }
    return result;
}

void rln__switch_recorder_catch_up(struct rln__switch_recorder *r)
{
    struct pollfd drained = {.fd = r->drained[0], .events = POLLIN};

    if (!r->is_on)
        return;
    while (has_any(r->drained[0])) /* who waited before has given up */
        ;
    if (write(r->stop[1], "", 1) == 1)
        (void)poll(&drained, 1, MOST_WAIT_MS);
}

size_t rln__switch_recorder_end(struct rln__switch_recorder *r)
{
    size_t n_without_room;

    if (!r->is_on)
        return 0;
    r->is_on = false;
    (void)close(r->stop[1]);
    (void)pthread_join(r->thread, NULL);
    drain(r, true);
    rln__switch_sources_close(&r->sources);
    n_without_room = r->new_threads.n_without_room;
    clear(r);
    return n_without_room;
}
