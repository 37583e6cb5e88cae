/* SPDX-License-Identifier: Apache-2.0 */
#include "model/stream.h"
#include "base/alloc.h"
#include "base/fail.h"

#include <string.h>

#define EVENT_WORDS 3   /* the long word, ticks, {kind, flags, id} */
#define IN_LINE_WORDS 3 /* in front of the text */
#define THREAD_WORDS 5
#define GAP_WORDS 3

rln_status rln__stream_init(struct rln__stream *s, rln_reader *reader,
                            size_t window_words, rln_error *err)
{
    memset(s, 0, sizeof(*s));
    s->reader = reader;
    return rln__cursor_init(&s->cursor, window_words, err);
}

void rln__stream_clear(struct rln__stream *s)
{
    rln__cursor_clear(&s->cursor);
}

rln_status rln__stream_begin(struct rln__stream *s, const struct rln__chunk *chunk,
                             rln_error *err)
{
    s->chunk = *chunk;
    s->process = rln__names_process(&s->reader->names, chunk->part, chunk->process);
    if (s->process == RLN__NONE)
        return rln__fail_nomem(err);
    s->thread = rln__reader_thread(s->reader, s->process, chunk->thread, chunk->tid);
    if (s->thread == RLN__NONE)
        return rln__fail_nomem(err);
    rln__cursor_begin(&s->cursor, s->reader->layout.parts[chunk->part].file, chunk);
    return RLN_OK;
}

/* The functions below return 1 for an item, 0 for a damaged or unknown record, and -1
 * when there is no memory. */

static int read_in_line(struct rln__stream *s, const uint64_t *w, uint32_t n_words,
                        struct rln__item *out)
{
    uint64_t length;
    uint32_t message = 0;

    if (n_words < IN_LINE_WORDS)
        return 0;
    length = (uint32_t)w[2];
    if (length > (uint64_t)(n_words - IN_LINE_WORDS) * 8)
        return 0;
    if ((uint8_t)(w[1] >> 48) != RLN__MESSAGE_NONE) {
        message = rln__strings_add(&s->reader->names.strings, (const char *)&w[3],
                                   (size_t)length);
        if (!message)
            return -1;
    }
    if (out->kind == RLN__POP || out->kind == RLN__END)
        out->ref = (uint32_t)w[0];
    else
        out->ref = rln__names_attr_in_line(&s->reader->names, s->process, w, message);
    return out->ref == RLN__NONE ? -1 : 1;
}

static int read_event(struct rln__stream *s, const struct rln__record *r,
                      struct rln__item *out)
{
    const uint64_t *w = r->words;
    uint32_t at = EVENT_WORDS;
    unsigned flags;

    if (r->n_words < EVENT_WORDS)
        return 0;
    flags = (unsigned)(w[2] >> 8) & 255;
    out->ticks = w[1];
    out->kind = (uint8_t)w[2];
    out->ref = (uint32_t)(w[2] >> 32);
    out->has_value = flags & RLN__EVENT_HAS_VALUE;
    out->value = 0;
    if (!((0x101eu >> (out->kind & 31)) & 1) || out->kind > RLN__END ||
        (out->kind == RLN__END && !out->has_value))
        return 0;
    if (out->has_value) {
        if (r->n_words <= at)
            return 0;
        out->value = w[at++];
    }
    if (flags & RLN__EVENT_IN_LINE)
        return read_in_line(s, w + at, r->n_words - at, out);
    if (out->kind == RLN__POP || out->kind == RLN__END)
        return 1;
    out->ref = rln__reader_attr(s->reader, s->process, out->ref);
    return out->ref == RLN__NONE ? -1 : 1;
}

static int read_thread(struct rln__stream *s, const struct rln__record *r,
                       struct rln__item *out)
{
    const char *name = (const char *)&r->words[3];
    const uint32_t number = (uint32_t)r->words[2];
    const uint32_t tid = (uint32_t)(r->words[2] >> 32);
    uint32_t index;

    if (r->n_words < THREAD_WORDS)
        return 0;
    index = rln__reader_thread(s->reader, s->process, number, tid);
    if (index == RLN__NONE)
        return -1;
    s->thread = index;
    s->reader->threads[index].tid = tid;
    if (name[0]) {
        const uint32_t text =
            rln__strings_add(&s->reader->names.strings, name, strnlen(name, 16));

        if (!text)
            return -1;
        s->reader->threads[index].system_name = text;
    }
    out->kind = RLN__ITEM_THREAD;
    return 1;
}

static int read_long(struct rln__stream *s, const struct rln__record *r,
                     struct rln__item *out)
{
    const unsigned sub = (unsigned)(r->words[0] >> RLN__SUB_SHIFT) & 255;
    int what = 1;

    out->ticks = r->n_words > 1 ? r->words[1] : 0;
    out->value = 0;
    out->has_value = 0;
    out->ref = 0;
    out->n_words = r->n_words;
    switch (sub) {
    case RLN__SUB_EVENT:
        what = read_event(s, r, out);
        break;
    case RLN__SUB_THREAD:
        what = read_thread(s, r, out);
        break;
    case RLN__SUB_GAP:
    case RLN__SUB_INHERITED:
        if (r->n_words < GAP_WORDS)
            return 0;
        out->kind = sub == RLN__SUB_GAP ? RLN__ITEM_GAP : RLN__ITEM_INHERITED;
        out->value = r->words[2];
        break;
    default:
        return 2; /* of a newer minor version */
    }
    out->thread = s->thread;
    return what;
}

rln_status rln__stream_next_slow(struct rln__stream *s, struct rln__item *out,
                                 rln_error *err)
{
    struct rln__record record;
    rln_status status;

    while ((status = rln__cursor_next(&s->cursor, &record, err)) == RLN_OK) {
        int what = 2;

        out->offset = record.offset;
        if ((record.words[0] & 15) == RLN__LONG)
            what = read_long(s, &record, out);
        else if (rln__stream_short(s, record.words, out))
            what = out->ref == RLN__NONE ? -1 : 1;
        if (what == 1)
            return RLN_OK;
        if (what < 0)
            return rln__fail_nomem(err);
        if (what == 0)
            rln__note_damage(s->cursor.file, record.offset,
                             "an event does not fit its record");
    }
    return status;
}

rln_status rln__stream_words(const struct rln__input *file,
                             const struct rln__item *item, uint64_t **out,
                             rln_error *err)
{
    rln_status status;

    *out = rln__alloc(item->n_words, sizeof(**out));
    if (!*out)
        return rln__fail_nomem(err);
    status =
        rln__input_read(file, item->offset, *out, (size_t)item->n_words * 8, NULL, err);
    if (status) {
        rln__free(*out);
        *out = NULL;
    }
    return status;
}
