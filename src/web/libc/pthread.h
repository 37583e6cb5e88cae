/* SPDX-License-Identifier: Apache-2.0 */
/* pthread.h - there is one thread, so creating another one fails, and locks are free.
 * What uses threads does the work itself then. */
#ifndef RLN_WEB_LIBC_PTHREAD_H
#define RLN_WEB_LIBC_PTHREAD_H

#include <errno.h>

typedef struct {
    char unused;
} pthread_t, pthread_mutex_t, pthread_cond_t;

static inline int pthread_create(pthread_t *thread, const void *attributes,
                                 void *(*start)(void *), void *context)
{
    (void)thread;
    (void)attributes;
    (void)start;
    (void)context;
    return EAGAIN;
}

static inline int pthread_join(pthread_t thread, void **result)
{
    (void)thread;
    (void)result;
    return ESRCH;
}

static inline int pthread_mutex_init(pthread_mutex_t *mutex, const void *attributes)
{
    (void)mutex;
    (void)attributes;
    return 0;
}

static inline int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    (void)mutex;
    return 0;
}

static inline int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    (void)mutex;
    return 0;
}

static inline int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    (void)mutex;
    return 0;
}

static inline int pthread_cond_init(pthread_cond_t *cond, const void *attributes)
{
    (void)cond;
    (void)attributes;
    return 0;
}

/* Only for what another thread does, and there is none: never reached. */
static inline int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    (void)cond;
    (void)mutex;
    __builtin_trap();
}

static inline int pthread_cond_signal(pthread_cond_t *cond)
{
    (void)cond;
    return 0;
}

static inline int pthread_cond_broadcast(pthread_cond_t *cond)
{
    (void)cond;
    return 0;
}

static inline int pthread_cond_destroy(pthread_cond_t *cond)
{
    (void)cond;
    return 0;
}

#endif
