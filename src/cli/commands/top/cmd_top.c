/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_top.c - shows what a run is doing, again and again. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/count.h"
#include "base/fail.h"
#include "base/monotonic.h"
#include "base/whole_io.h"
#include "cli/commands.h"
#include "cli/commands/top/top_json.h"
#include "cli/commands/top/top_page.h"
#include "cli/inputs/filter_options.h"
#include "cli/inputs/input_traces.h"
#include "cli/show/top_screen.h"
#include "console/die.h"
#include "console/pager.h"
#include "console/stdout_error.h"
#include "export/exporter.h"
#include "live/live_open.h"
#include "live/live_state.h"
#include "record/start/found_run.h"
#include "trace/open/losses.h"

#define SHORTEST_DELAY_NS 10000000

enum {
    DELAY,
    ITERATIONS,
    BATCH,
    JSON,
    SORT,
    FOLD,
    WHAT = FOLD + 2,
    FILTERS = WHAT - RLN__OPTION_WHAT
};

static const struct rln__option options[] = {
    [DELAY] = {.name = "delay",
               .letter = 'd',
               .kind = RLN__ARG_SECONDS,
               .value = "SECONDS",
               .initial = "1",
               .help = "refresh interval"},
    [ITERATIONS] = {.name = "iterations",
                    .letter = 'n',
                    .kind = RLN__ARG_COUNT,
                    .value = "N",
                    .help =
                        "stop after N refreshes; 0 or not given: when the run ends"},
    [BATCH] = {.name = "batch",
               .letter = 'b',
               .help = "print refreshes one below the other, as without a terminal; "
                       "omit events before the first"},
    [JSON] = {.name = "json",
              .help = "print one JSON line per refresh: docs/reference/JSON.md"},
    [SORT] = {.name = "sort",
              .letter = 'o',
              .kind = RLN__ARG_CHOICE,
              .choices = "time|self|calls|max|open|name",
              .initial = "time",
              .help = "order of ranges"},
    RLN__RENAME_OPTIONS(FOLD),
    RLN__NAME_OPTIONS(WHAT),
    [WHAT + RLN_FILTER_PAYLOAD + 1] = RLN__DURATION_OPTION,
};

static const struct rln__example examples[] = {
    {"see what a server is doing", "rangeline top $(pidof server)"},
    {"see what the run that writes this trace is doing", "rangeline top run.rln"},
    {"show one library, every five seconds",
     "rangeline top --domain NCCL -d 5 run.rln"},
    {"feed a dashboard", "rangeline top --json run.rln"},
};

const struct rln__command rln__command_top = {
    .name = "top",
    .summary = "show what a running program is doing, and where its time goes",
    .operands = "PID|FILE",
    .description =
        "PID is any process of the run, or the launcher; FILE is the run's trace. Each "
        "refresh reads the events added to the trace since the last one, without "
        "affecting the program.\n\nThe first table lists threads with their open "
        "ranges, outermost first, and how long the innermost has been open. The second "
        "lists ranges that ended or are open: time inside (100 %: one thread all the "
        "time), self time (as the innermost range of the thread), calls ended per "
        "second "
        "and their durations, calls open, and the oldest one's age.\n\nFilters select "
        "ranges; --process and --thread also select threads. Deferred events are not "
        "shown. With --buffer, top reports events that were overwritten between two "
        "refreshes.\n\nKeys: t, s, c, m, o, n sort by total time, self time, calls, "
        "longest, open, name; Space refreshes; q quits.",
    RLN__OPTIONS(options),
    RLN__EXAMPLES(examples),
    .run = rln__cmd_top,
};

struct top_job {
    struct rln__found_run run;
    struct rln__input_traces inputs;
    rln_live *live; /* owned */
    struct rln__top top;
    int trace; /* owned */
    struct rln__superblock super;
    char state[256];
    int64_t delay_ns;
    uint64_t most_refreshes; /* 0: any number */
    uint64_t n_refreshes;
};

/* Whether the run goes on. */
static bool goes_on(const struct top_job *job)
{
    return !rln_reader_is_finished(job->inputs.reader) &&
           (rln__live_has_foreign_pids(job->live) ||
            rln__found_run_has_process(&job->run));
}

