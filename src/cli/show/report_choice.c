/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/report_choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/count.h"
#include "console/die.h"
#include "console/misread.h"
#include "console/nearest.h"
#include "rangeline/filter.h"
#include "ranges/event_filter.h"
#include "reports/report_build.h"
#include "reports/report_set.h"
#include "trace/open/gpus.h"
#include "trace/open/load.h"
#include "trace/open/rank.h"

#define REPORT_BYTES 64

static void copy_name(const char *name, size_t length, char out[REPORT_BYTES])
{
    (void)snprintf(out, REPORT_BYTES, "%.*s", (int)(length < 60 ? length : 60), name);
}

static const char *nearest_report(const char *name)
{
    const char *names[RLN__MOST_REPORTS];
    size_t n = 0;

    for (; n < RLN__MOST_REPORTS && rln__report_about_at(n); n++)
        names[n] = rln__report_about_at(n)->name;
    return rln__nearest(name, names, n);
}

static _Noreturn void refuse_report(const struct rln__args *args, const char *name,
                                    size_t length)
{
    char text[REPORT_BYTES];
    const char *nearest;

    copy_name(name, length, text);
    nearest = nearest_report(text);
    rln__complain("cannot print report: name=\"%s\": no such report", text);
    if (nearest)
        rln__hint_instead(args, name, length, nearest,
                          " `rangeline stats --help-reports` lists them");
    else
        rln__hint("`rangeline stats --help-reports` lists them");
    exit(RLN__EXIT_USAGE);
}

/* Whether it is a report of nsys's about data that is not recorded, by its name of
 * today or of before 2023. */
static bool is_of_other_data(const char *name)
{
    static const char *const begins[] = {
        "dx11",   "dx12",          "khrdebug", "mpi",    "nvvideo", "openacc",
        "opengl", "openmp",        "osrt",     "pixsum", "syscall", "um_",
        "umcpu",  "unifiedmemory", "vulkan",   "wddm",
    };

    for (size_t i = 0; i < RLN_COUNT(begins); i++)
        if (strncmp(begins[i], name, strlen(begins[i])) == 0)
            return true;
    return strncmp(name, "cuda_", 5) == 0 && !nearest_report(name);
}

static const struct rln__report_info *find_report(const char *name, size_t length)
{
    char text[REPORT_BYTES];

    copy_name(name, length, text);
    return length < 60 ? rln__report_find(text) : NULL;
}

const struct rln__report_info *rln__report_called(const struct rln__args *args,
                                                  const char *name, size_t length)
{
    const struct rln__report_info *found = find_report(name, length);

    if (!found)
        refuse_report(args, name, length);
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

void rln__list_put(struct rln__buf *out, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == ',' || bytes[i] == '\\')
            rln__buf_char(out, '\\');
        rln__buf_char(out, bytes[i]);
    }
}

static _Noreturn void refuse_argument(const struct rln__report_info *report,
                                      const char *word, size_t length)
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

/* The length of the report's name in "tree", "pace:step". */
static size_t name_length(const char *word, size_t length)
{
    const char *colon = memchr(word, ':', length);

    return colon ? (size_t)(colon - word) : length;
}

/* `args` may be NULL for a name that there is. */
static void add_report(struct rln__report_choice *c, const struct rln__args *args,
                       const char *word, size_t length)
{
    const size_t n = name_length(word, length);
    const struct rln__report_info *report = rln__report_called(args, word, n);
    char *argument;

    if (c->n == RLN__MOST_REPORTS)
        rln__die(RLN__EXIT_USAGE, "cannot print reports: more than %d reports",
                 RLN__MOST_REPORTS);
    argument = n < length ? rln__list_copy(word + n + 1, length - n - 1) : NULL;
    c->requests[c->n] = c->n_requested++;
    c->arguments[c->n] = argument;
    c->reports[c->n++] = report;
    if (argument && !rln__report_accepts(report, argument))
        refuse_argument(report, word, length);
}

