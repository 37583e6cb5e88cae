/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/inputs/filter_options.h"
#include "cli/inputs/near_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/key_index.h"
#include "base/shell_word.h"
#include "base/time_span.h"
#include "base/utf8.h"
#include "cli/inputs/named_range.h"
#include "console/die.h"
#include "export/exporter.h"
#include "ranges/event_filter.h"
#include "trace/open/load.h"
#include "trace/open/window_list.h"

static void select_span(const struct rln__input_traces *inputs, int64_t start_ns,
                        int64_t end_ns)
{
    rln_error err = {0};

    rln__die_if(rln_reader_select_time(inputs->reader, start_ns, end_ns, &err), &err);
}

static void select_times(const struct rln__input_traces *inputs, const char *text)
{
    int64_t start_ns, end_ns;
    const char *end = rln__time_span_read(text, &start_ns, &end_ns);

    if (!end || *end) {
        rln__complain("cannot read time: filter-time=\"%s\": not [START]/[END]", text);
        rln__hint(
            "use START/END with the start first, such as --filter-time 1s/2500ms");
        exit(RLN__EXIT_USAGE);
    }
    select_span(inputs, start_ns, end_ns);
}

/* --- The time of a range ---------------------------------------------------------- */

/* RANGE[@DOMAIN][/INDEX], split in a copy. */
struct sought {
    struct rln__named_range range;
    bool has_index;
    uint64_t index;
};

static void read_sought(const char *text, struct sought *out)
{
    char *copy = strdup(text); /* owned: handed over */
    char *slash, *end;

    memset(out, 0, sizeof(*out));
    if (!copy)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    slash = rln__last_unescaped(copy, '/');
    if (slash && slash[1] >= '0' && slash[1] <= '9') {
        out->index = strtoull(slash + 1, &end, 10);
        out->has_index = !*end;
        if (out->has_index)
            *slash = 0;
    }
    rln__named_range_read(&out->range, copy);
}

static bool is_sought(const struct sought *w, const rln_range *range)
{
    const uint32_t excluded =
        RLN_FLAG_UNMATCHED | RLN_FLAG_INHERITED | RLN_FLAG_UNPLACED;

    if ((range->style != RLN_RANGE_PUSH_POP && range->style != RLN_RANGE_START_END) ||
        (range->flags & excluded) ||
        !rln__text_is(range->attributes.message, w->range.message))
        return false;
    if (!w->range.domain)
        return range->attributes.domain == 0;
    return strcmp(w->range.domain, "*") == 0 ||
           rln__text_is(range->attributes.domain_name, w->range.domain);
}

struct span {
    int64_t start_ns, end_ns;
};

static int by_start(const void *a, const void *b)
{
    const struct span *x = a, *y = b;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->end_ns > y->end_ns) - (x->end_ns < y->end_ns);
}

/* All matching ranges, in the order of begins. The caller frees them. */
static struct span *find_spans(const struct rln__input_traces *inputs,
                               const struct sought *w, size_t *n)
{
    struct span *spans = NULL;
    size_t capacity = 0;
    const rln_range *range;
    rln_ranges *ranges;
    rln_error err = {0};
    rln_status status = rln_ranges_open(inputs->reader, &ranges, &err);

    *n = 0;
    rln__die_if(status, &err);
    while ((status = rln_ranges_next(ranges, &range, &err)) == RLN_OK) {
        if (!is_sought(w, range))
            continue;
        if (*n == capacity) {
            capacity = capacity ? capacity * 2 : 64;
            spans = realloc(spans, capacity * sizeof(*spans));
            if (!spans)
                rln__die(RLN__EXIT_FAILED, "out of memory");
        }
        spans[(*n)++] = (struct span){range->start_ns, range->end_ns};
    }
    rln_ranges_close(ranges);
    rln__die_if(status, &err);
    if (*n)
        qsort(spans, *n, sizeof(*spans), by_start);
    return spans;
}