/* The time it has reached, and whether it is being recorded. Read, not mapped: a
 * truncated trace must not kill us. */
static rln_status look_at_file(struct top_job *job, rln_error *err)
{
    struct stat is = {0};
    const int result = fstat(job->trace, &is) ? -errno
                                              : rln__read_at(job->trace, 0, &job->super,
                                                             sizeof(job->super), NULL);

    if (result < 0)
        return rln__fail(err, RLN_ERR_IO, 0, "cannot read trace: path=\"%s\": %s",
                         job->run.path, strerror(-result));
    job->top.n_bytes = (uint64_t)is.st_size;
    return RLN_OK;
}

static rln_status cell_format(struct top_job *job, rln_error *err)
{
    const uint64_t n_lost = job->top.n_lost;
    rln_status status = rln_live_refresh(job->live, err);

    if (!status)
        status = look_at_file(job, err);
    if (status)
        return status;
    job->top.is_first = job->n_refreshes++ == 0;
    job->top.n_lost = rln__reader_get_losses(job->inputs.reader)->n_dropped;
    job->top.n_lost_now = job->top.n_lost - n_lost;
    job->top.state =
        rln__run_state(&job->super, job->state, sizeof(job->state)) ? NULL : job->state;
    return RLN_OK;
}

static void open_job(struct top_job *job, const struct rln__args *args)
{
    const char *path = job->run.path;
    rln_error err = {0};

    job->delay_ns = (int64_t)rln__args_count(args, DELAY);
    if (job->delay_ns < SHORTEST_DELAY_NS) {
        rln__complain("cannot watch run: delay=%s: too short",
                      rln__args_text(args, DELAY));
        rln__hint("use -d 0.01 or more");
        exit(RLN__EXIT_USAGE);
    }
    rln__found_run_open(&job->run, args, false);
    rln__found_run_close(&job->run);
    rln__input_traces_open_paths(&job->inputs, &path, 1);
    job->trace = open(path, O_RDONLY | O_CLOEXEC);
    if (job->trace < 0)
        rln__die(RLN__EXIT_FAILED, "cannot open trace: path=\"%s\": %s", path,
                 strerror(errno));
    rln__apply_renames(&job->inputs, args, FOLD);
    rln__select_events(&job->inputs, args, FILTERS);
    rln__die_if(rln_live_new(job->inputs.reader, &job->live, &err), &err);
    job->top.live = job->live;
    job->top.name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    job->most_refreshes = rln__args_count(args, ITERATIONS);
    for (size_t i = 0; i < RLN__TOP_N_ORDERS; i++)
        if (strcmp(rln__args_text(args, SORT), rln__top_orders[i].name) == 0)
            job->top.order = (enum rln__top_order)i;
    if (!goes_on(job)) {
        rln__complain("cannot watch run: path=\"%s\": it has ended", path);
        rln__hint("`rangeline stats %s` prints where its time went", path);
        exit(RLN__EXIT_FAILED);
    }
}

static void close_job(struct top_job *job)
{
    rln_live_free(job->live);
    rln__input_traces_close(&job->inputs);
    (void)close(job->trace);
}

/* --- One below the other ---------------------------------------------------------- */

/* The time of the next refresh: `delay` after the last one, or now if that has passed.
 */
static int64_t next_refresh(const struct top_job *job, int64_t last_ns)
{
    const int64_t next_ns = last_ns + job->delay_ns, now = rln__monotonic_ns();

    return next_ns > now ? next_ns : now;
}

