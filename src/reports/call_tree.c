/* SPDX-License-Identifier: Apache-2.0 */
/* call_tree.c - how push/pop ranges nest: the whole tree, or a part. */
#include "reports/report_list.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/wildcard.h"
#include "reports/cpu_tree.h"
#include "reports/gpu/gpu_tree.h"
#include "reports/report_parts.h"

#define TOTALS                                                                         \
    RLN__TIMES("Total Time"), RLN__TIMES("Self Time"), RLN__NUMBERS("Time (%)"),       \
        RLN__NUMBERS("Calls"), RLN__NUMBERS("Open")
#define NAME RLN__NUMBERS("Level"), RLN__TEXTS("Name")

static const rln_report_column over_all[] = {TOTALS, NAME};
static const rln_report_column totals[] = {TOTALS};
static const rln_report_column thread_ids[] = {RLN__IDS("PID"), RLN__IDS("TID"),
                                               RLN__TEXTS("Thread")};
static const rln_report_column cpu_times[] = {RLN__SPLIT};
static const rln_report_column gpu_time[] = {RLN__TIMES("GPU Time")};
static const rln_report_column naming[] = {NAME};

static int is_thread(const struct rln__tree_node *node)
{
    return node->thread != UINT32_MAX && node->level == 0;
}

/* The number of enclosing nodes. */
static uint32_t level_of(const struct rln__tree_node *node)
{
    return node->level - (node->thread != UINT32_MAX);
}

static void add_name(rln_report *out, const struct rln__tree_node *node)
{
    if (node->is_default_domain)
        rln__report_put_name(out, node->message);
    else
        rln__report_put_qualified(out, node->domain_name, node->message);
}

/* The total of the nodes inside no other counted node. With a filter, a node may have
 * no calls and exist only for those below it. Where ranges cross, those inside may go on
 * after the outermost: all self times together are the time then. */
static uint64_t outermost_ns(const struct rln__tree *tree)
{
    const struct rln__tree_node *node;
    uint64_t ns = 0, self_ns = 0;
    uint32_t counted = UINT32_MAX; /* level of the enclosing counted node */

    for (size_t i = 0; (node = rln__tree_at(tree, i)); i++) {
        if (is_thread(node))
            continue;
        self_ns += node->self_ns;
        if (level_of(node) > counted)
            continue;
        counted = node->n_calls ? level_of(node) : UINT32_MAX;
        ns += node->total_ns;
    }
    return self_ns > ns ? self_ns : ns;
}

/* Whether a pattern, or a name as it is, means the node. */
static int matches(const char *pattern, const struct rln__tree_node *node)
{
    const char *end = pattern + strlen(pattern);
    struct rln__buf name = {0};
    int result = rln__is_named(pattern, node->domain_name, node->message) ||
                 rln__wildcard_matches(pattern, end, node->message.bytes,
                                       node->message.length, 0);

    if (!result && strchr(pattern, ':')) {
        rln__buf_add(&name, node->domain_name.bytes, node->domain_name.length);
        rln__buf_char(&name, ':');
        rln__buf_add(&name, node->message.bytes, node->message.length);
        result = !name.has_failed &&
                 rln__wildcard_matches(pattern, end, name.bytes, name.length, 0);
        rln__buf_clear(&name);
    }
    return result;
}

/* --- The visible part ------------------------------------------------------------- */

/* Nodes come in pre-order: each is followed by those below it. */
struct shown {
    const rln_report_request *request;
    uint64_t least_ns;
    uint32_t hidden; /* deeper levels than this are hidden; UINT32_MAX: none */
    uint32_t base;   /* the level of the requested node; UINT32_MAX: outside */
};

static int is_shown(struct shown *s, const struct rln__tree_node *node)
{
    const uint32_t level = level_of(node);
    const char *under = s->request->under;

    if (s->base != UINT32_MAX && level <= s->base && under)
        s->base = UINT32_MAX;
    if (s->base == UINT32_MAX && (!under || matches(under, node)))
        s->base = under ? level : 0;
    if (s->hidden != UINT32_MAX && level <= s->hidden)
        s->hidden = UINT32_MAX;
    if (s->base == UINT32_MAX || s->hidden != UINT32_MAX)
        return 0;
    if ((!s->request->has_max_depth || level - s->base < s->request->max_depth) &&
        node->total_ns >= s->least_ns)
        return 1;
    s->hidden = level;
    return 0;
}

/* --- Threads ---------------------------------------------------------------------- */

static void add_thread(rln_report *out, const struct rln__report_source *source,
                       const struct rln__tree_node *node)
{
    const rln_thread_info *thread =
        node->thread == UINT32_MAX ? NULL : rln_info_thread(source->info, node->thread);

    if (!thread) {
        for (int i = 0; i < 3; i++)
            rln__report_put_empty(out);
        return;
    }
    rln__report_put_id(out, rln_info_process(source->info, thread->process)->pid);
    rln__report_put_id(out, thread->tid);
    rln__report_put_name(out, thread->name.length ? thread->name : thread->system_name);
}

/* What is shown. */
struct table {
    const struct rln__report_source *source;
    const struct rln__tree *tree;
    int is_by_thread, has_cpu, has_gpu;
    uint64_t whole;
};

/* What the total was made of, and when GPUs worked for it. */
static void add_times(rln_report *out, const struct table *t,
                      const struct rln__tree_node *node)
{
    if (t->has_cpu)
        rln__report_put_split(out, &node->split);
    if (t->has_gpu)
        rln__report_put_ns(out, node->gpu_ns);
}

