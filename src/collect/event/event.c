/* SPDX-License-Identifier: Apache-2.0 */
/* event.c - records events with any attributes: marks, pushes, starts.
 *
 * The first half is as hot as event.h: the thread has used the attributes recently. The
 * second half is cold: a thread's first use of attributes, texts composed at run time,
 * wide strings, structures of other versions and sizes.
 */
#include "collect/event/event.h"

#include "collect/event/chunk.h"
#include "collect/event/wide.h"
#include "collect/payload/payload_event.h"

/* The kind of the same event with a value. */
static inline unsigned kind_with_value(unsigned kind)
{
    return kind == RLN__START ? RLN__START_VALUE : kind + RLN__MARK_VALUE - RLN__MARK;
}

static inline int is_extended(const struct rln__event_attributes *given)
{
    return given->payload_type == RLN__NVTX_EXTENDED_PAYLOAD;
}

static inline const struct rln__payload_data *
data_of(const struct rln__event_attributes *given)
{
    return (const struct rln__payload_data *)(uintptr_t)given->payload;
}

/* The significant bytes of the payload: three types are 32 bits wide. */
static inline uint64_t payload_of(const struct rln__event_attributes *given)
{
    return given->payload_type > 3 ? (uint32_t)given->payload : given->payload;
}

RLN_COLD static uint64_t event_slow(unsigned kind, uint32_t domain,
                                    const struct rln__event_attributes *given);
static uint64_t event_with(unsigned kind, uint64_t domain_handle,
                           const struct rln__event_attributes *given);

/* An event of `kind`, a constant in every caller. */
static inline __attribute__((always_inline)) uint64_t
event_in(unsigned kind, uint32_t domain, const struct rln__event_attributes *given)
{
    const struct rln__attributes *a = NULL;
    uint64_t domain_key, style_key;

    /* Rare cases go to the cold path: NULL, short structures, unknown types. */
    if (RLN_UNLIKELY(
            !given || given->size < sizeof *given || (uint32_t)given->color_type > 1 ||
            ((uint32_t)given->payload_type > RLN__NVTX_LAST_SCALAR_PAYLOAD &&
             (!is_extended(given) || given->n_payloads != 1 || !given->payload))))
        return event_slow(kind, domain, given);
    domain_key = rln__domain_key(domain, given->category);
    style_key = rln__style_key(
        given->color_type ? given->color : 0,
        rln__types((unsigned)given->color_type,
                   is_extended(given) ? 0 : (unsigned)given->payload_type,
                   (unsigned)given->message_type));
    if (given->message_type == RLN__NVTX_MESSAGE_ASCII && given->message)
        a = rln__guess_plain(domain_key, style_key, given->message);
    else if (given->message_type == RLN__NVTX_MESSAGE_REGISTERED)
        a = rln__guess_handle(domain_key, style_key, given->message);
    if (RLN_UNLIKELY(!a))
        return event_slow(kind, domain, given);
    if (given->payload_type == 0)
        return rln__put(kind, domain, a->shifted_id, 0);
    return rln__put(kind_with_value(kind), domain, a->shifted_id, payload_of(given));
}

/* Checks for the default domain and excluded domains only after all other domains. */
static inline __attribute__((always_inline)) uint64_t
event_full(unsigned kind, uint64_t domain_handle,
           const struct rln__event_attributes *given)
{
    if (RLN_LIKELY(rln__is_domain(domain_handle)))
        return event_in(kind, (uint32_t)(domain_handle - RLN__TAG_DOMAIN), given);
    if (rln__is_excluded(domain_handle))
        return rln__result_of_excluded(kind, domain_handle);
    return event_in(kind, 0, given);
}

uint64_t rln__full_mark(uint64_t domain_handle,
                        const struct rln__event_attributes *given)
{
    return event_full(RLN__MARK, domain_handle, given);
}

uint64_t rln__full_push(uint64_t domain_handle,
                        const struct rln__event_attributes *given)
{
    return event_full(RLN__PUSH, domain_handle, given);
}

