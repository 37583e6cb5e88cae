/* SPDX-License-Identifier: Apache-2.0 */
#include "rewrite/split_record.h"

static unsigned kind_of(const struct rln__record *r)
{
    const unsigned kind = (unsigned)(r->words[0] & 15);
    const unsigned sub = rln__sub_of(r->words[0]);

    if (kind != RLN__LONG)
        return kind;
    return (sub == RLN__SUB_EVENT || sub == RLN__SUB_PAYLOADS) && r->n_words > 2
               ? (unsigned)(r->words[2] & 255)
               : RLN__LONG;
}

static enum rln__split_kind kind_of_other(const struct rln__record *r)
{
    switch (rln__sub_of(r->words[0])) {
    case RLN__SUB_THREAD:
    case RLN__SUB_GAP:
    case RLN__SUB_INHERITED:
        return RLN__SPLIT_THREAD;
    case RLN__SUB_RESUMED:
        return RLN__SPLIT_RESUMED;
    case RLN__SUB_MEMORY:
        return RLN__SPLIT_STATE;
    default:
        return RLN__SPLIT_MARK;
    }
}

enum rln__split_kind rln__split_kind_of(const struct rln__record *r)
{
    switch (kind_of(r)) {
    case RLN__PUSH:
    case RLN__PUSH_VALUE:
        return RLN__SPLIT_PUSH;
    case RLN__POP:
        return RLN__SPLIT_POP;
    case RLN__START:
    case RLN__START_VALUE:
        return RLN__SPLIT_START;
    case RLN__END:
        return RLN__SPLIT_END;
    case RLN__LONG:
        return kind_of_other(r);
    default:
        return RLN__SPLIT_MARK;
    }
}

uint64_t rln__split_ticks_of(const struct rln__record *r, uint64_t base_ticks)
{
    if ((r->words[0] & 15) == RLN__LONG)
        return r->n_words > 1 ? r->words[1] : base_ticks;
    return base_ticks + (r->words[0] >> RLN__TICKS_SHIFT);
}

uint64_t rln__split_ended_by(const struct rln__record *r)
{
    if ((r->words[0] & 15) != RLN__LONG)
        return r->words[1];
    return r->n_words > 3 ? r->words[3] : 0;
}
