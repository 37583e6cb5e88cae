/* SPDX-License-Identifier: Apache-2.0 */
/* pid_aliases.h - numbers processes that have the same pid, which formats would take
 * for one: of containers, of other machines, of traces of different days, and one
 * process after the other.
 *
 *   a.rln   pid 7  0        b.rln   pid 7  1        c.rln   pid 7  2
 *           pid 8  0                pid 9  0
 *
 * Within a recorded trace, a pid of one namespace and one time of start is one process,
 * whatever programs it executes. Imported processes are already distinct.
 */
#ifndef RLN_TRACE_OPEN_PID_ALIASES_H
#define RLN_TRACE_OPEN_PID_ALIASES_H

#include "base/key_index.h"
#include "trace/open/load.h"

struct rln__pid_aliases {
    uint32_t *numbers; /* owned: by process, how many have its pid before it */
    size_t n;
    struct rln__key_index pids; /* VM, pid, number */
    uint64_t *owners;           /* owned: process index, by alias */
    size_t n_owners, owners_capacity;
    struct rln__key_index kernel_processes; /* part, pid, namespace and start */
    uint32_t *firsts;                       /* owned: process index, by number */
    size_t n_firsts, firsts_capacity;
};

/* `vms`: of each part, the VM in which a pid is one process; NULL: all have one. */
rln_status rln__pid_aliases_init(struct rln__pid_aliases *aliases,
                                 const rln_reader *reader, const uint64_t *vms,
                                 rln_error *err);
void rln__pid_aliases_clear(struct rln__pid_aliases *aliases);

/* A process that was added while the trace was read counts as the first. */
static inline uint32_t rln__pid_alias_of(const struct rln__pid_aliases *aliases,
                                         uint32_t process)
{
    return process < aliases->n ? aliases->numbers[process] : 0;
}

/* A number for each process: its pid, except for those with an alias. */
static inline uint64_t rln__aliased_pid(const struct rln__pid_aliases *aliases,
                                        const rln_reader *reader, uint32_t process)
{
    enum { PID_BITS = 24 }; /* at least as many as pids of Linux have */

    return reader->names.processes[process].record.pid +
           ((uint64_t)rln__pid_alias_of(aliases, process) << PID_BITS);
}

#endif
