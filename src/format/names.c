/* SPDX-License-Identifier: Apache-2.0 */
/* names.c - reads chunks of names into tables (docs/reference/FORMAT.md 6). */
#include "format/names.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "format/attributes.h"
#include "format/job_variables.h"
#include "format/locations.h"
#include "format/names_table.h"

#include <string.h>

#define WINDOW_WORDS 8192u

static uint32_t low32(uint64_t word)
{
    return (uint32_t)word;
}

static uint32_t high32(uint64_t word)
{
    return (uint32_t)(word >> 32);
}

/* As rln__append(), zeroed. */
static void *add_item(void *items, size_t *n, size_t *capacity, size_t item_bytes)
{
    void *item = rln__append(items, n, capacity, item_bytes);

    return item ? memset(item, 0, item_bytes) : NULL;
}

#define ADD(names, array)                                                              \
    add_item(&(names)->array, &(names)->n_##array, &(names)->array##_capacity,         \
             sizeof(*(names)->array))

static int put(struct rln__names *names, enum rln__name_table table, uint32_t owner,
               uint32_t id, uint64_t value)
{
    return rln__map_put(&names->map, rln__name_key(table, owner, id), value);
}

rln_status rln__names_init(struct rln__names *names, rln_error *err)
{
    memset(names, 0, sizeof(*names));
    names->cache_bytes_left = 1u << 20;
    return ADD(names, domains) ? RLN_OK : rln__fail_nomem(err);
}

void rln__names_clear(struct rln__names *names)
{
    for (size_t i = 0; i < names->n_processes; i++)
        rln__free(names->processes[i].attrs);
    rln__strings_clear(&names->strings);
    rln__map_clear(&names->map);
    rln__map_clear(&names->by_content);
    rln__free(names->processes);
    rln__free(names->domains);
    rln__free(names->created_domains);
    rln__free(names->raw);
    rln__free(names->attrs);
    rln__free(names->categories);
    rln__free(names->events);
    rln__free(names->tuples);
    rln__free(names->titles);
    rln__registry_clear(&names->registry);
    rln__renaming_clear(&names->renaming);
    memset(names, 0, sizeof(*names));
}

uint32_t rln__names_process(struct rln__names *names, uint32_t part, uint32_t number)
{
    const uint64_t key = rln__name_key(RLN__TABLE_PROCESS, part, number);
    const uint64_t found = rln__map_get(&names->map, key);
    struct rln__trace_process *p;

    if (found)
        return (uint32_t)found - 1;
    if (names->n_processes >= RLN__MAX_OWNER || names->is_fixed)
        return RLN__NONE;
    p = ADD(names, processes);
    if (!p)
        return RLN__NONE;
    p->part = part;
    p->number = number;
    if (rln__map_put(&names->map, key, names->n_processes)) {
        names->n_processes--;
        return RLN__NONE;
    }
    return (uint32_t)names->n_processes - 1;
}

/* --- One function per record: 0, -1 when there is no memory, 1 if it is damaged --- */

static int add_tuple(struct rln__names *names, uint32_t part, const uint64_t *w)
{
    struct rln__part_tuple *t = ADD(names, tuples);

    if (!t)
        return -1;
    t->part = part;
    t->tuple = (struct rln__clock_tuple){w[0], w[1], w[2], w[3]};
    return 0;
}

static int add_process(struct rln__names *names, uint32_t part,
                       const struct rln__record *r)
{
    struct rln__process_record record;
    size_t n_bytes = (size_t)r->n_words * 8;
    uint32_t process;

    memset(&record, 0, sizeof(record));
    memcpy(&record, r->words, n_bytes < sizeof(record) ? n_bytes : sizeof(record));
    process = rln__names_process(names, part, record.process);
    if (process == RLN__NONE)
        return -1;
    names->processes[process].record = record;
    return add_tuple(names, part, &r->words[5]) || add_tuple(names, part, &r->words[9]);
}

static int add_string(struct rln__names *names, uint32_t process,
                      const struct rln__record *r)
{
    const uint32_t length = high32(r->words[1]);
    uint32_t number;

    if (length > ((uint64_t)r->n_words - 2) * 8)
        return 1;
    number = rln__strings_add(&names->strings, (const char *)&r->words[2], length);
    if (!number)
        return -1;
    return put(names, RLN__TABLE_STRING, process, low32(r->words[1]), number);
}