uint64_t rln__full_start(uint64_t domain_handle,
                         const struct rln__event_attributes *given)
{
    return event_full(RLN__START, domain_handle, given);
}

/* The fast path for an event with one extended payload and with attributes that the
 * thread has used recently; all others go to event_slow(). */
static __attribute__((noinline)) uint64_t
event_with(unsigned kind, uint64_t domain_handle,
           const struct rln__event_attributes *given)
{
    const uint32_t domain = rln__domain_of(domain_handle);
    const uint64_t domain_key = rln__domain_key(domain, given->category);
    const uint64_t style_key = rln__style_key(
        given->color_type ? given->color : 0,
        rln__types((unsigned)given->color_type, 0, (unsigned)given->message_type));
    const struct rln__attributes *a = NULL;

    if (rln__is_excluded(domain_handle))
        return rln__result_of_excluded(kind, domain_handle);
    if ((uint32_t)given->color_type > 1 || given->n_payloads != 1 || !given->payload)
        return event_slow(kind, domain, given);
    if (given->message_type == RLN__NVTX_MESSAGE_ASCII && given->message)
        a = rln__guess_plain(domain_key, style_key, given->message);
    else if (given->message_type == RLN__NVTX_MESSAGE_REGISTERED)
        a = rln__guess_handle(domain_key, style_key, given->message);
    if (RLN_UNLIKELY(!a))
        return event_slow(kind, domain, given);
    return rln__put_payload(kind, domain, a->shifted_id >> RLN__ID_SHIFT,
                            data_of(given));
}

uint64_t rln__extended_mark(uint64_t domain_handle,
                            const struct rln__event_attributes *given)
{
    return event_with(RLN__MARK, domain_handle, given);
}

uint64_t rln__extended_push(uint64_t domain_handle,
                            const struct rln__event_attributes *given)
{
    return event_with(RLN__PUSH, domain_handle, given);
}

uint64_t rln__extended_start(uint64_t domain_handle,
                             const struct rln__event_attributes *given)
{
    return event_with(RLN__START, domain_handle, given);
}

static inline __attribute__((always_inline)) uint64_t
event_named(unsigned kind, uint32_t domain, const struct rln__event_attributes *given)
{
    return rln__put_payload(kind, domain,
                            rln__string_shifted_id(given->message) >> RLN__ID_SHIFT,
                            data_of(given));
}

uint64_t rln__named_mark(uint32_t domain, const struct rln__event_attributes *given)
{
    return event_named(RLN__MARK, domain, given);
}

uint64_t rln__named_push(uint32_t domain, const struct rln__event_attributes *given)
{
    return event_named(RLN__PUSH, domain, given);
}

uint64_t rln__named_start(uint32_t domain, const struct rln__event_attributes *given)
{
    return event_named(RLN__START, domain, given);
}

/* The parts of an event, from any kind of call. */
struct event {
    unsigned kind;
    uint32_t domain;
    uint32_t category;
    uint32_t color;
    uint64_t types;
    uint64_t payload;
    int has_payload;
    const char *text; /* of a plain message; or NULL */
    size_t n_bytes;   /* of a text that has no row */
    const void *handle;
    const struct rln__payload_data *data; /* extended payloads; or NULL */
    size_t n_data;
    int is_permanent; /* `text` is at an address of the program: worth a guess */
};

/* --- in line ---------------------------------------------------------------------- */

static void put_text(uint64_t *to, const char *text, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i++)
        ((char *)to)[i] = text[i];
}