static void sleep_until(int64_t ns)
{
    const struct timespec t = {ns / 1000000000, ns % 1000000000};

    (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static void note_end(const struct top_job *job)
{
    rln__note("the run has ended; `rangeline stats %s` prints where its time went",
              job->run.path);
}

/* The first refresh, of all earlier events, is not printed. */
static void print_refreshes(struct top_job *job, bool is_json)
{
    struct rln__buf out = {0};
    bool has_ended = false, is_read = true;
    int64_t at_ns = rln__monotonic_ns();
    rln_error err = {0};

    rln__die_if(cell_format(job, &err), &err);
    while (!has_ended && is_read) {
        at_ns = next_refresh(job, at_ns);
        sleep_until(at_ns);
        has_ended = !goes_on(job);
        rln__die_if(cell_format(job, &err), &err);
        if (is_json) {
            rln__top_json(&job->top, &out);
        } else {
            if (job->n_refreshes > 2)
                rln__buf_char(&out, '\n');
            rln__top_page(&job->top, &out);
        }
        is_read = rln__write_out(&out) && rln__flush_output();
        if (job->most_refreshes && job->n_refreshes > job->most_refreshes)
            break;
    }
    if (has_ended && is_read)
        note_end(job);
    rln__buf_clear(&out);
}

/* --- On a screen ------------------------------------------------------------------ */

static void draw(struct top_job *job)
{
    const struct rln__screen_size size = rln__screen_size();
    struct rln__buf lines = {0};

    job->top.rows = size.rows;
    job->top.columns = size.columns;
    job->top.has_color = rln__has_color();
    job->top.is_ascii = rln__is_ascii_only();
    rln__top_page(&job->top, &lines);
    rln__screen_draw(&lines);
}

static bool sort_by(struct top_job *job, int key)
{
    for (size_t i = 0; i < RLN__TOP_N_ORDERS; i++)
        if (rln__top_orders[i].key == key) {
            job->top.order = (enum rln__top_order)i;
            return true;
        }
    return false;
}

/* Serves keys until the next refresh is due; false: the user quits. */
static bool serve_keys(struct top_job *job, struct rln__screen *screen,
                       int64_t until_ns)
{
    for (;;) {
        const int key = rln__screen_wait(screen, until_ns);

        if (key == RLN__SCREEN_TIME_IS_UP || key == ' ')
            return true;
        if (key == RLN__SCREEN_ENDS || key == 'q' || key == 'Q')
            return false;
        if (key == RLN__SCREEN_RESIZED || sort_by(job, key))
            draw(job);
    }
}

/* The last refresh stays on the terminal, as far as there is room above the prompt. */
static void leave_last(struct top_job *job)
{
    const size_t most = rln__screen_size().rows - 1;
    struct rln__buf last = {0};
    const char *at;
    size_t n = 0;

    rln__top_page(&job->top, &last);
    at = last.bytes;
    while (at && n < most &&
           (at = memchr(at, '\n', last.length - (size_t)(at - last.bytes)))) {
        at++;
        n++;
    }
    if (at && n == most)
        last.length = (size_t)(at - last.bytes);
    (void)rln__write_out(&last);
    rln__buf_clear(&last);
}

/* The first refresh, which may take a while, comes before the alternate screen. */
static void watch(struct top_job *job)
{
    struct rln__screen screen;
    bool has_ended = false;
    int64_t at_ns = rln__monotonic_ns();
    rln_error err = {0};
    rln_status status = cell_format(job, &err);

    rln__die_if(status, &err);
    if (!rln__screen_begin(&screen))
        rln__die(RLN__EXIT_FAILED, "cannot draw on this terminal: use -b");
    for (;;) {
        draw(job);
        at_ns = next_refresh(job, at_ns);
        if (has_ended ||
            (job->most_refreshes && job->n_refreshes >= job->most_refreshes) ||
            !serve_keys(job, &screen, at_ns))
            break;
        has_ended = !goes_on(job);
        status = cell_format(job, &err);
        if (status)
            break;
    }
    rln__screen_end(&screen);
    leave_last(job);
    rln__die_if(status, &err);
    if (has_ended)
        note_end(job);
}

int rln__cmd_top(int argc, char **argv)
{
    struct rln__args args;
    struct top_job job = {0};
    bool is_json;

    rln__args_parse(&rln__command_top, argc, argv, &args);
    is_json = rln__args_bool(&args, JSON);
    open_job(&job, &args);
    if (!is_json && !rln__args_bool(&args, BATCH) && rln__is_screen())
        watch(&job);
    else
        print_refreshes(&job, is_json);
    close_job(&job);
    rln__args_clear(&args);
    return rln__end_output();
}
