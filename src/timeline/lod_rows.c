/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/lod_rows.h"

#include "base/alloc.h"
#include "format/gpu_schemas.h"
#include "timeline/lod_pass.h"
#include "trace/open/name_catalog.h"

#include <string.h>

/* --- Names ------------------------------------------------------------------------ */

uint32_t rln__lod_name(struct rln__lod *lod, rln_text domain, rln_text message,
                       rln_text field)
{
    const struct rln__key key = {
        {rln__key_of_text(domain), rln__key_of_text(message), rln__key_of_text(field)}};
    const uint32_t number = rln__key_index_number(&lod->name_keys, &key);
    struct rln__lod_name *name;

    if (number < lod->n_names)
        return number;
    name = rln__key_index_item(&lod->names, &lod->n_names, &lod->names_capacity, number,
                               sizeof(*name));
    if (!name)
        return RLN__NONE;
    *name =
        (struct rln__lod_name){.domain = domain,
                               .message = message,
                               .field = field,
                               .function = rln__reader_location(lod->reader, message)};
    return number;
}

static uint32_t kinship_of(struct rln__lod *lod, rln_text domain, uint32_t category,
                           rln_text category_name)
{
    const struct rln__key key = {
        {rln__key_of_text(domain), category, rln__key_of_text(category_name)}};
    const uint32_t number = rln__key_index_number(&lod->kinship_keys, &key);
    struct rln__lod_kinship *kinship =
        rln__key_index_item(&lod->kinships, &lod->n_kinships, &lod->kinships_capacity,
                            number, sizeof(*kinship));

    if (!kinship)
        return RLN__NONE;
    *kinship = (struct rln__lod_kinship){domain, category_name, category};
    return number;
}

static int make_room(struct rln__lod *lod, size_t n)
{
    size_t cache = lod->n_attrs ? lod->n_attrs : 256;
    struct rln__lod_attr *attrs;

    while (cache < n)
        cache *= 2;
    attrs = rln__resize(lod->attrs, cache, sizeof(*attrs));
    if (!attrs)
        return -1;
    memset(attrs + lod->n_attrs, 0, (cache - lod->n_attrs) * sizeof(*attrs));
    lod->attrs = attrs;
    lod->n_attrs = cache;
    return 0;
}

const struct rln__lod_attr *rln__lod_attr_slow(struct rln__lod *lod, uint32_t attr)
{
    const struct rln__names *names = &lod->reader->names;
    const struct rln__attr *a = &names->attrs[attr];
    const rln_text none = {NULL, 0};
    const rln_text domain =
        rln__strings_get(&names->strings, names->domains[a->domain].name);
    const int is_gpu = rln__is_gpu_domain(domain); /* names say enough */
    const uint32_t name =
        rln__lod_name(lod, is_gpu ? none : domain,
                      rln__strings_get(&names->strings, a->message), none);
    const uint32_t kinship = kinship_of(
        lod, domain, a->category, rln__strings_get(&names->strings, a->category_name));
    struct rln__lod_attr *out;

    if (name == RLN__NONE || kinship == RLN__NONE ||
        (attr >= lod->n_attrs && make_room(lod, (size_t)attr + 1)))
        return NULL;
    out = &lod->attrs[attr];
    out->name = name + 1;
    out->kinship = kinship;
    lod->names[name].is_of_gpu |= is_gpu != 0;
    out->color = a->color_type == 1 ? (a->color & 0xffffff) + 1 : 0;
    if (out->color && !lod->names[name].color)
        lod->names[name].color = out->color;
    return out;
}

/* --- Rows ------------------------------------------------------------------------- */

static uint32_t group_of(struct rln__lod *lod, uint32_t process, uint32_t thread)
{
    const struct rln__key key = {{process, thread}};
    const uint32_t number = rln__key_index_number(&lod->group_keys, &key);
    struct rln__lod_group *group = rln__key_index_item(
        &lod->groups, &lod->n_groups, &lod->groups_capacity, number, sizeof(*group));

    if (!group)
        return RLN__NONE;
    *group = (struct rln__lod_group){process, thread};
    return number;
}

static uint32_t add_row(struct rln__lod *lod, const struct rln__key *key,
                        const struct rln__lod_row *like)
{
    const uint32_t number = rln__key_index_number(&lod->row_keys, key);
    struct rln__lod_row *row;

    if (number < lod->n_rows)
        return number;
    row = like->group == RLN__NONE
              ? NULL
              : rln__key_index_item(&lod->rows, &lod->n_rows, &lod->rows_capacity,
                                    number, sizeof(*row));
    if (!row)
        return RLN__NONE;
    *row = *like;
    return number;
}