static uint64_t put_in_line_open(const struct event *e)
{
    const size_t at_value = 3, n_values = e->has_payload ? 1 : 0;
    const size_t n_words = at_value + n_values + 3 + (e->n_bytes + 7) / 8;
    const unsigned flags =
        RLN__EVENT_IN_LINE | (e->has_payload ? RLN__EVENT_HAS_VALUE : 0u);
    const struct rln__reserved_slot slot = rln__take_long(n_words);
    uint64_t *at = slot.at;

    if (rln__is_lost(slot))
        return rln__call_result(slot, e->domain, e->kind);
    at[1] = rln__now();
    at[2] = rln__pair32(e->kind | flags << 8, 0);
    at[at_value] = e->payload;
    at += at_value + n_values;
    at[0] = rln__pair32(e->domain, e->category);
    at[1] = rln__pair32(e->color, e->types);
    at[2] = e->n_bytes;
    put_text(at + 3, e->text, e->n_bytes);
    rln__put_word(slot.at, rln__long_word(RLN__LONG, RLN__SUB_EVENT, n_words));
    return rln__call_result(slot, e->domain, e->kind);
}

static uint64_t put_in_line(const struct event *e)
{
    const struct rln__gated_event gated = {
        .kind = e->kind,
        .domain = e->domain,
        .category = e->category,
        .style_key = rln__style_key(e->color, e->types),
        .text = e->text,
        .n_bytes = e->n_bytes,
    };
    unsigned verdict;
    uint64_t result;

    if (RLN_LIKELY(rln__gate() == 0))
        return put_in_line_open(e);
    verdict = rln__gate_before_event(&gated);
    result = verdict & RLN__IS_RECORDED ? put_in_line_open(e)
                                        : rln__result_of_unrecorded(e->kind, e->domain);
    return rln__gate_after_event(verdict, &gated, result);
}

/* Dispatches so that the kind is a constant again. */
static uint64_t put_row(unsigned kind, uint32_t domain, uint32_t shifted_id,
                        int has_value, uint64_t value)
{
    switch (has_value ? kind_with_value(kind) : kind) {
    case RLN__PUSH:
        return rln__put(RLN__PUSH, domain, shifted_id, 0);
    case RLN__PUSH_VALUE:
        return rln__put(RLN__PUSH_VALUE, domain, shifted_id, value);
    case RLN__MARK:
        return rln__put(RLN__MARK, domain, shifted_id, 0);
    case RLN__MARK_VALUE:
        return rln__put(RLN__MARK_VALUE, domain, shifted_id, value);
    case RLN__START:
        return rln__put(RLN__START, domain, shifted_id, 0);
    default:
        return rln__put(RLN__START_VALUE, domain, shifted_id, value);
    }
}

/* Writes an event with extended payloads, and with its attributes in line if they have
 * no row. */
static uint64_t put_extended(const struct event *e, const struct rln__attributes *row)
{
    const struct rln__in_line in_line = {
        .category = e->category,
        .color = e->color,
        .types = e->types,
        .text = e->text,
        .n_bytes = e->n_bytes,
    };

    return rln__put_payloads(
        &(struct rln__payload_event){
            .kind = e->kind,
            .id = row ? row->shifted_id >> RLN__ID_SHIFT : 0,
            .domain = e->domain,
            .in_line = row ? NULL : &in_line,
        },
        e->data, e->n_data);
}

/* A text is measured once, because a cut one is counted. */
static uint64_t put_event(struct event *e)
{
    const uint64_t domain_key = rln__domain_key(e->domain, e->category);
    const uint64_t style_key = rln__style_key(e->color, e->types);
    const struct rln__attributes *a = NULL;

    if (!e->text)
        a = rln__intern_handle(domain_key, style_key, e->handle);
    else if (e->is_permanent)
        a = rln__intern_plain(domain_key, style_key, e->text, &e->n_bytes);
    else if ((e->n_bytes = rln__text_length(e->text)) <= RLN__MAX_INTERNED_BYTES)
        a = rln__intern_message(domain_key, style_key, e->text, e->n_bytes);
    if (e->n_data)
        return put_extended(e, a);
    if (!a)
        return put_in_line(e);
    return put_row(e->kind, e->domain, a->shifted_id, e->has_payload, e->payload);
}

/* --- the program's attributes ----------------------------------------------------- */

