/* SPDX-License-Identifier: Apache-2.0 */
/* unseen_domains.c - domains that are left out are in the trace, too, by name alone. */
#include "cli/unseen_domains.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "cli/die.h"
#include "model/load.h"

#define MOST_LISTED 5

/* Reads one name of the list, `default` for none, and returns where the next begins, or
 * NULL. As the collector's domain_filter.c. */
static const char *read_name(const char *list, struct rln__buf *out, bool *is_default)
{
    bool is_escaped = false;

    out->length = 0;
    for (; *list && *list != ','; list++) {
        if (*list == '\\' && list[1]) {
            list++;
            is_escaped = true;
        }
        rln__buf_char(out, *list);
    }
    *is_default =
        !is_escaped && out->length == 7 && memcmp(out->bytes, "default", 7) == 0;
    return *list ? list + 1 : NULL;
}

static rln_text name_of(const struct rln__names *names, size_t domain)
{
    return rln__strings_get(&names->strings, names->domains[domain].name);
}

/* Domains become known as they are asked for. Ids are given out one after the other. */
static void find_domains(struct rln__names *names)
{
    for (size_t i = 0; i < names->n_processes; i++) {
        int is_unknown = 0;

        for (uint32_t id = 1; !is_unknown; id++)
            (void)rln__names_domain(names, (uint32_t)i, id, &is_unknown);
    }
}

static bool has_domain(const struct rln__names *names, const struct rln__buf *name)
{
    for (size_t i = 1; i < names->n_domains; i++) { /* 0 is the default domain */
        const rln_text text = name_of(names, i);

        if (text.length == name->length &&
            memcmp(text.bytes, name->bytes, text.length) == 0)
            return true;
    }
    return false;
}

static void hint_domains(const struct rln__names *names)
{
    struct rln__buf list = {0};
    size_t n = 0;

    for (size_t i = 1; i < names->n_domains; i++) {
        const rln_text text = name_of(names, i);

        if (!text.length || n++ >= MOST_LISTED)
            continue;
        rln__buf_text(&list, n > 1 ? ", " : "");
        (void)rln__buf_printable(&list, text.bytes, text.length);
    }
    if (n == 0)
        rln__hint("all its events are in the default domain, `default`");
    else if (!list.has_failed)
        rln__hint("its domains: %.*s%s", (int)list.length, list.bytes,
                  n > MOST_LISTED ? " and more" : "");
    rln__buf_clear(&list);
}

void rln__unseen_domains_note(const char *path, const char *list)
{
    rln_reader *reader;
    struct rln__buf name = {0};
    bool is_default, has_unseen = false;

    if (rln_reader_open(&path, 1, &reader, NULL))
        return;
    find_domains(&reader->names);
    while (list) {
        list = read_name(list, &name, &is_default);
        if (name.has_failed || is_default || has_domain(&reader->names, &name))
            continue;
        has_unseen = true;
        rln__note("--nvtx-domain-include=\"%.*s\": the program has no domain of that "
                  "name",
                  (int)name.length, name.bytes);
    }
    if (has_unseen)
        hint_domains(&reader->names);
    rln__buf_clear(&name);
    rln_reader_close(reader);
}
