/* SPDX-License-Identifier: Apache-2.0 */
#include "ranges/open_state.h"
#include "base/alloc.h"
#include "base/fail.h"

/* Opens ranges that were pushed while no window was open: {domain:32, id:32} each. */
static int resume(struct rln__pairing *pairing, rln_reader *reader,
                  const struct rln__item *item, uint32_t part, int64_t opened_ns,
                  const uint64_t *words, rln__goes_on *goes_on, void *context)
{
    const uint32_t process = reader->threads[item->thread].process;

    for (uint32_t i = rln__reset_words(item); i < item->n_words; i++) {
        const uint32_t attr =
            rln__reader_attr(reader, process, (uint32_t)(words[i] >> 32));
        const uint32_t enclosing = rln__pair_innermost(pairing, item->thread);
        const uint32_t range = attr == RLN__NONE
                                   ? RLN__NONE
                                   : rln__pair_resume(pairing, (uint32_t)words[i],
                                                      item->thread, opened_ns, attr);

        if (range == RLN__NONE)
            return -1;
        pairing->pool[range].part = (uint16_t)part;
        if (goes_on && goes_on(context, range, enclosing))
            return -1;
    }
    return 0;
}

rln_status rln__open_state_read(struct rln__pairing *pairing, rln_reader *reader,
                                const struct rln__item *item, uint32_t part,
                                int64_t t_ns, rln__goes_on *goes_on, void *context,
                                rln_error *err)
{
    const int loses = item->kind == RLN__ITEM_GAP || item->kind == RLN__ITEM_CONTINUED;
    const uint32_t n_head = rln__reset_words(item);
    uint64_t *words = NULL; /* owned */
    rln_status status = RLN_OK;
    int failed;

    if (item->kind != RLN__ITEM_THREAD)
        status = rln__stream_words(reader->layout.parts[part].file, item, &words, err);
    if (status)
        return status;
    if (item->kind == RLN__ITEM_RESUMED)
        failed = resume(pairing, reader, item, part,
                        rln__windows_opening(&reader->windows, part, t_ns), words,
                        goes_on, context);
    else
        failed = rln__pair_reset(pairing, item->thread,
                                 !words  ? RLN__RESET_THREAD
                                 : loses ? RLN__RESET_GAP
                                         : RLN__RESET_INHERITED,
                                 words ? words + n_head : NULL,
                                 words ? item->n_words - n_head : 0);
    rln__free(words);
    return failed ? rln__fail_nomem(err) : RLN_OK;
}
