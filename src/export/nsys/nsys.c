/* SPDX-License-Identifier: Apache-2.0 */
#include "export/nsys/nsys.h"
#include "base/alloc.h"
#include "base/utf8.h"
#include "export/nsys/table_filter.h"
#include "export/payloads.h"
#include "format/attributes.h"
#include "format/global_id.h"
#include "rangeline/filter.h"
#include "trace/open/name_catalog.h"
#include "trace/open/pid_aliases.h"

/* --- Which tables ----------------------------------------------------------------- */

static void choose_tables(struct rln__nsys *n)
{
    for (size_t i = 0; i < RLN__N_TABLES && !n->sink.has_all; i++)
        n->is_excluded[i] =
            !rln__table_filter_has(n->x->tables, rln__nsys_schemas[i].name);
}

int rln__nsys_has(const struct rln__nsys *n, enum rln__nsys_table table)
{
    return !n->is_excluded[table] &&
           (n->has_rows[table] || rln__nsys_schemas[table].is_always_there ||
            rln__export_needs(n->x, RLN_EXPORT_EMPTY_TABLES));
}

int rln__nsys_has_enum(const struct rln__nsys *n, const struct rln__nsys_enum *e)
{
    return rln__table_filter_has(n->x->tables, e->name) &&
           (e->only_with == RLN__T_STRING_IDS || rln__nsys_has(n, e->only_with));
}

rln_status rln__nsys_put(struct rln__nsys *n, enum rln__nsys_table table,
                         const struct rln__cell *cells, rln_error *err)
{
    if (n->is_excluded[table])
        return RLN_OK;
    n->has_rows[table] = 1;
    return n->sink.row(n->sink.context, table, cells, err);
}

static rln_status put_event(struct rln__nsys *n, const struct rln__nsys_event *event,
                            rln_error *err)
{
    return n->is_excluded[RLN__T_NVTX_EVENTS]
               ? RLN_OK
               : n->sink.event(n->sink.context, event, err);
}

/* --- Numbers of processes and threads --------------------------------------------- */

static uint64_t vm_bits(uint64_t number)
{
    return (number & 0xffff) << RLN__GLOBAL_VM_SHIFT;
}

/* Parts of one boot are of one machine: the first is <0, 1>, the next <0, 2>. */
static rln_status number_machines(struct rln__nsys *n, uint64_t *n_vms, rln_error *err)
{
    const struct rln__layout *layout = &n->x->reader->layout;

    n->vms = rln__alloc(layout->n_parts + 1, sizeof(*n->vms));
    if (!n->vms)
        return rln__fail_nomem(err);
    for (size_t i = 0; i < layout->n_parts; i++) {
        const struct rln__superblock *super = &layout->parts[i].super;
        size_t same = 0;

        while (same < i && memcmp(layout->parts[same].super.boot_id, super->boot_id,
                                  sizeof(super->boot_id)) != 0)
            same++;
        n->vms[i] = same < i ? n->vms[same] : vm_bits(++*n_vms);
    }
    return RLN_OK;
}

/* A process that has the pid of one of another trace there is on a machine behind all
 * these. */
static rln_status number_aliases(struct rln__nsys *n, uint64_t n_vms, rln_error *err)
{
    const rln_reader *reader = n->x->reader;
    struct rln__pid_aliases aliases;
    struct rln__key_index further = {0}; /* machine, number of the PID alias */
    rln_status status = rln__pid_aliases_init(&aliases, reader, n->vms, err);

    n->alias_vms = rln__alloc(aliases.n + 1, sizeof(*n->alias_vms));
    if (!status && !n->alias_vms)
        status = rln__fail_nomem(err);
    for (; !status && n->n_alias_vms < aliases.n; n->n_alias_vms++) {
        const uint32_t alias = aliases.numbers[n->n_alias_vms];
        const uint64_t vm = n->vms[reader->names.processes[n->n_alias_vms].part];
        const struct rln__key key = {{vm, alias}};
        const uint32_t number = alias ? rln__key_index_number(&further, &key) : 0;

        if (number == UINT32_MAX)
            status = rln__fail_nomem(err);
        n->alias_vms[n->n_alias_vms] = alias ? vm_bits(n_vms + number + 1) : vm;
    }
    rln__pid_aliases_clear(&aliases);
    rln__key_index_clear(&further);
    return status;
}