static int add_category(struct rln__names *names, uint32_t process, const uint64_t *w)
{
    const uint64_t pair_key = rln__name_key(RLN__TABLE_PAIR, process, low32(w[1]));
    uint64_t pair = rln__map_get(&names->map, pair_key);
    uint64_t found = 0;
    struct rln__category *c;

    if (!pair) {
        pair = names->n_categories + 1;
        if (pair > RLN__MAX_OWNER || rln__map_put(&names->map, pair_key, pair))
            return -1;
    } else {
        found = rln__map_get(&names->map, rln__name_key(RLN__TABLE_CATEGORY,
                                                        (uint32_t)pair, high32(w[1])));
    }
    if (found) {
        names->categories[found - 1].name = low32(w[2]);
        return 0;
    }
    c = ADD(names, categories);
    if (!c)
        return -1;
    *c = (struct rln__category){process, low32(w[1]), high32(w[1]), low32(w[2])};
    return put(names, RLN__TABLE_CATEGORY, (uint32_t)pair, high32(w[1]),
               names->n_categories);
}

static int add_domain(struct rln__names *names, uint32_t process, const uint64_t *w)
{
    const uint64_t key = rln__name_key(RLN__TABLE_DOMAIN, process, low32(w[1]));
    struct rln__created_domain *domain;

    if (!rln__map_get(&names->map, key)) {
        domain = ADD(names, created_domains);
        if (!domain)
            return -1;
        *domain = (struct rln__created_domain){process, low32(w[1]), high32(w[1])};
    }
    return rln__map_put(&names->map, key, (uint64_t)high32(w[1]) + 1);
}

static int add_attributes(struct rln__names *names, uint32_t process, const uint64_t *w)
{
    const uint64_t key = rln__name_key(RLN__TABLE_ATTR, process, low32(w[1]));
    struct rln__raw_attr *raw;

    if (rln__map_get(&names->map, key))
        return 0;
    raw = ADD(names, raw);
    if (!raw)
        return -1;
    raw->process = process;
    raw->id = low32(w[1]);
    raw->domain = high32(w[1]);
    raw->category = low32(w[2]);
    raw->color = high32(w[2]);
    raw->string = low32(w[3]);
    rln__split_types(raw, high32(w[3]));
    return rln__map_put(&names->map, key, names->n_raw);
}

static int is_word(const char *word, const char *bytes, uint64_t length)
{
    return strlen(word) == length && memcmp(word, bytes, (size_t)length) == 0;
}

/* Sets the process's rank, if the note has it. */
static void add_rank(struct rln__trace_process *process, const char *key,
                     uint64_t key_length, const char *value, uint64_t length)
{
    static const char *const variables[] = {RLN__RANK_VARIABLES};
    uint32_t order = 0, rank = 0;

    while (order < RLN_COUNT(variables) && !is_word(variables[order], key, key_length))
        order++;
    if (order == RLN_COUNT(variables) || length == 0 || length > 8 ||
        (process->rank_order && process->rank_order <= order + 1))
        return;
    for (uint64_t i = 0; i < length; i++) {
        if (value[i] < '0' || value[i] > '9')
            return;
        rank = rank * 10 + (uint32_t)(value[i] - '0');
    }
    process->rank = rank + 1;
    process->rank_order = order + 1;
}

/* "PID START TITLE", a zero byte, and the executable, of another process; anything else
 * is ignored. 0, or -1 when there is no memory. */
