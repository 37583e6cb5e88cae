/* SPDX-License-Identifier: Apache-2.0 */
#include "export/perfetto/perfetto_switches.h"

#include "export/perfetto/proto.h"
#include "trace/decode/switches.h"

#define MOST_EVENTS 512 /* of a packet */

/* The kernel's TASK_ and EXIT_ numbers. */
enum { RUNNABLE = 0, SLEEPING = 1, DEAD = 16 };

struct writer {
    struct rln__packets *packets;
    rln_reader *reader;
    size_t packet, bundle;
    size_t n; /* events of the packet; 0: none is begun */
    uint32_t processor;
    rln_status status;
    rln_error *err;
};

static void end_packet(struct writer *w)
{
    if (!w->n)
        return;
    w->n = 0;
    rln__proto_end(&w->packets->output->buf, w->bundle);
    w->status = rln__packet_end(w->packets, w->packet, w->err);
}

static void begin_packet(struct writer *w, uint32_t processor)
{
    struct rln__buf *out = &w->packets->output->buf;

    w->processor = processor;
    w->packet = rln__packet_begin(w->packets);
    w->bundle = rln__proto_begin(out, PACKET_FTRACE_EVENTS);
    rln__proto_varint(out, BUNDLE_CPU, processor);
}

static void put(struct writer *w, const struct rln__switch *s, uint64_t from,
                unsigned state, uint64_t to)
{
    struct rln__buf *out = &w->packets->output->buf;
    size_t event, sched_switch;

    if (w->n == MOST_EVENTS || w->processor != s->processor)
        end_packet(w);
    if (!w->n++)
        begin_packet(w, s->processor);
    event = rln__proto_begin(out, BUNDLE_EVENT);
    rln__proto_varint(out, FTRACE_TIMESTAMP, w->packets->zero_ns + (uint64_t)s->t_ns);
    rln__proto_varint(out, FTRACE_PID, from);
    sched_switch = rln__proto_begin(out, FTRACE_SCHED_SWITCH);
    rln__proto_varint(out, SWITCH_PREV_PID, from);
    rln__proto_varint(out, SWITCH_PREV_STATE, state);
    rln__proto_varint(out, SWITCH_NEXT_PID, to);
    rln__proto_end(out, sched_switch);
    rln__proto_end(out, event);
}

static int take(void *context, const struct rln__switch *s)
{
    struct writer *w = context;

    if (s->kind > RLN__SWITCH_EXECED || s->processor == RLN__NO_PROCESSOR)
        return 0;
    if (!rln__span_has(&w->reader->span, s->part, s->t_ns) ||
        (s->kind == RLN__SWITCH_EXECED && !s->comes))
        return 0;
    if (s->kind == RLN__SWITCH_ON || s->kind == RLN__SWITCH_EXECED)
        put(w, s, 0, RUNNABLE, s->tid);
    else
        put(w, s, s->tid,
            s->kind == RLN__SWITCH_PREEMPTED ? RUNNABLE
            : s->kind == RLN__SWITCH_ENDED   ? DEAD
                                             : SLEEPING,
            0);
    return w->status ? -1 : 0;
}

rln_status rln__perfetto_switches(struct rln__packets *packets, rln_reader *reader,
                                  rln_error *err)
{
    struct writer w = {.packets = packets, .reader = reader, .err = err};
    rln_status status;

    if (reader->layout.n_parts != 1)
        return RLN_OK;
    status = rln__switches_read(reader, take, &w, err);
    if (!status)
        end_packet(&w);
    return w.status ? w.status : status;
}