int64_t rln__nsys_global_pid(const struct rln__nsys *n, uint32_t process)
{
    const struct rln__trace_process *p = &n->x->reader->names.processes[process];
    const uint64_t vm =
        process < n->n_alias_vms ? n->alias_vms[process] : n->vms[p->part];

    return (int64_t)(vm | (uint64_t)(p->record.pid & RLN__GLOBAL_MASK)
                              << RLN__GLOBAL_PID_SHIFT);
}

int64_t rln__nsys_global_tid(const struct rln__nsys *n, uint32_t process, uint32_t tid)
{
    return rln__nsys_global_pid(n, process) | (int64_t)(tid & RLN__GLOBAL_MASK);
}

/* --- Texts ------------------------------------------------------------------------ */

static rln_status make_clean(struct rln__nsys *n, rln_text *text, rln_error *err)
{
    struct rln__buf buf = {0};
    rln_text *copy = rln__alloc(1, sizeof(*copy)); /* its bytes are in `buf` */

    rln__buf_utf8(&buf, text->bytes, text->length);
    if (!copy || buf.has_failed ||
        rln__map_put(&n->cleaned, (uint64_t)(uintptr_t)text->bytes,
                     (uint64_t)(uintptr_t)copy)) {
        rln__free(copy);
        rln__buf_clear(&buf);
        return rln__fail_nomem(err);
    }
    *copy = (rln_text){buf.bytes, buf.length};
    *text = *copy;
    return RLN_OK;
}

rln_status rln__nsys_clean(struct rln__nsys *n, rln_text *text, rln_error *err)
{
    const rln_text *copy;

    if (rln__utf8_is_valid(text->bytes, text->length))
        return RLN_OK;
    copy = (const rln_text *)(uintptr_t)rln__map_get(&n->cleaned,
                                                     (uint64_t)(uintptr_t)text->bytes);
    if (!copy)
        return make_clean(n, text, err);
    *text = *copy;
    return RLN_OK;
}

static rln_status put_location(struct rln__nsys *n, int64_t text_id,
                               struct rln__location location, rln_error *err)
{
    rln_text file = location.file;
    const rln_status status = rln__nsys_clean(n, &file, err);
    const struct rln__cell cells[] = {rln__cell_int(text_id), rln__nsys_cell_text(file),
                                      rln__cell_int(location.line)};

    return status ? status : rln__nsys_put(n, RLN__T_LOCATIONS, cells, err);
}

rln_status rln__nsys_string(struct rln__nsys *n, rln_text text, int64_t *out,
                            rln_error *err)
{
    struct rln__location location;
    const uint64_t key = (uint64_t)(uintptr_t)text.bytes;
    const uint64_t found = rln__map_get(&n->strings, key);
    struct rln__cell cells[2];
    rln_status status;

    *out = (int64_t)found - 1;
    if (found)
        return RLN_OK;
    *out = n->n_strings++;
    if (rln__map_put(&n->strings, key, (uint64_t)*out + 1))
        return rln__fail_nomem(err);
    location = rln__reader_location(n->x->reader, text);
    status = rln__nsys_clean(n, &text, err);
    cells[0] = rln__cell_int(*out);
    cells[1] = rln__nsys_cell_text(text.bytes ? text : (rln_text){"", 0});
    if (!status)
        status = rln__nsys_put(n, RLN__T_STRING_IDS, cells, err);
    if (!status && location.file.length)
        status = put_location(n, *out, location, err);
    return status;
}

/* --- Domains and categories ------------------------------------------------------- */