static int add_title(struct rln__names *names, uint32_t launcher, const char *value,
                     uint64_t length)
{
    struct rln__noted_title title = {.launcher = launcher};
    uint64_t ends[2]; /* of the start and of the title */
    struct rln__noted_title *to;
    uint64_t at = 0, begin;

    for (; at < length && at < 9 && value[at] >= '0' && value[at] <= '9'; at++)
        title.pid = title.pid * 10 + (uint32_t)(value[at] - '0');
    begin = at + 1;
    for (size_t i = 0; i < 2; i++) {
        for (at++; at < length && value[at] != (i ? '\0' : ' ');)
            at++;
        if (at >= length)
            return 0;
        ends[i] = at;
    }
    title.start =
        rln__strings_add(&names->strings, value + begin, (size_t)(ends[0] - begin));
    title.title = rln__strings_add(&names->strings, value + ends[0] + 1,
                                   (size_t)(ends[1] - ends[0] - 1));
    title.exe = rln__strings_add(&names->strings, value + ends[1] + 1,
                                 (size_t)(length - ends[1] - 1));
    to = title.start && title.title && title.exe ? ADD(names, titles) : NULL;
    if (!to)
        return -1;
    *to = title;
    return 0;
}

/* Titles are of processes in the launcher's PID namespace. */
static void give_titles(struct rln__names *names)
{
    for (size_t i = 0; i < names->n_titles; i++) {
        const struct rln__noted_title *title = &names->titles[i];
        const struct rln__trace_process *by = &names->processes[title->launcher];

        for (size_t k = 0; k < names->n_processes; k++) {
            struct rln__trace_process *p = &names->processes[k];

            if (p->part == by->part && p->record.pid == title->pid &&
                p->start == title->start && p->exe == title->exe &&
                p->pid_namespace == by->pid_namespace)
                p->title = title->title;
        }
    }
}

static int add_note(struct rln__names *names, uint32_t process,
                    const struct rln__record *r)
{
    static const struct {
        const char *key;
        size_t member;
    } known[] = {
        {"exe", offsetof(struct rln__trace_process, exe)},
        {"command", offsetof(struct rln__trace_process, command)},
        {"directory", offsetof(struct rln__trace_process, directory)},
        {"exit", offsetof(struct rln__trace_process, exit)},
        {"pid_namespace", offsetof(struct rln__trace_process, pid_namespace)},
        {"start", offsetof(struct rln__trace_process, start)},
        {"title", offsetof(struct rln__trace_process, title)},
        {RLN__NO_SWITCHES_NOTE, offsetof(struct rln__trace_process, no_switches)},
    };
    const uint64_t key_length = low32(r->words[1]), value_length = high32(r->words[1]);
    const char *key = (const char *)&r->words[2];

    if (key_length + value_length > ((uint64_t)r->n_words - 2) * 8)
        return 1;
    add_rank(&names->processes[process], key, key_length, key + key_length,
             value_length);
    if (is_word("title of", key, key_length))
        return add_title(names, process, key + key_length, value_length);
    for (size_t i = 0; i < RLN_COUNT(known); i++) {
        uint32_t number;

        if (!is_word(known[i].key, key, key_length))
            continue;
        number =
            rln__strings_add(&names->strings, key + key_length, (size_t)value_length);
        if (!number)
            return -1;
        memcpy((char *)&names->processes[process] + known[i].member, &number,
               sizeof(number));
    }
    return 0;
}

static int add_event(struct rln__names *names, uint32_t process, unsigned sub,
                     const struct rln__record *r)
{
    const uint64_t *w = r->words;
    struct rln__name_event *e = ADD(names, events);

    if (!e)
        return -1;
    e->process = process;
    e->sub = sub;
    e->offset = r->offset;
    e->id = low32(w[1]);
    e->ticks = w[2];
    if (sub == RLN__SUB_THREAD_NAME) {
        e->string_id = high32(w[1]);
    } else if (sub == RLN__SUB_RESOURCE) {
        e->domain_id = high32(w[1]);
        e->type = low32(w[2]);
        e->string_id = high32(w[2]);
        e->identifier = w[3];
        e->ticks = w[4];
    } else if (sub == RLN__SUB_OBJECT) {
        e->domain_id = high32(w[1]);
        e->string_id = low32(w[2]);
        e->ticks = w[3];
    }
    return 0;
}

/* Some registrations are events as well. */
static int add_registration(struct rln__names *names, uint32_t part, uint32_t process,
                            unsigned sub, const struct rln__record *r)
{
    const int what = rln__registry_add(&names->registry, part, process, r);

    if (what || (sub != RLN__SUB_OBJECT && sub != RLN__SUB_OBJECT_DESTROY))
        return what;
    return add_event(names, process, sub, r);
}

