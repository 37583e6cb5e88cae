/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/strangers.h"

#include <sys/socket.h>

void rln__strangers_init(struct rln__strangers *all)
{
    pthread_mutex_init(&all->lock, NULL);
    for (unsigned i = 0; i < RLN__MAX_STRANGERS; i++)
        all->slots[i].fd = -1;
}

void rln__strangers_clear(struct rln__strangers *all)
{
    pthread_mutex_destroy(&all->lock);
}

static void close_slot(struct rln__stranger *slot)
{
    (void)shutdown(slot->fd, SHUT_RDWR);
    slot->fd = -1;
}

void rln__strangers_add(struct rln__strangers *all, int fd, int64_t now_ms)
{
    struct rln__stranger *slot = &all->slots[0];

    pthread_mutex_lock(&all->lock);
    for (unsigned i = 0; i < RLN__MAX_STRANGERS && slot->fd >= 0; i++) {
        struct rln__stranger *other = &all->slots[i];

        if (other->fd < 0 || other->since_ms < slot->since_ms)
            slot = other;
    }
    if (slot->fd >= 0)
        close_slot(slot);
    slot->fd = fd;
    slot->since_ms = now_ms;
    pthread_mutex_unlock(&all->lock);
}

void rln__strangers_forget(struct rln__strangers *all, int fd)
{
    pthread_mutex_lock(&all->lock);
    for (unsigned i = 0; i < RLN__MAX_STRANGERS; i++) {
        if (all->slots[i].fd == fd)
            all->slots[i].fd = -1;
    }
    pthread_mutex_unlock(&all->lock);
}

void rln__strangers_expire(struct rln__strangers *all, int64_t since_ms)
{
    pthread_mutex_lock(&all->lock);
    for (unsigned i = 0; i < RLN__MAX_STRANGERS; i++) {
        if (all->slots[i].fd >= 0 && all->slots[i].since_ms < since_ms)
            close_slot(&all->slots[i]);
    }
    pthread_mutex_unlock(&all->lock);
}
