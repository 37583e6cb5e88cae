/* SPDX-License-Identifier: Apache-2.0 */
/* switches.h - reads the context switches of a trace (docs/reference/FORMAT.md 11). */
#ifndef RLN_TRACE_DECODE_SWITCHES_H
#define RLN_TRACE_DECODE_SWITCHES_H

#include "trace/open/opened.h"

/* In the order in which they were recorded: processor by processor, or thread by thread.
 *
 * If another thread than the first of its process executes a program, it takes the id of
 * the first, and the kernel says no more of its own one: that is given as ENDED. */
struct rln__switch {
    int64_t t_ns;
    int64_t to_ns; /* LOST: those from t_ns to here */
    uint32_t part;
    uint32_t processor; /* RLN__NO_PROCESSOR: any */
    uint32_t tid;       /* LOST: of this thread, or 0: of any */
    uint32_t pid;       /* BORN */
    /* Or RLN__SUB_BORN, RLN__SUB_SWITCHES_LOST, _UNTIL, RLN__SUB_CPU_CLOCKS. */
    unsigned kind;             /* enum rln__switch_kind */
    uint64_t on_ns, waited_ns; /* CLOCKS */
    int comes; /* EXECED: its id is not known to have been on the processor before */
};

/* What those of a part take in the trace; RLN__NONE: of all parts. */
uint64_t rln__switches_bytes(const rln_reader *reader, uint32_t part);

/* From when on those of a part are here, where older ones were overwritten; RLN__NONE: of the
 * part where that is latest. INT64_MIN: none were. */
int64_t rln__switches_since_ns(const rln_reader *reader, uint32_t part);

/* By process: whether the switches have its ids, which are of the PID namespace of the
 * launcher. Owned by the caller; NULL: no memory. */
uint8_t *rln__switches_processes(const rln_reader *reader);

/* Gives each to `take`, which returns 0, or -1: no memory. */
rln_status rln__switches_read(rln_reader *reader,
                              int (*take)(void *context, const struct rln__switch *),
                              void *context, rln_error *err);

#endif