uint32_t rln__lod_row(struct rln__lod *lod, enum rln__lod_kind kind,
                      const struct rln__lod_row_key *row)
{
    const int is_deferred = row->lane != RLN__NONE;
    const uint32_t level = row->level < RLN__LOD_LEVELS ? row->level : RLN__LOD_LEVELS;
    struct rln__key key = {{(uint64_t)kind << 32 | (unsigned)is_deferred,
                            is_deferred ? row->lane : row->thread, level}};
    struct rln__lod_row like = {
        .kind = kind,
        .level = level,
        .above = RLN__NONE,
        .thread = row->thread,
        .lane = row->lane,
        .scope = row->scope,
        .is_deferred = (uint8_t)is_deferred,
        .name = RLN__NONE,
    };

    if (lod->n_rows >= RLN__LOD_ROWS || row->thread >= lod->reader->n_threads) {
        key = (struct rln__key){{(uint64_t)kind << 32, RLN__LOD_OTHERS, 0}};
        like.thread = RLN__NONE;
        like.level = 0;
        like.group = group_of(lod, RLN__NONE, RLN__NONE);
    } else {
        like.group =
            group_of(lod, lod->reader->threads[row->thread].process, row->thread);
        like.is_stream = lod->reader->threads[row->thread].is_stream;
    }
    return add_row(lod, &key, &like);
}

uint32_t rln__lod_counter_row(struct rln__lod *lod, const rln_counter *counter,
                              const rln_sample_value *value)
{
    struct rln__lod_row like = {.kind = RLN__LOD_COUNTER,
                                .above = RLN__NONE,
                                .thread = RLN__NONE,
                                .semantics = *value->semantics};
    struct rln__key key;

    like.name = rln__lod_name(lod, counter->domain_name, counter->name, value->name);
    like.group = group_of(lod, counter->process, RLN__NONE);
    if (like.name == RLN__NONE)
        return RLN__NONE;
    key = (struct rln__key){
        {(uint64_t)RLN__LOD_COUNTER << 32, counter->process, like.name}};
    if (lod->n_rows >= 2 * RLN__LOD_ROWS) /* threads may not take all the room */
        return 0;
    return add_row(lod, &key, &like);
}

/* --- An index of the trace as it is now ------------------------------------------- */

static int copy_keys(struct rln__key_index *keyed, const struct rln__key_index *from)
{
    for (size_t i = 0; i < from->n; i++) {
        if (rln__key_index_number(keyed, &from->entries[i].key) != i)
            return -1;
    }
    return 0;
}

/* NULL when there is no memory. */
static void *copy_of(const void *items, size_t n, size_t item_bytes)
{
    void *copy = rln__alloc(n, item_bytes);

    if (copy && n)
        memcpy(copy, items, n * item_bytes);
    return copy;
}

int rln__lod_take_over(struct rln__lod *lod, const struct rln__lod *old)
{
    lod->names = copy_of(old->names, old->n_names, sizeof(*old->names));
    lod->rows = copy_of(old->rows, old->n_rows, sizeof(*old->rows));
    lod->groups = copy_of(old->groups, old->n_groups, sizeof(*old->groups));
    lod->kinships = copy_of(old->kinships, old->n_kinships, sizeof(*old->kinships));
    lod->attrs = copy_of(old->attrs, old->n_attrs, sizeof(*old->attrs));
    if (!lod->names || !lod->rows || !lod->groups || !lod->kinships || !lod->attrs)
        return -1;
    lod->n_names = lod->names_capacity = old->n_names;
    lod->n_rows = lod->rows_capacity = old->n_rows;
    lod->n_groups = lod->groups_capacity = old->n_groups;
    lod->n_kinships = lod->kinships_capacity = old->n_kinships;
    lod->n_attrs = old->n_attrs;
    for (size_t i = 0; i < lod->n_names; i++) {
        lod->names[i].n_marks = 0;
        lod->names[i].total_ns = lod->names[i].self_ns = 0;
        lod->names[i].nested_ns = 0;
        memset(&lod->names[i].durations, 0, sizeof(lod->names[i].durations));
    }
    for (size_t i = 0; i < lod->n_rows; i++) {
        memset(&lod->rows[i].buckets, 0, sizeof(lod->rows[i].buckets));
        memset(&lod->rows[i].sample_buckets, 0, sizeof(lod->rows[i].sample_buckets));
    }
    return copy_keys(&lod->name_keys, &old->name_keys) ||
                   copy_keys(&lod->row_keys, &old->row_keys) ||
                   copy_keys(&lod->group_keys, &old->group_keys) ||
                   copy_keys(&lod->kinship_keys, &old->kinship_keys)
               ? -1
               : 0;
}

void rln__lod_put_name(struct rln__buf *out, const struct rln__lod_name *name)
{
    rln__buf_add(out, name->domain.bytes, name->domain.length);
    rln__buf_text(out, name->domain.length ? ":" : "");
    rln__buf_add(out, name->message.bytes, name->message.length);
    rln__buf_text(out, name->field.length ? "." : "");
    rln__buf_add(out, name->field.bytes, name->field.length);
}
