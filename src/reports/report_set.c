/* SPDX-License-Identifier: Apache-2.0 */
/* report_set.c - several reports, from as few readings as possible. */
#include "reports/report_set.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "rangeline/filter.h"
#include "reports/report_list.h"
#include "reports/report_parts.h"
#include "reports/summary/summary.h"

#include <string.h>

static const struct rln__report_kind *const kinds[] = {
#define X(name) &rln__report_##name,
    RLN__REPORTS(X)
#undef X
};

struct rln__reports {
    rln_reader *reader;                    /* borrowed; NULL: made of parts */
    struct rln__report_parts parts;        /* owned; of traces only the first three */
    rln_report_request *requests;          /* owned */
    const struct rln__report_kind **kinds; /* owned: of the requests */
    size_t n;
    struct rln__tree *thread_tree; /* owned, as all below; NULL: no report needs it */
    struct rln__nesting *nesting;
    rln_info *info;
    char *usual_range; /* for a report of one range; NULL: there is none */
};

/* --- The registry ----------------------------------------------------------------- */

const struct rln__report_info *rln__report_about_at(size_t index)
{
    return index < RLN_COUNT(kinds) ? &kinds[index]->about : NULL;
}

static int is(const char *name, const char *wanted)
{
    return name && strcmp(name, wanted) == 0;
}

static const struct rln__report_kind *find_kind(const char *name)
{
    for (size_t i = 0; name && i < RLN_COUNT(kinds); i++) {
        const struct rln__report_info *about = &kinds[i]->about;

        if (is(about->name, name) || is(about->alias, name) ||
            is(about->older_alias, name))
            return kinds[i];
    }
    return NULL;
}

const struct rln__report_info *rln__report_find(const char *name)
{
    const struct rln__report_kind *kind = find_kind(name);

    return kind ? &kind->about : NULL;
}

/* The number of the group that has the word; -1: none. */
static int group_of(const char *words, const char *word, size_t length)
{
    int group = 0;

    for (const char *at = words; *at; group += *at == ' ', at += *at != '\0') {
        const size_t n = strcspn(at, " |");

        if (n == length && strncmp(at, word, n) == 0)
            return group;
        at += n;
    }
    return -1;
}

int rln__report_accepts(const struct rln__report_info *about, const char *argument)
{
    unsigned used = 0; /* a bit per group */

    if (rln__report_takes_range(about))
        return 1;
    for (const char *at = argument; about->words;) {
        const size_t length = strcspn(at, ":");
        const int group = group_of(about->words, at, length);

        if (group < 0 || used >> group & 1)
            return 0;
        used |= 1u << group;
        at += length;
        if (!*at++)
            return 1;
    }
    return 0;
}

int rln__report_reads_launches(const struct rln__report_info *about,
                               const char *argument)
{
    const unsigned needs = find_kind(about->name)->needs;

    return needs & RLN__READS_LAUNCHES ||
           (needs & RLN__GPU_READS_LAUNCHES && rln__report_has_word(argument, "gpu"));
}

/* --- Their input ------------------------------------------------------------------ */

static rln_status take_requests(struct rln__reports *s,
                                const rln_report_request *requests, size_t n,
                                rln_error *err)
{
    s->requests = rln__alloc(n + 1, sizeof(*s->requests));
    s->kinds = rln__alloc(n + 1, sizeof(struct rln__report_kind *));
    if (!s->requests || !s->kinds)
        return rln__fail_nomem(err);
    s->n = n;
    for (size_t i = 0; i < n; i++) {
        const rln_report_request *w = &requests[i];
        const struct rln__report_kind *kind = find_kind(w->name);

        if (!kind)
            return rln__fail(err, RLN_ERR_ARGUMENT, 0,
                             "cannot build report: name=\"%s\": no such report",
                             w->name ? w->name : "");
        if (w->argument && !rln__report_accepts(&kind->about, w->argument))
            return rln__fail(
                err, RLN_ERR_ARGUMENT, 0,
                "cannot build report: name=\"%s\", argument=\"%s\": no such argument",
                w->name, w->argument);
        s->requests[i] = *w;
        s->kinds[i] = kind;
    }
    return RLN_OK;
}

/* A report of one range, if none was named, is of the range with the longest total,
 * preferably among those that ran ten times or more. */
static rln_status find_usual_range(struct rln__reports *s, rln_error *err)
{
    const struct rln__stats_row *row = rln__stats_at(s->parts.stats, 0);
    struct rln__buf name = {0};

    if (!row)
        return RLN_OK;
    for (size_t i = 0; i < rln__stats_count(s->parts.stats); i++) {
        if (rln__stats_at(s->parts.stats, i)->n_ranges >= 10) {
            row = rln__stats_at(s->parts.stats, i);
            break;
        }
    }
    rln__buf_add(&name, row->domain_name.bytes, row->domain_name.length);
    rln__buf_char(&name, ':');
    rln__buf_add(&name, row->message.bytes, row->message.length);
    rln__buf_char(&name, '\0');
    if (!name.has_failed)
        s->usual_range = rln__copy_name(name.bytes);
    rln__buf_clear(&name);
    return s->usual_range ? RLN_OK : rln__fail_nomem(err);
}

