/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/top/top_json.h"

#include "base/json.h"
#include "trace/open/enum_names.h"

/* Nothing if there is no text. */
static void add_text(struct rln__buf *buf, const char *name, rln_text text)
{
    if (text.length)
        rln__json_string(buf, name, text);
}

static void add_row(struct rln__buf *out, const rln_live_row *row)
{
    rln__json_begin(out, NULL, '{');
    rln__json_word(out, "style", rln__range_style_name(row->style));
    add_text(out, "domain", row->domain_name);
    add_text(out, "message", row->message);
    rln__json_u64(out, "total", row->total_ns);
    rln__json_u64(out, "self", row->self_ns);
    rln__json_u64(out, "ended", row->n_ended);
    if (row->n_ended) {
        rln__json_u64(out, "mean", row->mean_ns);
        rln__json_u64(out, "max", row->max_ns);
    }
    rln__json_u64(out, "open", row->n_open);
    if (row->n_open)
        rln__json_i64(out, "oldest", row->oldest_open_ns);
    rln__buf_char(out, '}');
}

static void add_thread(struct rln__buf *out, const rln_live_thread *thread)
{
    rln__json_begin(out, NULL, '{');
    rln__json_u64(out, "pid", thread->pid);
    rln__json_u64(out, "tid", thread->tid);
    add_text(out, "name", thread->name);
    rln__json_u64(out, "events", thread->n_events);
    rln__json_i64(out, "last", thread->last_ns);
    rln__json_begin(out, "stack", '[');
    for (size_t i = 0; i < thread->n_stack; i++) {
        const rln_live_range *range = &thread->stack[i];

        rln__json_begin(out, NULL, '{');
        rln__json_i64(out, "t", range->start_ns);
        add_text(out, "domain", range->domain_name);
        add_text(out, "message", range->message);
        rln__buf_char(out, '}');
    }
    rln__buf_text(out, "]}");
}

void rln__top_json(const struct rln__top *top, struct rln__buf *out)
{
    const rln_live_totals *totals = rln_live_get_totals(top->live);
    size_t n_rows, n_threads;
    const rln_live_row *rows = rln_live_rows(top->live, &n_rows);
    const rln_live_thread *threads = rln_live_threads(top->live, &n_threads);

    rln__json_begin(out, NULL, '{');
    rln__json_i64(out, "from", totals->from_ns);
    rln__json_i64(out, "to", totals->to_ns);
    rln__json_u64(out, "events", totals->n_events);
    rln__json_u64(out, "all_events", totals->n_all);
    rln__json_u64(out, "lost", top->n_lost);
    rln__json_u64(out, "lost_now", top->n_lost_now);
    rln__json_u64(out, "unseen", totals->n_overruns);
    rln__json_u64(out, "bytes", top->n_bytes);
    rln__json_bool(out, "recording", !top->state);
    rln__json_begin(out, "threads", '[');
    for (size_t i = 0; i < n_threads; i++)
        add_thread(out, &threads[i]);
    rln__buf_char(out, ']');
    rln__json_begin(out, "ranges", '[');
    for (size_t i = 0; i < n_rows; i++) {
        if (rows[i].n_ended || rows[i].n_open)
            add_row(out, &rows[i]);
    }
    rln__buf_text(out, "]}\n");
}
