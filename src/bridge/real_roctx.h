/* SPDX-License-Identifier: Apache-2.0 */
/* real_roctx.h - AMD's own functions, where its libraries are installed. */
#ifndef RLN_BRIDGE_REAL_ROCTX_H
#define RLN_BRIDGE_REAL_ROCTX_H

#include <stdint.h>

/* NULL: there is none. */
struct rln__real_roctx {
    void (*mark)(const char *);
    int (*push)(const char *);
    int (*pop)(void);
    uint64_t (*start)(const char *);
    void (*stop)(uint64_t);
    int (*pause)(uint64_t);
    int (*resume)(uint64_t);
    int (*name_thread)(const char *);
    int (*name_agent)(const char *, const void *);
    int (*name_device)(const char *, int);
    int (*name_stream)(const char *, const void *);
    int (*thread_id)(uint64_t *);
};

/* Any thread; the first call looks for them. */
const struct rln__real_roctx *rln__real_roctx(void);

#endif
