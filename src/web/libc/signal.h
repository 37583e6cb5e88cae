/* SPDX-License-Identifier: Apache-2.0 */
/* signal.h - there are no signals to block. */
#ifndef RLN_WEB_LIBC_SIGNAL_H
#define RLN_WEB_LIBC_SIGNAL_H

typedef struct {
    char unused;
} sigset_t;

enum { SIG_SETMASK };

static inline int sigfillset(sigset_t *set)
{
    (void)set;
    return 0;
}

static inline int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
    (void)how;
    (void)set;
    (void)before;
    return 0;
}

#endif
