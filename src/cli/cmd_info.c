/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_info.c - one screen that says what is in a trace. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/die.h"
#include "cli/humane.h"
#include "cli/opened.h"
#include "rangeline/model.h"

#define MAX_LISTED 20

enum { JSON };

static const struct rln__option options[] = {
    [JSON] = {.name = "json", .help = "print one JSON object with everything"},
};

static const struct rln__example examples[] = {
    {"what is in this file", "rangeline info run.rln"},
    {"did anything get lost?", "rangeline info --json run.rln | jq '.dropped'"},
};

const struct rln__command rln__command_info = {
    .name = "info",
    .summary = "say what is in a trace",
    .operands = "[FILE...]",
    .description = "Several traces are read as one. Without a file, the newest *.rln "
                   "of the working "
                   "directory is read.",
    RLN__OPTIONS(options),
    RLN__EXAMPLES(examples),
    .run = rln__cmd_info,
};

/* --- For people ------------------------------------------------------------------- */

static void add_time(struct rln__buf *buf, int64_t realtime_ns)
{
    const time_t seconds = (time_t)(realtime_ns / 1000000000);
    struct tm tm;
    char text[64];

    if (realtime_ns <= 0 || !localtime_r(&seconds, &tm) ||
        strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %z", &tm) == 0)
        return;
    rln__buf_text(buf, text);
}

static void add_label(struct rln__buf *buf, const char *label)
{
    rln__buf_format(buf, "%-12s", label);
}

static void add_more(struct rln__buf *buf, uint32_t n)
{
    if (n > MAX_LISTED)
        rln__buf_format(buf, "%14s... and %u more (--json has all)\n", "",
                        n - MAX_LISTED);
}

/* The ends of chunks are holes: what `profile` says and `ls` says are both right. */
static void add_size(struct rln__buf *buf, const rln_part_info *part)
{
    struct stat st;
    uint64_t disk_bytes;

    rln__buf_size(buf, part->size_bytes);
    if (stat(part->path, &st) < 0 || (uint64_t)st.st_size != part->size_bytes)
        return; /* one part of several */
    disk_bytes = (uint64_t)st.st_blocks * 512;
    if (disk_bytes >= part->size_bytes)
        return;
    rln__buf_text(buf, " (");
    rln__buf_size(buf, disk_bytes);
    rln__buf_text(buf, " on disk)");
}

static void add_part(struct rln__buf *buf, const rln_part_info *part)
{
    static const char *const clocks[] = {"unknown", "TSC", "CNTVCT_EL0",
                                         "CLOCK_MONOTONIC_RAW"};

    add_label(buf, "trace");
    (void)rln__buf_printable(buf, part->path, strlen(part->path));
    if (part->offset)
        rln__buf_format(buf, " at %llu", (unsigned long long)part->offset);
    rln__buf_text(buf, ", ");
    add_size(buf, part);
    rln__buf_format(buf, ", format %u.%u, %s\n", part->major, part->minor,
                    part->is_finished ? "finished" : "not finished");
    add_label(buf, "recorded");
    add_time(buf, part->start_realtime_ns);
    if (part->host.length) {
        rln__buf_text(buf, " on ");
        (void)rln__buf_printable(buf, part->host.bytes, part->host.length);
    }
    rln__buf_format(buf, ", clock %s\n",
                    clocks[part->clock_kind < 4 ? part->clock_kind : 0]);
}

/* "1 push", "12,345 pushes" */
static void add_number(struct rln__buf *buf, uint64_t n, const char *one,
                       const char *many)
{
    rln__buf_count(buf, n);
    rln__buf_format(buf, " %s", n == 1 ? one : many);
}

static void add_counts(struct rln__buf *buf, const rln_totals *t)
{
    const struct {
        uint64_t n;
        const char *one, *many;
    } counts[] = {
        {t->n_pushes, "push", "pushes"},  {t->n_pops, "pop", "pops"},
        {t->n_starts, "start", "starts"}, {t->n_ends, "end", "ends"},
        {t->n_marks, "mark", "marks"},    {t->n_resources, "resource", "resources"},
    };
    const char *comma = ": ";

    add_label(buf, "events");
    rln__buf_count(buf, t->n_events);
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        if (!counts[i].n)
            continue;
        rln__buf_text(buf, comma);
        add_number(buf, counts[i].n, counts[i].one, counts[i].many);
        comma = ", ";
    }
    rln__buf_char(buf, '\n');
    add_label(buf, "duration");
    rln__buf_duration(buf, (double)(t->last_ns - t->first_ns));
    rln__buf_text(buf, " from the first event to the last\n");
}

