/* SPDX-License-Identifier: Apache-2.0 */
/* itt_layout.h - what ITT's clients and a collector share, as ITT's interface defines
 * it: version 3, on 64-bit machines.
 *
 * Each executable or library with ITT in it has a global of its own, with lists of its
 * functions, domains and strings. It makes domains and strings itself until a collector
 * has been found; programs keep the pointers.
 */
#ifndef RLN_BRIDGE_LAYOUT_H
#define RLN_BRIDGE_LAYOUT_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

struct rln__itt_id {
    uint64_t words[3];
};

struct rln__itt_domain {
    volatile int flags; /* 0: the client's macros make no calls */
    const char *name;
    const void *wide_name;
    int extra1;
    void *extra2; /* the collector's: NVTX's handle, once it is known */
    struct rln__itt_domain *next;
};

struct rln__itt_string {
    const char *text;
    const void *wide_text;
    int extra1;
    void *extra2; /* the collector's: what it is registered as (itt_names.c) */
    struct rln__itt_string *next;
};

struct rln__itt_counter {
    const char *name;
    const void *wide_name;
    const char *domain;
    const void *wide_domain;
    int type;
    long index; /* the collector's, 0 at first: our counter (itt_counters.c) */
    int extra1; /* clients that make a counter do not set these two */
    void *extra2;
    struct rln__itt_counter *next;
};

/* What a counter is bound to: a text or a number, by type. */
struct rln__itt_context {
    int type;
    void *value;
};

/* A function that the client may call. */
struct rln__itt_function {
    const char *name; /* "__itt_task_begin"; NULL ends the list */
    void **slot;
    void *first, *none; /* what the slot has before a collector is known, and without */
    int group;
};

struct rln__itt_global {
    unsigned char magic[8];
    unsigned long major, minor, build;
    volatile long is_ready, has_mutex, counter;
    pthread_mutex_t mutex;
    void *library, *error_handler;
    const char **library_path;
    struct rln__itt_function *functions;
    struct rln__itt_global *next;
    void *threads;
    struct rln__itt_domain *domains;
    struct rln__itt_string *strings;
};

enum { RLN__ITT_MAJOR = 3 };

_Static_assert(sizeof(struct rln__itt_domain) == 48, "as in clients");
_Static_assert(sizeof(struct rln__itt_string) == 40, "as in clients");
_Static_assert(sizeof(struct rln__itt_counter) == 72, "as in clients");
_Static_assert(sizeof(struct rln__itt_function) == 40, "as in clients");
_Static_assert(offsetof(struct rln__itt_global, functions) ==
                   80 + sizeof(pthread_mutex_t),
               "as in clients");

#endif
