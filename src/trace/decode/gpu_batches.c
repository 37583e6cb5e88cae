/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/decode/gpu_batches.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "format/attributes.h"
#include "format/registry_lookup.h"

#include <stdlib.h>
#include <string.h>

#define WINDOW_WORDS 8192u

/* --- Places and times --------------------------------------------------------------
 */

static int is_of_work(uint64_t schema)
{
    return schema >= RLN__GPU_SCHEMA(0) && schema < RLN__GPU_SCHEMA(RLN__N_GPU_KINDS);
}

static int is_about_gpus(uint64_t schema)
{
    return is_of_work(schema) || schema == RLN__GPU_DEVICE_SCHEMA;
}

/* Whether a batch is in the domain of GPU work; -1 when there is no memory. */
static int is_in_domain(struct rln__names *names, uint32_t process,
                        const uint64_t *words)
{
    int is_unknown = 0;
    const uint32_t domain =
        rln__names_domain(names, process, (uint32_t)words[2], &is_unknown);

    if (domain == RLN__NONE)
        return -1;
    return rln__is_gpu_domain(
        rln__strings_get(&names->strings, names->domains[domain].name));
}

int rln__is_gpu_batch(struct rln__names *names, uint32_t process, const uint64_t *words)
{
    return is_about_gpus(words[3]) ? is_in_domain(names, process, words) : 0;
}

static const struct rln__schema *schema_of(const struct rln__gpu_batches *b,
                                           const struct rln__gpu_batch *batch)
{
    return rln__registry_schema(&b->reader->names, batch->process, batch->domain_id,
                                RLN__GPU_SCHEMA(batch->kind), batch->ticks);
}

/* The number of the clock that its first entry names; UINT32_MAX when there is no
 * memory. */
static uint32_t clock_of(struct rln__gpu_batches *b, const struct rln__gpu_batch *batch)
{
    const struct rln__names *names = &b->reader->names;
    const struct rln__schema *schema = schema_of(b, batch);
    const struct rln__schema_entry *entries =
        schema ? rln__schema_entries(&names->registry, schema) : NULL;
    const struct rln__semantics *s =
        entries
            ? rln__registry_semantics(names, schema->from.process, entries[0].semantics)
            : NULL;

    return rln__time_domains_find(&b->times, batch->process, batch->domain_id,
                                  s && s->has_time ? s->time_domain : 0);
}

static int64_t recorded_ns(const struct rln__gpu_batches *b,
                           const struct rln__gpu_batch *batch)
{
    return rln__reader_ns(b->reader, batch->part, batch->ticks);
}

/* Returns why they cannot be placed, or 0. */
static unsigned times_of(struct rln__gpu_batches *b, const struct rln__gpu_batch *batch,
                         uint32_t clock, const struct rln__gpu_head *head,
                         int64_t *start, int64_t *end)
{
    unsigned why = rln__time_domains_ns(&b->times, clock, head->start, start);

    /* Both with one correction of the clock, or a step of it would be in the duration.
     */
    if (!why && rln__time_domains_counts_ns(&b->times, clock))
        *end =
            (int64_t)((uint64_t)*start + (uint64_t)head->end - (uint64_t)head->start);
    else if (!why)
        why = rln__time_domains_ns(&b->times, clock, head->end, end);
    if (!why && (head->start == 0 || *end < *start))
        why = RLN__UNPLACED_CONTRADICTORY;
    if (why)
        *start = *end = recorded_ns(b, batch);
    return why;
}

/* --- Finding -----------------------------------------------------------------------
 */

/* The elements of a batch, in its record. 0, -1 when there is no memory, 1 if they do
 * not fit. */
static int find_elements(struct rln__gpu_batches *b, const uint64_t *words,
                         size_t n_words, struct rln__payload_segment *out)
{
    const int what =
        n_words < RLN__EVENT_BATCH_WORDS
            ? 1
            : rln__payload_segments_read(&b->segments, words + RLN__EVENT_BATCH_WORDS,
                                         n_words - RLN__EVENT_BATCH_WORDS, 0);

    if (what || !b->segments.n)
        return what ? what : 1;
    *out = b->segments.items[0];
    return 0;
}

/* The thread that stands for a scope: load.c adds them. */
static uint32_t stream_of(const rln_reader *reader, const struct rln__gpu_batch *batch,
                          uint64_t scope)
{
    const struct rln__scope *found =
        rln__registry_scope(&reader->names, batch->process, batch->domain_id, scope);

    return found ? rln__reader_stream(reader, batch->process,
                                      (size_t)(found - reader->names.registry.scopes))
                 : RLN__NONE;
}

