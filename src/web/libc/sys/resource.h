/* SPDX-License-Identifier: Apache-2.0 */
/* resource.h - nothing is limited but memory, and that limit allowance.c learns as the
 * machine's. */
#ifndef RLN_WEB_LIBC_SYS_RESOURCE_H
#define RLN_WEB_LIBC_SYS_RESOURCE_H

typedef unsigned long long rlim_t;

#define RLIM_INFINITY (~0ULL)

enum { RLIMIT_AS, RLIMIT_DATA, RLIMIT_NOFILE };

struct rlimit {
    rlim_t rlim_cur;
};

static inline int getrlimit(int what, struct rlimit *limit)
{
    (void)what;
    limit->rlim_cur = RLIM_INFINITY;
    return 0;
}

#endif