size_t rln__list_word(const char *list)
{
    size_t n = 0;

    while (list[n] && list[n] != ',')
        n += list[n] == '\\' && list[n + 1] ? 2 : 1;
    return n;
}

/* Adds the name to `others` instead if it is of data that is not recorded. */
static void add_known(struct rln__report_choice *c, const struct rln__args *args,
                      const char *word, size_t length, struct rln__buf *others)
{
    const size_t n = name_length(word, length);
    char name[REPORT_BYTES];

    copy_name(word, n, name);
    if (find_report(word, n) || !is_of_other_data(name)) {
        add_report(c, args, word, length);
        return;
    }
    rln__buf_format(others, "%s%s", others->length ? "," : "", name);
    c->n_requested++;
}

static void note_others(const struct rln__report_choice *c,
                        const struct rln__buf *others)
{
    static const char why[] = "only NVTX events, GPU work and switches are recorded";
    const bool is_one = others->length && !strchr(others->bytes, ',');

    if (!others->length || others->has_failed)
        return;
    if (c->n) {
        rln__note("%s %s left out: %s", others->bytes, is_one ? "is" : "are", why);
        return;
    }
    rln__complain("cannot print report%s: name=\"%s\": %s", is_one ? "" : "s",
                  others->bytes, why);
    rln__hint("`rangeline stats --help-reports` lists those that there are");
    exit(RLN__EXIT_USAGE);
}

void rln__report_choice_drop(struct rln__report_choice *c, size_t index)
{
    free(c->arguments[index]);
    for (c->n--; index < c->n; index++) {
        c->reports[index] = c->reports[index + 1];
        c->arguments[index] = c->arguments[index + 1];
        c->requests[index] = c->requests[index + 1];
    }
}

void rln__choose_reports(struct rln__report_choice *c, const struct rln__args *args,
                         unsigned option)
{
    struct rln__buf others = {0};
    const char *list;
    size_t at = 0;

    while ((list = rln__args_next(args, option, &at))) {
        for (;;) {
            const size_t length = rln__list_word(list);

            add_known(c, args, list, length, &others);
            if (!list[length])
                break;
            list += length + 1;
        }
    }
    note_others(c, &others);
    rln__buf_clear(&others);
    c->is_usual = c->n == 0;
}

static void add_usual(struct rln__report_choice *c, const char *name)
{
    add_report(c, NULL, name, strlen(name));
}

/* `gpus` is the report of GPU work, or NULL: there is none. It is the second question.
 * With several ranks, the last one is which of them the others wait for. */
static void add_all_usual(struct rln__report_choice *c, const char *gpus,
                          size_t n_ranks)
{
    if (c->is_first) {
        add_usual(c, "self_sum");
        add_usual(c, "nvtx_startend_sum"); /* which have no self time */
        add_usual(c, "tree");
    } else {
        add_usual(c, "nvtx_sum");
    }
    if (gpus)
        add_usual(c, gpus);
    if (!c->is_first)
        add_usual(c, "tree");
    if (n_ranks > 1)
        add_usual(c, "rank_sum");
}

/* A filter may leave nothing of GPU work. */
void rln__choose_fitting(struct rln__report_choice *c, const rln_reader *reader)
{
    const bool has_gpus =
        rln__reader_has_gpu_work(reader) && !rln__reader_is_restricted(reader);

    if (c->is_usual)
        add_all_usual(c, has_gpus ? "cuda_gpu_sum" : NULL,
                      rln__reader_count_ranks(reader));
}

void rln__choose_fitting_sums(struct rln__report_choice *c,
                              const struct rln__reduced *reduced)
{
    if (c->is_usual) /* sums have no cuda_gpu_sum */
        add_all_usual(c, rln__reduced_has_gpu_work(reduced) ? "gpu_util" : NULL,
                      rln__reduced_count_ranks(reduced));
}

void rln__report_choice_clear(struct rln__report_choice *c)
{
    for (size_t i = 0; i < c->n; i++)
        free(c->arguments[i]);
    memset(c, 0, sizeof(*c));
}
