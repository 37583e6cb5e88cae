/* SPDX-License-Identifier: Apache-2.0 */
/* pid_aliases.h - numbers processes that have the same pid, which formats would take
 * for one: of containers, of other machines, of traces of different days.
 *
 *   a.rln   pid 7  0        b.rln   pid 7  1        c.rln   pid 7  2
 *           pid 8  0                pid 9  0
 *
 * Within a recorded trace a pid is one process, whatever programs it executes. Imported
 * processes are already distinct.
 */
#ifndef RLN_EXPORT_PID_ALIASES_H
#define RLN_EXPORT_PID_ALIASES_H

#include "base/key_index.h"
#include "rangeline/reader.h"

struct rln__pid_aliases {
    uint32_t *numbers; /* owned: by process, how many have its pid before it */
    size_t n;
    struct rln__key_index pids; /* place, pid, number */
    uint64_t *owners;           /* owned: process index, by alias */
    size_t n_owners, owners_capacity;
};

/* `places`: of each part, where a pid is a process; NULL: all are one place. */
rln_status rln__pid_aliases_init(struct rln__pid_aliases *aliases,
                                 const rln_reader *reader, const uint64_t *places,
                                 rln_error *err);
void rln__pid_aliases_clear(struct rln__pid_aliases *aliases);

/* A process that was added while the trace was read counts as the first. */
static inline uint32_t rln__pid_alias_of(const struct rln__pid_aliases *aliases,
                                         uint32_t process)
{
    return process < aliases->n ? aliases->numbers[process] : 0;
}

#endif
