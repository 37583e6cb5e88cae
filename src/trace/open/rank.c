/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/open/rank.h"

#include "format/attributes.h"
#include "rangeline/model.h"

#define MAX_FORKS 64

static uint32_t launchers_rank(const rln_reader *reader, uint32_t part)
{
    const struct rln__names *names = &reader->names;

    for (size_t i = 0; i < names->n_processes; i++) {
        const struct rln__trace_process *p = &names->processes[i];

        if (p->part == part && p->rank && p->record.flags & RLN__PROCESS_LAUNCHER)
            return p->rank - 1;
    }
    return RLN_NO_RANK;
}

uint32_t rln__rank_of(const rln_reader *reader, uint32_t process)
{
    const struct rln__names *names = &reader->names;
    const uint32_t part = names->processes[process].part;

    for (unsigned i = 0; i < MAX_FORKS && process != RLN__NONE; i++) {
        if (names->processes[process].rank)
            return names->processes[process].rank - 1;
        process = rln__names_parent(names, process);
    }
    return launchers_rank(reader, part);
}

size_t rln__reader_count_ranks(const rln_reader *reader)
{
    const struct rln__names *names = &reader->names;
    struct rln__map seen = {0};
    size_t n = 0;

    for (size_t i = 0; i < names->n_processes; i++) {
        const uint32_t rank = names->processes[i].rank;

        if (!rank || rln__map_get(&seen, rank))
            continue;
        (void)rln__map_put(&seen, rank, 1); /* without memory some count twice */
        n++;
    }
    rln__map_clear(&seen);
    return n;
}
