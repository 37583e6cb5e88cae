/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/inputs/near_name.h"

#include <stdlib.h>
#include <string.h>

#include "cli/inputs/filter_options.h"
#include "console/die.h"
#include "console/nearest.h"
#include "reports/summary/stats.h"
#include "trace/open/load.h"
#include "trace/open/name_catalog.h"

struct names {
    char **items; /* owned, as each is */
    size_t n, capacity;
};

/* Without memory a name is missing: it is only a hint. */
static void add(struct names *names, const char *bytes, size_t length)
{
    char **grown;

    if (!length)
        return;
    if (names->n == names->capacity) {
        grown = realloc(names->items, (names->n * 2 + 16) * sizeof(*grown));
        if (!grown)
            return;
        names->items = grown;
        names->capacity = names->n * 2 + 16;
    }
    names->items[names->n] = strndup(bytes, length);
    names->n += names->items[names->n] != NULL;
}

static void add_text(struct names *names, rln_text text)
{
    add(names, text.bytes, text.length);
}

/* Of all ranges, whatever the filter. */
static void add_messages(struct names *names, rln_reader *reader)
{
    const struct rln_filter *filter = reader->filter;
    const struct rln__span span = reader->span;
    struct rln__stats *stats = NULL;

    reader->filter = NULL;
    reader->span.is_window = 0;
    if (rln__stats_new(reader, &stats, NULL))
        stats = NULL;
    reader->filter = filter;
    reader->span = span;
    for (size_t i = 0; stats && i < rln__stats_count(stats); i++)
        add_text(names, rln__stats_at(stats, i)->message);
    rln__stats_free(stats);
}

static void add_categories(struct names *names, rln_reader *reader)
{
    const struct rln__name_catalog_category *category;
    struct rln__name_catalog *catalog;

    if (rln__name_catalog_open(reader, &catalog, NULL))
        return;
    for (size_t i = 0; (category = rln__name_catalog_category_at(catalog, i)); i++)
        add_text(names, category->name);
    rln__name_catalog_close(catalog);
}

static void add_of_info(struct names *names, rln_reader *reader, rln_filter_kind kind)
{
    const rln_process_info *process;
    const rln_thread_info *thread;
    const rln_domain_info *domain;
    rln_info *info;

    if (rln_info_open(reader, &info, NULL))
        return;
    for (uint32_t i = 0;
         kind == RLN_FILTER_PROCESS && (process = rln_info_process(info, i)); i++) {
        const char *slash = process->exe.length
                                ? memrchr(process->exe.bytes, '/', process->exe.length)
                                : NULL;
        const size_t from = slash ? (size_t)(slash + 1 - process->exe.bytes) : 0;

        add(names, process->exe.bytes + from, process->exe.length - from);
    }
    for (uint32_t i = 0;
         kind == RLN_FILTER_THREAD && (thread = rln_info_thread(info, i)); i++) {
        add_text(names, thread->name);
        add_text(names, thread->system_name);
    }
    for (uint32_t i = 0;
         kind == RLN_FILTER_DOMAIN && (domain = rln_info_domain(info, i)); i++)
        add_text(names, domain->name);
    rln_info_close(info);
}

static void hint(rln_reader *reader, rln_filter_kind kind, const char *asked)
{
    static const char *const options[RLN__FILTER_KINDS] = {
        [RLN_FILTER_PROCESS] = "process", [RLN_FILTER_THREAD] = "thread",
        [RLN_FILTER_DOMAIN] = "domain",   [RLN_FILTER_CATEGORY] = "category",
        [RLN_FILTER_NAME] = "name",
    };
    struct names names = {0};
    const char *nearest = NULL;
    bool exists = false;

    if (kind == RLN_FILTER_NAME)
        add_messages(&names, reader);
    else if (kind == RLN_FILTER_CATEGORY)
        add_categories(&names, reader);
    else
        add_of_info(&names, reader, kind);
    for (size_t i = 0; i < names.n; i++)
        exists |= strcmp(names.items[i], asked) == 0;
    if (!exists)
        nearest = rln__nearest(asked, (const char *const *)names.items, names.n);
    if (nearest)
        rln__hint("did you mean `--%s %s`?", options[kind], nearest);
    while (names.n)
        free(names.items[--names.n]);
    free(names.items);
}

void rln__hint_near_name(const struct rln__input_traces *inputs)
{
    for (unsigned kind = 0; inputs->reader && kind < RLN_FILTER_PAYLOAD; kind++) {
        const char *asked = inputs->asked[kind];

        if (asked && !strpbrk(asked, "*?\\/"))
            hint(inputs->reader, (rln_filter_kind)kind, asked);
    }
}
