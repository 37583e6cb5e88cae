/* SPDX-License-Identifier: Apache-2.0 */
/* unseen_domains.c - notes misspelt domains. The trace has the names even of domains
 * that are left out. */
#include "record/finish/unseen_domains.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "console/die.h"
#include "trace/open/name_catalog.h"

#define MOST_LISTED 5

/* Reads one name of the list, `default` for none, and returns where the next one
 * begins, or NULL. Same as the collector's domain_filter.c. */
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

static bool has_domain(const struct rln__name_catalog *named,
                       const struct rln__buf *name)
{
    const rln_text *domain;

    for (size_t i = 0; (domain = rln__name_catalog_domain_at(named, i)) != NULL; i++) {
        if (domain->length == name->length &&
            memcmp(domain->bytes, name->bytes, name->length) == 0)
            return true;
    }
    return false;
}

static void hint_domains(const struct rln__name_catalog *named)
{
    const rln_text *domain;
    struct rln__buf list = {0};
    size_t n = 0;

    for (size_t i = 0; (domain = rln__name_catalog_domain_at(named, i)) != NULL; i++) {
        if (!domain->length || n++ >= MOST_LISTED)
            continue;
        rln__buf_text(&list, n > 1 ? ", " : "");
        (void)rln__buf_printable(&list, domain->bytes, domain->length);
    }
    if (n == 0)
        rln__hint("all events of the program are in the default domain, `default`");
    else if (!list.has_failed)
        rln__hint("domains of the program: %.*s%s", (int)list.length, list.bytes,
                  n > MOST_LISTED ? " and more" : "");
    rln__buf_clear(&list);
}

void rln__unseen_domains_note(const char *path, const char *list)
{
    rln_reader *reader;
    struct rln__name_catalog *named = NULL;
    struct rln__buf name = {0};
    bool is_default, has_unseen = false;

    if (rln_reader_open(&path, 1, &reader, NULL))
        return;
    if (rln__name_catalog_open(reader, &named, NULL))
        list = NULL;
    while (list) {
        list = read_name(list, &name, &is_default);
        if (name.has_failed || is_default || has_domain(named, &name))
            continue;
        has_unseen = true;
        rln__note("--nvtx-domain-include=\"%.*s\": no program creates this domain",
                  (int)name.length, name.bytes);
    }
    if (has_unseen)
        hint_domains(named);
    rln__buf_clear(&name);
    rln__name_catalog_close(named);
    rln_reader_close(reader);
}