static rln_status write_name(struct rln__nsys *n, struct rln__nsys_event *event,
                             rln_error *err)
{
    const rln_status status = rln__nsys_clean(n, &event->text, err);

    return status ? status : put_event(n, event, err);
}

static rln_status add_domain(struct rln__nsys *n, int64_t global_pid, uint32_t *out,
                             rln_error *err)
{
    const uint64_t last = rln__map_get(&n->n_domains_of, (uint64_t)global_pid);
    uint32_t *id =
        rln__append(&n->domain_ids, &n->n_domains, &n->domains_capacity, sizeof(*id));

    if (!id)
        return rln__fail_nomem(err);
    *out = *id = (uint32_t)last + 1;
    return rln__map_put(&n->n_domains_of, (uint64_t)global_pid, last + 1)
               ? rln__fail_nomem(err)
               : RLN_OK;
}

/* Of one that has a name. */
static rln_status number_domain(struct rln__nsys *n, uint32_t process, uint32_t domain,
                                int64_t t_ns, uint32_t tid, uint32_t *out,
                                rln_error *err)
{
    const struct rln__names *names = &n->x->reader->names;
    const int64_t global_pid = rln__nsys_global_pid(n, process);
    const struct rln__key key = {{(uint64_t)global_pid, domain}};
    struct rln__nsys_event event = {.start_ns = t_ns, .type = RLN__NSYS_DOMAIN_CREATE};
    uint32_t number;
    rln_status status;

    number = rln__key_index_number(&n->domains, &key);
    if (number == UINT32_MAX)
        return rln__fail_nomem(err);
    if (number < n->n_domains) {
        *out = n->domain_ids[number];
        return RLN_OK;
    }
    status = add_domain(n, global_pid, out, err);
    event.global_tid = global_pid | (int64_t)(tid & RLN__GLOBAL_MASK);
    event.domain_id = *out;
    event.text = rln__strings_get(&names->strings, names->domains[domain].name);
    /* One that the trace never names has no row: its ranges just have its number. */
    return status || !event.text.bytes ? status : write_name(n, &event, err);
}

rln_status rln__nsys_domain(struct rln__nsys *n, uint32_t process, uint32_t domain,
                            int64_t t_ns, uint32_t tid, uint32_t *out, rln_error *err)
{
    *out = 0;
    return domain ? number_domain(n, process, domain, t_ns, tid, out, err) : RLN_OK;
}

/* Writes the row of a category if it is new: of `row` all but its type is set. */
static rln_status see_category(struct rln__nsys *n, struct rln__nsys_event *row,
                               rln_error *err)
{
    const uint64_t global_pid = (uint64_t)row->global_tid & ~(uint64_t)RLN__GLOBAL_MASK;
    const struct rln__key key = {{global_pid, row->domain_id, row->category}};
    const size_t n_known = n->categories.n;
    const uint32_t number = rln__key_index_number(&n->categories, &key);

    row->type = RLN__NSYS_CATEGORY;
    row->has_category = 1;
    if (number == UINT32_MAX)
        return rln__fail_nomem(err);
    return number < n_known ? RLN_OK : write_name(n, row, err);
}

static rln_status see_category_of(struct rln__nsys *n, const rln_range *range,
                                  uint32_t domain_id, rln_error *err)
{
    struct rln__nsys_event row = {
        .start_ns = range->start_ns,
        .global_tid = rln__nsys_global_tid(n, range->process, range->tid),
        .domain_id = domain_id,
        .category = range->attributes.category,
        .text = range->attributes.category_name,
    };

    return see_category(n, &row, err);
}

/* The number of a domain that a process has, used or not. Sets `*is_foreign` if it has
 * no rows: it is unknown, or of GPU work. */
