/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/payload/payload_event.h"

#include "collect/event/chunk.h"
#include "collect/payload/deep_copy.h"

static uint64_t *put_in_line(uint64_t *to, uint32_t domain,
                             const struct rln__in_line *with)
{
    to[0] = rln__pair32(domain, with->category);
    to[1] = rln__pair32(with->color, with->types);
    to[2] = with->n_bytes;
    rln__put_bytes(to + 3, with->text, with->n_bytes);
    return to + 3 + (with->n_bytes + 7) / 8;
}

static struct rln__reserved_slot put_segments(const struct rln__payload_event *e,
                                              const struct rln__payload_gather *s)
{
    const size_t n_value = e->kind == RLN__END;
    const size_t n_in_line = e->in_line ? 3 + (e->in_line->n_bytes + 7) / 8 : 0;
    const size_t n_words = 3 + n_value + n_in_line + s->n_words;
    const unsigned flags =
        (n_value ? RLN__EVENT_HAS_VALUE : 0u) | (n_in_line ? RLN__EVENT_IN_LINE : 0u);
    const struct rln__reserved_slot slot = rln__take_long(n_words);
    uint64_t *at = slot.at + 3;

    if (rln__is_lost(slot))
        return slot;
    slot.at[1] = rln__now();
    slot.at[2] = rln__pair32(e->kind | flags << 8 | s->n_payloads << 16, e->id);
    if (n_value)
        *at++ = e->value;
    if (n_in_line)
        at = put_in_line(at, e->domain, e->in_line);
    for (size_t i = 0; i < s->n_words; i++)
        at[i] = s->words[i];
    rln__put_word(slot.at, rln__long_word(RLN__LONG, RLN__SUB_PAYLOADS, n_words));
    return slot;
}

static uint64_t put_open(const struct rln__payload_event *e,
                         const struct rln__payload_data *data, size_t n_data)
{
    struct rln__payload_gather segments;
    struct rln__reserved_slot slot;

    rln__deep_copy(&segments, e->domain, data, data ? n_data : 0);
    slot = put_segments(e, &segments);
    rln__payload_gather_clear(&segments);
    return rln__call_result(slot, e->domain, e->kind);
}

RLN_COLD uint64_t rln__put_payloads(const struct rln__payload_event *e,
                                    const struct rln__payload_data *data, size_t n_data)
{
    const struct rln__gated_event gated = {
        .kind = e->kind,
        .domain = e->domain,
        .id = e->id,
        .category = e->in_line ? e->in_line->category : 0,
        .style_key =
            e->in_line ? rln__style_key(e->in_line->color, e->in_line->types) : 0,
        .value = e->value,
        .text = e->in_line ? e->in_line->text : NULL,
        .n_bytes = e->in_line ? e->in_line->n_bytes : 0,
    };
    unsigned verdict;
    uint64_t result;

    if (RLN_LIKELY(rln__gate() == 0))
        return put_open(e, data, n_data);
    verdict = rln__gate_before_event(&gated);
    result = verdict & RLN__IS_RECORDED ? put_open(e, data, n_data)
                                        : rln__result_of_unrecorded(e->kind, e->domain);
    return rln__gate_after_event(verdict, &gated, result);
}

RLN_COLD uint64_t rln__put_payload_slow(unsigned kind, uint32_t domain, uint32_t id,
                                        const struct rln__payload_data *d)
{
    return rln__put_payloads(
        &(struct rln__payload_event){.kind = kind, .id = id, .domain = domain}, d, 1);
}