/* In quotes where a shell would need them: the line can be typed again. */
static void add_word(struct rln__buf *buf, const char *word, size_t length)
{
    bool is_plain = length > 0;

    for (size_t i = 0; i < length && is_plain; i++)
        is_plain = isalnum((unsigned char)word[i]) || strchr("_@%+=:,./-", word[i]) ||
                   (unsigned char)word[i] >= 0x80;
    if (is_plain) {
        (void)rln__buf_printable(buf, word, length);
        return;
    }
    rln__buf_char(buf, '\'');
    for (size_t n; length > 0; word += n, length -= n) {
        const char *quote = memchr(word, '\'', length);

        n = quote == word ? 1 : quote ? (size_t)(quote - word) : length;
        if (quote == word)
            rln__buf_text(buf, "'\\''");
        else
            (void)rln__buf_printable(buf, word, n);
    }
    rln__buf_char(buf, '\'');
}

static void add_command(struct rln__buf *buf, rln_text command)
{
    const size_t length = command.length < 200 ? command.length : 200;

    for (size_t i = 0; i < length;) {
        const char *end = memchr(command.bytes + i, 0, length - i);
        const size_t n = end ? (size_t)(end - command.bytes) - i : length - i;

        if (i)
            rln__buf_char(buf, ' ');
        add_word(buf, command.bytes + i, n);
        i += n + 1;
    }
    if (length < command.length)
        rln__buf_text(buf, "...");
}

static void add_threads(struct rln__buf *buf, const rln_info *info, uint32_t process)
{
    const rln_totals *t = rln_info_totals(info);
    uint32_t n = 0;

    for (uint32_t i = 0; i < t->n_threads; i++) {
        const rln_thread_info *thread = rln_info_thread(info, i);
        const rln_text name = thread->name.length ? thread->name : thread->system_name;

        if (thread->process != process || n++ >= MAX_LISTED)
            continue;
        rln__buf_format(buf, "%14sthread %u ", "", thread->tid);
        (void)rln__buf_printable(buf, name.bytes, name.length);
        rln__buf_text(buf, name.length ? ", " : "");
        add_number(buf, thread->n_events, "event", "events");
        if (thread->n_lost)
            rln__buf_format(buf, ", %llu lost", (unsigned long long)thread->n_lost);
        rln__buf_char(buf, '\n');
    }
    add_more(buf, n);
}

static void add_process(struct rln__buf *buf, const rln_info *info, uint32_t i)
{
    const rln_process_info *p = rln_info_process(info, i);
    const rln_process_info *parent =
        p->parent == UINT32_MAX ? NULL : rln_info_process(info, p->parent);

    add_label(buf, "process");
    rln__buf_format(buf, "%u", p->pid);
    if (p->command.length || p->exe.length)
        rln__buf_char(buf, ' ');
    add_command(buf, p->command.length ? p->command : p->exe);
    if (p->is_forked && parent)
        rln__buf_format(buf, ", forked by %u", parent->pid);
    rln__buf_char(buf, '\n');
    add_threads(buf, info, i);
}

