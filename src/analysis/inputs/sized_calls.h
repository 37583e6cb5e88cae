/* SPDX-License-Identifier: Apache-2.0 */
/* sized_calls.h - push/pop ranges whose payloads say how many bytes they are about.
 *
 *     push("send", {bytes: 4096, root: 0})  -->  send: 4096 bytes, 9.1 us, at 0.2 s
 */
#ifndef RLN_ANALYSIS_INPUTS_SIZED_CALLS_H
#define RLN_ANALYSIS_INPUTS_SIZED_CALLS_H

#include <stdbool.h>

#include "base/key_index.h"
#include "rangeline/model.h"

struct rln__sized_call {
    double bytes, ns;
    int64_t start_ns;
    uint32_t thread;
};

/* The calls of one domain and message. Text is borrowed from the reader. */
struct rln__sized_name {
    rln_text domain_name, message;
    bool is_default_domain;
    struct rln__sized_call *calls; /* owned */
    size_t n, capacity;
};

struct rln__sized_calls {
    struct rln__sized_name *names; /* owned */
    size_t n, capacity;
    struct rln__key_index keys;
};

/* Reads the traces if a program has registered a payload with a field of bytes. Clear
 * `out` also on failure. */
rln_status rln__sized_calls_read(rln_reader *reader, struct rln__sized_calls *out,
                                 rln_error *err);
void rln__sized_calls_clear(struct rln__sized_calls *calls);

#endif
