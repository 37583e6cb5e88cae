/* SPDX-License-Identifier: Apache-2.0 */
/* report_tree.c - how push/pop ranges nest, all of it or a part. */
#include "cli/report.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/keyed.h"

static const struct rln__column humane_tree[] = {
    {"Total", RLN__NUMBER}, {"Self", RLN__NUMBER}, {"Time (%)", RLN__NUMBER},
    {"Calls", RLN__NUMBER}, {"Name", RLN__TEXT},
};

static const struct rln__column exact_tree[] = {
    {"Total Time (@)", RLN__NUMBER},
    {"Self Time (@)", RLN__NUMBER},
    {"Time (%)", RLN__NUMBER},
    {"Calls", RLN__NUMBER},
    {"Open", RLN__NUMBER},
    {"Level", RLN__NUMBER},
    {"Name", RLN__TEXT},
};

static const struct rln__column exact_threads[] = {
    {"Total Time (@)", RLN__NUMBER},
    {"Self Time (@)", RLN__NUMBER},
    {"Time (%)", RLN__NUMBER},
    {"Calls", RLN__NUMBER},
    {"Open", RLN__NUMBER},
    {"PID", RLN__ID},
    {"TID", RLN__ID},
    {"Thread", RLN__TEXT},
    {"Level", RLN__NUMBER},
    {"Name", RLN__TEXT},
};

static bool is_thread(const rln_tree_node *node)
{
    return node->thread != UINT32_MAX && node->level == 0;
}

/* Of a range: how many are around it. */
static uint32_t level_of(const rln_tree_node *node)
{
    return node->level - (node->thread != UINT32_MAX);
}

static void add_tree_name(const rln_tree_node *node, uint32_t level, bool is_aligned,
                          struct rln__table *t)
{
    /* Deeper than a screen is wide, the indentation says nothing any more. */
    if (is_aligned)
        rln__buf_fill(&t->text, ' ', (level < 60 ? level : 60) * 2);
    if (!node->is_default_domain) {
        rln__buf_add(&t->text, node->domain_name.bytes, node->domain_name.length);
        rln__buf_char(&t->text, ':');
    }
    rln__buf_add(&t->text, node->message.bytes, node->message.length);
    if (is_aligned && node->n_calls && node->n_open == node->n_calls)
        rln__buf_text(&t->text, "  (open)");
    else if (is_aligned && node->n_open)
        rln__buf_format(&t->text, "  (%llu open)", (unsigned long long)node->n_open);
    rln__table_cell(t);
}

/* The time of what is in nothing else that counts. With a filter, a node may have none
 * and stand there for those below it. */
static uint64_t outermost_ns(const rln_tree *tree)
{
    const rln_tree_node *node;
    uint64_t ns = 0;
    uint32_t counted = UINT32_MAX; /* level of the counted node that all are in now */

    for (size_t i = 0; (node = rln_tree_at(tree, i)); i++) {
        if (is_thread(node) || level_of(node) > counted)
            continue;
        counted = node->n_calls ? level_of(node) : UINT32_MAX;
        ns += node->total_ns;
    }
    return ns;
}

/* --- What is shown of it ---------------------------------------------------------- */

/* "load" is of any domain, "io:load" and ":load" of one. */
static bool is_called(const rln_tree_node *node, const char *name)
{
    const size_t n = node->domain_name.length;
    const bool has_domain =
        strncmp(name, n ? node->domain_name.bytes : "", n) == 0 && name[n] == ':';

    return rln__text_is(node->message, name) ||
           (has_domain && rln__text_is(node->message, name + n + 1));
}

/* Nodes come with what is below them behind them. */
struct shown {
    const struct rln__tree_cut *cut;
    uint64_t least_ns;
    uint32_t hidden; /* all that is deeper than this level is; UINT32_MAX: nothing */
    uint32_t base;   /* the level of the node that is asked for; UINT32_MAX: outside */
};

static bool is_shown(struct shown *s, const rln_tree_node *node)
{
    const uint32_t level = level_of(node);
    const char *under = s->cut->under;

    if (s->base != UINT32_MAX && level <= s->base && under)
        s->base = UINT32_MAX;
    if (s->base == UINT32_MAX && (!under || is_called(node, under)))
        s->base = under ? level : 0;
    if (s->hidden != UINT32_MAX && level <= s->hidden)
        s->hidden = UINT32_MAX;
    if (s->base == UINT32_MAX || s->hidden != UINT32_MAX)
        return false;
    if (level - s->base < s->cut->max_depth && node->total_ns >= s->least_ns)
        return true;
    s->hidden = level;
    return false;
}

