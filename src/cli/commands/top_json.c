/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "cli/commands/top_page.h"

static void add_number(struct rln__buf *buf, const char *name, uint64_t value)
{
    rln__buf_format(buf, ",\"%s\":", name);
    rln__buf_u64(buf, value);
}

static void add_time(struct rln__buf *buf, const char *name, int64_t ns)
{
    rln__buf_format(buf, ",\"%s\":", name);
    rln__buf_i64(buf, ns);
}

/* Nothing if there is no text. */
static void add_text(struct rln__buf *buf, const char *name, rln_text text)
{
    if (!text.length)
        return;
    rln__buf_format(buf, ",\"%s\":", name);
    rln__buf_json(buf, text.bytes, text.length);
}

static void add_row(struct rln__buf *out, const rln_live_row *row)
{
    rln__buf_format(out, "{\"style\":\"%s\"", rln_range_style_name(row->style));
    add_text(out, "domain", row->domain_name);
    add_text(out, "message", row->message);
    add_number(out, "total", row->total_ns);
    add_number(out, "self", row->self_ns);
    add_number(out, "ended", row->n_ended);
    if (row->n_ended) {
        add_number(out, "mean", row->mean_ns);
        add_number(out, "max", row->max_ns);
    }
    add_number(out, "open", row->n_open);
    if (row->n_open)
        add_time(out, "oldest", row->oldest_open_ns);
    rln__buf_char(out, '}');
}

static void add_thread(struct rln__buf *out, const rln_live_thread *thread)
{
    rln__buf_format(out, "{\"pid\":%u,\"tid\":%u", thread->pid, thread->tid);
    add_text(out, "name", thread->name);
    add_number(out, "events", thread->n_events);
    add_time(out, "last", thread->last_ns);
    rln__buf_text(out, ",\"stack\":[");
    for (size_t i = 0; i < thread->n_stack; i++) {
        const rln_live_range *range = &thread->stack[i];

        rln__buf_format(out, "%s{\"t\":%lld", i ? "," : "", (long long)range->start_ns);
        add_text(out, "domain", range->domain_name);
        add_text(out, "message", range->message);
        rln__buf_char(out, '}');
    }
    rln__buf_text(out, "]}");
}

void rln__top_json(const struct rln__top *top, struct rln__buf *out)
{
    const rln_live_totals *totals = rln_live_get_totals(top->live);
    size_t n_rows, n_threads, n = 0;
    const rln_live_row *rows = rln_live_rows(top->live, &n_rows);
    const rln_live_thread *threads = rln_live_threads(top->live, &n_threads);

    rln__buf_format(out, "{\"from\":%lld", (long long)totals->from_ns);
    add_time(out, "to", totals->to_ns);
    add_number(out, "events", totals->n_events);
    add_number(out, "all_events", totals->n_all);
    add_number(out, "lost", top->n_lost);
    add_number(out, "lost_now", top->n_lost_now);
    add_number(out, "unseen", totals->n_overruns);
    add_number(out, "bytes", top->n_bytes);
    rln__buf_format(out, ",\"recording\":%s", top->state ? "false" : "true");
    rln__buf_text(out, ",\"threads\":[");
    for (size_t i = 0; i < n_threads; i++) {
        if (i)
            rln__buf_char(out, ',');
        add_thread(out, &threads[i]);
    }
    rln__buf_text(out, "],\"ranges\":[");
    for (size_t i = 0; i < n_rows; i++) {
        if (!rows[i].n_ended && !rows[i].n_open)
            continue;
        if (n++)
            rln__buf_char(out, ',');
        add_row(out, &rows[i]);
    }
    rln__buf_text(out, "]}\n");
}
