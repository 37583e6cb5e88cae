/* SPDX-License-Identifier: Apache-2.0 */
/* lock_waits.h - who waited for which lock, and who held it meanwhile.
 *
 *     thread 1   [hold    ]     [hold  ]
 *     thread 2     [ wait ][hold]
 *     held       |--------||----|------|    by whichever thread
 */
#ifndef RLN_ANALYSIS_INPUTS_LOCK_WAITS_H
#define RLN_ANALYSIS_INPUTS_LOCK_WAITS_H

#include <stdbool.h>

#include "base/key_index.h"
#include "rangeline/model.h"

struct rln__lock_wait {
    int64_t start_ns, end_ns;
    uint32_t thread;
};

struct rln__lock_hold {
    int64_t start_ns, end_ns;
    double held_before_ns; /* by any thread, before it begins */
    int64_t held_until_ns; /* the latest end of it and those before */
    uint32_t thread;
};

/* A lock of a process. Text is borrowed from the reader. */
struct rln__lock {
    rln_text domain_name, name;
    bool is_default_domain;
    uint32_t process;
    struct rln__lock_wait *waits; /* owned, as the next; both by time */
    struct rln__lock_hold *holds;
    size_t n_waits, wait_capacity, n_holds, hold_capacity;
};

struct rln__locks {
    struct rln__lock *locks; /* owned */
    size_t n, capacity;
    struct rln__key_index keys;
};

/* Reads the traces. Clear `out` also on failure. */
rln_status rln__locks_read(rln_reader *reader, struct rln__locks *out, rln_error *err);
void rln__locks_clear(struct rln__locks *locks);

/* How much of the time from `from` to `to` it was held. */
double rln__lock_held_ns(const struct rln__lock *lock, int64_t from, int64_t to);
/* The last thread that took it before `t`; UINT32_MAX: none. */
uint32_t rln__lock_holder(const struct rln__lock *lock, int64_t t);

#endif
