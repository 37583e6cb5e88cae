/* SPDX-License-Identifier: Apache-2.0 */
/* host.h - for programs that the collector must not affect: PROGRAM CASE.
 *
 * Each program has a table of cases and runs the named one. mark() counts the
 * marks that have returned, in the file `marks` of the working directory, which all
 * processes of a case share; run.sh compares that number with the trace.
 */
#ifndef HOST_H
#define HOST_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <nvtx3/nvToolsExt.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Whether this process has AddressSanitizer, with its own stack and malloc. */
#if defined(__SANITIZE_ADDRESS__)
#define HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ASAN 1
#endif
#endif
#ifndef HAS_ASAN
#define HAS_ASAN 0
#endif

struct host_case {
    const char *name;
    int (*run)(void); /* the exit status; HOST_SKIP with a line printed before */
};

#define HOST_SKIP 77

/* The table of the program, ended by an empty entry. */
extern const struct host_case host_cases[];

/* Makes one mark in the default domain and counts it. May be called at any time, also
 * by signal handlers and constructors. */
void mark(void);

/* The same `n` times. */
void marks(unsigned n);

enum { MANY = 20000 }; /* marks: more than a thread's first chunks hold */

/* Marks fast enough and long enough for the helper thread to run. */
void call_helper(void);

/* Counts marks made in another way. */
void count_marks(unsigned n);

/* Prints the failed condition, and ends the process with 1. */
_Noreturn void host_fail(const char *file, int line, const char *what);

#define CHECK(condition)                                                               \
    ((condition) ? (void)0 : host_fail(__FILE__, __LINE__, #condition))

/* Prints why the case cannot run here. */
static inline int host_skip(const char *why)
{
    printf("skipped: %s\n", why);
    return HOST_SKIP;
}

/* Waits for the child; returns its status from waitpid(). */
int status_of(pid_t child);

#endif
