/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/report_choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/die.h"
#include "rangeline/filter.h"
#include "rangeline/gpu.h"

static _Noreturn void refuse_report(const char *name, size_t length)
{
    const char *names[RLN__MOST_REPORTS];
    char text[64];
    const char *nearest;
    size_t n = 0;

    for (; n < RLN__MOST_REPORTS && rln_report_about_at(n); n++)
        names[n] = rln_report_about_at(n)->name;
    (void)snprintf(text, sizeof(text), "%.*s", (int)(length < 60 ? length : 60), name);
    nearest = rln__nearest(text, names, n);
    rln__complain("cannot print report: name=\"%s\": no such report", text);
    if (nearest)
        rln__hint("did you mean %s? `rangeline stats --help-reports` lists them",
                  nearest);
    else
        rln__hint("`rangeline stats --help-reports` lists them");
    exit(RLN__EXIT_USAGE);
}

const rln_report_info *rln__report_called(const char *name, size_t length)
{
    char text[64];
    const rln_report_info *found = NULL;

    if (length < sizeof(text)) {
        (void)snprintf(text, sizeof(text), "%.*s", (int)length, name);
        found = rln_report_find(text);
    }
    if (!found)
        refuse_report(name, length);
    return found;
}

char *rln__list_copy(const char *text, size_t length)
{
    char *out = malloc(length + 1);
    size_t n = 0;

    if (!out)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\' && i + 1 < length)
            i++;
        out[n++] = text[i];
    }
    out[n] = '\0';
    return out;
}

static _Noreturn void refuse_argument(const rln_report_info *report, const char *word,
                                      size_t length)
{
    rln__complain("cannot print report: name=\"%.*s\": %s has no %s", (int)length, word,
                  report->name, report->words ? "such argument" : "arguments");
    if (report->words)
        rln__hint("`rangeline stats --help-reports %s` lists its arguments",
                  report->name);
    else
        rln__hint("ask for %s", report->name);
    exit(RLN__EXIT_USAGE);
}

/* "tree", "pace:step" */
static void add_report(struct rln__report_choice *c, const char *word, size_t length)
{
    const char *colon = memchr(word, ':', length);
    const size_t n = colon ? (size_t)(colon - word) : length;
    const rln_report_info *report = rln__report_called(word, n);
    char *argument;

    if (c->n == RLN__MOST_REPORTS)
        rln__die(RLN__EXIT_USAGE, "cannot print reports: more than %d reports",
                 RLN__MOST_REPORTS);
    argument = colon ? rln__list_copy(colon + 1, length - n - 1) : NULL;
    c->arguments[c->n] = argument;
    c->reports[c->n++] = report;
    if (argument && !rln_report_accepts(report, argument))
        refuse_argument(report, word, length);
}

size_t rln__list_word(const char *list)
{
    size_t n = 0;

    while (list[n] && list[n] != ',')
        n += list[n] == '\\' && list[n + 1] ? 2 : 1;
    return n;
}

void rln__choose_reports(struct rln__report_choice *c, const struct rln__args *args,
                         unsigned option)
{
    const char *list;
    size_t at = 0;

    while ((list = rln__args_next(args, option, &at))) {
        for (;;) {
            const size_t length = rln__list_word(list);

            add_report(c, list, length);
            if (!list[length])
                break;
            list += length + 1;
        }
    }
    c->is_usual = c->n == 0;
}

/* GPU work is the second question, unless a filter may leave nothing of it. With
 * several ranks, the last one is which of them the others wait for. */
void rln__choose_fitting(struct rln__report_choice *c, const rln_reader *reader)
{
    if (!c->is_usual)
        return;
    add_report(c, "nvtx_sum", 8);
    if (rln_reader_has_gpu_work(reader) && !rln_reader_is_restricted(reader))
        add_report(c, "cuda_gpu_sum", 12);
    add_report(c, "tree", 4);
    if (rln_reader_count_ranks(reader) > 1)
        add_report(c, "rank_sum", 8);
}

void rln__report_choice_clear(struct rln__report_choice *c)
{
    for (size_t i = 0; i < c->n; i++)
        free(c->arguments[i]);
    memset(c, 0, sizeof(*c));
}