/* What `rangeline profile` was asked to run, and how that ended. */
static void add_launch(struct rln__buf *buf, const rln_process_info *p)
{
    add_label(buf, "command");
    add_command(buf, p->command);
    if (p->exit.length) {
        rln__buf_text(buf, ", exit status ");
        (void)rln__buf_printable(buf, p->exit.bytes, p->exit.length);
    } else {
        rln__buf_text(buf, ", exit status not recorded");
    }
    rln__buf_char(buf, '\n');
}

static void add_processes(struct rln__buf *buf, const rln_info *info)
{
    const uint32_t n_all = rln_info_totals(info)->n_processes;
    uint32_t n = 0;

    for (uint32_t i = 0; i < n_all; i++)
        if (!rln_info_process(info, i)->is_launcher && n++ < MAX_LISTED)
            add_process(buf, info, i);
    add_more(buf, n);
}

static void add_launches(struct rln__buf *buf, const rln_info *info)
{
    const uint32_t n_all = rln_info_totals(info)->n_processes;
    uint32_t n = 0;

    for (uint32_t i = 0; i < n_all; i++)
        if (rln_info_process(info, i)->is_launcher && n++ < MAX_LISTED)
            add_launch(buf, rln_info_process(info, i));
    add_more(buf, n);
}

static void add_domains(struct rln__buf *buf, const rln_info *info)
{
    const rln_totals *t = rln_info_totals(info);

    for (uint32_t i = 0; i < t->n_domains && i < MAX_LISTED; i++) {
        const rln_domain_info *d = rln_info_domain(info, i);

        if (i == 0 && d->n_events == 0)
            continue;
        add_label(buf, "domain");
        if (i == 0)
            rln__buf_text(buf, "(default)");
        (void)rln__buf_printable(buf, d->name.bytes, d->name.length);
        rln__buf_text(buf, ", ");
        add_number(buf, d->n_events, "event", "events");
        if (d->n_categories)
            rln__buf_format(buf, ", %u %s", d->n_categories,
                            d->n_categories == 1 ? "category" : "categories");
        rln__buf_char(buf, '\n');
    }
    add_more(buf, t->n_domains);
}

static void add_troubles(struct rln__buf *buf, const rln_info *info)
{
    const rln_totals *t = rln_info_totals(info);

    add_label(buf, "dropped");
    rln__buf_count(buf, t->n_dropped);
    rln__buf_text(buf, t->n_dropped ? " events\n" : "\n");
    if (t->n_gaps) {
        add_label(buf, "gaps");
        rln__buf_format(buf, "%llu, with %llu events\n", (unsigned long long)t->n_gaps,
                        (unsigned long long)t->n_lost);
    }
    if (t->n_unmatched) {
        add_label(buf, "unmatched");
        add_number(buf, t->n_unmatched, "pop closes nothing\n", "pops close nothing\n");
    }
    for (uint32_t i = 0; i < t->n_damages && i < MAX_LISTED; i++) {
        const rln_damage_info *d = rln_info_damage(info, i);

        add_label(buf, "damage");
        (void)rln__buf_printable(buf, d->path, strlen(d->path));
        rln__buf_format(buf, ", offset=%llu: %s\n", (unsigned long long)d->offset,
                        d->reason);
    }
    if (t->n_damages_found > MAX_LISTED) {
        add_label(buf, "damage");
        rln__buf_count(buf, t->n_damages_found);
        rln__buf_text(buf, " places in all\n");
    }
}

static void print_screen(struct rln__buf *buf, const rln_info *info)
{
    const rln_totals *t = rln_info_totals(info);

    for (uint32_t i = 0; i < t->n_parts && i < MAX_LISTED; i++)
        add_part(buf, rln_info_part(info, i));
    add_more(buf, t->n_parts);
    add_launches(buf, info);
    add_counts(buf, t);
    add_processes(buf, info);
    add_domains(buf, info);
    add_troubles(buf, info);
}

/* --- For programs ----------------------------------------------------------------- */

static void json_text(struct rln__buf *buf, const char *key, rln_text text)
{
    if (!text.bytes)
        return;
    rln__buf_format(buf, ",\"%s\":", key);
    rln__buf_json(buf, text.bytes, text.length);
}

