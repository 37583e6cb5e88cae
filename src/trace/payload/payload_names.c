/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/payload/payload_names.h"

#include "format/attributes.h"
#include "format/registry_lookup.h"
#include "trace/payload/payload_extent.h"

#include <string.h>

#define IN_BUFFER (1u << 31) /* an internal flag of fields */
#define MOST_ANCESTORS 64    /* of a scope */
#define MOST_PATH 4096       /* bytes of a scope's path, or a little more */

/* --- Text in the buffer ----------------------------------------------------------- */

void rln__field_text(rln_field *out, size_t begin, size_t end)
{
    out->flags |= IN_BUFFER;
    out->high_bits = begin;
    out->text.length = end - begin;
}

void rln__fields_settle(struct rln__decoder *d)
{
    for (size_t i = 0; i < d->n_fields; i++) {
        rln_field *f = &d->fields[i];

        if (!(f->flags & IN_BUFFER))
            continue;
        f->flags &= ~IN_BUFFER;
        f->text.bytes = f->text.length ? d->text.bytes + f->high_bits : "";
        f->high_bits = 0;
    }
}

static rln_text string_of(const struct rln__decoder *d, uint32_t process, uint32_t id)
{
    const struct rln__names *names = d->context.names;

    return rln__strings_get(&names->strings, rln__names_string(names, process, id));
}

/* --- Enums ------------------------------------------------------------------------ */

/* C's constants are ints, often negative, even where the value has fewer bytes. */
static uint64_t mask_of(const struct rln__schema *schema)
{
    const uint32_t size = rln__enum_size(schema);

    return size < 8 ? (UINT64_C(1) << size * 8) - 1 : UINT64_MAX;
}

static void add_name(struct rln__decoder *d, size_t begin, rln_text name)
{
    if (d->text.length > begin)
        rln__buf_char(&d->text, '|');
    rln__buf_add(&d->text, name.bytes, name.length);
}

/* "A|B|0x8": the bits that have names, in the enum's order, then the others. */
static void name_set(struct rln__decoder *d, const struct rln__schema *schema,
                     rln_field *out)
{
    const struct rln__enum_value *values =
        rln__schema_values(&d->context.names->registry, schema);
    const size_t begin = d->text.length;
    const uint64_t mask = mask_of(schema);
    uint64_t rest = out->bits;

    for (uint32_t i = 0; i < schema->n_entries && rest; i++) {
        const uint64_t value = values[i].value & mask;
        const rln_text name = string_of(d, schema->from.process, values[i].name);

        if (!values[i].is_flag || !value || (value & rest) != value || !name.bytes)
            continue;
        add_name(d, begin, name);
        rest &= ~value;
    }
    if (d->text.length == begin)
        return;
    if (rest) {
        rln__buf_text(&d->text, "|0x");
        rln__buf_format(&d->text, "%llx", (unsigned long long)rest);
    }
    rln__field_text(out, begin, d->text.length);
}

void rln__name_enum(struct rln__decoder *d, const struct rln__schema *schema,
                    rln_field *out)
{
    const struct rln__enum_value *values =
        rln__schema_values(&d->context.names->registry, schema);
    const uint64_t mask = mask_of(schema);

    out->kind = RLN_FIELD_ENUM;
    out->number = (double)out->bits;
    if (!rln__decode_step(d, schema->n_entries))
        return;
    for (uint32_t i = 0; i < schema->n_entries; i++) {
        if ((values[i].value & mask) != out->bits)
            continue;
        out->text = string_of(d, schema->from.process, values[i].name);
        if (out->text.bytes)
            return;
    }
    name_set(d, schema, out);
}

/* --- Categories and strings ------------------------------------------------------- */

void rln__name_category(const struct rln__decoder *d, rln_field *out)
{
    const struct rln__names *names = d->context.names;

    out->kind = RLN_FIELD_CATEGORY;
    out->number = (double)out->bits;
    out->text =
        rln__strings_get(&names->strings, rln__names_category(names, d->context.process,
                                                              d->context.domain_id,
                                                              (uint32_t)out->bits));
}