/* Statistics are always read: the caller finds in them what reports leave out. */
static rln_status read_all(struct rln__reports *s, rln_error *err)
{
    unsigned needs = 0, sums = 0;
    int has_threads = 0, needs_thread_tree = 0;
    rln_status status;

    for (size_t i = 0; i < s->n; i++) {
        const char *argument = s->requests[i].argument;

        needs |= s->kinds[i]->needs;
        sums |= s->kinds[i]->sums;
        if (s->kinds[i]->needs & RLN__IS_TREE) {
            const int is_by_thread = rln__report_has_word(argument, "thread");
            /* With the time of GPUs, it reads a tree of its own. */
            const int is_read_here = !rln__report_has_word(argument, "gpu");

            has_threads |= is_by_thread;
            needs_thread_tree |= is_by_thread && is_read_here;
            if (!is_by_thread && is_read_here)
                needs |= RLN__NEEDS_TREE;
        }
    }
    status =
        needs & RLN__NEEDS_TREE
            ? rln__tree_and_stats_new(s->reader, &s->parts.tree, &s->parts.stats, err)
            : rln__stats_new(s->reader, &s->parts.stats, err);
    if (!status)
        status = find_usual_range(s, err);
    if (!status && sums)
        status = rln__sums_new(s->reader, sums, &s->parts.sums, err);
    if (!status && needs & RLN__NEEDS_NESTING)
        status = rln__nesting_new(s->reader, &s->nesting, err);
    if (!status && needs_thread_tree)
        status = rln__tree_new_by_thread(s->reader, &s->thread_tree, err);
    if (!status && (has_threads || needs & RLN__NEEDS_INFO))
        status = rln_info_open(s->reader, &s->info, err);
    return status;
}

rln_status rln__reports_new(rln_reader *reader, const rln_report_request *requests,
                            size_t n_requests, struct rln__reports **out,
                            rln_error *err)
{
    struct rln__reports *s = rln__alloc(1, sizeof(*s));
    rln_status status;

    *out = NULL;
    if (!s)
        return rln__fail_nomem(err);
    s->reader = reader;
    status = take_requests(s, requests, n_requests, err);
    if (!status)
        status = read_all(s, err);
    if (status)
        rln__reports_free(s);
    else
        *out = s;
    return status;
}

int rln__report_needs_only_parts(const struct rln__report_info *about,
                                 const char *argument, const char *steps)
{
    const unsigned needs = find_kind(about->name)->needs;

    return needs & RLN__NEEDS_STEPS
               ? steps && (!argument || strcmp(argument, steps) == 0)
               : needs & RLN__NEEDS_PARTS &&
                     (!argument ||
                      (needs & RLN__CPU_NEEDS_PARTS && is("cpu", argument)));
}

rln_status rln__reports_make(struct rln__report_parts *parts,
                             const rln_report_request *requests, size_t n_requests,
                             struct rln__reports **out, rln_error *err)
{
    struct rln__reports *s = rln__alloc(1, sizeof(*s));
    rln_status status;

    *out = NULL;
    if (!s) {
        rln__report_parts_clear(parts);
        return rln__fail_nomem(err);
    }
    s->parts = *parts;
    status = take_requests(s, requests, n_requests, err);
    if (!status && s->parts.steps.name &&
        !(s->usual_range = rln__copy_name(s->parts.steps.name)))
        status = rln__fail_nomem(err);
    for (size_t i = 0; i < n_requests && !status; i++) {
        if (!rln__report_needs_only_parts(&s->kinds[i]->about, requests[i].argument,
                                          s->parts.steps.name))
            status = rln__fail(err, RLN_ERR_ARGUMENT, 0,
                               "cannot build report: name=\"%s\": it needs the traces "
                               "themselves",
                               requests[i].name);
    }
    if (status)
        rln__reports_free(s);
    else
        *out = s;
    return status;
}

void rln__reports_free(struct rln__reports *s)
{
    if (!s)
        return;
    rln__report_parts_clear(&s->parts);
    rln__tree_free(s->thread_tree);
    rln__nesting_free(s->nesting);
    rln_info_close(s->info);
    rln__free(s->usual_range);
    rln__free(s->requests);
    rln__free(s->kinds);
    rln__free(s);
}

const struct rln__stats *rln__reports_stats(const struct rln__reports *s)
{
    return s->parts.stats;
}

int rln__reports_is_restricted(const struct rln__reports *s, size_t request)
{
    const rln_report_request *w = request < s->n ? &s->requests[request] : NULL;

    return (s->reader ? rln__reader_is_restricted(s->reader)
                      : s->parts.is_restricted) ||
           (w && s->kinds[request]->needs & RLN__IS_TREE &&
            (w->under || (w->has_max_depth && !w->max_depth) || w->min_share > 0));
}

/* --- Building --------------------------------------------------------------------- */

rln_status rln__reports_build(struct rln__reports *s, size_t request, rln_report **out,
                              rln_error *err)
{
    struct rln__report_source source;

    *out = NULL;
    if (request >= s->n)
        return rln__fail(err, RLN_ERR_ARGUMENT, 0,
                         "cannot build report: index=%zu: only %zu requested", request,
                         s->n);
    source = (struct rln__report_source){
        .reader = s->reader,
        .stats = s->parts.stats,
        .tree = s->parts.tree,
        .thread_tree = s->thread_tree,
        .sums = s->parts.sums,
        .nesting = s->nesting,
        .info = s->info,
        .parts = s->reader ? NULL : &s->parts,
        .request = &s->requests[request],
        .kind = s->kinds[request],
        .argument = s->requests[request].argument,
        .err = err,
    };
    if (source.kind->about.is_of_a_range && !source.argument)
        source.argument = s->usual_range;
    return rln__report_make(&source, out);
}

rln_status rln_report_build(rln_reader *reader, const rln_report_request *request,
                            rln_report **out, rln_error *err)
{
    struct rln__reports *s;
    rln_status status = rln__reports_new(reader, request, 1, &s, err);

    *out = NULL;
    if (!status)
        status = rln__reports_build(s, 0, out, err);
    rln__reports_free(s);
    return status;
}
