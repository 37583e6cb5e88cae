/* SPDX-License-Identifier: Apache-2.0 */
/* row_expansion.h - turns rows with a start and an end into events in time order.
 *
 *   row  [start----end]        thread's stream  push a  push b  pop  pop
 *   row     [start-end]                         start   start   end  end
 *
 * Rows come in the order of their starts. Only their ends are kept, until the thread's
 * next event is later: memory grows with the number of open ranges.
 *
 * A push/pop range that crosses another one of its thread and domain cannot be
 * expressed by pushes and pops. It goes onto another lane: a thread with the same tid.
 */
#ifndef RLN_IMPORT_ROW_EXPANSION_H
#define RLN_IMPORT_ROW_EXPANSION_H

#include "base/key_index.h"
#include "import/scratch_trace.h"

#define RLN__NO_LANE UINT32_MAX
#define RLN__OPEN_END INT64_MAX

/* A mark, a sample, or the begin of a range. */
struct rln__folded {
    int64_t start_ns;
    int64_t end_ns; /* RLN__OPEN_END: never closed; only for ranges */
    uint32_t lane;  /* of its thread */
    uint32_t end_lane;
    uint32_t attributes; /* id in the process; for a sample, the id in its record */
    uint32_t domain;     /* id in the process */
    enum rln__kind kind; /* RLN__MARK, PUSH, START, SAMPLE or NO_VALUE */
    int has_value;
    uint64_t value;
    const uint64_t *segments; /* borrowed: FORMAT.md 5, payloads */
    uint32_t n_segment_words, n_payloads;
};

struct rln__open_end {
    int64_t end_ns;
    uint64_t order; /* of begins */
    uint64_t range; /* of a start/end range: its id */
    uint32_t domain;
    uint32_t stack; /* of a push/pop range */
};

/* The ends of the open ranges on a lane in one domain. They nest, so the last one ends
 * first. */
struct rln__end_stack {
    int64_t *ends; /* owned */
    size_t n, capacity;
};

struct rln__import_lane {
    struct rln__scratch_trace_stream stream;
    struct rln__open_end *heap; /* owned; [0] ends next */
    size_t n, capacity;
    uint32_t next; /* of the same thread; RLN__NO_LANE */
};

struct rln__row_expansion {
    struct rln__scratch_trace *trace; /* borrowed */
    struct rln__import_lane *lanes;   /* owned, like the others below */
    size_t n_lanes, capacity;
    struct rln__key_index threads; /* {process, tid, which lane} -> lane */
    struct rln__end_stack *stacks;
    size_t n_stacks, stacks_capacity;
    struct rln__key_index by_domain; /* {lane, domain} -> stack */
    uint64_t n_begun;
};

/* The first lane of a thread, added if it is new; RLN__NO_LANE when there is no memory.
 * A process is its number in the trace. */
uint32_t rln__row_expansion_thread(struct rln__row_expansion *expansion,
                                   uint32_t process, uint32_t tid);

/* Writes the system's name of a thread, truncated to 16 bytes. */
rln_status rln__row_expansion_name(struct rln__row_expansion *expansion, uint32_t lane,
                                   int64_t t_ns, rln_text name, rln_error *err);

/* Adds a row that does not start before the previous one. `*is_lost`: it crosses more
 * ranges than a thread may have lanes. */
rln_status rln__row_expansion_add(struct rln__row_expansion *expansion,
                                  const struct rln__folded *row, int *is_lost,
                                  rln_error *err);

/* Adds a record to a thread, at a time that is not before the thread's other records.
 */
uint64_t *rln__row_expansion_take(struct rln__row_expansion *expansion, uint32_t lane,
                                  int64_t t_ns, size_t n_words, rln_error *err);

/* Writes the remaining ends and chunks. */
rln_status rln__row_expansion_end(struct rln__row_expansion *expansion, rln_error *err);
void rln__row_expansion_clear(struct rln__row_expansion *expansion);

#endif
