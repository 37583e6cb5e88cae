/* SPDX-License-Identifier: Apache-2.0 */
/* name_catalog.c - lists the names that programs gave, in the order of recording, with
 * every id looked up.
 */
#include "trace/open/name_catalog.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "format/attributes.h"
#include "trace/open/load.h"

struct rln__name_catalog {
    struct rln__name_catalog_message *messages; /* owned, like the others below */
    size_t n_messages;
    rln_text *domains;
    size_t n_domains;
    struct rln__name_catalog_category *categories;
    size_t n_categories;
    struct rln__name_catalog_thread *threads;
    size_t n_threads;
};

static rln_text text_of(const struct rln__names *names, uint32_t string)
{
    return rln__strings_get(&names->strings, string);
}

/* --- Messages --------------------------------------------------------------------- */

static uint64_t message_key(const struct rln__attr *a)
{
    return (uint64_t)a->domain << 32 | a->message;
}

/* `by_key`: index + 1 of each domain and message. */
static rln_status add_message(struct rln__names *names, const struct rln__raw_attr *raw,
                              struct rln__map *by_key, struct rln__name_catalog *out,
                              rln_error *err)
{
    const uint32_t attr = rln__names_attr(names, raw->process, raw->id);
    const struct rln__attr *a;

    if (attr == RLN__NONE)
        return rln__fail_nomem(err);
    a = &names->attrs[attr];
    if (a->is_unknown || !a->message || rln__map_get(by_key, message_key(a)))
        return RLN_OK;
    if (rln__map_put(by_key, message_key(a), out->n_messages + 1))
        return rln__fail_nomem(err);
    out->messages[out->n_messages++] = (struct rln__name_catalog_message){
        .message = text_of(names, a->message),
        .domain = a->domain,
        .domain_name = text_of(names, names->domains[a->domain].name),
    };
    return RLN_OK;
}

/* RLN__NONE if there is no such process. */
static uint32_t find_process(const struct rln__names *names, uint32_t part,
                             uint32_t number)
{
    for (uint32_t i = 0; i < names->n_processes; i++) {
        if (names->processes[i].part == part && names->processes[i].number == number)
            return i;
    }
    return RLN__NONE;
}

/* The index + 1 of the message in a row that the collectors counted, or 0. */
static uint64_t find_message(struct rln__names *names, uint32_t part, uint64_t row,
                             const struct rln__map *by_key)
{
    const uint32_t process = row ? find_process(names, part, (uint32_t)row) : RLN__NONE;
    const uint32_t attr = process == RLN__NONE
                              ? RLN__NONE
                              : rln__names_attr(names, process, (uint32_t)(row >> 32));

    return attr == RLN__NONE ? 0
                             : rln__map_get(by_key, message_key(&names->attrs[attr]));
}

/* Adds the collectors' counts of ranges that were not captured only because of their
 * domain. */
static void add_missed(rln_reader *reader, uint32_t part, const struct rln__map *by_key,
                       struct rln__name_catalog *out)
{
    const struct rln__near_miss *misses =
        reader->layout.parts[part].super.control.near_misses;

    for (size_t i = 0; i < RLN__NEAR_MISSES; i++) {
        const uint64_t at = find_message(&reader->names, part, misses[i].row, by_key);

        if (at)
            out->messages[at - 1].n_missed += misses[i].n;
    }
}

static rln_status list_messages(rln_reader *reader, struct rln__name_catalog *out,
                                rln_error *err)
{
    struct rln__names *names = &reader->names;
    struct rln__map by_key = {0};
    rln_status status = RLN_OK;

    out->messages = rln__alloc(names->n_raw, sizeof(*out->messages));
    if (!out->messages)
        return rln__fail_nomem(err);
    for (size_t i = 0; i < names->n_raw && !status; i++)
        status = add_message(names, &names->raw[i], &by_key, out, err);
    for (uint32_t i = 0; i < reader->layout.n_parts && !status; i++)
        add_missed(reader, i, &by_key, out);
    rln__map_clear(&by_key);
    return status;
}

/* --- Domains, categories and threads ---------------------------------------------- */

static rln_status list_domains(const struct rln__names *names,
                               struct rln__name_catalog *out, rln_error *err)
{
    struct rln__map seen = {0};

    out->domains = rln__alloc(names->n_created_domains, sizeof(*out->domains));
    if (!out->domains)
        return rln__fail_nomem(err);
    for (size_t i = 0; i < names->n_created_domains; i++) {
        const struct rln__created_domain *created = &names->created_domains[i];
        const uint32_t string =
            rln__names_string(names, created->process, created->string);

        if (!string || rln__map_get(&seen, string))
            continue;
        if (rln__map_put(&seen, string, 1)) {
            rln__map_clear(&seen);
            return rln__fail_nomem(err);
        }
        out->domains[out->n_domains++] = text_of(names, string);
    }
    rln__map_clear(&seen);
    return RLN_OK;
}

