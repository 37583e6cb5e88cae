/* SPDX-License-Identifier: Apache-2.0 */
#include "export/pid_aliases.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "trace/open/load.h"

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

rln_status rln__pid_aliases_init(struct rln__pid_aliases *t, const rln_reader *reader,
                                 const uint64_t *places, rln_error *err)
{
    const size_t n = reader->names.n_processes;

    memset(t, 0, sizeof(*t));
    t->numbers = rln__alloc(n + 1, sizeof(*t->numbers));
    if (!t->numbers)
        return rln__fail_nomem(err);
    for (; t->n < n; t->n++) {
        const struct rln__trace_process *p = &reader->names.processes[t->n];
        const struct rln__part *part = &reader->layout.parts[p->part];
        const uint64_t owner =
            part->file->is_import ? (uint64_t)t->n << 32 | UINT32_MAX : p->part;
        struct rln__key key = {{places ? places[p->part] : 0, p->record.pid}};
        int is_taken;

        while ((is_taken = take(t, &key, owner)) == 0)
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
    rln__key_index_clear(&t->pids);
    memset(t, 0, sizeof(*t));
}
