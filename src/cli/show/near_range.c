/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/near_range.h"

#include <stdlib.h>
#include <string.h>

#include "base/renaming.h"
#include "cli/show/report_choice.h"
#include "console/args.h"
#include "console/die.h"
#include "console/nearest.h"
#include "rangeline/model.h"
#include "reports/report_build.h"
#include "reports/summary/stats.h"
#include "trace/open/load.h"

/* The names of all ranges, as their reports print them: "DOMAIN:MESSAGE", "MESSAGE". */
struct range_names {
    char **names;  /* owned, as each is */
    char **folded; /* the same without their numbers */
    size_t n;
};

static char *copy_of(const struct rln__buf *text)
{
    return text->has_failed ? NULL
                            : strndup(text->length ? text->bytes : "", text->length);
}

static void add_name(struct range_names *all, const struct rln__stats_row *row)
{
    struct rln__buf name = {0}, folded = {0};

    if (row->domain_name.length) {
        rln__buf_add(&name, row->domain_name.bytes, row->domain_name.length);
        rln__buf_char(&name, ':');
    }
    rln__buf_add(&name, row->message.bytes, row->message.length);
    rln__fold_numbers(&folded, (rln_text){name.bytes, name.length});
    all->names[all->n] = copy_of(&name);
    all->folded[all->n] = copy_of(&folded);
    all->n += all->names[all->n] && all->folded[all->n];
    rln__buf_clear(&name);
    rln__buf_clear(&folded);
}

static void read_names(struct range_names *all, const struct rln__stats *stats)
{
    const size_t n = rln__stats_count(stats);

    all->names = calloc(n + 1, sizeof(*all->names));
    all->folded = calloc(n + 1, sizeof(*all->folded));
    for (size_t i = 0; all->names && all->folded && i < n; i++)
        add_name(all, rln__stats_at(stats, i));
}

static void clear_names(struct range_names *all)
{
    for (size_t i = 0; i < all->n; i++) {
        free(all->names[i]);
        free(all->folded[i]);
    }
    free(all->names);
    free(all->folded);
}

static size_t index_of(char *const *names, size_t n, const char *name)
{
    size_t i = 0;

    while (i < n && strcmp(names[i], name) != 0)
        i++;
    return i;
}

/* How many names are alike without their numbers. */
static size_t count_alike(const struct range_names *all, const char *folded)
{
    size_t n = 0;

    for (size_t i = 0; i < all->n; i++)
        n += strcmp(all->folded[i], folded) == 0;
    return n;
}

static void put_argument(struct rln__buf *out, const char *report, const char *range)
{
    rln__buf_format(out, "%s:", report);
    rln__list_put(out, range, strlen(range));
    rln__buf_char(out, '\0');
}

static void hint_at(const struct range_names *all, const struct rln__report_info *about,
                    const char *range)
{
    size_t i = index_of(all->folded, all->n, range);
    const char *near = NULL;
    struct rln__buf word = {0};

    if (i == all->n) {
        near = rln__nearest(range, (const char *const *)all->names, all->n);
        i = near ? index_of(all->names, all->n, near) : all->n;
    }
    if (i == all->n)
        return;
    if (count_alike(all, all->folded[i]) > 1)
        near = NULL;
    put_argument(&word, about->name, near ? near : all->folded[i]);
    if (!word.has_failed && near)
        rln__hint("did you mean `-r %s`?", word.bytes);
    else if (!word.has_failed)
        rln__hint("did you mean `--fold-numbers -r %s`, of names that differ only in "
                  "numbers?",
                  word.bytes);
    rln__buf_clear(&word);
}

void rln__hint_near_range(rln_reader *reader, const struct rln__report_info *about,
                          const char *range)
{
    struct range_names all = {0};
    struct rln__stats *stats;

    if (rln__stats_new(reader, &stats, NULL))
        return;
    read_names(&all, stats);
    if (index_of(all.names, all.n, range + (*range == ':')) == all.n)
        hint_at(&all, about, range);
    clear_names(&all);
    rln__stats_free(stats);
}