static rln_status measure(struct rln__gpu_batches *b, struct rln__gpu_batch *batch,
                          const uint8_t *elements, rln_error *err)
{
    const uint32_t clock = clock_of(b, batch);

    if (clock == UINT32_MAX)
        return rln__fail_nomem(err);
    batch->is_by_other_clock = (uint8_t)rln__time_domains_counts_ns(&b->times, clock);
    batch->first_ns = INT64_MAX;
    for (uint32_t i = 0; i < batch->n; i++) {
        struct rln__gpu_head head;
        int64_t start, end;

        memcpy(&head, elements + (size_t)i * batch->n_stride, sizeof(head));
        (void)times_of(b, batch, clock, &head, &start, &end);
        if (start < batch->first_ns)
            batch->first_ns = start;
    }
    return RLN_OK;
}

/* The string of a handle, which no option renames; RLN__NONE when there is no memory.
 */
static uint32_t string_of(struct rln__gpu_batches *b,
                          const struct rln__gpu_batch *batch, uint64_t handle)
{
    if (rln__gpu_name(b, batch, handle) == RLN__NONE)
        return RLN__NONE;
    return handle >> RLN__STRING_TAG_SHIFT == RLN__TAG_STRING
               ? rln__names_message(&b->reader->names, batch->process,
                                    (uint32_t)(handle >> 4) & RLN__MAX_ID)
               : 0;
}

static int add_loss(struct rln__gpu_batches *b, const struct rln__gpu_batch *batch,
                    const uint8_t *element)
{
    rln_reader *reader = b->reader;
    struct rln__gpu_loss loss;
    uint32_t what;

    memcpy(&loss, element, sizeof(loss));
    what = string_of(b, batch, loss.what);
    if (what == RLN__NONE)
        return -1;
    reader->n_gpu_lost += loss.n;
    *(loss.n ? &reader->gpu_loss : &reader->gpu_refusal) = what;
    return 0;
}

static int add_device(struct rln__gpu_batches *b, const struct rln__gpu_batch *batch,
                      const uint8_t *element)
{
    const struct rln__strings *strings = &b->reader->names.strings;
    struct rln__gpu_device device;
    uint32_t name, uuid;

    memcpy(&device, element, sizeof(device));
    name = string_of(b, batch, device.name);
    uuid = string_of(b, batch, device.uuid);
    if (name == RLN__NONE || uuid == RLN__NONE)
        return -1;
    return rln__gpus_add(&b->reader->gpus,
                         &(struct rln__gpu_info){
                             .process = batch->process,
                             .device = device.device,
                             .name = rln__strings_get(strings, name),
                             .uuid = rln__strings_get(strings, uuid),
                             .memory_bytes = device.memory_bytes,
                             .multiprocessors = device.multiprocessors,
                             .capability_major = device.capability_major,
                             .capability_minor = device.capability_minor,
                         });
}

/* Losses, which other readers see as ordinary marks, and devices. */
static int add_notices(struct rln__gpu_batches *b, const struct rln__gpu_batch *batch,
                       const struct rln__record *r)
{
    const int is_loss = r->words[3] == RLN__GPU_LOSS_SCHEMA;
    const size_t n_bytes =
        is_loss ? sizeof(struct rln__gpu_loss) : sizeof(struct rln__gpu_device);
    struct rln__payload_segment elements;
    const int what = find_elements(b, r->words, r->n_words, &elements);
    int failed = what < 0;

    for (size_t at = 0; !what && !failed && at + n_bytes <= elements.n_kept;
         at += n_bytes)
        failed = (is_loss ? add_loss : add_device)(b, batch, elements.bytes + at);
    return failed;
}