static void add_heading(rln_report *out, const struct table *t,
                        const struct rln__tree_node *node)
{
    rln__report_put_ns(out, node->total_ns);
    rln__report_put_heading(out);
    rln__report_put_empty(out);
    rln__report_put_percent(out, node->total_ns, t->whole);
    rln__report_put_empty(out);
    rln__report_put_empty(out);
    add_thread(out, t->source, node);
    add_times(out, t, node);
    rln__report_put_empty(out);
    rln__report_put_empty(out);
}

/* --- The table -------------------------------------------------------------------- */

static void add_node(rln_report *out, const struct table *t,
                     const struct rln__tree_node *node, uint32_t level)
{
    rln__report_put_ns(out, node->total_ns);
    rln__report_put_ns(out, node->self_ns);
    rln__report_put_percent(out, node->total_ns, t->whole);
    rln__report_put_count(out, node->n_calls);
    rln__report_put_count(out, node->n_open);
    if (t->is_by_thread)
        add_thread(out, t->source, node);
    add_times(out, t, node);
    rln__report_put_count(out, level);
    add_name(out, node);
}

static void set_columns(rln_report *out, const struct table *t)
{
    const struct {
        const rln_report_column *columns;
        size_t n;
        int is_there;
    } groups[] = {{totals, RLN_COUNT(totals), 1},
                  {thread_ids, RLN_COUNT(thread_ids), t->is_by_thread},
                  {cpu_times, RLN_COUNT(cpu_times), t->has_cpu},
                  {gpu_time, RLN_COUNT(gpu_time), t->has_gpu},
                  {naming, RLN_COUNT(naming), 1}};
    rln_report_column all[RLN_COUNT(totals) + RLN_COUNT(thread_ids) +
                          RLN_COUNT(cpu_times) + RLN_COUNT(gpu_time) +
                          RLN_COUNT(naming)];
    size_t n = 0;

    for (size_t i = 0; i < RLN_COUNT(groups); i++)
        for (size_t k = 0; k < groups[i].n && groups[i].is_there; k++)
            all[n++] = groups[i].columns[k];
    rln__set_columns(out, all, n);
}

static void fill(rln_report *out, struct table *t)
{
    const rln_report_request *request = t->source->request;
    struct shown shown = {.request = request, .hidden = UINT32_MAX, .base = UINT32_MAX};
    const struct rln__tree_node *thread = NULL; /* the thread whose row is next */

    t->whole = outermost_ns(t->tree);
    set_columns(out, t);
    shown.least_ns = (uint64_t)ceil((double)t->whole * request->min_share);
    for (size_t i = 0; i < rln__tree_count(t->tree); i++) {
        const struct rln__tree_node *node = rln__tree_at(t->tree, i);

        if (is_thread(node)) {
            thread = node;
            shown.hidden = shown.base = UINT32_MAX;
            continue;
        }
        if (!is_shown(&shown, node))
            continue;
        if (thread)
            add_heading(out, t, thread);
        thread = NULL;
        add_node(out, t, node, level_of(node) - shown.base);
    }
}

static rln_status build_tree(const struct rln__report_source *source, rln_report *out)
{
    struct table t = {
        .source = source,
        .is_by_thread = rln__report_has_word(source->argument, "thread"),
        .has_cpu = rln__report_has_word(source->argument, "cpu"),
        .has_gpu = rln__report_has_word(source->argument, "gpu"),
    };
    struct rln__tree *own = NULL;
    rln_status status = RLN_OK;

    if (t.has_cpu && t.has_gpu)
        return rln__fail(source->err, RLN_ERR_FORMAT, 0,
                         "a call tree has the times of processors or of GPUs");
    if (t.has_gpu)
        status = rln__gpu_tree_new(source->reader, t.is_by_thread, &own, source->err);
    if (t.has_cpu && source->parts && !source->parts->has_cpu_times)
        status = rln__fail(source->err, RLN_ERR_FORMAT, 0, "%s",
                           source->parts->no_cpu_ranks);
    if (t.has_cpu && !source->parts)
        status = rln__cpu_tree_new(source->reader, t.is_by_thread, &own, source->err);
    t.tree = own ? own : t.is_by_thread ? source->thread_tree : source->tree;
    if (!status && t.tree)
        fill(out, &t);
    rln__tree_free(own);
    return status;
}

const struct rln__report_kind rln__report_tree = {
    .about = {.name = "tree",
              .title = "Call Tree",
              .help =
                  "how push/pop ranges nest, over all threads (:thread: per thread; "
                  ":cpu: with the time on processors; :gpu: with that of GPUs)",
              .subject = "push/pop ranges",
              .words = "thread cpu gpu",
              .details =
                  "One row per path of nested push/pop ranges; Level is the "
                  "number of enclosing ranges. Total Time is that of all Calls "
                  "of the path; Self Time is what is in no inner range. Time "
                  "(%): share of the outermost ranges' total. Open: calls that "
                  "were never closed; they count up to the last event of their "
                  "trace. On CPU, Preempted, Blocked and Unknown (:cpu): what the "
                  "total was made of, as in cpu_sum. GPU Time (:gpu): when the GPUs "
                  "worked for the path. "
                  "Start/end ranges are left out. --max-depth, --min-share and "
                  "--under show a part."},
    .build = build_tree,
    RLN__COLUMNS(over_all),
    .needs = RLN__IS_TREE | RLN__GPU_READS_LAUNCHES | RLN__NEEDS_PARTS |
             RLN__CPU_NEEDS_PARTS,
};
