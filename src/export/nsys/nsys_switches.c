/* SPDX-License-Identifier: Apache-2.0 */
#include "export/nsys/nsys_switches.h"

#include "base/alloc.h"
#include "trace/decode/switches.h"

/* Of ENUM_SAMPLING_THREAD_STATE. */
enum { RUNNING = 1, TERMINATED = 5, UNSCHEDULED = 6, WAITING = 7 };

struct writer {
    struct rln__nsys *n;
    struct rln__map processes; /* part, tid -> index + 1 */
    rln_status status;
    rln_error *err;
};

static uint64_t key_of(uint32_t part, uint32_t tid)
{
    return (uint64_t)part << 32 | tid;
}

/* --- Whose thread it is ----------------------------------------------------------- */

/* Those with events, and the first threads of processes; others are born. */
static int find_threads(struct writer *w)
{
    const rln_reader *r = w->n->x->reader;
    uint8_t *is_known = rln__switches_processes(r);
    int failed = !is_known;

    for (uint32_t i = 0; i < r->names.n_processes && !failed; i++) {
        const struct rln__trace_process *p = &r->names.processes[i];

        if (is_known[i])
            failed = rln__map_put(&w->processes, key_of(p->part, p->record.pid), i + 1);
    }
    for (size_t i = 0; i < r->n_threads && !failed; i++) {
        const struct rln__trace_thread *t = &r->threads[i];
        const uint32_t part = r->names.processes[t->process].part;

        if (is_known[t->process] && !t->is_stream)
            failed = rln__map_put(&w->processes, key_of(part, t->tid), t->process + 1);
    }
    rln__free(is_known);
    return failed ? -1 : 0;
}

static int take_birth(struct writer *w, const struct rln__switch *s)
{
    const uint64_t process = rln__map_get(&w->processes, key_of(s->part, s->pid));

    return process && s->tid != s->pid
               ? rln__map_put(&w->processes, key_of(s->part, s->tid), process)
               : 0;
}

/* --- Rows ------------------------------------------------------------------------- */

static int64_t state_of(const struct rln__switch *s)
{
    switch (s->kind) {
    case RLN__SWITCH_BLOCKED:
        return WAITING;
    case RLN__SWITCH_PREEMPTED:
        return UNSCHEDULED;
    case RLN__SWITCH_ENDED:
        return TERMINATED;
    default:
        return RUNNING;
    }
}

static rln_status write(struct writer *w, const struct rln__switch *s, uint32_t process,
                        int is_in)
{
    const struct rln__cell cells[] = {
        rln__cell_int(s->t_ns),
        rln__cell_int(s->processor),
        rln__cell_int(is_in),
        rln__cell_int(rln__nsys_global_tid(w->n, process, s->tid)),
        rln__cell_int(state_of(s)),
        rln__cell_null(),
    };

    return rln__nsys_put(w->n, RLN__T_SCHED_EVENTS, cells, w->err);
}

/* What a thread was found to do is no switch. */
static int is_wanted(const struct writer *w, const struct rln__switch *s)
{
    const struct rln__export *x = w->n->x;

    return s->processor != RLN__NO_PROCESSOR &&
           rln__span_has(&x->reader->span, s->part, s->t_ns) &&
           (!x->times.n || rln__time_ranges_have(&x->times, s->t_ns, s->t_ns));
}

static int take(void *context, const struct rln__switch *s)
{
    struct writer *w = context;
    const int is_in = s->kind == RLN__SWITCH_ON || s->kind == RLN__SWITCH_EXECED;
    uint64_t process;

    if (s->kind == RLN__SUB_BORN)
        return take_birth(w, s);
    if (s->kind > RLN__SWITCH_EXECED)
        return 0;
    process = rln__map_get(&w->processes, key_of(s->part, s->tid));
    if (process && is_wanted(w, s) && (s->kind != RLN__SWITCH_EXECED || s->comes))
        w->status = write(w, s, (uint32_t)process - 1, is_in);
    return w->status ? -1 : 0;
}

rln_status rln__nsys_switches(struct rln__nsys *n, rln_error *err)
{
    struct writer w = {.n = n, .err = err};
    rln_status status = RLN_OK;

    if (find_threads(&w))
        status = rln__fail_nomem(err);
    if (!status)
        status = rln__switches_read(n->x->reader, take, &w, err);
    rln__map_clear(&w.processes);
    return w.status ? w.status : status;
}