static rln_status add_record(struct rln__gpu_batches *b,
                             const struct rln__chunk_info *chunk, uint32_t process,
                             const struct rln__record *r, rln_error *err)
{
    const unsigned sub = (unsigned)(r->words[0] >> RLN__SUB_SHIFT) & 255;
    struct rln__gpu_batch batch = {.offset = r->offset, .part = chunk->part};
    struct rln__gpu_batch *item;
    struct rln__payload_segment elements;
    const struct rln__schema *schema;
    int is_ours, what;

    if ((r->words[0] & 15) != RLN__LONG || sub != RLN__SUB_EVENT_BATCH ||
        r->n_words < RLN__EVENT_BATCH_WORDS)
        return RLN_OK;
    if (!is_about_gpus(r->words[3]) && r->words[3] != RLN__GPU_LOSS_SCHEMA)
        return RLN_OK;
    is_ours = is_in_domain(&b->reader->names, process, r->words);
    if (is_ours <= 0)
        return is_ours ? rln__fail_nomem(err) : RLN_OK;
    batch.ticks = r->words[1];
    batch.process = process;
    batch.domain_id = (uint32_t)r->words[2];
    if (!is_of_work(r->words[3]))
        return add_notices(b, &batch, r) ? rln__fail_nomem(err) : RLN_OK;
    batch.kind = (enum rln__gpu_kind)(r->words[3] - RLN__GPU_SCHEMA(0));
    batch.stream = rln__gpu_is_on_stream(batch.kind)
                       ? stream_of(b->reader, &batch, r->words[4])
                       : RLN__NONE;
    schema = schema_of(b, &batch);
    what = find_elements(b, r->words, r->n_words, &elements);
    if (what < 0)
        return rln__fail_nomem(err);
    if (what || !schema || schema->size_bytes < sizeof(struct rln__gpu_head) ||
        schema->size_bytes > elements.n_kept) {
        rln__note_damage(b->reader->layout.parts[chunk->part].file, r->offset,
                         "a batch of GPU work does not fit its record or its schema");
        return RLN_OK;
    }
    batch.n_stride = (uint32_t)schema->size_bytes;
    batch.n = elements.n_kept / batch.n_stride;
    item = rln__append(&b->all, &b->n, &b->capacity, sizeof(*item));
    if (!item)
        return rln__fail_nomem(err);
    *item = batch;
    return measure(b, item, elements.bytes, err);
}

static rln_status find_in_chunk(struct rln__gpu_batches *b,
                                const struct rln__chunk_info *chunk,
                                struct rln__cursor *cursor, rln_error *err)
{
    const uint32_t process =
        rln__names_process(&b->reader->names, chunk->part, chunk->process);
    struct rln__record record;
    rln_status status;

    if (process == RLN__NONE)
        return rln__fail_nomem(err);
    rln__cursor_begin(cursor, b->reader->layout.parts[chunk->part].file, chunk);
    while ((status = rln__cursor_next(cursor, &record, err)) == RLN_OK) {
        status = add_record(b, chunk, process, &record, err);
        if (status)
            return status;
    }
    return status == RLN_END ? RLN_OK : status;
}

