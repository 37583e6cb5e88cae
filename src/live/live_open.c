/* SPDX-License-Identifier: Apache-2.0 */
#include "live/live_open.h"

#include "base/alloc.h"
#include "live/live_events.h"
#include "ranges/event_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --- Who is gone ------------------------------------------------------------------ */

/* Whether the process has our PID namespace, so that its ids are ours. */
static int is_seen(const rln_live *live, const struct rln__trace_process *process)
{
    const rln_text recorded =
        rln__strings_get(&live->reader->names.strings, process->pid_namespace);

    return recorded.length && recorded.length == live->n_pid_namespace &&
           memcmp(recorded.bytes, live->pid_namespace, recorded.length) == 0;
}

int rln__live_has_foreign_pids(const rln_live *live)
{
    const struct rln__names *names = &live->reader->names;
    int64_t now_ns;

    for (size_t i = 0; i < names->n_processes; i++)
        if (names->processes[i].pid_namespace && !is_seen(live, &names->processes[i]))
            return 1;
    return !rln__reader_now(live->reader, &now_ns);
}

/* A thread or process that has ended, but was not waited for, still has a folder in
 * /proc. */
static int has_ended(uint32_t pid, uint32_t tid)
{
    char text[64 + 256];
    const char *state;
    ssize_t n;
    int fd;

    (void)snprintf(text, sizeof(text), "/proc/%u/task/%u/stat", pid, tid);
    fd = open(text, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT || errno == ESRCH;
    n = read(fd, text, sizeof(text) - 1);
    (void)close(fd);
    text[n > 0 ? n : 0] = '\0';
    state = strrchr(text, ')');
    return n <= 0 || (state && (state[2] == 'Z' || state[2] == 'X'));
}

static int is_gone(const rln_live *live, const struct rln__trace_thread *thread)
{
    const struct rln__trace_process *process =
        &live->reader->names.processes[thread->process];

    return is_seen(live, process) && has_ended(process->record.pid, thread->tid);
}

/* Ranges started by a process that has gone stay open unless another process ends them:
 * they are kept and not counted. Without memory no process counts as gone. */
static int is_process_gone(rln_live *live, uint32_t index)
{
    enum { UNKNOWN, LIVES, GONE };
    const struct rln__trace_process *process = &live->reader->names.processes[index];
    uint8_t *gone = rln__grow_to(live->gone, &live->n_gone, &live->gone_capacity, index,
                                 sizeof(*gone));

    if (!gone)
        return 0;
    live->gone = gone;
    if (gone[index] == UNKNOWN)
        gone[index] = is_seen(live, process) &&
                              has_ended(process->record.pid, process->record.pid)
                          ? GONE
                          : LIVES;
    return gone[index] == GONE;
}

void rln__live_note_gone(rln_live *live)
{
    if (live->n_gone)
        memset(live->gone, 0, live->n_gone);
    for (uint32_t i = 0; i < live->n_threads; i++)
        live->threads[i].is_gone =
            rln__pair_innermost(&live->engine.pairing, i) != RLN__NONE &&
            is_gone(live, &live->reader->threads[i]);
}

/* --- Threads ---------------------------------------------------------------------- */

/* Without memory, a refresh that failed may have left a range without one. */
static int has_row(const rln_live *live, const struct rln__open *open)
{
    return open->node < live->n_rows;
}

static void fill_range(const rln_live *live, const struct rln__open *open,
                       rln_live_range *out)
{
    static const rln_live_row none;
    const rln_live_row *row = has_row(live, open) ? &live->rows[open->node] : &none;

    *out = (rln_live_range){row->domain, row->domain_name, row->message, open->t_ns};
}

/* Adds the open ranges of a thread, the outermost first. */
static int add_stack(rln_live *live, rln_live_thread *shown)
{
    const struct rln__open *pool = live->engine.pairing.pool;
    const uint32_t newest = rln__pair_innermost(&live->engine.pairing, shown->thread);
    rln_live_range *stacks;
    size_t n = 0;

    for (uint32_t i = newest; i != RLN__NONE; i = pool[i].older)
        n++;
    stacks = rln__grow(live->stacks, &live->stacks_capacity, live->n_stacks + n,
                       sizeof(*stacks));
    if (n && !stacks)
        return -1;
    live->stacks = stacks ? stacks : live->stacks;
    live->n_stacks += n;
    shown->n_stack = n;
    for (uint32_t i = newest; i != RLN__NONE; i = pool[i].older)
        fill_range(live, &pool[i],
                   &live->stacks[live->n_stacks - shown->n_stack + --n]);
    return 0;
}

static int show_thread(rln_live *live, uint32_t index,
                       const struct rln__live_thread_sum *own)
{
    const struct rln__trace_thread *thread = &live->reader->threads[index];
    rln_live_thread *shown = rln__append(&live->shown, &live->n_shown,
                                         &live->shown_capacity, sizeof(*shown));

    if (!shown)
        return -1;
    *shown = (rln_live_thread){
        .thread = index,
        .process = thread->process,
        .pid = live->reader->names.processes[thread->process].record.pid,
        .tid = thread->tid,
        .name = rln__thread_name(live->reader, thread->process, thread->tid, index),
        .n_events = own->n_events,
        .last_ns = own->last_ns,
    };
    return add_stack(live, shown);
}

static int is_shown(const rln_live *live, uint32_t thread)
{
    const struct rln_filter *filter = live->reader->filter;

    return !filter ||
           rln__filter_has_thread(filter, live->reader,
                                  live->reader->threads[thread].process, thread);
}

/* Threads that are inside a range, or recorded something and have not ended. */
static int show_threads(rln_live *live)
{
    const rln_live_range *at;

    for (uint32_t i = 0; i < live->n_threads; i++) {
        struct rln__live_thread_sum *own = &live->threads[i];
        const int is_inside =
            rln__pair_innermost(&live->engine.pairing, i) != RLN__NONE;

        if ((is_inside ||
             (own->n_events && !is_gone(live, &live->reader->threads[i]))) &&
            is_shown(live, i) && show_thread(live, i, own))
            return -1;
        own->n_events = 0;
    }
    at = live->stacks;
    for (size_t i = 0; i < live->n_shown; i++) { /* they do not move any more */
        live->shown[i].stack = at;
        at += live->shown[i].n_stack;
    }
    return 0;
}

/* --- Ranges ----------------------------------------------------------------------- */

static void add_range(rln_live *live, struct rln__open *range, int64_t end_ns,
                      int is_open)
{
    const uint64_t new_ns = rln__live_new_ns(live, range->t_ns, end_ns);
    const int is_started = (range->state & RLN__STARTED) != 0;
    rln_live_row *row;

    if (!has_row(live, range) ||
        !rln__predicate_matches_until(&live->predicate, range, end_ns))
        return;
    row = &live->rows[range->node];
    row->total_ns += new_ns;
    row->self_ns += is_started ? new_ns : range->self_ns;
    if (is_open && (row->n_open++ == 0 || range->t_ns < row->oldest_open_ns))
        row->oldest_open_ns = range->t_ns;
}

/* Adds a thread's open ranges. A thread that has ended was inside until its last event.
 * 0, or -1: no memory. */
static int add_stack_time(rln_live *live, uint32_t thread)
{
    const struct rln__live_thread_sum *sum =
        thread < live->n_threads ? &live->threads[thread] : NULL;
    const int is_open = !sum || !sum->is_gone;
    const int64_t end_ns = is_open ? live->totals.to_ns : sum->last_ns;
    struct rln__pairing *p = &live->engine.pairing;
    const uint32_t newest = rln__pair_innermost(p, thread);

    rln__engine_pass(&live->engine, &p->threads[thread], newest, end_ns);
    for (uint32_t at = newest; at != RLN__NONE; at = p->pool[at].older) {
        add_range(live, &p->pool[at], end_ns, is_open);
        p->pool[at].self_ns = 0; /* since this refresh */
        p->pool[at].state |= RLN__ON_STACK;
    }
    return is_open ? 0 : rln__pair_reset(p, thread, RLN__RESET_THREAD, NULL, 0);
}

static int is_left(const rln_live *live, uint32_t thread)
{
    return thread < live->n_threads && live->threads[thread].is_gone;
}

/* Start/end ranges. A push/pop range that is no longer on a stack was lost, or its
 * thread has ended or begun again: it is released. */
static void add_started(rln_live *live)
{
    struct rln__pairing *p = &live->engine.pairing;

    for (uint32_t i = 0; i < p->n_pool; i++) {
        struct rln__open *range = &p->pool[i];

        if (range->state == RLN__FREE)
            continue;
        if (range->state & RLN__STARTED) {
            if (!is_process_gone(live, live->reader->threads[range->thread].process))
                add_range(live, range, live->totals.to_ns, 1);
        } else if (range->state & RLN__ON_STACK && !is_left(live, range->thread)) {
            range->state &= (uint8_t)~RLN__ON_STACK;
        } else {
            rln__pair_release(p, i);
        }
    }
}

int rln__live_add_open(rln_live *live)
{
    for (uint32_t i = 0; i < live->engine.pairing.n_threads; i++)
        if (add_stack_time(live, i))
            return -1;
    add_started(live);
    return show_threads(live);
}