int rln__names_add(struct rln__names *names, uint32_t part, uint32_t process,
                   const struct rln__record *r)
{
    /* The fewest words of each sub-kind, from RLN__SUB_PROCESS on. */
    static const uint8_t n_least[] = {
        RLN__OLD_PROCESS_WORDS, 2, 2, 3, 4, 3, 5, 3, 3, 5, 2};
    const unsigned kind = (unsigned)(r->words[0] & 15);
    const unsigned sub = (unsigned)(r->words[0] >> RLN__SUB_SHIFT) & 255;

    if (kind != RLN__LONG || sub < RLN__SUB_PROCESS || sub > RLN__SUB_LAST_NAME)
        return 0;
    if (sub >= RLN__SUB_SCHEMA)
        return add_registration(names, part, process, sub, r);
    if (r->n_words < n_least[sub - RLN__SUB_PROCESS])
        return 1;
    switch (sub) {
    case RLN__SUB_PROCESS:
        return add_process(names, part, r);
    case RLN__SUB_STRING:
        return add_string(names, process, r);
    case RLN__SUB_DOMAIN:
        return add_domain(names, process, r->words);
    case RLN__SUB_CATEGORY:
        return add_category(names, process, r->words);
    case RLN__SUB_ATTRIBUTES:
        return add_attributes(names, process, r->words);
    case RLN__SUB_CLOCK:
        return add_tuple(names, part, &r->words[1]);
    case RLN__SUB_NOTE:
        return add_note(names, process, r);
    default:
        return add_event(names, process, sub, r);
    }
}

static rln_status load_chunk(struct rln__names *names,
                             const struct rln__chunk_info *chunk,
                             const struct rln__input *file, struct rln__cursor *cursor,
                             rln_error *err)
{
    const uint32_t process = rln__names_process(names, chunk->part, chunk->process);
    struct rln__record record;
    rln_status status;

    if (process == RLN__NONE)
        return rln__fail_nomem(err);
    rln__cursor_begin(cursor, file, chunk);
    while ((status = rln__cursor_next(cursor, &record, err)) == RLN_OK) {
        const int what = rln__names_add(names, chunk->part, process, &record);

        if (what < 0)
            return rln__fail_nomem(err);
        if (what > 0)
            rln__note_damage(file, record.offset, "a name does not fit its record");
    }
    return status == RLN_END ? RLN_OK : status;
}

/* A thread named several times has its latest name; chunks are not in time order. */
static int keep_latest_thread_names(struct rln__names *names)
{
    struct rln__map latest = {0}; /* process and tid -> index of the event + 1 */
    int status = 0;

    for (size_t i = 0; i < names->n_events && !status; i++) {
        const struct rln__name_event *e = &names->events[i];
        const uint64_t key = rln__name_key(RLN__TABLE_THREAD, e->process, e->id);
        const uint64_t before = rln__map_get(&latest, key);
        uint32_t name;

        if (e->sub != RLN__SUB_THREAD_NAME ||
            (before && names->events[before - 1].ticks > e->ticks))
            continue;
        name = rln__names_string(names, e->process, e->string_id);
        status = rln__map_put(&latest, key, i + 1);
        if (!status && name)
            status = rln__map_put(&names->map, key, name);
    }
    rln__map_clear(&latest);
    return status;
}

rln_status rln__names_load(struct rln__names *names, const struct rln__layout *layout,
                           rln_error *err)
{
    struct rln__cursor cursor;
    rln_status status = rln__cursor_init(&cursor, WINDOW_WORDS, err);

    names->n_events = 0;
    names->n_tuples = 0;
    names->n_titles = 0;
    for (size_t i = 0; i < layout->n_chunks && !status; i++) {
        const struct rln__chunk_info *chunk = &layout->chunks[i];

        if (chunk->kind == RLN__CHUNK_NAMES)
            status =
                load_chunk(names, chunk, layout->parts[chunk->part].file, &cursor, err);
    }
    rln__cursor_clear(&cursor);
    rln__registry_sort(&names->registry);
    give_titles(names);
    if (!status && (rln__locations_take(names) || keep_latest_thread_names(names)))
        status = rln__fail_nomem(err);
    return status;
}