static int by_first(const void *a, const void *b)
{
    const struct rln__gpu_batch *x = a, *y = b;

    if (x->first_ns != y->first_ns)
        return x->first_ns < y->first_ns ? -1 : 1;
    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Whether any process registered the schemas, without which there are no batches. */
static int may_have_any(const struct rln__names *names)
{
    const struct rln__registry *r = &names->registry;

    for (size_t i = 0; i < r->n_schemas; i++) {
        if (is_of_work(r->schemas[i].from.id))
            return 1;
    }
    return 0;
}

static void count_kinds(const struct rln__gpu_batches *b)
{
    uint64_t n[RLN__N_GPU_KINDS] = {0};

    for (size_t i = 0; i < b->n; i++)
        n[b->all[i].kind] += b->all[i].n;
    b->reader->n_graph_launches = n[RLN__GPU_GRAPH];
    b->reader->n_gpu_without_calls = n[RLN__GPU_CALL]
                                         ? 0
                                         : n[RLN__GPU_KERNEL] + n[RLN__GPU_COPY] +
                                               n[RLN__GPU_SET] + n[RLN__GPU_GRAPH];
}

rln_status rln__gpu_batches_find(struct rln__gpu_batches *b, rln_reader *reader,
                                 rln_error *err)
{
    const struct rln__layout *layout = &reader->layout;
    struct rln__cursor cursor = {0};
    rln_status status;

    memset(b, 0, sizeof(*b));
    if (!may_have_any(&reader->names))
        return RLN_OK;
    b->reader = reader;
    rln__gpus_clear(&reader->gpus);
    reader->n_gpu_lost = reader->gpu_loss = reader->gpu_refusal = 0;
    status = rln__time_domains_init(&b->times, reader, err);
    if (!status)
        status = rln__cursor_init(&cursor, WINDOW_WORDS, err);
    for (size_t i = 0; i < layout->n_chunks && !status; i++) {
        if (layout->chunks[i].kind == RLN__CHUNK_DEFERRED)
            status = find_in_chunk(b, &layout->chunks[i], &cursor, err);
    }
    rln__cursor_clear(&cursor);
    if (status) {
        rln__gpu_batches_clear(b);
        return status;
    }
    count_kinds(b);
    if (b->n)
        qsort(b->all, b->n, sizeof(*b->all), by_first);
    return RLN_OK;
}

void rln__gpu_batches_clear(struct rln__gpu_batches *b)
{
    if (b->reader)
        rln__time_domains_clear(&b->times);
    rln__free(b->all);
    rln__free(b->words);
    rln__payload_segments_clear(&b->segments);
    rln__map_clear(&b->by_tid);
    memset(b, 0, sizeof(*b));
}

/* --- Reading -----------------------------------------------------------------------
 */

uint32_t rln__gpu_name(struct rln__gpu_batches *b, const struct rln__gpu_batch *batch,
                       uint64_t handle)
{
    const uint64_t words[3] = {batch->domain_id, 0, 0};
    const uint32_t id = (uint32_t)(handle >> 4) & RLN__MAX_ID;
    const int is_handle = handle >> RLN__STRING_TAG_SHIFT == RLN__TAG_STRING;

    return is_handle
               ? rln__reader_attr(b->reader, batch->process, id)
               : rln__names_attr_in_line(&b->reader->names, batch->process, words, 0);
}

static int by_begin(const void *a, const void *b)
{
    const struct rln__gpu_event *x = a, *y = b;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    if (x->end_ns != y->end_ns)
        return x->end_ns > y->end_ns ? -1 : 1;
    return (x->element > y->element) - (x->element < y->element);
}

static rln_status read_elements(struct rln__gpu_batches *b,
                                const struct rln__gpu_batch *batch,
                                const uint8_t *elements, struct rln__gpu_events *out,
                                rln_error *err)
{
    const uint32_t clock = clock_of(b, batch);

    if (clock == UINT32_MAX)
        return rln__fail_nomem(err);
    for (uint32_t i = 0; i < batch->n; i++) {
        struct rln__gpu_event *e = &out->items[i];
        struct rln__gpu_head head;

        memcpy(&head, elements + (size_t)i * batch->n_stride, sizeof(head));
        *e = (struct rln__gpu_event){
            .element = i,
            .attr = rln__gpu_name(b, batch, head.name),
            .thread = batch->stream,
            .correlation = head.correlation,
        };
        if (e->attr == RLN__NONE)
            return rln__fail_nomem(err);
        e->why_unplaced =
            (uint8_t)times_of(b, batch, clock, &head, &e->start_ns, &e->end_ns);
        if (!rln__gpu_is_on_stream(batch->kind)) {
            e->thread = rln__reader_thread_of_tid(b->reader, &b->by_tid, batch->process,
                                                  head.tid);
            e->tid = head.tid;
        } else if (batch->stream != RLN__NONE) {
            e->tid = b->reader->threads[batch->stream].tid;
        }
    }
    out->n = batch->n;
    if (out->n)
        qsort(out->items, out->n, sizeof(*out->items), by_begin);
    return RLN_OK;
}

rln_status rln__gpu_batch_read(struct rln__gpu_batches *b,
                               const struct rln__gpu_batch *batch,
                               struct rln__gpu_events *out, rln_error *err)
{
    const struct rln__input *file = b->reader->layout.parts[batch->part].file;
    struct rln__gpu_event *items =
        rln__grow(out->items, &out->capacity, batch->n, sizeof(*items));
    struct rln__payload_segment elements;
    uint64_t first;
    size_t n_words;
    uint64_t *words;
    rln_status status;
    int what;

    out->n = 0;
    if (!items)
        return rln__fail_nomem(err);
    out->items = items;
    status = rln__input_read(file, batch->offset, &first, sizeof(first), NULL, err);
    if (status)
        return status;
    n_words = rln__record_words(first);
    words = rln__grow(b->words, &b->words_capacity, n_words + 1, sizeof(*words));
    if (!words)
        return rln__fail_nomem(err);
    b->words = words;
    status = rln__input_read(file, batch->offset, words, n_words * 8, NULL, err);
    if (status)
        return status;
    what = find_elements(b, words, n_words, &elements);
    if (what < 0)
        return rln__fail_nomem(err);
    if (what || elements.n_kept / batch->n_stride < batch->n)
        return RLN_OK; /* the file was changed since the batch was found */
    return read_elements(b, batch, elements.bytes, out, err);
}

void rln__gpu_element(const struct rln__gpu_batches *b,
                      const struct rln__gpu_batch *batch,
                      const struct rln__gpu_event *event, void *out, size_t n_bytes)
{
    const uint8_t *elements = b->segments.items[0].bytes;
    const size_t n_known = n_bytes < batch->n_stride ? n_bytes : batch->n_stride;

    memset(out, 0, n_bytes);
    memcpy(out, elements + (size_t)event->element * batch->n_stride, n_known);
}

struct rln__record_address rln__gpu_event_address(const struct rln__gpu_batch *batch,
                                                  const struct rln__gpu_event *event)
{
    return (struct rln__record_address){
        .offset = batch->offset,
        .n_payloads = 1,
        .part = batch->part,
        .process = batch->process,
        .domain_id = batch->domain_id,
        .tid = event->tid,
        .element = event->element,
    };
}
