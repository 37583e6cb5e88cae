/* SPDX-License-Identifier: Apache-2.0 */
/* strangers.h - bounds the connections that have not sent the token yet.
 *
 * Anyone on this machine can connect, and need not send a request. Such connections may
 * use only part of the server's: when there are too many, the oldest is closed, and so
 * is each that takes too long. A connection that has sent the token is no longer one.
 *
 * A connection is only shut down by shutdown(): its thread then reads its end, and the
 * library, which owns the descriptor, calls forget() before it closes it.
 */
#ifndef RLN_SERVE_STRANGERS_H
#define RLN_SERVE_STRANGERS_H

#include <pthread.h>
#include <stdint.h>

#define RLN__MAX_STRANGERS 32u

struct rln__stranger {
    int fd; /* -1: this slot is free */
    int64_t since_ms;
};

/* All zero except for `lock` and the descriptors, which init() sets. */
struct rln__strangers {
    pthread_mutex_t lock;
    struct rln__stranger slots[RLN__MAX_STRANGERS];
};

void rln__strangers_init(struct rln__strangers *all);
void rln__strangers_clear(struct rln__strangers *all);

/* Call for each new connection, and to forget it once it has sent the token, and before
 * its descriptor is closed. */
void rln__strangers_add(struct rln__strangers *all, int fd, int64_t now_ms);
void rln__strangers_forget(struct rln__strangers *all, int fd);

/* Closes all that connected before `since_ms`. */
void rln__strangers_expire(struct rln__strangers *all, int64_t since_ms);

#endif
