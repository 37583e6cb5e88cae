/* SPDX-License-Identifier: Apache-2.0 */
#include "export/perfetto/perfetto_packets.h"
#include "base/key_index.h"
#include "export/perfetto/perfetto_args.h"
#include "export/perfetto/proto.h"
#include "trace/open/name_catalog.h"

#define SEQUENCE 1u

#define HEAD_BYTES 64u /* of an event: five numbers, their tags, and two lengths */

/* Where there is room. `*begin` is where the packet begins. */
static inline char *put_packet(struct rln__packets *p, char *at, size_t *begin)
{
    at = rln__proto_put_begin(at, TRACE_PACKET);
    *begin = (size_t)(at - p->output->buf.bytes);
    at = rln__proto_put_varint(at, PACKET_SEQUENCE_ID, SEQUENCE);
    at = rln__proto_put_varint(at, PACKET_SEQUENCE_FLAGS,
                               p->has_begun ? SEQUENCE_NEEDS_STATE : SEQUENCE_CLEARED);
    p->has_begun = 1;
    return at;
}

size_t rln__packet_begin(struct rln__packets *p)
{
    struct rln__buf *out = &p->output->buf;
    char *at = rln__buf_room(out, HEAD_BYTES);
    size_t begin = out->length;

    if (at)
        out->length = (size_t)(put_packet(p, at, &begin) - out->bytes);
    return begin;
}

rln_status rln__packet_end(struct rln__packets *p, size_t begin, rln_error *err)
{
    rln__proto_end(&p->output->buf, begin);
    return rln__output_flush_full(p->output, err);
}

size_t rln__packet_begin_event(struct rln__packets *p, enum track_event_type type,
                               uint64_t track, int64_t t_ns, size_t *event)
{
    struct rln__buf *out = &p->output->buf;
    char *at = rln__buf_room(out, HEAD_BYTES);
    size_t begin;

    *event = out->length;
    if (!at)
        return out->length;
    at = put_packet(p, at, &begin);
    at = rln__proto_put_varint(at, PACKET_TIMESTAMP, p->zero_ns + (uint64_t)t_ns);
    at = rln__proto_put_begin(at, PACKET_TRACK_EVENT);
    *event = (size_t)(at - out->bytes);
    at = rln__proto_put_varint(at, EVENT_TYPE, type);
    at = rln__proto_put_varint(at, EVENT_TRACK_UUID, track);
    out->length = (size_t)(at - out->bytes);
    return begin;
}

rln_status rln__packet_end_event(struct rln__packets *p, size_t begin, size_t event,
                                 rln_error *err)
{
    struct rln__buf *out = &p->output->buf;

    rln__proto_end(out, event);
    if (p->interned.length) {
        const size_t data = rln__proto_begin(out, PACKET_INTERNED_DATA);

        rln__buf_add(out, p->interned.bytes, p->interned.length);
        rln__proto_end(out, data);
        out->has_failed |= p->interned.has_failed;
        p->interned.length = 0;
    }
    return rln__packet_end(p, begin, err);
}

/* 0: there are too many, or no memory. */
static uint64_t intern(struct rln__packets *p, struct rln__map *map, uint32_t field,
                       rln_text text)
{
    const uint64_t key = rln__key_of_text(text);
    uint64_t iid = rln__map_get(map, key);
    size_t begin;

    if (iid || p->n_names >= RLN__MOST_INTERNED)
        return iid;
    iid = ++p->n_names;
    if (rln__map_put(map, key, iid))
        return 0;
    begin = rln__proto_begin(&p->interned, field);
    rln__proto_varint(&p->interned, INTERNED_IID, iid);
    rln__proto_text(&p->interned, INTERNED_NAME, text);
    rln__proto_end(&p->interned, begin);
    return iid;
}

/* A location has the number of its function's name. */
static void add_location(struct rln__packets *p, rln_text message, uint64_t name,
                         int is_new)
{
    const struct rln__location function = rln__reader_location(p->reader, message);
    size_t begin;

    if (!function.file.length)
        return;
    rln__proto_varint(&p->output->buf, EVENT_SOURCE_LOCATION_IID, name);
    if (!is_new)
        return;
    begin = rln__proto_begin(&p->interned, INTERNED_SOURCE_LOCATIONS);
    rln__proto_varint(&p->interned, LOCATION_IID, name);
    rln__proto_text(&p->interned, LOCATION_FILE, function.file);
    rln__proto_varint(&p->interned, LOCATION_LINE, function.line);
    rln__proto_end(&p->interned, begin);
}

void rln__packet_names(struct rln__packets *p, const rln_attributes *with)
{
    struct rln__buf *out = &p->output->buf;
    const size_t n_before = p->n_names;
    const uint64_t name = intern(p, &p->names, INTERNED_NAMES, with->message);
    uint64_t category;

    if (name) {
        rln__proto_varint(out, EVENT_NAME_IID, name);
        add_location(p, with->message, name, p->n_names > n_before);
    } else {
        rln__proto_text(out, EVENT_NAME, with->message);
    }
    if (!with->category_name.length) {
        if (with->category)
            rln__perfetto_uint_arg(out, "category", with->category);
        return;
    }
    category = intern(p, &p->categories, INTERNED_CATEGORIES, with->category_name);
    if (category)
        rln__proto_varint(out, EVENT_CATEGORY_IIDS, category);
    else
        rln__proto_text(out, EVENT_CATEGORIES, with->category_name);
}

/* A known address means that the name has been interned before. */
void rln__packet_attributes(struct rln__packets *p, const rln_attributes *with)
{
    struct rln__buf *out = &p->output->buf;
    const struct rln__row_text_cache_key key =
        rln__row_text_cache_key(with, 0, 0, 0, 0);
    const size_t begin = out->length;

    if (rln__row_text_cache_add(&p->text_cache, &key, out))
        return;
    rln__packet_names(p, with);
    rln__perfetto_attributes(out, with);
    rln__row_text_cache_keep(&p->text_cache, &key, out, begin);
}

void rln__packets_clear(struct rln__packets *p)
{
    rln__map_clear(&p->names);
    rln__map_clear(&p->categories);
    rln__buf_clear(&p->interned);
    rln__row_text_cache_clear(&p->text_cache);
}
