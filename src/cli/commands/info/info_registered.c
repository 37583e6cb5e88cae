/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/info/info_registered.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/json.h"
#include "format/strings.h"

/* Appends `line` to `buf` unless it was there before. */
static bool add_new(struct rln__buf *buf, struct rln__strings *seen,
                    struct rln__buf *line)
{
    const size_t n_before = seen->n;
    const bool is_new =
        rln__strings_add(seen, line->bytes, line->length) && seen->n > n_before;

    if (is_new)
        rln__buf_add(buf, line->bytes, line->length);
    buf->has_failed |= line->has_failed;
    line->length = 0;
    return is_new;
}

/* --- For people ------------------------------------------------------------------- */

/* "schema request{text, category, op}" */
static void add_schema(struct rln__buf *buf, const struct rln__listed_schema *s,
                       uint32_t n_most)
{
    static const char *const kinds[] = {"enum", "schema", "schema", "union", "union"};

    rln__buf_format(buf, "%14s%s ", "", kinds[s->kind <= 4 ? s->kind : 1]);
    (void)rln__buf_printable(buf, s->name.bytes, s->name.length);
    if (!s->name.length)
        rln__buf_format(buf, "%llu", (unsigned long long)s->id);
    rln__buf_char(buf, '{');
    for (uint32_t i = 0; i < s->n_entries && i < n_most; i++) {
        const rln_text name = s->entries[i].name;

        rln__buf_text(buf, i ? ", " : "");
        (void)rln__buf_printable(buf, name.bytes, name.length);
        if (!name.length)
            rln__buf_u64(buf, i);
    }
    rln__buf_text(buf, s->n_entries > n_most ? ", ...}\n" : "}\n");
}

static void add_schemas(struct rln__buf *buf, const struct rln__schema_catalog *r,
                        uint32_t domain, uint32_t n_most)
{
    struct rln__strings seen = {0};
    struct rln__buf line = {0};
    const struct rln__listed_schema *s;
    uint32_t n = 0;

    for (size_t i = 0; (s = rln__schema_catalog_schema(r, i)) != NULL && n < n_most;
         i++) {
        if (s->domain != domain)
            continue;
        add_schema(&line, s, n_most);
        n += add_new(buf, &seen, &line);
    }
    if (s)
        rln__buf_format(buf, "%14s... (--json has all)\n", "");
    rln__buf_clear(&line);
    rln__strings_clear(&seen);
}

static int by_path(const void *a, const void *b)
{
    const rln_text x = ((const struct rln__listed_scope *)a)->path,
                   y = ((const struct rln__listed_scope *)b)->path;
    const size_t n = x.length < y.length ? x.length : y.length;
    const int order = n ? memcmp(x.bytes, y.bytes, n) : 0;

    return order ? order : (x.length > y.length) - (x.length < y.length);
}

/* The end of the node that begins at `at`: the next `/` that is not escaped. */
static size_t node_end(rln_text path, size_t at)
{
    while (at < path.length && path.bytes[at] != '/')
        at += path.bytes[at] == '\\' && at + 1 < path.length ? 2 : 1;
    return at;
}

/* Adds the nodes of a path that differ from the previous path's, one per line. */
static void add_scope(struct rln__buf *buf, rln_text before, rln_text path)
{
    bool is_shared = true;
    int depth = 0;

    for (size_t at = 0; at < path.length; depth++) {
        const size_t end = node_end(path, at);

        is_shared = is_shared && node_end(before, at < before.length ? at : 0) == end &&
                    end <= before.length && !memcmp(before.bytes, path.bytes, end);
        if (!is_shared) {
            rln__buf_format(buf, "%14s%s%*s", "", depth ? "      " : "scope ",
                            depth * 2, "");
            (void)rln__buf_printable(buf, path.bytes + at, end - at);
            rln__buf_char(buf, '\n');
        }
        at = end + 1;
    }
}

static void add_scopes(struct rln__buf *buf, const struct rln__schema_catalog *r,
                       uint32_t domain, uint32_t n_most)
{
    rln_text before = {"", 0};
    struct rln__listed_scope *scopes; /* owned: those of the domain */
    const struct rln__listed_scope *s;
    size_t n = 0, n_all = 0;

    while (rln__schema_catalog_scope(r, n_all))
        n_all++;
    scopes = calloc(n_all + 1, sizeof(*scopes));
    if (!scopes) {
        buf->has_failed = 1;
        return;
    }
    for (size_t i = 0; (s = rln__schema_catalog_scope(r, i)) != NULL; i++) {
        if (s->domain == domain)
            scopes[n++] = *s;
    }
    qsort(scopes, n, sizeof(*scopes), by_path);
    for (size_t i = 0; i < n && i < n_most; i++) {
        add_scope(buf, before, scopes[i].path);
        before = scopes[i].path;
    }
    if (n > n_most)
        rln__buf_format(buf, "%14s... (--json has all)\n", "");
    free(scopes);
}

