/* SPDX-License-Identifier: Apache-2.0 */
/* load.h - the opened traces: what rln_reader is inside the library. */
#ifndef RLN_MODEL_LOAD_H
#define RLN_MODEL_LOAD_H

#include "format/names.h"
#include "model/beginnings.h"
#include "model/payload_decode.h"
#include "model/shift.h"
#include "model/timeline.h"
#include "model/window_list.h"
#include "rangeline/losses.h"
#include "rangeline/reader.h"

/* Threads are told apart by their number in their process; tids come again. */
struct rln__thread {
    uint32_t process;
    uint32_t number;
    uint32_t tid;
    uint32_t system_name; /* string number */
};

struct rln_filter;

struct rln_reader {
    struct rln__damages damages;
    struct rln__input **files; /* owned, each one too */
    size_t n_files;
    struct rln__layout layout;
    struct rln__names names;
    struct rln__timeline *timelines; /* owned; one for each part */
    struct rln__shift *shifts;       /* owned; of each part */
    struct rln__thread *threads;     /* owned */
    size_t n_threads, threads_capacity;
    struct rln__map threads_by_number;
    struct rln__newest_chunks newest;
    struct rln__windows windows;
    struct rln__span span;            /* what is read of them */
    size_t selected;                  /* index, or RLN_ALL_WINDOWS */
    const struct rln_filter *filter;  /* borrowed; NULL: all is wanted */
    struct rln__decoder said_decoder; /* event_payloads.c's, as the next */
    struct rln__pieces said_pieces;
    rln_losses losses; /* lent */
    rln_twin twin;     /* lent */
    int n_futile;      /* looks for a name in a growing trace that found none */
};

static inline int64_t rln__reader_ns(rln_reader *reader, uint32_t part, uint64_t ticks)
{
    return rln__timeline_ns(&reader->timelines[part], ticks);
}

/* What time it is now, if the first part is of this machine since it was started: 1, or
 * 0 and nothing. */
int rln__reader_now(const rln_reader *reader, int64_t *t_ns);

/* The first part that has the same clock: one of the same boot. */
uint32_t rln__clock_part(const struct rln__layout *layout, uint32_t part);

/* Moves the clocks of parts, from what they say by themselves; NULL: none. Nothing is
 * selected any more. On failure the reader is of no more use. */
rln_status rln__reader_shift(rln_reader *reader, const struct rln__shift *shifts,
                             rln_error *err);

/* Events that found no room. Gaps tell of most of them; but the last ones have no event
 * behind them that could. */
uint64_t rln__reader_dropped(const rln_reader *reader);

/* The index of a thread, added if it is new; RLN__NONE if there is no memory. */
uint32_t rln__reader_thread(rln_reader *reader, uint32_t process, uint32_t number,
                            uint32_t tid);

/* Attributes of `id`; reads names again where a growing trace may have new ones. */
uint32_t rln__reader_attr_slow(rln_reader *reader, uint32_t process, uint32_t id);

/* Something has no meaning. Whether names were read again and there are more: then ask
 * again. */
int rln__reader_names_grew(rln_reader *reader);

static inline uint32_t rln__reader_attr(rln_reader *reader, uint32_t process,
                                        uint32_t id)
{
    const struct rln__process *p = &reader->names.processes[process];

    if (id < p->n_attrs && p->attrs[id])
        return p->attrs[id] - 1;
    return rln__reader_attr_slow(reader, process, id);
}

/* Chunks of events in the order in which they enter a merge by time (RLN_OK and an
 * owned copy), or in which each thread wrote them. */
enum rln__chunk_order { RLN__BY_TIME, RLN__BY_THREAD };
rln_status rln__reader_chunks(rln_reader *reader, enum rln__chunk_order order,
                              struct rln__chunk **out, size_t *n, rln_error *err);

#endif