/* The end of the last complete field. */
static size_t whole_fields(size_t n_bytes)
{
    static const uint8_t ends[] = {48, 36, 32, 20, 16, 12, 8, 4};

    for (size_t i = 0; i < RLN_COUNT(ends); i++) {
        if (n_bytes >= ends[i])
            return ends[i];
    }
    return 0;
}

/* Copies the structure up to its `size`, and zeros the rest. */
static void read_given(struct rln__event_attributes *to,
                       const struct rln__event_attributes *from)
{
    const size_t n_bytes = from ? whole_fields(from->size) : 0;

    *to = (struct rln__event_attributes){0};
    for (size_t i = 0; i < n_bytes; i++)
        ((volatile char *)to)[i] = ((const char *)from)[i];
    /* A type field means nothing without the field that it describes. */
    if (n_bytes < offsetof(struct rln__event_attributes, payload_type))
        to->color_type = 0;
    if (n_bytes < offsetof(struct rln__event_attributes, message_type))
        to->payload_type = 0;
}

static unsigned narrow_type(int32_t type)
{
    return (uint32_t)type < RLN__TYPE_OTHER ? (unsigned)type : RLN__TYPE_OTHER;
}

static void set_message(struct event *e, const struct rln__event_attributes *given)
{
    if (given->message_type == RLN__NVTX_MESSAGE_REGISTERED) {
        e->types |= rln__types(0, 0, RLN__MESSAGE_REGISTERED);
        e->handle = given->message;
        if ((uint64_t)(uintptr_t)e->handle >> 48 != RLN__TAG_STRING) {
            e->handle = NULL;
            rln__count(n_invalid, 1);
        }
    } else if (given->message_type == RLN__NVTX_MESSAGE_ASCII && given->message) {
        e->types |= rln__types(0, 0, RLN__MESSAGE_PLAIN);
        e->text = given->message;
        e->is_permanent = 1;
    }
}

static uint64_t event_slow(unsigned kind, uint32_t domain,
                           const struct rln__event_attributes *from)
{
    struct rln__event_attributes given;
    struct event e = {.kind = kind, .domain = domain};
    struct rln__wide wide;
    uint64_t id;

    read_given(&given, from);
    e.category = given.category;
    e.color = given.color_type ? given.color : 0;
    if (is_extended(&given)) {
        e.data = data_of(&given);
        e.n_data = e.data && given.n_payloads > 0 ? (size_t)given.n_payloads : 0;
        given.payload_type = 0;
    }
    e.types =
        rln__types(narrow_type(given.color_type), narrow_type(given.payload_type), 0);
    e.has_payload =
        given.payload_type >= 1 && given.payload_type <= RLN__NVTX_LAST_SCALAR_PAYLOAD;
    e.payload = e.has_payload ? payload_of(&given) : 0;
    if (given.message_type != RLN__NVTX_MESSAGE_UNICODE || !given.message) {
        set_message(&e, &given);
        return put_event(&e);
    }
    rln__wide_init(&wide, given.message);
    e.types |= rln__types(0, 0, RLN__MESSAGE_PLAIN);
    e.text = wide.text;
    id = put_event(&e);
    rln__wide_clear(&wide);
    return id;
}

uint64_t rln__event_plain_slow(unsigned kind, uint32_t domain, const char *message)
{
    struct event e = {
        .kind = kind,
        .domain = domain,
        .types = rln__types(0, 0, RLN__MESSAGE_PLAIN),
        .text = message ? message : "",
        .is_permanent = 1,
    };

    return put_event(&e);
}

uint64_t rln__event_wide(unsigned kind, uint32_t domain, const void *message)
{
    struct event e = {
        .kind = kind,
        .domain = domain,
        .types = rln__types(0, 0, RLN__MESSAGE_PLAIN),
    };
    struct rln__wide wide;
    uint64_t id;

    rln__wide_init(&wide, message);
    e.text = wide.text ? wide.text : "";
    id = put_event(&e);
    rln__wide_clear(&wide);
    return id;
}
