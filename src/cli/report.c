/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report.h"

#include <string.h>

#include "base/fail.h"
#include "cli/humane.h"

const struct rln__report rln__reports[] = {
    {"nvtx_sum", "NVTX Range Summary", "all ranges, by style and name", false, 0},
    {"nvtx_pushpop_sum", "NVTX Push/Pop Range Summary", "push/pop ranges, by name",
     false, RLN_RANGE_PUSH_POP},
    {"nvtx_startend_sum", "NVTX Start/End Range Summary", "start/end ranges, by name",
     false, RLN_RANGE_START_END},
    {"tree", "Call Tree", "how push/pop ranges nest, over all threads", true, 0},
    {NULL, NULL, NULL, false, 0},
};

static const struct rln__unit units[] = {
    {"ns", "nsec|nanoseconds|ns", 0, 1},
    {"us", "usec|microseconds|us", 3, 1e3},
    {"ms", "msec|milliseconds|ms", 6, 1e6},
    {"s", "seconds|s", 9, 1e9},
};

const struct rln__unit *rln__unit_find(const char *name)
{
    const size_t length = strlen(name);

    for (size_t i = 0; length && i < RLN_COUNT(units); i++) {
        for (const char *word = units[i].names; word; word = strchr(word, '|')) {
            word += *word == '|';
            if (strncmp(word, name, length) == 0)
                return &units[i];
        }
    }
    return NULL;
}

/* --- Cells ------------------------------------------------------------------------ */

static void add_text(struct rln__table *t, const char *text)
{
    rln__buf_text(&t->text, text);
    rln__table_cell(t);
}

static void add_count(struct rln__table *t, const struct rln__report_look *look,
                      uint64_t value)
{
    if (look->is_humane)
        rln__buf_count(&t->text, value);
    else
        rln__buf_u64(&t->text, value);
    rln__table_cell(t);
}

/* A whole number of nanoseconds. */
static void add_ns(struct rln__table *t, const struct rln__report_look *look,
                   uint64_t ns)
{
    if (look->is_humane)
        rln__buf_duration(&t->text, (double)ns);
    else if (look->unit->n_digits == 0)
        rln__buf_u64(&t->text, ns);
    else
        rln__buf_format(&t->text, "%.*f", (int)look->unit->n_digits,
                        (double)ns / look->unit->ns);
    rln__table_cell(t);
}

/* One that was computed: one decimal of a nanosecond. */
static void add_computed(struct rln__table *t, const struct rln__report_look *look,
                         double ns)
{
    if (look->is_humane)
        rln__buf_duration(&t->text, ns);
    else
        rln__buf_format(&t->text, "%.*f", (int)look->unit->n_digits + 1,
                        ns / look->unit->ns);
    rln__table_cell(t);
}

static void add_percent(struct rln__table *t, uint64_t part, uint64_t whole)
{
    rln__buf_format(&t->text, "%.1f",
                    whole ? 100.0 * (double)part / (double)whole : 0.0);
    rln__table_cell(t);
}

/* Ten eighths of a block at most, so that the longest name is easy to see. */
static void add_bar(struct rln__table *t, uint64_t part, uint64_t whole)
{
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const unsigned n =
        whole ? (unsigned)(80.0 * (double)part / (double)whole + 0.5) : 0;

    for (unsigned i = 0; i < n / 8; i++)
        rln__buf_text(&t->text, "█");
    rln__buf_text(&t->text, eighths[n % 8]);
    rln__table_cell(t);
}

/* --- The summaries ---------------------------------------------------------------- */

#define SUMMARY_COLUMNS(u)                                                             \
    {                                                                                  \
        {"Time (%)", false}, {"Total Time (" u ")", false}, {"Instances", false},      \
            {"Avg (" u ")", false}, {"Med (" u ")", false}, {"Min (" u ")", false},    \
            {"Max (" u ")", false}, {"StdDev (" u ")", false}, {"Style", true},        \
            {"Range", true},                                                           \
    }
#define N_SUMMARY 10

/* By unit; reports of one style leave the column of styles out. */
static const struct rln__column both_styles[][N_SUMMARY] = {
    SUMMARY_COLUMNS("ns"), SUMMARY_COLUMNS("us"), SUMMARY_COLUMNS("ms"),
    SUMMARY_COLUMNS("s")};

#define STYLE_COLUMNS(u)                                                               \
    {                                                                                  \
        {"Time (%)", false}, {"Total Time (" u ")", false}, {"Instances", false},      \
            {"Avg (" u ")", false}, {"Med (" u ")", false}, {"Min (" u ")", false},    \
            {"Max (" u ")", false}, {"StdDev (" u ")", false}, {"Range", true},        \
    }

static const struct rln__column one_style[][N_SUMMARY - 1] = {
    STYLE_COLUMNS("ns"), STYLE_COLUMNS("us"), STYLE_COLUMNS("ms"), STYLE_COLUMNS("s")};

static const struct rln__column humane_summary[] = {
    {"Time (%)", false}, {"", true},      {"Total", false}, {"Instances", false},
    {"Avg", false},      {"Med", false},  {"Min", false},   {"Max", false},
    {"StdDev", false},   {"Style", true}, {"Range", true},
};

static bool is_listed(const struct rln__report *report, const rln_stats_row *row)
{
    return !report->style || report->style == row->style;
}

