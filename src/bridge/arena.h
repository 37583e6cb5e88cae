/* SPDX-License-Identifier: Apache-2.0 */
/* arena.h - memory for what is never freed, without malloc and without a lock. */
#ifndef RLN_BRIDGE_ARENA_H
#define RLN_BRIDGE_ARENA_H

#include <stddef.h>

/* Zeroed; NULL: there is none. Any thread, also in malloc. Keeps errno. */
void *rln__arena_keep(size_t n_bytes);

#endif
