/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_print.c - prints every event or range of a trace, in the order of time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/human_units.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/commands/print/print_json.h"
#include "cli/commands/print/print_memory.h"
#include "cli/commands/print/resource_type.h"
#include "cli/inputs/filter_options.h"
#include "cli/inputs/input_traces.h"
#include "console/die.h"
#include "console/stdout_error.h"
#include "export/exporter.h"
#include "rangeline/values.h"
#include "ranges/counter_samples.h"
#include "trace/open/load.h"
#include "trace/open/name_catalog.h"
#include "trace/payload/payload_json.h"

#define FLUSH_BYTES 65536u

enum {
    JSON,
    TREE,
    RANGES,
    ROWS,
    FILTERS /* and the rows behind it */
};

static const struct rln__option options[] = {
    [JSON] = {.name = "json", .help = "print one JSON object per line"},
    [TREE] = {.name = "tree",
              .help = "indent by depth; print durations where ranges end"},
    [RANGES] = {.name = "ranges", .help = "print ranges, in the order of their ends"},
    [ROWS] = {.name = "rows",
              .letter = 'n',
              .kind = RLN__ARG_COUNT,
              .value = "N",
              .help = "print the first N only"},
    RLN__FILTER_OPTIONS(FILTERS),
};

static const struct rln__example examples[] = {
    {"print events in time order", "rangeline print run.rln"},
    {"see how ranges nest", "rangeline print --tree run.rln"},
    {"list ranges that took more than a millisecond",
     "rangeline print --ranges --json run.rln | jq 'select(.duration > 1000000)'"},
};

const struct rln__command rln__command_print = {
    .name = "print",
    .summary = "print every event of a trace",
    .operands = "[FILE...]",
    .operands_help = RLN__INPUT_TRACES_HELP,
    .description =
        "A line has the time (seconds since the trace began), the origin "
        "(process/thread, and the thread's name if the program set one) and the "
        "event. A pop or end that closes nothing is marked unmatched; one whose "
        "range began before events were dropped, lost; one that closes a range of "
        "the forking process, inherited. A push/pop range open when its thread first "
        "records in a window gets a line `resumed`, and its pop is marked resumed; "
        "it counts from when the window opened. Start/end ranges already open then "
        "get no line.\n\nPayloads of NVTX's payload extension follow the event as "
        "schema{entry=value, ...}, without the entries that the program hides and "
        "with the first 32 elements of an array; --json prints all of them. Data "
        "that could not be copied is unread; a payload with missing bytes is marked "
        "cut.",
    RLN__OPTIONS(options),
    RLN__EXAMPLES(examples),
    .run = rln__cmd_print,
};

struct printer {
    rln_reader *reader;
    struct rln__buf buf;
    size_t name_columns; /* for the names that the program gave to threads */
    size_t begin;        /* of the last column in `buf` */
    struct rln__payload_list payloads; /* of the current line */
    struct rln__cpu_times cpu_times;   /* of ranges in JSON */
    uint64_t n_printed, n_most;
    bool is_json;
    bool is_tree;
    bool is_unread; /* whoever read the output has gone */
};

/* --- Threads ---------------------------------------------------------------------- */

#define MAX_NAME_COLUMNS 20
#define THREAD_COLUMNS 16 /* "1234567/1234567" */

static rln_text thread_name(const struct printer *p, uint32_t process, uint32_t tid)
{
    return rln__reader_thread_name(p->reader, process, tid);
}

/* Threads that the program named get a column, as wide as the longest name. */
static void measure_names(struct printer *p)
{
    const struct rln__name_catalog_thread *thread;
    rln_error err = {0};
    struct rln__name_catalog *named;

    rln__die_if(rln__name_catalog_open(p->reader, &named, &err), &err);
    for (size_t i = 0; (thread = rln__name_catalog_thread_at(named, i)) != NULL; i++) {
        size_t n_columns =
            rln__buf_printable(&p->buf, thread->name.bytes, thread->name.length);

        if (n_columns > MAX_NAME_COLUMNS)
            n_columns = MAX_NAME_COLUMNS;
        if (n_columns > p->name_columns)
            p->name_columns = n_columns;
        p->buf.length = 0;
    }
    rln__name_catalog_close(named);
}

