/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/event/statements.h"

#include "collect/event/block.h"
#include "collect/event/shared_chunk.h"
#include "collect/process/process.h"

int rln__put_statement_words(enum rln__name_sub sub, const uint64_t *operands,
                             size_t n_words)
{
    const rln__sigmask mask = rln__block_signals();
    struct rln__process_context *p = rln__process_ready();
    struct rln__shared_room room = {NULL, NULL};

    if (p && rln__process_has_record(p))
        room = rln__shared_take(p, &p->statements, 1 + n_words);
    if (room.at) {
        for (size_t i = 0; i < n_words; i++)
            room.at[1 + i] = operands[i];
        rln__names_put(room.at, sub, 1 + n_words);
        rln__block_leave(p, room.block, (1 + n_words) * 8);
    } else {
        rln__count(n_strings_refused, 1);
    }
    rln__restore_signals(mask);
    return room.at != NULL;
}
