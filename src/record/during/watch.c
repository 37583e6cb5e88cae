/* SPDX-License-Identifier: Apache-2.0 */
#include "record/during/watch.h"

#include <limits.h>
#include <time.h>

#include "base/clock.h"
#include "base/monotonic.h"
#include "format/windows.h"

#define POLL_NS 100000000u
#define POLL_OFTEN_NS 10000000u /* for the window that the duration counts from */
#define NEVER UINT64_MAX

static uint64_t ticks_now(const struct rln__file *file)
{
    struct rln__clock_tuple now;

    rln__clock_read((enum rln__clock_kind)file->clock_kind, &now);
    return now.ticks;
}

static void change(struct rln__watch *w, uint32_t set, uint32_t clear,
                   enum rln__window_cause cause)
{
    (void)rln__gate_change(w->super, set, clear, cause, ticks_now(w->file));
}

void rln__watch_begin(struct rln__watch *w, const struct rln__file *file)
{
    uint32_t gate = w->first_gate;

    w->file = file;
    w->super = file->super;
    w->delay_until_ns = NEVER;
    if (w->starts_later) {
        gate |= RLN__GATE_COMMAND;
    } else if (w->delay_ns) {
        gate |= RLN__GATE_DELAY;
        w->delay_until_ns = (uint64_t)rln__monotonic_ns() + w->delay_ns;
    }
    rln__gate_begin(w->super, gate);
}

bool rln__watch_is_needed(const struct rln__watch *w)
{
    return w->delay_until_ns != NEVER || w->duration_ns || w->max_bytes ||
           w->shuts_down;
}

static bool has_window(const struct rln__superblock *super)
{
    return rln__gate_had_window(
        __atomic_load_n(&super->control.gate, __ATOMIC_ACQUIRE));
}

/* How long ago the first window opened, at the clock's rate since the file was made. */
static uint64_t open_for_ns(const struct rln__file *file)
{
    const struct rln__superblock *super = file->super;
    const uint64_t opened = rln__first_window_opened(super);
    const struct rln__clock_tuple *created = &super->created[0];
    struct rln__clock_tuple now;

    rln__clock_read((enum rln__clock_kind)file->clock_kind, &now);
    if (opened <= created->ticks || now.ticks <= opened)
        return 0;
    return (uint64_t)((double)(now.monotonic_ns - created->monotonic_ns) *
                      (double)(now.ticks - opened) /
                      (double)(now.ticks - created->ticks));
}

static enum rln__watch_end why_over(const struct rln__watch *w, uint64_t now)
{
    struct stat st;

    if (w->record_until_ns && now >= w->record_until_ns)
        return RLN__WATCH_DURATION;
    if (w->max_bytes && fstat(w->file->fd, &st) == 0 &&
        (uint64_t)st.st_blocks * 512 >= w->max_bytes)
        return RLN__WATCH_SIZE;
    if (rln__gate_of(w->super) & RLN__GATE_SHUTDOWN)
        return RLN__WATCH_CAPTURED;
    return RLN__WATCH_GOES_ON;
}

enum rln__watch_end rln__watch_poll(struct rln__watch *w)
{
    static const enum rln__window_cause causes[] = {
        [RLN__WATCH_DURATION] = RLN__WINDOW_BY_TIME,
        [RLN__WATCH_SIZE] = RLN__WINDOW_BY_SIZE,
        [RLN__WATCH_CAPTURED] = RLN__WINDOW_BY_RUN, /* it is closed by then */
    };
    const uint64_t now = (uint64_t)rln__monotonic_ns();
    enum rln__watch_end end;

    if (w->is_over)
        return RLN__WATCH_GOES_ON;
    if (now >= w->delay_until_ns) {
        w->delay_until_ns = NEVER;
        change(w, 0, RLN__GATE_DELAY, RLN__WINDOW_BY_TIME);
    }
    if (w->duration_ns && !w->record_until_ns && has_window(w->super))
        w->record_until_ns = now - open_for_ns(w->file) + w->duration_ns;
    end = why_over(w, now);
    if (end == RLN__WATCH_GOES_ON)
        return end;
    w->is_over = true;
    change(w, RLN__GATE_OVER, RLN__GATE_WATCHED, causes[end]);
    return end;
}

long rln__watch_next_ms(const struct rln__watch *w)
{
    const uint64_t now = (uint64_t)rln__monotonic_ns();
    const bool waits = w->duration_ns && !w->record_until_ns;
    uint64_t next = now + (waits ? POLL_OFTEN_NS : POLL_NS);

    if (w->is_over)
        return LONG_MAX;
    if (w->delay_until_ns < next)
        next = w->delay_until_ns;
    if (w->record_until_ns && w->record_until_ns < next)
        next = w->record_until_ns;
    return next > now ? (long)((next - now + 999999) / 1000000) : 0;
}