void rln__info_registered(struct rln__buf *buf,
                          const struct rln__schema_catalog *registered, uint32_t domain,
                          uint32_t n_most)
{
    add_schemas(buf, registered, domain, n_most);
    add_scopes(buf, registered, domain, n_most);
}

/* --- For programs ----------------------------------------------------------------- */

static void json_text(struct rln__buf *buf, const char *key, rln_text text)
{
    if (text.length)
        rln__json_string(buf, key, text);
}

static void json_entry(struct rln__buf *buf, const struct rln__listed_entry *e)
{
    rln__json_begin(buf, NULL, '{');
    if (e->type_name)
        rln__json_word(buf, "type", e->type_name);
    else
        rln__json_u64(buf, "type", e->type);
    json_text(buf, "name", e->name);
    json_text(buf, "description", e->description);
    json_text(buf, "unit", e->unit);
    rln__json_some(buf, "flags", e->flags);
    rln__json_some(buf, "detail", e->detail);
    rln__json_some(buf, "offset", e->offset);
    rln__buf_char(buf, '}');
}

static void json_value(struct rln__buf *buf, const struct rln__listed_entry *e)
{
    rln__json_begin(buf, NULL, '{');
    rln__json_u64(buf, "value", e->type);
    json_text(buf, "name", e->name);
    rln__json_flag(buf, "flag", e->flags);
    rln__buf_char(buf, '}');
}

static void json_schema(struct rln__buf *buf, const struct rln__listed_schema *s)
{
    static const char *const kinds[] = {"enum", "static", "dynamic", "union",
                                        "union with selector"};
    const bool is_enum = s->kind == RLN__SCHEMA_ENUM;

    rln__json_begin(buf, NULL, '{');
    rln__json_u64(buf, "id", s->id);
    json_text(buf, "domain", s->domain_name);
    json_text(buf, "name", s->name);
    if (!is_enum)
        rln__json_word(buf, "type", s->kind <= 4 ? kinds[s->kind] : "unknown");
    rln__json_some(buf, "flags", s->flags);
    rln__json_some(buf, "size", s->size_bytes);
    rln__json_some(buf, "pack_align", s->pack_align);
    rln__json_begin(buf, is_enum ? "values" : "entries", '[');
    for (uint32_t i = 0; i < s->n_entries; i++)
        (is_enum ? json_value : json_entry)(buf, &s->entries[i]);
    rln__buf_text(buf, "]}");
}

static void json_schemas(struct rln__buf *buf, const struct rln__schema_catalog *r,
                         bool is_enum)
{
    struct rln__strings seen = {0};
    struct rln__buf line = {0};
    const struct rln__listed_schema *s;
    size_t n_before;

    rln__json_begin(buf, is_enum ? "enums" : "schemas", '[');
    for (size_t i = 0; (s = rln__schema_catalog_schema(r, i)) != NULL; i++) {
        if ((s->kind == RLN__SCHEMA_ENUM) != is_enum)
            continue;
        json_schema(&line, s);
        n_before = buf->length;
        rln__json_key(buf, NULL);
        if (!add_new(buf, &seen, &line))
            buf->length = n_before; /* without the comma */
    }
    rln__buf_char(buf, ']');
    rln__buf_clear(&line);
    rln__strings_clear(&seen);
}

void rln__json_registered(struct rln__buf *buf,
                          const struct rln__schema_catalog *registered)
{
    const struct rln__listed_scope *s;

    json_schemas(buf, registered, false);
    json_schemas(buf, registered, true);
    rln__json_begin(buf, "scopes", '[');
    for (size_t i = 0; (s = rln__schema_catalog_scope(registered, i)) != NULL; i++) {
        rln__json_begin(buf, NULL, '{');
        rln__json_u64(buf, "id", s->id);
        json_text(buf, "domain", s->domain_name);
        rln__json_u64(buf, "parent", s->parent);
        json_text(buf, "path", s->path);
        rln__buf_char(buf, '}');
    }
    rln__buf_char(buf, ']');
}
