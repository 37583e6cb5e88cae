/* SPDX-License-Identifier: Apache-2.0 */
#include "record/start/record_options.h"

#include <stdlib.h>
#include <string.h>

#include "console/die.h"

#define LEAST_BUFFER                                                                   \
    (256u << 10) /* less than a few chunks would keep next to nothing */
#define MOST_BUFFER (1ull << 40)
#define MOST_CATEGORIES 64u /* in the collector's list */
#define LONGEST_LIST 4000u  /* bytes, also there */

static _Noreturn void refuse(const struct rln__args *args, unsigned row,
                             const char *value, const char *why, const char *hint)
{
    rln__complain("cannot record: --%s=\"%s\": %s", args->command->options[row].name,
                  value, why);
    rln__hint("%s", hint);
    exit(RLN__EXIT_USAGE);
}

/* --- Lists of names --------------------------------------------------------------- */

/* The end of the first name of a list; `*at` is its last @, or NULL. */
static const char *end_of_item(const char *list, const char **at)
{
    for (*at = NULL; *list && *list != ','; list++) {
        if (*list == '@')
            *at = list;
        if (*list == '\\' && list[1])
            list++;
    }
    return list;
}

static const char *check_domains(const char *list)
{
    const char *at, *end;

    if (strlen(list) > LONGEST_LIST)
        return "longer than 4000 bytes";
    for (;; list = end + 1) {
        end = end_of_item(list, &at);
        if (end == list)
            return "a domain is missing";
        if (!*end)
            return NULL;
    }
}

/* Why the first item of a list is invalid, or NULL; `*list` then is the next item. */
static const char *check_item(const char **list)
{
    const char *begin = *list, *at;
    const char *end = end_of_item(begin, &at);

    *list = *end ? end + 1 : end;
    if ((at ? at : end) == begin)
        return "a category is missing";
    if (at && at + 1 == end)
        return "the domain after @ is missing";
    return *end && !end[1] ? "a category is missing" : NULL;
}

static const char *check_categories(const char *list)
{
    const char *why = *list ? NULL : "a category is missing";
    size_t n = 0;

    if (strlen(list) > LONGEST_LIST)
        return "longer than 4000 bytes";
    for (; *list && !why; n++)
        why = check_item(&list);
    return why ? why : n > MOST_CATEGORIES ? "more than 64 categories" : NULL;
}

static void parse_lists(const struct rln__args *args, unsigned at,
                        struct rln__record_choice *out)
{
    for (unsigned i = 0; i < RLN__N_RECORD_LISTS; i++) {
        const bool is_category = i == RLN__RECORD_CATEGORIES;
        const char *list = out->lists[i] = rln__args_joined(args, at + i), *why = NULL;

        if (list)
            why = is_category ? check_categories(list) : check_domains(list);
        if (why)
            refuse(args, at + i, list, why,
                   is_category
                       ? "io,net@http,7 means categories io and 7 of any domain, and "
                         "net of domain http; @default means events without a domain"
                       : "io,net means domains io and net; `default` means events "
                         "without a domain");
    }
    out->has_categories = out->lists[RLN__RECORD_CATEGORIES] != NULL;
}

/* --- The buffer ------------------------------------------------------------------- */

static void parse_buffer(const struct rln__args *args, unsigned row,
                         struct rln__record_choice *out)
{
    out->buffer_bytes = rln__args_count(args, row);
    if (!rln__args_has(args, row) ||
        (out->buffer_bytes >= LEAST_BUFFER && out->buffer_bytes <= MOST_BUFFER))
        return;
    refuse(args, row, rln__args_text(args, row),
           out->buffer_bytes < LEAST_BUFFER ? "too small" : "too large",
           "use 256K to 1T per process; 16M holds a million ranges");
}

/* --- Overload --------------------------------------------------------------------- */

static void check_overload(const struct rln__args *args, unsigned row,
                           const struct rln__record_choice *choice)
{
    const char *what = rln__args_text(args, row);

    if (what && strcmp(what, "drop") == 0 && choice->buffer_bytes)
        refuse(args, row, what, "cannot be used with --buffer",
               "omit it: a ring buffer reuses its space");
}

/* --- Options that exclude events -------------------------------------------------- */

static void find_filter(const struct rln__args *args, unsigned at,
                        struct rln__record_choice *out)
{
    static const enum rln__record_option rows[] = {
        RLN__RECORD_CATEGORIES, RLN__RECORD_INCLUDE, RLN__RECORD_EXCLUDE};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && !out->filter; i++) {
        out->filtered = out->lists[rows[i]];
        if (out->filtered)
            out->filter = args->command->options[at + rows[i]].name;
    }
}

/* --- All of them ------------------------------------------------------------------ */

void rln__record_parse(const struct rln__args *args, unsigned at,
                       struct rln__record_choice *out)
{
    memset(out, 0, sizeof(*out));
    parse_lists(args, at, out);
    if (out->lists[RLN__RECORD_INCLUDE] && out->lists[RLN__RECORD_EXCLUDE])
        rln__die(RLN__EXIT_USAGE, "cannot record: --nvtx-domain-include cannot be used "
                                  "with --nvtx-domain-exclude");
    parse_buffer(args, at + RLN__RECORD_BUFFER, out);
    check_overload(args, at + RLN__RECORD_OVERLOAD, out);
    find_filter(args, at, out);
}

void rln__record_clear(struct rln__record_choice *choice)
{
    for (size_t i = 0; i < RLN__N_RECORD_LISTS; i++)
        free(choice->lists[i]);
    memset(choice, 0, sizeof(*choice));
}

void rln__record_variables(const struct rln__record_choice *choice,
                           const struct rln__args *args, unsigned at,
                           struct rln__variables *out)
{
    static const char *const names[RLN__N_RECORD_LISTS] = {
        [RLN__RECORD_INCLUDE] = "RANGELINE_DOMAIN_INCLUDE",
        [RLN__RECORD_EXCLUDE] = "RANGELINE_DOMAIN_EXCLUDE",
        [RLN__RECORD_CATEGORIES] = "RANGELINE_CATEGORIES",
    };
    const char *overload = rln__args_text(args, at + RLN__RECORD_OVERLOAD);

    for (size_t i = 0; i < RLN__N_RECORD_LISTS; i++) {
        if (choice->lists[i])
            rln__variables_add(out, names[i], choice->lists[i]);
    }
    if (overload)
        rln__variables_add(out, "RANGELINE_ON_OVERLOAD", overload);
}