static void pad(struct rln__buf *buf, size_t n_columns, size_t width)
{
    if (n_columns < width)
        rln__buf_fill(buf, ' ', width - n_columns);
}

/* "   0.014330799  5687/5688  worker 1  " */
static void add_where(struct printer *p, int64_t t_ns, uint32_t process, uint32_t pid,
                      uint32_t tid)
{
    struct rln__buf *buf = &p->buf;
    size_t begin;

    rln__buf_seconds(buf, t_ns);
    rln__buf_text(buf, "  ");
    begin = buf->length;
    rln__buf_u64(buf, pid);
    if (tid) {
        rln__buf_char(buf, '/');
        rln__buf_u64(buf, tid);
    }
    pad(buf, buf->length - begin, THREAD_COLUMNS);
    if (p->name_columns) {
        const rln_text name = thread_name(p, process, tid);

        pad(buf, rln__buf_printable(buf, name.bytes, name.length), p->name_columns);
        rln__buf_text(buf, "  ");
    }
}

/* --- Lines ------------------------------------------------------------------------ */

/* Two blanks, unless it is the first thing in its column. */
static void next_detail(struct printer *p)
{
    if (p->buf.length > p->begin)
        rln__buf_text(&p->buf, "  ");
}

static void add_name(struct printer *p, const rln_attributes *with)
{
    if (with->domain) {
        (void)rln__buf_printable(&p->buf, with->domain_name.bytes,
                                 with->domain_name.length);
        rln__buf_char(&p->buf, ':');
    }
    (void)rln__buf_printable(&p->buf, with->message.bytes, with->message.length);
}

/* As in JSON, but without quotes around texts. */
static void add_number(struct rln__buf *buf, uint8_t type, uint64_t bits)
{
    const size_t begin = buf->length;

    rln__json_number(buf, type, bits);
    if (buf->length > begin + 2 && buf->bytes[begin] == '"') {
        buf->length -= 2;
        memmove(buf->bytes + begin, buf->bytes + begin + 1, buf->length - begin);
    }
}

static void add_details(struct printer *p, const rln_attributes *with, uint64_t bits)
{
    struct rln__buf *buf = &p->buf;

    if (with->category) {
        next_detail(p);
        rln__buf_text(buf, "category=");
        rln__buf_u64(buf, with->category);
        if (with->category_name.bytes) {
            rln__buf_char(buf, '(');
            (void)rln__buf_printable(buf, with->category_name.bytes,
                                     with->category_name.length);
            rln__buf_char(buf, ')');
        }
    }
    if (with->payload_type) {
        next_detail(p);
        rln__buf_text(buf, "payload=");
        add_number(buf, with->payload_type, bits);
    }
    if (with->has_color) {
        next_detail(p);
        rln__buf_text(buf, "color=#");
        rln__buf_hex(buf, with->color, 8);
    }
}

static void add_payloads(struct printer *p)
{
    for (size_t i = 0; i < p->payloads.n; i++) {
        if (p->payloads.items[i].is_hidden)
            continue;
        next_detail(p);
        rln__text_of_payload(&p->buf, &p->payloads.items[i]);
    }
}

/* "= 5 bytes" or "a.b=5 bytes" */
static void add_value(struct printer *p, const rln_sample_value *value)
{
    const rln_text unit = value->semantics->unit;

    next_detail(p);
    (void)rln__buf_printable(&p->buf, value->name.bytes, value->name.length);
    rln__buf_text(&p->buf, value->name.length ? "=" : "= ");
    if (rln__sample_is_scaled(value))
        rln__buf_double(&p->buf, rln_sample_in_unit(value), 0);
    else
        add_number(&p->buf, value->type, value->bits);
    if (unit.length) {
        rln__buf_char(&p->buf, ' ');
        (void)rln__buf_printable(&p->buf, unit.bytes, unit.length);
    }
}

static void add_sample(struct printer *p, const rln_event *e)
{
    static const char *const reasons[] = {"= 0", "unchanged", "unavailable",
                                          "without a value"};

    if (e->attributes.message.length) {
        add_name(p, &e->attributes);
    } else {
        (void)rln__buf_printable(&p->buf, e->attributes.domain_name.bytes,
                                 e->attributes.domain_name.length);
        rln__buf_format(&p->buf, "%scounter %llu", e->attributes.domain ? ":" : "",
                        (unsigned long long)e->id);
    }
    if (e->no_value) {
        next_detail(p);
        rln__buf_text(&p->buf, reasons[(e->no_value - 1) & 3]);
    }
    for (size_t i = 0; i < e->n_values; i++)
        add_value(p, &e->values[i]);
}