static void select_range(const struct rln__input_traces *inputs, const char *text)
{
    struct sought sought;
    struct span *spans;
    size_t n;

    read_sought(text, &sought);
    spans = find_spans(inputs, &sought, &n);
    if (n == 0) { /* like any filter that matches nothing */
        rln__note("no range matches: file=\"%s\", filter-nvtx=\"%s\"", inputs->name,
                  text);
        rln__hint("`rangeline stats` lists names; add @DOMAIN, or @* for any domain");
        select_span(inputs, INT64_MAX, INT64_MAX);
        free(sought.range.message);
        return;
    }
    if (sought.index >= n) {
        rln__complain("cannot select range: file=\"%s\", filter-nvtx=\"%s\": there %s "
                      "only %zu with that name",
                      inputs->name, text, n == 1 ? "is" : "are", n);
        rln__hint("count indexes from 0");
        exit(RLN__EXIT_FAILED);
    }
    if (n > 1 && !sought.has_index) {
        rln__complain("cannot select range: file=\"%s\", filter-nvtx=\"%s\": %zu "
                      "ranges have that name",
                      inputs->name, text, n);
        rln__hint("add an index; the first is `--filter-nvtx %s/0`", text);
        exit(RLN__EXIT_FAILED);
    }
    select_span(inputs, spans[sought.index].start_ns, spans[sought.index].end_ns);
    free(spans);
    free(sought.range.message);
}

void rln__select_time(const struct rln__input_traces *inputs,
                      const struct rln__args *args, unsigned first)
{
    const char *times = rln__args_text(args, first + RLN__OPTION_TIME);
    const char *range = rln__args_text(args, first + RLN__OPTION_NVTX);

    rln__input_traces_align(inputs, args, first + RLN__OPTION_ALIGN);
    rln__input_traces_select_window(inputs, args, first + RLN__OPTION_WINDOW);
    if (times)
        select_times(inputs, times);
    if (range)
        select_range(inputs, range);
}

/* --- Under which names ------------------------------------------------------------ */

static size_t count_values(const struct rln__args *args, unsigned option)
{
    size_t n = 0, at = 0;

    while (rln__args_next(args, option, &at))
        n++;
    return n;
}

const char **rln__rename_rules(const struct rln__args *args, unsigned first, size_t *n)
{
    const unsigned rename = first + 1;
    const char **rules = calloc(count_values(args, rename) + 2, sizeof(*rules));
    size_t at = 0;

    *n = 0;
    if (!rules)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    while ((rules[*n] = rln__args_next(args, rename, &at)))
        ++*n;
    if (rln__args_has(args, first))
        rules[(*n)++] = "numbers";
    return rules;
}

void rln__die_of_rules(rln_status status, const rln_error *err)
{
    if (status == RLN_ERR_ARGUMENT) {
        rln__complain("%s", err->message);
        rln__hint("use s/PATTERN/TEXT/, such as --rename 's/epoch [0-9]+/epoch N/'");
        exit(RLN__EXIT_USAGE);
    }
    rln__die_if(status, err);
}

void rln__apply_renames(const struct rln__input_traces *inputs,
                        const struct rln__args *args, unsigned first)
{
    rln_error err = {0};
    size_t n;
    const char **rules = rln__rename_rules(args, first, &n);
    const rln_status status = rln__reader_rename(inputs->reader, rules, n, &err);

    free(rules);
    rln__die_of_rules(status, &err);
}

/* --- What ------------------------------------------------------------------------- */

static void add_pattern(rln_filter *filter, rln_filter_kind kind, const char *pattern)
{
    rln_error err = {0};
    const rln_status status = rln_filter_add(filter, kind, pattern, &err);

    if (!status)
        return;
    rln__complain("%s", err.message);
    if (kind == RLN_FILTER_PAYLOAD && status == RLN_ERR_ARGUMENT)
        rln__hint("use tests such as --filter-payload '>= 1000', '1000..2000' or "
                  "'Bytes>=1M, Op=Sum'; comparisons are = != < <= > >=");
    exit(status == RLN_ERR_ARGUMENT ? RLN__EXIT_USAGE : RLN__EXIT_FAILED);
}

