/* SPDX-License-Identifier: Apache-2.0 */
/* summary_run.c - the fast path: straight from words to sums.
 *
 *   push --> pushed[n++]                pop --> pushed[--n] --> a closed range
 *   the end of the run: the rest of pushed --> the pairing, as open ranges
 *
 * Most ranges open and close within a run, and need only a stack instead of the
 * pairing. Anything unusual ends the run and is left to summary.c.
 */
#include "reports/summary/summary_run.h"
#include "base/fail.h"
#include "reports/summary/summary_rows.h"

#define MARKS (1u << RLN__MARK | 1u << RLN__MARK_VALUE)
#define PUSHES (1u << RLN__PUSH | 1u << RLN__PUSH_VALUE)
#define MOST_PUSHED 64

struct pushed {
    int64_t t_ns;
    uint32_t attr, domain_id, node;
};

/* The state of a run. */
struct state {
    struct rln__summary *s;
    const struct rln__run *run;
    struct pushed pushed[MOST_PUSHED]; /* the newest ranges of the thread */
    size_t n_pushed;
    uint32_t outer; /* the node that encloses these */
};

enum outcome { DONE, NOT_HERE, NO_MEMORY };

static inline enum outcome push(struct state *state, uint32_t id, int64_t t_ns)
{
    struct rln__summary *s = state->s;
    const struct rln__trace_process *p =
        &s->reader->names.processes[state->run->process];
    const uint32_t attr = id < p->n_attrs ? p->attrs[id] - 1 : RLN__NONE;
    const size_t n = state->n_pushed;
    uint32_t node;

    if (attr == RLN__NONE || n == MOST_PUSHED)
        return NOT_HERE;
    node = rln__summary_child_of(s, n ? state->pushed[n - 1].node : state->outer, attr);
    if (node == RLN__NONE)
        return NO_MEMORY;
    state->pushed[n] = (struct pushed){
        .t_ns = t_ns,
        .attr = attr,
        .domain_id = s->reader->names.attrs[attr].domain_id,
        .node = node,
    };
    state->n_pushed++;
    return DONE;
}

static inline enum outcome pop(struct state *state, uint32_t domain_id, int64_t t_ns)
{
    struct rln__summary *s = state->s;
    const struct rln__summary_node *node;
    const struct pushed *range;
    int64_t ns;

    if (state->n_pushed == 0) /* it was pushed before this run */
        return NOT_HERE;
    range = &state->pushed[state->n_pushed - 1];
    if (range->domain_id != domain_id) /* a range of another domain is crossed */
        return NOT_HERE;
    state->n_pushed--;
    node = &s->nodes[range->node];
    ns = t_ns > range->t_ns ? t_ns - range->t_ns : 0;
    return rln__sums_add(&s->sums, (uint64_t)ns, node->row, range->node, node->parent,
                         state->run->part)
               ? NO_MEMORY
               : DONE;
}

/* 0, or -1: no memory. */
static int leave_open(const struct state *state)
{
    struct rln__pairing *p = &state->s->pairing;

    for (size_t i = 0; i < state->n_pushed; i++) {
        const struct pushed *range = &state->pushed[i];
        const uint32_t index = rln__pair_push(p, range->domain_id, state->run->thread,
                                              range->t_ns, range->attr);

        if (index == RLN__NONE)
            return -1;
        p->pool[index].node = range->node;
        p->pool[index].part = (uint16_t)state->run->part;
    }
    return 0;
}

static void count(struct rln__summary *s, uint64_t n_events, uint64_t n_marks,
                  int64_t first_ns, int64_t last_ns)
{
    if (n_events == 0)
        return;
    s->totals.n_events += n_events;
    s->totals.n_marks += n_marks;
    s->totals.first_ns = first_ns < s->totals.first_ns ? first_ns : s->totals.first_ns;
    s->totals.last_ns = last_ns > s->totals.last_ns ? last_ns : s->totals.last_ns;
}

rln_status rln__summary_run(void *summary, const struct rln__run *run, size_t *n_taken,
                            uint64_t *last_word, rln_error *err)
{
    struct rln__summary *s = summary;
    struct rln__timeline *timeline = &s->reader->timelines[run->part];
    struct state state;
    enum outcome outcome = DONE;
    uint64_t n_events = 0, n_marks = 0, n_ranges = 0;
    int64_t first_ns = 0, last_ns = 0;
    size_t at = 0;

    state.s = s;
    state.run = run;
    state.n_pushed = 0;
    state.outer = rln__summary_newest(s, run->thread);
    while (at + 2 < run->n_words) { /* the next record's word is needed, too */
        const uint64_t word = run->words[at];
        const unsigned kind = (unsigned)(word & 15);
        const size_t n = kind < RLN__MARK_VALUE ? 1 : 2;
        const uint32_t id = (uint32_t)(word >> RLN__ID_SHIFT) & RLN__MAX_ID;
        int64_t t_ns;

        if (!rln__is_later(run->words[at + n], word))
            break;
        t_ns = rln__timeline_ns(timeline, run->base_ticks + (word >> RLN__TICKS_SHIFT));
        if (kind == RLN__POP) {
            outcome = pop(&state, id, t_ns);
            n_ranges += outcome == DONE;
        } else if ((PUSHES >> kind) & 1) {
            outcome = push(&state, id, t_ns);
        } else if ((MARKS >> kind) & 1) {
            n_marks++;
        } else {
            break;
        }
        if (outcome != DONE)
            break;
        first_ns = n_events ? first_ns : t_ns;
        last_ns = t_ns;
        *last_word = word;
        n_events++;
        at += n;
    }
    count(s, n_events, n_marks, first_ns, last_ns);
    if (n_events)
        rln__part_ends_see(&s->part_ends, run->part, last_ns);
    s->totals.n_ranges += n_ranges;
    *n_taken = at;
    if (outcome == NO_MEMORY || leave_open(&state))
        return rln__fail_nomem(err);
    return RLN_OK;
}