/* GPU work has the name alone, without our domain, and where it ran. */
static void add_gpu(struct printer *p, const rln_attributes *with, uint32_t thread)
{
    const rln_text stream = rln__reader_stream_name(p->reader, thread);

    (void)rln__buf_printable(&p->buf, with->message.bytes, with->message.length);
    if (!stream.length)
        return;
    next_detail(p);
    (void)rln__buf_printable(&p->buf, stream.bytes, stream.length);
}

static void add_flags(struct printer *p, uint32_t flags)
{
    static const struct {
        uint32_t flag;
        const char *text;
    } texts[] = {
        {RLN_FLAG_UNMATCHED, "(unmatched)"}, {RLN_FLAG_INHERITED, "(inherited)"},
        {RLN_FLAG_LOST, "(lost)"},           {RLN_FLAG_OPEN, "(open)"},
        {RLN_FLAG_GAVE_UP, "(gave up)"},     {RLN_FLAG_DEFERRED, "(deferred)"},
        {RLN_FLAG_UNPLACED, "(unplaced)"},   {RLN_FLAG_RESUMED, "(resumed)"},
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (!(flags & texts[i].flag))
            continue;
        next_detail(p);
        rln__buf_text(&p->buf, texts[i].text);
    }
}

/* "in device/queue 1" */
static void add_scope(struct printer *p, rln_text scope)
{
    if (!scope.length)
        return;
    next_detail(p);
    rln__buf_text(&p->buf, "in ");
    (void)rln__buf_printable(&p->buf, scope.bytes, scope.length);
}

static void add_what(struct printer *p, const rln_event *e)
{
    struct rln__buf *buf = &p->buf;

    switch (e->type) {
    case RLN_EVENT_POP:
    case RLN_EVENT_END:
        add_name(p, &e->attributes);
        break;
    case RLN_EVENT_GAP:
        rln__buf_format(buf, "%llu event%s lost", (unsigned long long)e->n_lost,
                        e->n_lost == 1 ? "" : "s");
        break;
    case RLN_EVENT_OVERWRITTEN:
        rln__buf_text(buf, "earlier events of this thread");
        break;
    case RLN_EVENT_RESOURCE:
        add_name(p, &e->attributes);
        next_detail(p);
        if (rln__resource_type_name(e->resource_type))
            rln__buf_format(buf, "%s  ", rln__resource_type_name(e->resource_type));
        rln__buf_format(buf, "resource=%llu  identifier=0x%llx",
                        (unsigned long long)e->id, (unsigned long long)e->payload_bits);
        break;
    case RLN_EVENT_RESOURCE_DESTROY:
        rln__buf_format(buf, "resource=%llu", (unsigned long long)e->id);
        break;
    case RLN_EVENT_DOMAIN_DESTROY:
        (void)rln__buf_printable(buf, e->attributes.domain_name.bytes,
                                 e->attributes.domain_name.length);
        break;
    case RLN_EVENT_SAMPLE:
        add_sample(p, e);
        break;
    case RLN_EVENT_GPU:
    case RLN_EVENT_CALL:
        add_gpu(p, &e->attributes, e->thread);
        break;
    case RLN_EVENT_MEMORY:
        add_name(p, &e->attributes);
        rln__text_memory(buf, e->memory);
        break;
    case RLN_EVENT_SYNC_WAIT:
    case RLN_EVENT_SYNC_GAVE_UP:
    case RLN_EVENT_SYNC_ACQUIRED:
    case RLN_EVENT_SYNC_RELEASING:
    case RLN_EVENT_SYNC_OBJECT:
    case RLN_EVENT_SYNC_OBJECT_DESTROY:
        add_name(p, &e->attributes);
        next_detail(p);
        rln__buf_format(buf, "object=%llu", (unsigned long long)e->id);
        break;
    default:
        add_name(p, &e->attributes);
        add_details(p, &e->attributes, e->payload_bits);
        break;
    }
    if (!e->n_values) /* a sample's bytes are its values */
        add_payloads(p);
    if (e->type == RLN_EVENT_START || e->type == RLN_EVENT_END) {
        next_detail(p);
        rln__buf_format(buf, "id=%llu", (unsigned long long)e->id);
    }
    if (e->duration_ns >= 0) {
        next_detail(p);
        rln__buf_duration(buf, (double)e->duration_ns);
    }
    add_scope(p, e->scope);
    add_flags(p, e->flags);
}