rln_status rln__reader_category(rln_reader *reader, size_t index,
                                struct rln__name_catalog_category *out, rln_error *err)
{
    struct rln__names *names = &reader->names;
    const struct rln__category *c = &names->categories[index];
    int is_unknown = 0;
    const uint32_t domain =
        rln__names_domain(names, c->process, c->domain_id, &is_unknown);

    if (domain == RLN__NONE)
        return rln__fail_nomem(err);
    *out = (struct rln__name_catalog_category){
        .process = c->process,
        .domain = domain,
        .category = c->category,
        .name = text_of(names, rln__names_string(names, c->process, c->name)),
        .domain_name = text_of(names, names->domains[domain].name),
    };
    return RLN_OK;
}

static rln_status list_categories(rln_reader *reader, struct rln__name_catalog *out,
                                  rln_error *err)
{
    const size_t n = reader->names.n_categories;
    rln_status status = RLN_OK;

    out->categories = rln__alloc(n, sizeof(*out->categories));
    if (!out->categories)
        return rln__fail_nomem(err);
    for (; !status && out->n_categories < n; out->n_categories++)
        status = rln__reader_category(reader, out->n_categories,
                                      &out->categories[out->n_categories], err);
    return status;
}

static rln_status list_threads(const rln_reader *reader, struct rln__name_catalog *out,
                               rln_error *err)
{
    const struct rln__names *names = &reader->names;

    out->threads = rln__alloc(names->n_events, sizeof(*out->threads));
    if (!out->threads)
        return rln__fail_nomem(err);
    for (size_t i = 0; i < names->n_events; i++) {
        const struct rln__name_event *e = &names->events[i];

        if (e->sub == RLN__SUB_THREAD_NAME)
            out->threads[out->n_threads++] = (struct rln__name_catalog_thread){
                .process = e->process,
                .tid = e->id,
                .name = rln__reader_thread_name(reader, e->process, e->id),
            };
    }
    return RLN_OK;
}

/* --- The list --------------------------------------------------------------------- */

rln_status rln__name_catalog_open(rln_reader *reader, struct rln__name_catalog **out,
                                  rln_error *err)
{
    struct rln__name_catalog *named = rln__alloc(1, sizeof(*named));
    rln_status status;

    *out = NULL;
    if (!named)
        return rln__fail_nomem(err);
    status = list_messages(reader, named, err);
    if (!status)
        status = list_domains(&reader->names, named, err);
    if (!status)
        status = list_categories(reader, named, err);
    if (!status)
        status = list_threads(reader, named, err);
    if (status) {
        rln__name_catalog_close(named);
        return status;
    }
    *out = named;
    return RLN_OK;
}

void rln__name_catalog_close(struct rln__name_catalog *named)
{
    if (!named)
        return;
    rln__free(named->messages);
    rln__free(named->domains);
    rln__free(named->categories);
    rln__free(named->threads);
    rln__free(named);
}

const struct rln__name_catalog_message *
rln__name_catalog_message_at(const struct rln__name_catalog *named, size_t index)
{
    return index < named->n_messages ? &named->messages[index] : NULL;
}

const rln_text *rln__name_catalog_domain_at(const struct rln__name_catalog *named,
                                            size_t index)
{
    return index < named->n_domains ? &named->domains[index] : NULL;
}

const struct rln__name_catalog_category *
rln__name_catalog_category_at(const struct rln__name_catalog *named, size_t index)
{
    return index < named->n_categories ? &named->categories[index] : NULL;
}

const struct rln__name_catalog_thread *
rln__name_catalog_thread_at(const struct rln__name_catalog *named, size_t index)
{
    return index < named->n_threads ? &named->threads[index] : NULL;
}

rln_text rln__reader_stream_name(const rln_reader *reader, uint32_t thread)
{
    const int is_stream =
        thread < reader->n_threads && reader->threads[thread].is_stream;

    return text_of(&reader->names, is_stream ? reader->threads[thread].system_name : 0);
}

struct rln__location rln__reader_location(const rln_reader *reader, rln_text message)
{
    return rln__location_of(&reader->names, message);
}

rln_text rln__reader_thread_name(const rln_reader *reader, uint32_t process,
                                 uint32_t tid)
{
    return text_of(&reader->names, rln__names_thread(&reader->names, process, tid));
}