static rln_status unused_domain(struct rln__nsys *n, uint32_t process, uint32_t id,
                                uint32_t *out, int *is_foreign, rln_error *err)
{
    struct rln__names *names = &n->x->reader->names;
    const uint32_t domain = rln__names_domain(names, process, id, is_foreign);

    *out = 0;
    if (domain == RLN__NONE)
        return rln__fail_nomem(err);
    if (rln__is_gpu_domain(
            rln__strings_get(&names->strings, names->domains[domain].name)))
        *is_foreign = 1;
    return *is_foreign
               ? RLN_OK
               : rln__nsys_domain(n, process, domain, n->x->last_ns, 0, out, err);
}

static rln_status unused_category(struct rln__nsys *n, const struct rln__category *c,
                                  rln_error *err)
{
    const struct rln__names *names = &n->x->reader->names;
    struct rln__nsys_event row = {
        .start_ns = n->x->last_ns,
        .global_tid = rln__nsys_global_pid(n, c->process),
        .category = c->category,
        .text = rln__strings_get(&names->strings,
                                 rln__names_string(names, c->process, c->name)),
    };
    int is_foreign = !row.text.bytes;
    const rln_status status =
        unused_domain(n, c->process, c->domain_id, &row.domain_id, &is_foreign, err);

    return status || is_foreign ? status : see_category(n, &row, err);
}

rln_status rln__nsys_unused_names(struct rln__nsys *n, rln_error *err)
{
    const struct rln__names *names = &n->x->reader->names;
    rln_status status = RLN_OK;
    uint32_t number;

    if (rln__reader_is_restricted(n->x->reader)) /* only what is used was requested */
        return RLN_OK;
    for (size_t i = 0; i < names->n_created_domains && !status; i++) {
        const struct rln__created_domain *created = &names->created_domains[i];
        int is_foreign = 0;

        status =
            unused_domain(n, created->process, created->id, &number, &is_foreign, err);
    }
    for (size_t i = 0; i < names->n_categories && !status; i++)
        status = unused_category(n, &names->categories[i], err);
    return status;
}

/* --- NVTX_EVENTS ------------------------------------------------------------------ */

/* The domain's number goes into the header of each payload. */
static rln_status number_blob(struct rln__nsys *n, struct rln__nsys_event *event,
                              rln_error *err)
{
    const uint64_t domain_id = event->domain_id;
    uint64_t size;

    n->scratch.length = 0;
    rln__buf_add(&n->scratch, event->blob.bytes, event->blob.length);
    if (n->scratch.has_failed)
        return rln__fail_nomem(err);
    for (size_t at = 0; at + RLN__BLOB_HEADER_BYTES <= n->scratch.length;) {
        char *header = n->scratch.bytes + at;

        memcpy(header, &domain_id, sizeof(domain_id));
        memcpy(&size, header + 8 * RLN__BLOB_SIZE, sizeof(size));
        at += RLN__BLOB_HEADER_BYTES + size;
    }
    event->blob.bytes = n->scratch.bytes;
    return RLN_OK;
}

/* The reader keeps a message once, so its address identifies it. */
static rln_status clean_message(struct rln__nsys *n, rln_text *text, rln_error *err)
{
    const uint64_t hash = (uint64_t)(uintptr_t)text->bytes * 0x9e3779b97f4a7c15u;
    const char **valid = &n->valid[hash >> 58];
    const char *bytes = text->bytes;
    rln_status status;

    if (*valid == bytes)
        return RLN_OK;
    status = rln__nsys_clean(n, text, err);
    if (text->bytes == bytes)
        *valid = bytes;
    return status;
}

static rln_status set_message(struct rln__nsys *n, const rln_attributes *with,
                              struct rln__nsys_event *event, rln_error *err)
{
    int64_t id;
    rln_status status;

    event->text = with->message;
    if (!with->message.bytes)
        return RLN_OK;
    if (with->message_kind != RLN_MESSAGE_REGISTERED)
        return clean_message(n, &event->text, err);
    status = rln__nsys_string(n, with->message, &id, err);
    event->text = (rln_text){NULL, 0};
    event->has_text_id = 1;
    event->text_id = (uint32_t)id;
    return status;
}