/* Ends a line, without blanks for missing columns. */
static void end_line(struct rln__buf *buf)
{
    while (buf->length && buf->bytes[buf->length - 1] == ' ')
        buf->length--;
    rln__buf_char(buf, '\n');
}

static void print_event(struct printer *p, const rln_event *e)
{
    const char *type = rln_event_type_name(e->type);

    add_where(p, e->t_ns, e->process, e->pid, e->type == RLN_EVENT_GPU ? 0 : e->tid);
    rln__buf_text(&p->buf, type);
    pad(&p->buf, strlen(type), 12);
    rln__buf_text(&p->buf, "  ");
    p->begin = p->buf.length;
    add_what(p, e);
    end_line(&p->buf);
}

/*      0.000001000  100/100  > step
 *      0.000002000  100/100    > load
 *      0.000003000  100/100    < load  1.0 us         */
static void print_tree(struct printer *p, const rln_event *e)
{
    const uint32_t depth = e->depth < 64 ? e->depth : 64;
    const int is_push = e->type == RLN_EVENT_PUSH || e->type == RLN_EVENT_RESUMED;
    const char *sign = is_push                      ? ">"
                       : e->type == RLN_EVENT_POP   ? "<"
                       : e->type == RLN_EVENT_START ? "["
                       : e->type == RLN_EVENT_END   ? "]"
                                                    : "-";

    add_where(p, e->t_ns, e->process, e->pid, e->type == RLN_EVENT_GPU ? 0 : e->tid);
    rln__buf_fill(&p->buf, ' ', (size_t)depth * 2);
    rln__buf_format(&p->buf, "%s ", sign);
    if (e->type > RLN_EVENT_END)
        rln__buf_format(&p->buf, "%s ", rln_event_type_name(e->type));
    p->begin = p->buf.length;
    add_what(p, e);
    end_line(&p->buf);
}

static void print_range(struct printer *p, const rln_range *r)
{
    const int is_gpu = r->style == RLN_RANGE_GPU || r->style == RLN_RANGE_CALL;
    struct rln__buf *buf = &p->buf;
    size_t begin;

    add_where(p, r->start_ns, r->process, r->pid,
              r->style == RLN_RANGE_GPU ? 0 : r->tid);
    begin = buf->length;
    if (!(r->flags & ~(uint32_t)(RLN_FLAG_GAVE_UP | RLN_FLAG_DEFERRED)))
        rln__buf_duration(buf, (double)(r->end_ns - r->start_ns));
    else
        rln__buf_char(buf, '-');
    pad(buf, buf->length - begin, 12);
    p->begin = buf->length;
    if (r->style == RLN_RANGE_WAIT || r->style == RLN_RANGE_HOLD)
        rln__buf_text(buf, r->style == RLN_RANGE_WAIT ? "waiting  " : "holding  ");
    if (is_gpu)
        add_gpu(p, &r->attributes, r->thread);
    else
        add_name(p, &r->attributes);
    if (r->style == RLN_RANGE_WAIT || r->style == RLN_RANGE_HOLD)
        rln__buf_format(buf, "  object=%llu", (unsigned long long)r->id);
    add_details(p, &r->attributes, r->payload_bits);
    add_payloads(p);
    if (!(r->flags & RLN_FLAG_OPEN) && r->end_thread != r->thread) {
        const rln_text name = thread_name(p, r->end_process, r->end_tid);

        next_detail(p);
        rln__buf_format(buf, "ended by %u/%u", r->end_pid, r->end_tid);
        rln__buf_text(buf, name.length ? " " : "");
        (void)rln__buf_printable(buf, name.bytes, name.length);
    }
    add_scope(p, r->scope);
    add_flags(p, r->flags);
    end_line(buf);
}

/* --- The trace -------------------------------------------------------------------- */

/* False if the reader of standard output has gone. */
static bool write_if_full(struct rln__buf *buf)
{
    return (buf->length < FLUSH_BYTES && !buf->has_failed) || rln__write_out(buf);
}

