/* SPDX-License-Identifier: Apache-2.0 */
/* trace_open.c - creates the run's file or joins it, and sets up what all threads need
 * before the first event.
 */
#include "collect/process/trace_open.h"

#include "collect/capture/capture.h"
#include "collect/capture/domain_filter.h"
#include "collect/event/block.h"
#include "collect/event/row_flags.h"
#include "collect/payload/schema.h"
#include "collect/process/attach_failure.h"
#include "collect/process/config.h"
#include "collect/ring/ring_buffer.h"
#include "format/trace_path.h"
#include "format/windows.h"

#include <sys/auxv.h>

static int create(struct rln__collector *c, const char *path,
                  enum rln__clock_kind clock)
{
    const int result = rln__file_create(&c->file, path, c->config.run_id, clock,
                                        RLN__FIRST_BLOCK_BYTES, c->config.buffer_bytes);

    if (result == 0)
        rln__gate_begin(c->file.super, rln__capture_first_gate(&c->config));
    return result;
}

/* Creates a file next to an existing one: NAME-<suffix>.rln, NAME-<suffix>-2.rln, ...
 */
static int create_beside(struct rln__collector *c, const char *suffix,
                         enum rln__clock_kind clock)
{
    static char path[RLN__MAX_PATH];
    char tail[128];
    int result = -EEXIST;

    for (unsigned n = 1; n < 100 && result == -EEXIST; n++) {
        size_t used = 0;

        tail[used++] = '-';
        for (size_t i = 0; suffix[i] && used < 80; i++)
            tail[used++] = suffix[i];
        tail[used] = 0;
        if (n > 1) {
            tail[used++] = '-';
            rln__path_decimal(tail + used, n);
        }
        if (!rln__config_path_with(path, c->config.path, tail))
            return -ENAMETOOLONG;
        if (c->config.has_run_id) {
            result = rln__file_join(&c->file, path, c->config.run_id);
            if (result == 0)
                break;
        }
        result = create(c, path, clock);
    }
    if (result == 0) {
        for (size_t i = 0; i < sizeof path; i++)
            c->config.path[i] = path[i];
    }
    return result;
}

static int create_beside_pid(struct rln__collector *c, enum rln__clock_kind clock)
{
    char pid[24];

    rln__path_decimal(pid, rln__sys_getpid());
    return create_beside(c, pid, clock);
}

/* Joins the launcher's trace. A process that may not open it, because the program has
 * dropped privileges, gets a file of its own, if it may create one in that folder. */
static int join(struct rln__collector *c, enum rln__clock_kind clock)
{
    const int failure = rln__file_join(&c->file, c->config.path, c->config.run_id);
    struct utsname host;
    int result = failure;

    if (failure == 0)
        return 0;
    if (failure == RLN__JOIN_ELSEWHERE)
        result =
            rln__sys_uname(&host) < 0 ? -EIO : create_beside(c, host.nodename, clock);
    else if (failure == RLN__JOIN_FOREIGN || failure == -EACCES || failure == -EPERM)
        result = create_beside_pid(c, clock);
    rln__attach_failure(&c->config, result ? RLN__ATTACH_OPEN : RLN__ATTACH_BESIDE,
                        failure, result ? NULL : c->config.path);
    return result;
}

static int open_file(struct rln__collector *c)
{
    enum rln__clock_kind clock = (enum rln__clock_kind)c->config.clock_kind;
    int result;

    if (!clock)
        clock = rln__clock_choose();
    if (c->config.has_run_id)
        return join(c, clock);
    result = create(c, c->config.path, clock);
    return result == -EEXIST ? create_beside_pid(c, clock) : result;
}

static struct rln__process_context *wiped_process(void)
{
    const size_t n_bytes =
        (sizeof(struct rln__process_context) + 65535) & ~(size_t)65535;
    struct rln__process_context *p = rln__sys_zeros(n_bytes);