int64_t rln__least_duration(const struct rln__args *args, unsigned option)
{
    const char *text = rln__args_text(args, option);
    int64_t ns = 0;
    const char *end = text ? rln__time_read(text, &ns) : NULL;

    if (!text)
        return 0;
    if (!end || *end || ns < 0 || (ns && !text[strspn(text, "0123456789.")])) {
        rln__complain("cannot read time: min-duration=\"%s\": not a time with its unit",
                      text);
        rln__hint("use a number and a unit (ns, us, ms, s, min, h), such as "
                  "--min-duration %sms",
                  end && !*end && ns > 0 ? text : "1.5");
        exit(RLN__EXIT_USAGE);
    }
    return ns;
}

rln_filter *rln__filter_read(const struct rln__args *args, unsigned what,
                             unsigned duration)
{
    rln_filter *filter;
    rln_error err = {0};

    rln__die_if(rln_filter_new(&filter, &err), &err);
    for (unsigned kind = 0; kind < RLN__FILTER_KINDS; kind++) {
        const char *pattern;
        size_t at = 0;

        while ((pattern = rln__args_next(args, what + kind, &at)))
            add_pattern(filter, (rln_filter_kind)kind, pattern);
    }
    rln_filter_set_min_duration(filter, rln__least_duration(args, duration));
    if (!rln__filter_is_empty(filter))
        return filter;
    rln_filter_free(filter);
    return NULL;
}

void rln__select_events(struct rln__input_traces *inputs, const struct rln__args *args,
                        unsigned first)
{
    for (unsigned kind = 0; kind < RLN_FILTER_PAYLOAD; kind++) {
        size_t at = 0;

        inputs->asked[kind] =
            rln__args_next(args, first + RLN__OPTION_WHAT + kind, &at);
    }
    inputs->filter =
        rln__filter_read(args, first + RLN__OPTION_WHAT, first + RLN__OPTION_DURATION);
    rln_reader_set_filter(inputs->reader, inputs->filter);
}

void rln__restrict(struct rln__input_traces *inputs, const struct rln__args *args,
                   unsigned first)
{
    /* --filter-nvtx finds its range without the filter, by its original name. */
    rln__select_time(inputs, args, first);
    rln__apply_renames(inputs, args, first + RLN__OPTION_FOLD);
    rln__select_events(inputs, args, first);
}

/* "name load, window 2" */
static void append_for_people(struct rln__buf *out, const struct rln__option *option,
                              const char *value)
{
    rln__buf_format(out, "%s%s ", out->length ? ", " : "", option->name);
    (void)rln__buf_printable(out, value, strlen(value));
}

/* " --name load --window 2" */
static void append_for_shell(struct rln__buf *out, const struct rln__option *option,
                             const char *value)
{
    rln__buf_format(out, " --%s", option->name);
    if (option->kind == RLN__ARG_FLAG)
        return;
    rln__buf_char(out, ' ');
    rln__buf_shell_word(out, value, strlen(value));
}

/* Those that were given, of an option that does not repeat the last value. */
static void append_given(const struct rln__args *args, unsigned first, unsigned end,
                         void (*append)(struct rln__buf *out,
                                        const struct rln__option *option,
                                        const char *value),
                         struct rln__buf *out)
{
    for (unsigned i = first; i < end; i++) {
        const struct rln__option *option = &args->command->options[i];
        const char *value;
        size_t at = 0;

        if (!option->is_repeatable && rln__args_has(args, i))
            append(out, option, rln__args_text(args, i));
        while (option->is_repeatable && (value = rln__args_next(args, i, &at)))
            append(out, option, value);
    }
}

void rln__filter_summary(const struct rln__args *args, unsigned first,
                         struct rln__buf *out)
{
    append_given(args, first + RLN__OPTION_WINDOW, first + RLN__N_FILTER_OPTIONS,
                 append_for_people, out);
}

void rln__filter_words(const struct rln__args *args, unsigned first, unsigned end,
                       struct rln__buf *out)
{
    append_given(args, first, end, append_for_shell, out);
}

void rln__note_if_empty(const struct rln__input_traces *inputs, uint64_t n)
{
    if (n == 0 && rln__reader_is_restricted(inputs->reader))
        rln__note("no event matches the filter: file=\"%s\"", inputs->name);
    if (n == 0)
        rln__hint_near_name(inputs);
}
