/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/decode/stream.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "format/attributes.h"
#include "trace/decode/event_payloads.h"

#include <string.h>

#define EVENT_WORDS 3   /* the long word, ticks, {kind, flags, id} */
#define IN_LINE_WORDS 3 /* before the text */
#define THREAD_WORDS 5
#define MEMORY_WORDS 3
#define LONG_KINDS 0x307eu /* of an event in a long record: 1-6, 12 and 13 */

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

rln_status rln__stream_begin(struct rln__stream *s, const struct rln__chunk_info *chunk,
                             rln_error *err)
{
    s->chunk = *chunk;
    if (s->reader->progress)
        rln__reader_show_progress(s->reader);
    s->seen = s->chunk.enter_ticks;
    s->process = rln__names_process(&s->reader->names, chunk->part, chunk->process);
    if (s->process == RLN__NONE)
        return rln__fail_nomem(err);
    s->thread = rln__reader_thread(s->reader, s->process, chunk->thread, chunk->tid);
    if (s->thread == RLN__NONE)
        return rln__fail_nomem(err);
    rln__cursor_begin(&s->cursor, s->reader->layout.parts[chunk->part].file, chunk);
    return RLN_OK;
}

/* The functions below return 1 for an item, 0 for a damaged record, 2 for one to skip,
 * and -1 when there is no memory. */

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
    if ((RLN__OWN_ID_KINDS >> out->kind) & 1)
        out->ref = (uint32_t)w[0];
    else
        out->ref = rln__names_attr_in_line(&s->reader->names, s->process, w, message);
    return out->ref == RLN__NONE ? -1 : 1;
}

/* Reads an event that has no room in a short record. A sample without a value of its
 * own has it in a payload. */
static int read_event(struct rln__stream *s, const struct rln__record *r,
                      int has_payloads, struct rln__item *out)
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
    out->has_value = (flags & RLN__EVENT_HAS_VALUE) != 0;
    out->value = 0;
    if (out->kind > RLN__SAMPLE || !((LONG_KINDS >> out->kind) & 1) ||
        (out->kind == RLN__END && !out->has_value) ||
        (out->kind == RLN__SAMPLE && out->has_value == has_payloads))
        return 0;
    if (out->has_value) {
        if (r->n_words <= at)
            return 0;
        out->value = w[at++];
    }
    if (flags & RLN__EVENT_IN_LINE)
        return read_in_line(s, w + at, r->n_words - at, out);
    if ((RLN__OWN_ID_KINDS >> out->kind) & 1)
        return 1;
    out->ref = rln__reader_attr(s->reader, s->process, out->ref);
    return out->ref == RLN__NONE ? -1 : 1;
}

/* Attributes set by the payloads of a mark or of a begin become part of the event's.
 * Those of an end wait until its range is known: rln__closing_attr(). */
static int read_payloads(struct rln__stream *s, const struct rln__record *r,
                         struct rln__item *out)
{
    struct rln__names *names = &s->reader->names;
    const int what = read_event(s, r, 1, out);
    struct rln__payload_attributes attributes;

    if (what != 1)
        return what;
    out->n_payloads = (uint16_t)rln__payloads_count(r->words);
    if ((RLN__OWN_ID_KINDS >> out->kind) & 1)
        return 1;
    if (rln__payload_attributes_of(s->reader, s->process,
                                   names->attrs[out->ref].domain_id, r->words,
                                   r->n_words, &attributes))
        return -1;
    if (attributes.has_message || attributes.has_category || attributes.has_color)
        out->ref =
            rln__names_attr_with_payload(names, s->process, out->ref, &attributes);
    return out->ref == RLN__NONE ? -1 : 1;
}

void rln__stream_name_thread(rln_reader *reader, uint32_t thread,
                             const struct rln__item *item)
{
    reader->threads[thread].tid = (uint32_t)item->value;
    if (item->ref)
        reader->threads[thread].system_name = item->ref;
}

static int read_thread(struct rln__stream *s, const struct rln__record *r,
                       struct rln__item *out)
{
    const char *name = (const char *)&r->words[3];
    const uint32_t number = (uint32_t)r->words[2];
    uint32_t index;

    if (r->n_words < THREAD_WORDS)
        return 0;
    out->kind = RLN__ITEM_THREAD;
    out->value = r->words[2] >> 32;
    index = rln__reader_thread(s->reader, s->process, number, (uint32_t)out->value);
    if (index == RLN__NONE)
        return -1;
    if (name[0]) {
        out->ref = rln__strings_add(&s->reader->names.strings, name, strnlen(name, 16));
        if (!out->ref)
            return -1;
    }
    s->thread = index;
    s->seen = s->chunk.enter_ticks;
    if (!s->reader->names.is_fixed)
        rln__stream_name_thread(s->reader, index, out);
    return 1;
}

/* Where a thread's record begins, the cursor goes back into the record and reads the
 * ranges that it repeats as if they were records of the chunk. Elsewhere these have
 * been read already. */
static int read_continued(struct rln__stream *s, const struct rln__record *r,
                          struct rln__item *out)
{
    const char *name = (const char *)&r->words[3];
    uint64_t n_head;
    uint32_t text;

    if (r->n_words < RLN__CONTINUED_WORDS)
        return 0;
    n_head = RLN__CONTINUED_WORDS + (r->words[5] & UINT32_MAX);
    if (n_head > r->n_words)
        return 0;
    if (!s->chunk.begins_record)
        return 2;
    if (s->reader->names.is_fixed)
        return -1;
    text = name[0]
               ? rln__strings_add(&s->reader->names.strings, name, strnlen(name, 16))
               : 0;
    if (name[0] && !text)
        return -1;
    if (text)
        s->reader->threads[s->thread].system_name = text;
    s->cursor.at -= r->n_words - (size_t)n_head;
    out->kind = RLN__ITEM_CONTINUED;
    out->ticks = s->chunk.enter_ticks;
    out->n_words = (uint32_t)n_head;
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
    out->n_payloads = 0;
    switch (sub) {
    case RLN__SUB_EVENT:
        what = read_event(s, r, 0, out);
        break;
    case RLN__SUB_PAYLOADS:
        what = read_payloads(s, r, out);
        break;
    case RLN__SUB_THREAD:
        what = read_thread(s, r, out);
        break;
    case RLN__SUB_GAP:
    case RLN__SUB_INHERITED:
    case RLN__SUB_RESUMED:
        if (r->n_words < 3)
            return 0;
        out->kind = sub == RLN__SUB_GAP         ? RLN__ITEM_GAP
                    : sub == RLN__SUB_INHERITED ? RLN__ITEM_INHERITED
                                                : RLN__ITEM_RESUMED;
        out->value = r->words[2];
        break;
    case RLN__SUB_CONTINUED:
        what = read_continued(s, r, out);
        break;
    case RLN__SUB_MEMORY:
        if (r->n_words < MEMORY_WORDS)
            return 0;
        out->kind = RLN__ITEM_MEMORY;
        out->value = r->words[2] & 255;
        out->ref = (uint32_t)(r->words[2] >> 32);
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

void rln__stream_put_right(struct rln__stream *s, struct rln__item *item)
{
    rln__note_damage(s->cursor.file, item->offset, "an event precedes those before it");
    item->ticks = s->seen;
}