static void json_number(struct rln__buf *buf, const char *key, uint64_t value)
{
    rln__buf_format(buf, ",\"%s\":%llu", key, (unsigned long long)value);
}

static void json_time(struct rln__buf *buf, const char *key, int64_t value)
{
    rln__buf_format(buf, ",\"%s\":%lld", key, (long long)value);
}

static void json_parts(struct rln__buf *buf, const rln_info *info)
{
    const rln_totals *t = rln_info_totals(info);

    rln__buf_text(buf, ",\"parts\":[");
    for (uint32_t i = 0; i < t->n_parts; i++) {
        const rln_part_info *p = rln_info_part(info, i);

        rln__buf_text(buf, i ? ",{\"path\":" : "{\"path\":");
        rln__buf_json(buf, p->path, strlen(p->path));
        json_number(buf, "offset", p->offset);
        json_number(buf, "size", p->size_bytes);
        rln__buf_format(buf, ",\"format\":\"%u.%u\",\"finished\":%s", p->major,
                        p->minor, p->is_finished ? "true" : "false");
        json_text(buf, "host", p->host);
        json_text(buf, "boot_id", p->boot_id);
        json_number(buf, "clock", p->clock_kind);
        json_number(buf, "ticks_per_s", p->ticks_per_s);
        json_time(buf, "start_realtime", p->start_realtime_ns);
        rln__buf_char(buf, '}');
    }
    rln__buf_char(buf, ']');
}

static void json_command(struct rln__buf *buf, rln_text command)
{
    if (!command.bytes)
        return;
    rln__buf_text(buf, ",\"command\":[");
    for (size_t i = 0; i < command.length;) {
        const char *end = memchr(command.bytes + i, 0, command.length - i);
        const size_t n = end ? (size_t)(end - command.bytes) - i : command.length - i;

        rln__buf_text(buf, i ? "," : "");
        rln__buf_json(buf, command.bytes + i, n);
        i += n + 1;
    }
    rln__buf_char(buf, ']');
}

static void json_threads(struct rln__buf *buf, const rln_info *info, uint32_t process)
{
    const rln_totals *t = rln_info_totals(info);
    const char *comma = "";

    rln__buf_text(buf, ",\"threads\":[");
    for (uint32_t i = 0; i < t->n_threads; i++) {
        const rln_thread_info *thread = rln_info_thread(info, i);

        if (thread->process != process)
            continue;
        rln__buf_format(buf, "%s{\"tid\":%u", comma, thread->tid);
        json_text(buf, "name", thread->name);
        json_text(buf, "system_name", thread->system_name);
        json_number(buf, "events", thread->n_events);
        json_number(buf, "lost", thread->n_lost);
        rln__buf_char(buf, '}');
        comma = ",";
    }
    rln__buf_char(buf, ']');
}

static void json_processes(struct rln__buf *buf, const rln_info *info)
{
    const rln_totals *t = rln_info_totals(info);

    rln__buf_text(buf, ",\"processes\":[");
    for (uint32_t i = 0; i < t->n_processes; i++) {
        const rln_process_info *p = rln_info_process(info, i);

        rln__buf_format(buf, "%s{\"pid\":%u", i ? "," : "", p->pid);
        json_number(buf, "ppid", p->ppid);
        json_number(buf, "part", p->part);
        if (p->parent != UINT32_MAX)
            json_number(buf, "forked_by", rln_info_process(info, p->parent)->pid);
        rln__buf_format(buf, ",\"launcher\":%s", p->is_launcher ? "true" : "false");
        json_text(buf, "exe", p->exe);
        json_command(buf, p->command);
        json_text(buf, "directory", p->directory);
        json_text(buf, "exit", p->exit);
        json_number(buf, "events", p->n_events);
        json_number(buf, "dropped", p->n_dropped);
        json_number(buf, "strings_cut", p->n_strings_cut);
        json_number(buf, "names_refused", p->n_names_refused);
        json_number(buf, "invalid", p->n_invalid);
        json_number(buf, "waits", p->n_waits);
        json_number(buf, "waited_ns", p->waited_ns);
        json_threads(buf, info, i);
        rln__buf_char(buf, '}');
    }
    rln__buf_char(buf, ']');
}