/* --- Whose it is ------------------------------------------------------------------ */

static const rln_thread_info *thread_of(const struct rln__report_data *data,
                                        const rln_tree_node *node)
{
    return node->thread == UINT32_MAX ? NULL
                                      : rln_info_thread(data->info, node->thread);
}

static rln_text thread_name(const rln_thread_info *thread)
{
    return thread->name.length ? thread->name : thread->system_name;
}

static void add_thread_cells(struct rln__table *t, const struct rln__report_data *data,
                             const rln_tree_node *node)
{
    const rln_thread_info *thread = thread_of(data, node);

    rln__cell_plain(t, thread ? rln_info_process(data->info, thread->process)->pid : 0,
                    thread);
    rln__cell_plain(t, thread ? thread->tid : 0, thread);
    rln__cell_name(t, thread ? thread_name(thread) : (rln_text){NULL, 0});
}

/* A row above those of its ranges, for people. */
static void add_thread_row(struct rln__table *t, const struct rln__report_look *look,
                           const struct rln__report_data *data,
                           const rln_tree_node *node, uint64_t whole)
{
    const rln_thread_info *thread = thread_of(data, node);
    const rln_text name = thread_name(thread);

    rln__cell_ns(t, look, node->total_ns);
    rln__cell_text(t, "");
    rln__cell_percent(t, node->total_ns, whole);
    rln__cell_text(t, "");
    rln__buf_format(&t->text, "thread %u of process %u", thread->tid,
                    rln_info_process(data->info, thread->process)->pid);
    if (name.length) {
        rln__buf_text(&t->text, ", ");
        rln__buf_add(&t->text, name.bytes, name.length);
    }
    rln__table_cell(t);
}

/* --- The table -------------------------------------------------------------------- */

static void begin_table(struct rln__table *t, bool is_humane, bool by_thread)
{
    if (is_humane)
        rln__table_init(t, humane_tree, RLN_COUNT(humane_tree));
    else if (by_thread)
        rln__table_init(t, exact_threads, RLN_COUNT(exact_threads));
    else
        rln__table_init(t, exact_tree, RLN_COUNT(exact_tree));
    t->is_plain = is_humane;
}

bool rln__fill_tree(const struct rln__report *report,
                    const struct rln__report_data *data,
                    const struct rln__report_look *look, struct rln__table *t)
{
    const bool by_thread = data->argument != NULL;
    const rln_tree *tree = by_thread ? data->thread_tree : data->tree;
    const bool is_humane = look->is_aligned && !look->has_unit;
    const uint64_t whole = outermost_ns(tree);
    struct rln__report_look inner = *look;
    struct shown shown = {.cut = data->cut, .hidden = UINT32_MAX, .base = UINT32_MAX};
    const rln_tree_node *thread = NULL; /* whose row is due */
    bool has_rows = false;

    (void)report;
    inner.is_humane = is_humane;
    begin_table(t, is_humane, by_thread);
    shown.least_ns = (uint64_t)ceil((double)whole * data->cut->min_share);
    for (size_t i = 0; i < rln_tree_count(tree); i++) {
        const rln_tree_node *node = rln_tree_at(tree, i);
        const bool is_inside = is_humane && node->thread != UINT32_MAX;

        if (is_thread(node)) {
            thread = is_humane ? node : NULL;
            shown.hidden = shown.base = UINT32_MAX;
            continue;
        }
        if (!is_shown(&shown, node))
            continue;
        if (thread)
            add_thread_row(t, &inner, data, thread, whole);
        thread = NULL;
        has_rows = true;
        rln__cell_ns(t, &inner, node->total_ns);
        rln__cell_ns(t, &inner, node->self_ns);
        rln__cell_percent(t, node->total_ns, whole);
        rln__cell_count(t, &inner, node->n_calls);
        if (!is_humane) {
            rln__cell_count(t, &inner, node->n_open);
            if (by_thread)
                add_thread_cells(t, data, node);
            rln__cell_count(t, &inner, level_of(node) - shown.base);
        }
        add_tree_name(node, level_of(node) - shown.base + is_inside, look->is_aligned,
                      t);
    }
    return has_rows;
}
