/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/open/pid_aliases.h"
#include "base/alloc.h"
#include "base/fail.h"

/* Whether a number is free, or is its owner's already; then it is. 0: it is another's.
 * -1: there is no memory. */
static int take(struct rln__pid_aliases *t, const struct rln__key *key, uint64_t owner)
{
    const uint32_t at = rln__key_index_number(&t->pids, key);
    const size_t n_known = t->n_owners;
    uint64_t *its = rln__key_index_item(&t->owners, &t->n_owners, &t->owners_capacity,
                                        at, sizeof(*its));

    if (!its)
        return -1;
    if (at >= n_known)
        *its = owner;
    return *its == owner;
}

/* The first process that was this one before it executed other programs. Traces
 * without times of start only say of a forked process that it is a new one. */
static int owner_of(struct rln__pid_aliases *t, const rln_reader *reader,
                    uint64_t *owner)
{
    const struct rln__trace_process *p = &reader->names.processes[t->n];
    const int is_import = reader->layout.parts[p->part].file->is_import;
    const struct rln__key key = {{p->part, p->record.pid,
                                  (uint64_t)p->pid_namespace << 32 | p->start,
                                  is_import ? t->n + 1 : 0}};
    const uint32_t number = rln__key_index_number(&t->kernel_processes, &key);
    const size_t n_known = t->n_firsts;
    uint32_t *first = rln__key_index_item(&t->firsts, &t->n_firsts, &t->firsts_capacity,
                                          number, sizeof(*first));

    if (!first)
        return -1;
    if (number >= n_known || (!p->start && p->record.flags & RLN__PROCESS_FORKED))
        *first = (uint32_t)t->n;
    *owner = *first;
    return 0;
}

rln_status rln__pid_aliases_init(struct rln__pid_aliases *t, const rln_reader *reader,
                                 const uint64_t *vms, rln_error *err)
{
    const size_t n = reader->names.n_processes;

    memset(t, 0, sizeof(*t));
    t->numbers = rln__alloc(n + 1, sizeof(*t->numbers));
    if (!t->numbers)
        return rln__fail_nomem(err);
    for (; t->n < n; t->n++) {
        const struct rln__trace_process *p = &reader->names.processes[t->n];
        struct rln__key key = {{vms ? vms[p->part] : 0, p->record.pid}};
        uint64_t owner = 0;
        int is_taken = owner_of(t, reader, &owner);

        while (!is_taken && (is_taken = take(t, &key, owner)) == 0)
            key.words[2]++;
        if (is_taken < 0)
            return rln__fail_nomem(err);
        t->numbers[t->n] = (uint32_t)key.words[2];
    }
    return RLN_OK;
}

void rln__pid_aliases_clear(struct rln__pid_aliases *t)
{
    rln__free(t->numbers);
    rln__free(t->owners);
    rln__free(t->firsts);
    rln__key_index_clear(&t->pids);
    rln__key_index_clear(&t->kernel_processes);
    memset(t, 0, sizeof(*t));
}
