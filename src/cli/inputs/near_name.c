/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/inputs/near_name.h"

#include <stdlib.h>
#include <string.h>

#include "console/die.h"
#include "console/nearest.h"
#include "reports/summary/stats.h"
#include "trace/open/load.h"

/* Of all ranges, whatever the filter. */
static struct rln__stats *read_all(rln_reader *reader)
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
    return stats;
}

static void hint(const char *asked, const struct rln__stats *stats)
{
    const size_t n = rln__stats_count(stats);
    char **names = calloc(n + 1, sizeof(*names));
    const char *nearest;
    bool exists = false;
    size_t n_names = 0;

    for (size_t i = 0; names && i < n; i++) {
        const rln_text message = rln__stats_at(stats, i)->message;

        names[n_names] = message.length ? strndup(message.bytes, message.length) : NULL;
        exists |= names[n_names] && strcmp(names[n_names], asked) == 0;
        n_names += names[n_names] != NULL;
    }
    nearest = names && !exists
                  ? rln__nearest(asked, (const char *const *)names, n_names)
                  : NULL;
    if (nearest)
        rln__hint("did you mean --name \"%s\"?", nearest);
    while (n_names)
        free(names[--n_names]);
    free(names);
}

void rln__hint_near_name(const struct rln__input_traces *inputs)
{
    struct rln__stats *stats;

    if (!inputs->asked_name || !inputs->reader || strpbrk(inputs->asked_name, "*?\\/"))
        return;
    stats = read_all(inputs->reader);
    if (stats)
        hint(inputs->asked_name, stats);
    rln__stats_free(stats);
}