static void add_summary_row(const struct rln__report *report, const rln_stats_row *row,
                            uint64_t total, const struct rln__report_look *look,
                            struct rln__table *t)
{
    add_percent(t, row->total_ns, total);
    if (look->is_humane)
        add_bar(t, row->total_ns, total);
    add_ns(t, look, row->total_ns);
    add_count(t, look, row->n_ranges);
    add_computed(t, look, row->average_ns);
    add_computed(t, look, row->median_ns);
    add_ns(t, look, row->min_ns);
    add_ns(t, look, row->max_ns);
    add_computed(t, look, row->stddev_ns);
    if (look->is_humane || !report->style)
        add_text(t, row->style == RLN_RANGE_PUSH_POP ? "PushPop" : "StartEnd");
    rln__buf_add(&t->text, row->domain_name.bytes, row->domain_name.length);
    rln__buf_char(&t->text, ':');
    rln__buf_add(&t->text, row->message.bytes, row->message.length);
    rln__table_cell(t);
}

static bool fill_summary(const struct rln__report *report, const rln_stats *stats,
                         const struct rln__report_look *look, struct rln__table *t)
{
    const size_t unit = (size_t)(look->unit - units);
    uint64_t total = 0;
    bool has_rows = false;

    if (look->is_humane)
        rln__table_init(t, humane_summary, RLN_COUNT(humane_summary));
    else if (report->style)
        rln__table_init(t, one_style[unit], N_SUMMARY - 1);
    else
        rln__table_init(t, both_styles[unit], N_SUMMARY);
    for (size_t i = 0; i < rln_stats_count(stats); i++) {
        if (is_listed(report, rln_stats_at(stats, i)))
            total += rln_stats_at(stats, i)->total_ns;
    }
    for (size_t i = 0; i < rln_stats_count(stats); i++) {
        const rln_stats_row *row = rln_stats_at(stats, i);

        if (!is_listed(report, row))
            continue;
        add_summary_row(report, row, total, look, t);
        has_rows = true;
    }
    return has_rows;
}

/* --- The tree --------------------------------------------------------------------- */

static const struct rln__column humane_tree[] = {
    {"Total", false}, {"Self", false}, {"Time (%)", false},
    {"Calls", false}, {"Name", true},
};

#define TREE_COLUMNS(u)                                                                \
    {                                                                                  \
        {"Total Time (" u ")", false}, {"Self Time (" u ")", false},                   \
            {"Time (%)", false}, {"Calls", false}, {"Open", false}, {"Level", false},  \
            {"Name", true},                                                            \
    }
#define N_TREE 7

static const struct rln__column exact_tree[][N_TREE] = {
    TREE_COLUMNS("ns"), TREE_COLUMNS("us"), TREE_COLUMNS("ms"), TREE_COLUMNS("s")};

static void add_tree_name(const rln_tree_node *node, bool is_aligned,
                          struct rln__table *t)
{
    /* Deeper than a screen is wide, the indentation says nothing any more. */
    if (is_aligned)
        rln__buf_fill(&t->text, ' ', (node->level < 60 ? node->level : 60) * 2);
    if (!node->is_default_domain) {
        rln__buf_add(&t->text, node->domain_name.bytes, node->domain_name.length);
        rln__buf_char(&t->text, ':');
    }
    rln__buf_add(&t->text, node->message.bytes, node->message.length);
    if (is_aligned && node->n_open == node->n_calls)
        rln__buf_text(&t->text, "  (open)");
    else if (is_aligned && node->n_open)
        rln__buf_format(&t->text, "  (%llu open)", (unsigned long long)node->n_open);
    rln__table_cell(t);
}

static bool fill_tree(const rln_tree *tree, const struct rln__report_look *look,
                      struct rln__table *t)
{
    const bool is_humane = look->is_aligned && !look->has_unit;
    struct rln__report_look inner = *look;
    uint64_t whole = 0;

    inner.is_humane = is_humane;
    if (is_humane)
        rln__table_init(t, humane_tree, RLN_COUNT(humane_tree));
    else
        rln__table_init(t, exact_tree[look->unit - units], N_TREE);
    t->is_plain = is_humane;
    for (size_t i = 0; i < rln_tree_count(tree); i++) {
        if (rln_tree_at(tree, i)->level == 0)
            whole += rln_tree_at(tree, i)->total_ns;
    }
    for (size_t i = 0; i < rln_tree_count(tree); i++) {
        const rln_tree_node *node = rln_tree_at(tree, i);

        add_ns(t, &inner, node->total_ns);
        add_ns(t, &inner, node->self_ns);
        add_percent(t, node->total_ns, whole);
        add_count(t, &inner, node->n_calls);
        if (!is_humane) {
            add_count(t, &inner, node->n_open);
            add_count(t, &inner, node->level);
        }
        add_tree_name(node, look->is_aligned, t);
    }
    return rln_tree_count(tree) > 0;
}

bool rln__report_fill(const struct rln__report *report, const rln_stats *stats,
                      const rln_tree *tree, const struct rln__report_look *look,
                      struct rln__table *t)
{
    bool has_rows;

    if (report->is_tree) {
        has_rows = fill_tree(tree, look, t);
    } else {
        has_rows = fill_summary(report, stats, look, t);
        t->is_plain = look->is_humane;
    }
    t->is_bold = look->has_color;
    return has_rows;
}