void rln__name_string(struct rln__decoder *d, rln_field *out)
{
    const struct rln__names *names = d->context.names;
    const uint32_t id = (uint32_t)(out->bits >> RLN__ID_SHIFT) & RLN__MAX_ID;
    uint32_t message;

    if (out->bits == 0) {
        out->kind = RLN_FIELD_NULL;
        return;
    }
    out->kind = RLN_FIELD_ADDRESS; /* not our handle: nothing else is known of it */
    if (out->bits >> RLN__STRING_TAG_SHIFT != RLN__TAG_STRING)
        return;
    message = rln__names_message(names, d->context.process, id);
    if (!message)
        return;
    out->kind = RLN_FIELD_TEXT;
    out->text = rln__strings_get(&names->strings, message);
}

/* --- Scopes ----------------------------------------------------------------------- */

static const char *predefined_scope(uint64_t scope)
{
    static const char *const names[32] = {
        [1] = "root",        [2] = "machine",    [3] = "socket",      [4] = "cpu",
        [5] = "logical cpu", [15] = "hardware",  [16] = "hypervisor", [17] = "vm",
        [18] = "kernel",     [19] = "container", [20] = "os",         [21] = "process",
        [22] = "thread",     [31] = "software",
    };

    return scope < 32 ? names[scope] : NULL;
}

static void add_number(struct rln__buf *buf, uint32_t number)
{
    if (!number)
        return;
    rln__buf_char(buf, '[');
    rln__buf_u64(buf, number);
    rln__buf_char(buf, ']');
}

static int is_in(const struct rln__scope *const *chain, size_t n,
                 const struct rln__scope *scope)
{
    for (size_t i = 0; i < n; i++) {
        if (chain[i] == scope)
            return 1;
    }
    return 0;
}

int rln__buf_scope(struct rln__buf *buf, const struct rln__names *names,
                   uint32_t process, uint32_t domain_id, uint64_t scope, uint32_t pid,
                   uint32_t tid)
{
    const struct rln__scope *chain[MOST_ANCESTORS];
    const size_t begin = buf->length;
    const char *top;
    size_t n = 0;

    while (n < MOST_ANCESTORS) {
        const struct rln__scope *s =
            rln__registry_scope(names, process, domain_id, scope);

        if (!s || is_in(chain, n, s))
            break;
        chain[n++] = s;
        scope = s->parent;
    }
    top = predefined_scope(scope);
    /* A path begins at the root, so the root is named only if it is the whole path. */
    if (top && !(scope == 1 && n)) {
        rln__buf_text(buf, top);
        add_number(buf, scope == 21 ? pid : scope == 22 ? tid : 0);
    }
    while (n-- > 0 && buf->length - begin < MOST_PATH) {
        rln_text path = rln__strings_get(
            &names->strings,
            rln__names_string(names, chain[n]->from.process, chain[n]->path));

        for (; path.length && *path.bytes == '/'; path.length--)
            path.bytes++;
        path.length = path.length < MOST_PATH ? path.length : MOST_PATH;
        if (path.length && buf->length > begin)
            rln__buf_char(buf, '/');
        rln__buf_add(buf, path.bytes, path.length);
    }
    return buf->length > begin;
}

void rln__name_scope(struct rln__decoder *d, rln_field *out)
{
    const size_t begin = d->text.length;

    out->kind = RLN_FIELD_SCOPE;
    out->number = (double)out->bits;
    if (rln__decode_step(d, MOST_ANCESTORS + MOST_PATH / 8) &&
        rln__buf_scope(&d->text, d->context.names, d->context.process,
                       d->context.domain_id, out->bits, d->context.pid, d->context.tid))
        rln__field_text(out, begin, d->text.length);
}