static void json_domains(struct rln__buf *buf, const rln_info *info)
{
    const rln_totals *t = rln_info_totals(info);

    rln__buf_text(buf, ",\"domains\":[");
    for (uint32_t i = 0; i < t->n_domains; i++) {
        const rln_domain_info *d = rln_info_domain(info, i);
        const char *comma = "";

        rln__buf_format(buf, "%s{\"events\":%llu", i ? "," : "",
                        (unsigned long long)d->n_events);
        json_text(buf, "name", d->name);
        rln__buf_text(buf, ",\"categories\":{");
        for (uint32_t k = 0; k < t->n_categories && d->n_categories; k++) {
            const rln_category_info *c = rln_info_category(info, k);

            if (c->domain != i)
                continue;
            rln__buf_format(buf, "%s\"%u\":", comma, c->category);
            rln__buf_json(buf, c->name.bytes, c->name.length);
            comma = ",";
        }
        rln__buf_text(buf, "}}");
    }
    rln__buf_char(buf, ']');
}

static void json_damages(struct rln__buf *buf, const rln_info *info)
{
    const rln_totals *t = rln_info_totals(info);

    json_number(buf, "n_damages", t->n_damages_found);
    rln__buf_text(buf, ",\"damages\":[");
    for (uint32_t i = 0; i < t->n_damages; i++) {
        const rln_damage_info *d = rln_info_damage(info, i);

        rln__buf_text(buf, i ? ",{\"path\":" : "{\"path\":");
        rln__buf_json(buf, d->path, strlen(d->path));
        rln__buf_format(buf, ",\"offset\":%llu,\"reason\":\"%s\"}",
                        (unsigned long long)d->offset, d->reason);
    }
    rln__buf_char(buf, ']');
}

static void print_json(struct rln__buf *buf, const rln_info *info)
{
    const rln_totals *t = rln_info_totals(info);

    rln__buf_format(buf, "{\"finished\":%s", t->is_finished ? "true" : "false");
    json_number(buf, "size", t->size_bytes);
    json_number(buf, "events", t->n_events);
    json_number(buf, "marks", t->n_marks);
    json_number(buf, "pushes", t->n_pushes);
    json_number(buf, "pops", t->n_pops);
    json_number(buf, "starts", t->n_starts);
    json_number(buf, "ends", t->n_ends);
    json_number(buf, "unmatched_pops", t->n_unmatched);
    json_number(buf, "resources", t->n_resources);
    json_number(buf, "gaps", t->n_gaps);
    json_number(buf, "lost", t->n_lost);
    json_number(buf, "dropped", t->n_dropped);
    json_time(buf, "first", t->first_ns);
    json_time(buf, "last", t->last_ns);
    json_time(buf, "start_realtime", t->start_realtime_ns);
    json_parts(buf, info);
    json_processes(buf, info);
    json_domains(buf, info);
    json_damages(buf, info);
    rln__buf_text(buf, "}\n");
}

int rln__cmd_info(int argc, char **argv)
{
    struct rln__args args;
    struct rln__opened opened;
    struct rln__buf buf = {0};
    rln_info *info;
    rln_error err = {0};

    rln__args_parse(&rln__command_info, argc, argv, &args);
    rln__opened_open(&opened, &args);
    rln__die_if(rln_info_open(opened.reader, &info, &err), &err);
    if (rln__args_bool(&args, JSON))
        print_json(&buf, info);
    else
        print_screen(&buf, info);
    (void)rln__write_out(&buf);
    rln__buf_clear(&buf);
    rln_info_close(info);
    rln__opened_close(&opened);
    rln__args_clear(&args);
    return RLN__EXIT_OK;
}