static struct rln__json_subject subject_of(const struct printer *p, uint32_t thread,
                                           rln_text message)
{
    return (struct rln__json_subject){
        .stream = rln__reader_stream_name(p->reader, thread),
        .function = rln__reader_location(p->reader, message),
    };
}

/* Whether another one is to be printed, after this one if any. */
static bool goes_on(struct printer *p)
{
    p->is_unread = !write_if_full(&p->buf);
    return !p->is_unread && p->n_printed < p->n_most;
}

static void load_cpu_times(struct printer *p)
{
    rln_error err = {0};

    if (rln__cpu_times_fit(p->reader, 1))
        rln__die_if(rln__cpu_times_load(&p->cpu_times, p->reader, &err), &err);
    else
        rln__note(
            "ranges have no times on a processor: there are more context switches "
            "than fit into a share of the memory");
}

static void put_json_range(struct printer *p, const rln_range *range)
{
    struct rln__json_subject subject =
        subject_of(p, range->thread, range->attributes.message);
    struct rln__cpu_split split;

    if (p->n_printed == 1) /* it is the first range */
        load_cpu_times(p);
    if (rln__cpu_times_of_known(&p->cpu_times, range, &split))
        subject.split = &split;
    rln__json_range(&p->buf, range, subject, p->payloads);
}

static void print_ranges(struct printer *p)
{
    rln_error err = {0};
    rln_ranges *ranges;
    const rln_range *range;
    rln_status status;

    status = rln_ranges_open(p->reader, &ranges, &err);
    rln__die_if(status, &err);
    while (goes_on(p) && (status = rln_ranges_next(ranges, &range, &err)) == RLN_OK) {
        status = rln_ranges_payloads(ranges, &p->payloads.items, &p->payloads.n, &err);
        if (status)
            break;
        p->n_printed++;
        if (p->is_json)
            put_json_range(p, range);
        else
            print_range(p, range);
    }
    if (!p->is_unread)
        (void)rln__write_out(&p->buf);
    rln_ranges_close(ranges);
    rln__die_if(status, &err);
}

static void print_events(struct printer *p)
{
    rln_error err = {0};
    rln_events *events;
    const rln_event *event;
    rln_status status = rln_events_open(p->reader, &events, &err);

    while (!status && goes_on(p) &&
           (status = rln_events_next(events, &event, &err)) == RLN_OK) {
        if (!rln_event_type_name(event->type))
            continue;
        status = rln_events_payloads(events, &p->payloads.items, &p->payloads.n, &err);
        if (status)
            break;
        p->n_printed++;
        if (p->is_json)
            rln__json_event(&p->buf, event,
                            subject_of(p, event->thread, event->attributes.message),
                            p->payloads);
        else if (p->is_tree)
            print_tree(p, event);
        else
            print_event(p, event);
    }
    if (!p->is_unread)
        (void)rln__write_out(&p->buf);
    rln_events_close(events);
    rln__die_if(status, &err);
}

int rln__cmd_print(int argc, char **argv)
{
    struct rln__args args;
    struct rln__input_traces inputs;
    struct printer p = {0};

    rln__args_parse(&rln__command_print, argc, argv, &args);
    p.is_json = rln__args_bool(&args, JSON);
    p.n_most = rln__args_has(&args, ROWS) ? rln__args_count(&args, ROWS) : UINT64_MAX;
    p.is_tree = rln__args_bool(&args, TREE);
    if (p.is_tree && (p.is_json || rln__args_bool(&args, RANGES)))
        rln__die(RLN__EXIT_USAGE,
                 "cannot print: --tree cannot be used with --json or --ranges");
    rln__input_traces_open(&inputs, args.operands, args.n_operands);
    rln__restrict(&inputs, &args, FILTERS);
    p.reader = inputs.reader;
    measure_names(&p);
    if (rln__args_bool(&args, RANGES))
        print_ranges(&p);
    else
        print_events(&p);
    rln__note_if_empty(&inputs, p.n_printed);
    rln__input_traces_note_losses(&inputs, 0);
    rln__buf_clear(&p.buf);
    rln__cpu_times_clear(&p.cpu_times);
    rln__input_traces_close(&inputs);
    rln__args_clear(&args);
    return RLN__EXIT_OK;
}