    if (p && rln__sys_madvise(p, n_bytes, MADV_WIPEONFORK) < 0) {
        rln__sys_munmap(p, n_bytes);
        return NULL; /* a kernel before 4.14: a child would not notice the fork */
    }
    return p;
}

/* The unit for pauses: the ticks of 100 ms, or slightly fewer. If the clock does not
 * report its rate, it is estimated from two tuples, read one after the other. An
 * interruption while either was read would look like a faster clock, so this computes
 * the lowest rate that they allow. */
static uint64_t ticks_per_100_ms(const struct rln__superblock *s)
{
    static const uint64_t slowest = 100000000u; /* 1 GHz, for such counters */
    const struct rln__clock_tuple *a = &s->created[0], *b = &s->created[1];
    const uint64_t rate = s->ticks_per_s;
    const uint64_t ns = b->monotonic_ns - a->monotonic_ns;
    const uint64_t most_wrong = (a->uncertainty_ticks + b->uncertainty_ticks) / 2 + 1;
    uint64_t ticks = b->ticks - a->ticks;

    if (rate)
        return rate / 10;
    if (!ns || ticks <= most_wrong)
        return slowest;
    ticks = (ticks - most_wrong) * (100000000u / ns);
    return ticks > slowest ? ticks : slowest;
}

static void set_clock(struct rln__collector *c)
{
    const struct rln__superblock *s = c->file.super;

    c->has_counter = s->clock_kind != RLN__CLOCK_MONOTONIC_RAW;
    c->ticks_per_100_ms = ticks_per_100_ms(s);
}

/* 0 if no trace can be opened; the program then runs unrecorded. */
static int open_trace(void)
{
    struct rln__collector *c = &rln__collector;

    if (!rln__config_read(&c->config))
        return 0;
    rln__flags_begin();
    c->process = wiped_process();
    if (!c->process)
        rln__attach_failure(&c->config, RLN__ATTACH_MEMORY, 0, NULL);
    if (!c->process || open_file(c) < 0)
        return 0;
    if (!rln__clock_is_allowed((enum rln__clock_kind)c->file.clock_kind)) {
        rln__attach_failure(&c->config, RLN__ATTACH_CLOCK, 0, NULL);
        rln__file_close(&c->file);
        return 0;
    }
    rln__file_hold_high(&c->file);
    rln__control = &c->file.super->control;
    rln__block_first(c->process);
    set_clock(c);
    rln__ring_buffer_limit(c);
    rln__small_payload_bytes = c->config.payload_bytes < RLN__SMALL_PAYLOAD_BYTES
                                   ? c->config.payload_bytes
                                   : RLN__SMALL_PAYLOAD_BYTES;
    rln__default_is_excluded = (uint32_t)rln__domain_is_excluded(NULL, 0);
    return 1;
}

static uint32_t open_once(void)
{
    const uint32_t opening = RLN__OPENING + rln__sys_getpid();
    uint32_t *state = &rln__collector.state;

    for (;;) {
        uint32_t seen = __atomic_load_n(state, __ATOMIC_ACQUIRE);
        uint32_t result;

        if (seen == RLN__OPENED || seen == RLN__DECLINED)
            return seen;
        if (seen == opening) {
            rln__sys_yield();
            continue;
        }
        if (!__atomic_compare_exchange_n(state, &seen, opening, 0, __ATOMIC_ACQ_REL,
                                         __ATOMIC_RELAXED))
            continue;
        result = open_trace() ? RLN__OPENED : RLN__DECLINED;
        __atomic_store_n(state, result, __ATOMIC_RELEASE);
        return result;
    }
}

int rln__is_open(void)
{
    rln__sigmask mask;
    uint32_t state;

    /* The user's environment must not choose files or code for a program with more
     * rights than the user. */
    if (getauxval(AT_SECURE))
        return 0;
    mask = rln__block_signals();
    state = open_once();
    rln__restore_signals(mask);
    return state == RLN__OPENED;
}
