/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_print.c - prints every event or range of a trace, in the order of time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/die.h"
#include "cli/humane.h"
#include "cli/opened.h"
#include "cli/print_json.h"

#define FLUSH_BYTES 65536u

enum { JSON, TREE, RANGES };

static const struct rln__option options[] = {
    [JSON] = {.name = "json", .help = "print one JSON object a line"},
    [TREE] = {.name = "tree",
              .help = "indent by depth, with durations where ranges end"},
    [RANGES] = {.name = "ranges",
                .help = "print ranges, in the order in which they end"},
};

static const struct rln__example examples[] = {
    {"what happened, in the order of time", "rangeline print run.rln"},
    {"how ranges nest", "rangeline print --tree run.rln"},
    {"ranges that took more than a millisecond",
     "rangeline print --ranges --json run.rln | jq 'select(.duration > 1000000)'"},
};

const struct rln__command rln__command_print = {
    .name = "print",
    .summary = "print every event of a trace",
    .operands = "[FILE...]",
    .description =
        "Several traces are read as one. Without a file, the newest *.rln of the "
        "working "
        "directory is read.\n\nTimes are seconds since the trace began. A pop or end "
        "that "
        "closes nothing is marked unmatched, one whose range began before events were "
        "lost is marked lost, and one that closes a range of the process that forked "
        "this one is marked inherited.",
    RLN__OPTIONS(options),
    RLN__EXAMPLES(examples),
    .run = rln__cmd_print,
};

static void add_name(struct rln__buf *buf, const rln_attributes *with)
{
    if (with->domain) {
        (void)rln__buf_printable(buf, with->domain_name.bytes,
                                 with->domain_name.length);
        rln__buf_char(buf, ':');
    }
    (void)rln__buf_printable(buf, with->message.bytes, with->message.length);
}

static void add_details(struct rln__buf *buf, const rln_attributes *with, uint64_t bits)
{
    if (with->category) {
        rln__buf_text(buf, "  category=");
        rln__buf_u64(buf, with->category);
        if (with->category_name.bytes) {
            rln__buf_char(buf, '(');
            (void)rln__buf_printable(buf, with->category_name.bytes,
                                     with->category_name.length);
            rln__buf_char(buf, ')');
        }
    }
    if (with->payload_type) {
        rln__buf_text(buf, "  payload=");
        rln__json_payload(buf, with->payload_type, bits);
    }
    if (with->has_color) {
        rln__buf_text(buf, "  color=#");
        rln__buf_hex(buf, with->color, 8);
    }
}

static void add_flags(struct rln__buf *buf, uint32_t flags)
{
    if (flags & RLN_FLAG_UNMATCHED)
        rln__buf_text(buf, "  (unmatched)");
    if (flags & RLN_FLAG_INHERITED)
        rln__buf_text(buf, "  (inherited)");
    if (flags & RLN_FLAG_LOST)
        rln__buf_text(buf, "  (lost)");
    if (flags & RLN_FLAG_OPEN)
        rln__buf_text(buf, "  (open)");
}

static void add_what(struct rln__buf *buf, const rln_event *e)
{
    add_name(buf, &e->with);
    switch (e->type) {
    case RLN_EVENT_POP:
    case RLN_EVENT_END:
        break;
    case RLN_EVENT_GAP:
        rln__buf_format(buf, "%llu events lost", (unsigned long long)e->n_lost);
        break;
    case RLN_EVENT_RESOURCE:
        rln__buf_format(buf, "  identifier=0x%llx",
                        (unsigned long long)e->payload_bits);
        break;
    default:
        add_details(buf, &e->with, e->payload_bits);
        break;
    }
    if (e->type == RLN_EVENT_START || e->type == RLN_EVENT_END)
        rln__buf_format(buf, "  id=%llu", (unsigned long long)e->id);
    if (e->duration_ns >= 0) {
        rln__buf_text(buf, "  ");
        rln__buf_duration(buf, (double)e->duration_ns);
    }
    add_flags(buf, e->flags);
}

/* Fills what was appended since `begin` up to `width` columns. */
static void pad(struct rln__buf *buf, size_t begin, size_t width)
{
    if (buf->length - begin < width)
        rln__buf_fill(buf, ' ', width - (buf->length - begin));
}

static void add_where(struct rln__buf *buf, int64_t t_ns, uint32_t pid, uint32_t tid)
{
    const size_t begin = buf->length;

    rln__buf_seconds(buf, t_ns);
    rln__buf_text(buf, "  ");
    rln__buf_u64(buf, pid);
    rln__buf_char(buf, '/');
    rln__buf_u64(buf, tid);
    pad(buf, begin, 32);
}