static uint8_t type_of(const struct rln__row *row)
{
    switch (row->time) {
    case 0:
        return row->range->style == RLN_RANGE_START_END ? RLN__NSYS_START_END
                                                        : RLN__NSYS_PUSH_POP;
    case RLN_EVENT_THREAD_NAME:
        return RLN__NSYS_THREAD;
    case RLN_EVENT_DOMAIN_DESTROY:
        return RLN__NSYS_DOMAIN_DESTROY;
    default:
        return RLN__NSYS_MARK;
    }
}

static void set_range(const struct rln__nsys *n, const rln_range *range,
                      struct rln__nsys_event *event)
{
    event->has_end = !(range->flags & RLN_FLAG_OPEN);
    event->has_range_id = range->style == RLN_RANGE_START_END;
    event->range_id = range->id;
    event->has_end_global_tid = event->has_end && range->style == RLN_RANGE_START_END &&
                                range->end_thread != range->thread;
    if (event->has_end_global_tid)
        event->end_global_tid =
            rln__nsys_global_tid(n, range->end_process, range->end_tid);
}

rln_status rln__nsys_row(struct rln__nsys *n, const struct rln__row *row,
                         rln_error *err)
{
    const rln_range *range = row->range;
    struct rln__nsys_event event = {
        .start_ns = range->start_ns,
        .end_ns = range->end_ns,
        .global_tid = rln__nsys_global_tid(n, range->process, range->tid),
        .type = type_of(row),
        .category = range->attributes.category,
        .has_category = range->attributes.category != 0,
        .color = range->attributes.color,
        .has_color = range->attributes.has_color,
        .payload_type = range->attributes.payload_type,
        .payload_bits = range->payload_bits,
        .json = row->json,
        .blob = row->blob,
        .aside = row->aside,
    };
    rln_status status =
        rln__nsys_domain(n, range->process, range->attributes.domain, range->start_ns,
                         range->tid, &event.domain_id, err);

    if (!row->time)
        set_range(n, range, &event);
    if (!status && event.has_category && range->attributes.category_name.bytes)
        status = see_category_of(n, range, event.domain_id, err);
    if (!status)
        status = set_message(n, &range->attributes, &event, err);
    if (!status && row->time == RLN_EVENT_DOMAIN_DESTROY) {
        event.text = range->attributes.domain_name;
        status = rln__nsys_clean(n, &event.text, err);
    }
    if (!event.json.length || !rln__export_needs(n->x, RLN_EXPORT_JSON))
        event.json = (rln_text){NULL, 0};
    if (!event.blob.length)
        event.blob = (rln_text){NULL, 0};
    else if (!status)
        status = number_blob(n, &event, err);
    return status ? status : put_event(n, &event, err);
}

/* --- All of it -------------------------------------------------------------------- */

rln_status rln__nsys_init(struct rln__nsys *n, struct rln__export *x,
                          const struct rln__nsys_sink *sink, rln_error *err)
{
    uint64_t n_vms = 0;
    rln_status status;

    memset(n, 0, sizeof(*n));
    n->x = x;
    n->sink = *sink;
    choose_tables(n);
    status = number_machines(n, &n_vms, err);
    return status ? status : number_aliases(n, n_vms, err);
}

void rln__nsys_clear(struct rln__nsys *n)
{
    for (size_t i = 0; n->cleaned.slots && i <= n->cleaned.mask; i++) {
        rln_text *copy = (rln_text *)(uintptr_t)n->cleaned.slots[i].value;

        if (copy)
            rln__free((char *)(uintptr_t)copy->bytes);
        rln__free(copy);
    }
    rln__map_clear(&n->cleaned);
    rln__map_clear(&n->strings);
    rln__map_clear(&n->n_domains_of);
    rln__map_clear(&n->sources);
    rln__key_index_clear(&n->domains);
    rln__key_index_clear(&n->categories);
    rln__free(n->domain_ids);
    rln__free(n->vms);
    rln__free(n->alias_vms);
    rln__sampling_clear(&n->samples);
    rln__buf_clear(&n->scratch);
}