static void print_event(struct rln__buf *buf, const rln_event *e)
{
    size_t begin;

    add_where(buf, e->t_ns, e->pid, e->tid);
    begin = buf->length;
    rln__buf_text(buf, rln__event_name(e->type));
    pad(buf, begin, 14);
    add_what(buf, e);
    rln__buf_char(buf, '\n');
}

/*      0.000001000  100/100  > step
 *      0.000002000  100/100    > load
 *      0.000003000  100/100    < load  1.0 us         */
static void print_tree(struct rln__buf *buf, const rln_event *e)
{
    const uint32_t depth = e->depth < 64 ? e->depth : 64;
    const char *sign = e->type == RLN_EVENT_PUSH    ? ">"
                       : e->type == RLN_EVENT_POP   ? "<"
                       : e->type == RLN_EVENT_START ? "["
                       : e->type == RLN_EVENT_END   ? "]"
                                                    : "-";

    add_where(buf, e->t_ns, e->pid, e->tid);
    rln__buf_fill(buf, ' ', (size_t)depth * 2);
    rln__buf_format(buf, "%s ", sign);
    if (e->type > RLN_EVENT_END)
        rln__buf_format(buf, "%s ", rln__event_name(e->type));
    add_what(buf, e);
    rln__buf_char(buf, '\n');
}

static void print_range(struct rln__buf *buf, const rln_range *r)
{
    add_where(buf, r->start_ns, r->pid, r->tid);
    if (r->flags == 0) {
        const size_t begin = buf->length;

        rln__buf_duration(buf, (double)(r->end_ns - r->start_ns));
        pad(buf, begin, 12);
    } else {
        rln__buf_format(buf, "%-12s", "-");
    }
    add_name(buf, &r->with);
    add_details(buf, &r->with, r->payload_bits);
    if (!(r->flags & RLN_FLAG_OPEN) && r->end_thread != r->thread)
        rln__buf_format(buf, "  ended by %u/%u", r->end_pid, r->end_tid);
    add_flags(buf, r->flags);
    rln__buf_char(buf, '\n');
}

static void print_ranges(rln_reader *reader, bool is_json)
{
    struct rln__buf buf = {0};
    rln_error err = {0};
    rln_ranges *ranges;
    const rln_range *range;
    rln_status status = rln_ranges_open(reader, &ranges, &err);
    bool goes_on = true;

    rln__die_if(status, &err);
    while (goes_on && (status = rln_ranges_next(ranges, &range, &err)) == RLN_OK) {
        if (is_json)
            rln__json_range(&buf, range);
        else
            print_range(&buf, range);
        if (buf.length >= FLUSH_BYTES || buf.has_failed)
            goes_on = rln__write_out(&buf);
    }
    if (goes_on)
        (void)rln__write_out(&buf);
    rln_ranges_close(ranges);
    rln__buf_clear(&buf);
    rln__die_if(status, &err);
}

static void print_events(rln_reader *reader, bool is_json, bool is_tree)
{
    struct rln__buf buf = {0};
    rln_error err = {0};
    rln_events *events;
    const rln_event *event;
    rln_status status = rln_events_open(reader, &events, &err);
    bool goes_on = true;

    rln__die_if(status, &err);
    while (goes_on && (status = rln_events_next(events, &event, &err)) == RLN_OK) {
        if (!rln__event_name(event->type))
            continue;
        if (is_json)
            rln__json_event(&buf, event);
        else if (is_tree)
            print_tree(&buf, event);
        else
            print_event(&buf, event);
        if (buf.length >= FLUSH_BYTES || buf.has_failed)
            goes_on = rln__write_out(&buf);
    }
    if (goes_on)
        (void)rln__write_out(&buf);
    rln_events_close(events);
    rln__buf_clear(&buf);
    rln__die_if(status, &err);
}

int rln__cmd_print(int argc, char **argv)
{
    struct rln__args args;
    struct rln__opened opened;

    rln__args_parse(&rln__command_print, argc, argv, &args);
    if (rln__args_bool(&args, TREE) &&
        (rln__args_bool(&args, JSON) || rln__args_bool(&args, RANGES)))
        rln__die(RLN__EXIT_USAGE, "cannot print: --tree goes with neither --json nor "
                                  "--ranges");
    rln__opened_open(&opened, &args);
    if (rln__args_bool(&args, RANGES))
        print_ranges(opened.reader, rln__args_bool(&args, JSON));
    else
        print_events(opened.reader, rln__args_bool(&args, JSON),
                     rln__args_bool(&args, TREE));
    rln__opened_note_damage(&opened);
    rln__opened_close(&opened);
    rln__args_clear(&args);
    return RLN__EXIT_OK;
}
