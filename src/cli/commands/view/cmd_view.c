/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_view.c - shows a trace as a picture in the browser: served by this machine, or as
 * one HTML page. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/commands/view/serve_trace.h"
#include "cli/commands/view/view_picture.h"
#include "cli/inputs/filter_options.h"
#include "cli/inputs/input_traces.h"
#include "console/browser.h"
#include "console/die.h"
#include "console/ends_with.h"
#include "console/hint_line.h"
#include "console/progress.h"
#include "console/stdout_error.h"
#include "console/unfinished.h"
#include "console/written.h"
#include "export/exporter.h"
#include "serve/page.h"
#include "serve/server.h"
#include "serve/viewer_parts.h"
#include "trace/open/load.h"

enum {
    PORT,
    NO_OPEN,
    COMPARE,
    ADDRESS,
    FILTERS, /* and the rows behind it */
    HTML = FILTERS + RLN__N_FILTER_OPTIONS,
    FORCE,
    MOST,
    PICTURE,
    SIZE,
};

static const struct rln__option options[] = {
    [PORT] = {.name = "port",
              .kind = RLN__ARG_COUNT,
              .value = "N",
              .example = "8000",
              .help = "serve on this port of 127.0.0.1; default: a free one"},
    [NO_OPEN] = {.name = "no-open", .help = "print the address; open no browser"},
    [COMPARE] = {.name = "compare",
                 .help = "show two traces, before and after, one above the other"},
    [ADDRESS] = {.name = "address",
                 .kind = RLN__ARG_TEXT,
                 .value = "TEXT",
                 .initial = "",
                 .help = "show in the browser or in a picture what this address of the "
                         "viewer shows, whole or from # on; default: the whole trace, "
                         "or of one with GPU work the part with ranges"},
    RLN__FILTER_OPTIONS(FILTERS),
    [HTML] = {.name = "html",
              .kind = RLN__ARG_TEXT,
              .value = "FILE",
              .group = "A page in a file",
              .help = "write a self-contained page with the trace to FILE, and open no "
                      "browser; - is standard output"},
    [FORCE] = {.name = "force-overwrite",
               .letter = 'f',
               .kind = RLN__ARG_BOOL,
               .initial = "false",
               .help = "replace an existing file"},
    [MOST] = {.name = "most-ranges",
              .kind = RLN__ARG_COUNT,
              .value = "N",
              .initial = "300000",
              .help = "maximum number of ranges in the page; with more, it is an "
                      "overview in which short neighbors are merged"},
    [PICTURE] = {.name = "picture",
                 .kind = RLN__ARG_TEXT,
                 .value = "FILE.png",
                 .group = "A picture in a file",
                 .help =
                     "write a picture of the page to FILE.png, by Chromium, Chrome or "
                     "Edge without a window; - is standard output"},
    [SIZE] = {.name = "size",
              .kind = RLN__ARG_TEXT,
              .value = "WxH",
              .initial = "1200x600",
              .help = "width and height of the picture in pixels"},
};

static const struct rln__example examples[] = {
    {"view a run", "rangeline view run.rln"},
    {"view one thread, and its ranges of at least 1 ms",
     "rangeline view --thread loader --min-duration 1ms run.rln"},
    {"see what a change did", "rangeline view --compare before.rln after.rln"},
    {"view it from another machine", "rangeline view --no-open --port 8800 run.rln"},
    {"write a page to send to a colleague", "rangeline view --html run.html run.rln"},
    {"write a picture for a report", "rangeline view --picture run.png run.rln"},
};

const struct rln__command rln__command_view = {
    .name = "view",
    .summary = "show a trace as a timeline in the browser",
    .operands = "[FILE...]",
    .operands_help = RLN__INPUT_TRACES_HELP,
    .description =
        "Serves the trace read-only to a browser on 127.0.0.1; the printed address "
        "contains a secret. The command exits soon after the last page is closed, "
        "after a minute if none was opened, or on Ctrl-C. A build without "
        "libmicrohttpd opens a page in a file instead.\n\nThe page shows threads "
        "with nested ranges, start/end ranges in tracks of their own, marks, "
        "counters and capture windows. It zooms, searches, and has statistics of the "
        "visible time; `?` lists its keys.\n\nWith filters, the page shows only what "
        "matches: it omits empty tracks, self time in the flame pane excludes only "
        "ranges that are shown, and it prints its filters.",
    RLN__OPTIONS(options),
    RLN__EXAMPLES(examples),
    .run = rln__cmd_view,
};

/* Of a page in a file. */
static void show_browser(const char *path)
{
    if (rln__open_browser(path))
        return;
    rln__complain("the page is %s", path);
    rln__hint(
        "open it in a browser, here or on another machine: none could be started");
}

/* --- In a file -------------------------------------------------------------------- */

/* The shown traces: one, or two side by side. */
struct shown_trace {
    struct rln__input_traces traces[RLN__MAX_SHOWN];
    size_t n;
    struct rln__buf filter_text; /* their filter in words; terminated */
};

static const char *filter_text(const struct shown_trace *at)
{
    return at->filter_text.has_failed ? "" : at->filter_text.bytes;
}

/* By any of its options: not all are in words at the head of the page. */
static int is_changed(const struct rln__args *args)
{
    int is = 0;

    for (unsigned i = 0; i < RLN__N_FILTER_OPTIONS; i++)
        is |= rln__args_has(args, FILTERS + i);
    return is;
}

static void require_page(void)
{
    if (rln__page_is_there())
        return;
    rln__complain("cannot write page: this build has no reader for it: %s",
                  rln__viewer_page_lack);
    rln__hint("wheels and packages of releases have it");
    exit(RLN__EXIT_FAILED);
}

/* A temporary page is not spoken of. */
static void write_page(const struct rln__args *args, const struct shown_trace *at,
                       const char *path, bool is_temporary)
{
    struct rln__page_options pages[RLN__MAX_SHOWN] = {0};
    rln_reader *readers[RLN__MAX_SHOWN];
    char titles[RLN__MAX_SHOWN][RLN__TITLE_BYTES];
    int is_overview[RLN__MAX_SHOWN] = {0}, is_empty[RLN__MAX_SHOWN] = {0};
    struct rln__progress progress;
    struct rln__output output;
    rln_error err = {0};
    rln_status status;

    require_page();
    for (size_t i = 0; i < at->n; i++) {
        rln__input_traces_refuse_output(&at->traces[i], path);
        readers[i] = at->traces[i].reader;
        rln__input_traces_title(&at->traces[i], titles[i]);
        pages[i].title = titles[i];
        pages[i].filter = filter_text(at);
        pages[i].is_changed = is_changed(args);
        pages[i].most_ranges = rln__args_count(args, MOST);
        pages[i].is_overview = &is_overview[i];
        pages[i].is_empty = &is_empty[i];
    }
    rln__unfinished_begin(path);
    status =
        rln__output_open(&output, path, is_temporary || rln__args_bool(args, FORCE),
                         RLN__OUTPUT_STREAM, &err);
    rln__unfinished_is(status ? NULL : output.part);
    rln__die_if(status, &err);
    rln__progress_begin(&progress, path, false);
    for (size_t i = 0; i < at->n; i++)
        rln__reader_set_progress(readers[i], rln__progress_of_reading, &progress);
    status = rln__page_write(readers, pages, at->n, &output, &err);
    for (size_t i = 0; i < at->n; i++)
        rln__reader_set_progress(readers[i], NULL, NULL);
    rln__progress_end(&progress);
    if (!status)
        status = rln__output_end(&output, &err);
    if (status && is_temporary)
        (void)unlink(path);
    rln__unfinished_is(NULL);
    rln__output_clear(&output);
    rln__die_if(status, &err);
    if (!is_temporary)
        rln__written_note(path);
    for (size_t i = 0; i < at->n; i++)
        rln__note_if_empty(&at->traces[i], !is_empty[i]);
    if (is_overview[0] || is_overview[1])
        rln__note("the page is an overview, in which short ranges are merged: use "
                  "--most-ranges, or --window K");
}

static void show_file(const struct rln__args *args, const struct shown_trace *at)
{
    char *path = rln__private_page(); /* owned */

    rln__note("built without libmicrohttpd, so without a server: the page contains the "
              "trace");
    write_page(args, at, path, true);
    if (rln__args_has(args, NO_OPEN))
        rln__print_line(stdout, "%s", path);
    else
        show_browser(path);
    free(path);
}

static void write_picture(const struct rln__args *args, const struct shown_trace *at)
{
    struct rln__view_picture picture = {
        .path = rln__args_text(args, PICTURE),
        .size = rln__args_text(args, SIZE),
        .address = rln__args_text(args, ADDRESS),
        .may_replace = rln__args_bool(args, FORCE),
    };
    char *page; /* owned */

    for (size_t i = 0; i < at->n; i++)
        rln__input_traces_refuse_output(&at->traces[i], picture.path);
    rln__view_picture_check(&picture);
    page = rln__private_page();
    write_page(args, at, page, true);
    rln__view_picture_write(&picture, page);
    free(page);
}

/* --- Served ----------------------------------------------------------------------- */

static uint16_t port_of(const struct rln__args *args)
{
    const uint64_t port = rln__args_count(args, PORT);

    if (port > UINT16_MAX)
        rln__die(RLN__EXIT_USAGE, "cannot serve: port=%" PRIu64 ": above 65535", port);
    return (uint16_t)port;
}

static void show_served(const struct rln__args *args, const struct shown_trace *at)
{
    const char *address = rln__args_text(args, ADDRESS);
    const struct rln__to_show show = {
        .traces = at->traces,
        .n_traces = (unsigned)at->n,
        .filter = filter_text(at),
        .shown = address && strchr(address, '#') ? strchr(address, '#') : "",
        .port = port_of(args),
        .opens_browser = !rln__args_has(args, NO_OPEN),
    };

    rln__serve_trace(&show);
}

static void open_all(const struct rln__args *args, struct shown_trace *at)
{
    at->n = 1;
    if (!rln__args_has(args, COMPARE)) {
        rln__input_traces_open(&at->traces[0], args->operands, args->n_operands);
    } else if (args->n_operands == RLN__MAX_SHOWN) {
        for (at->n = 0; at->n < RLN__MAX_SHOWN; at->n++)
            rln__input_traces_open(&at->traces[at->n], &args->operands[at->n], 1);
    } else {
        rln__complain("cannot compare: operands=%zu: two traces required",
                      args->n_operands);
        rln__hint("`rangeline view --compare before.rln after.rln`");
        exit(RLN__EXIT_USAGE);
    }
    for (size_t i = 0; i < at->n; i++)
        rln__restrict(&at->traces[i], args, FILTERS);
    rln__filter_summary(args, FILTERS, &at->filter_text);
    rln__buf_char(&at->filter_text, '\0');
}

/* `--html run.rln` of someone who thinks that it is a flag. */
static void refuse_trace_as_page(const struct rln__args *args)
{
    const char *page = rln__args_text(args, HTML);
    char *const words[] = {(char *)(uintptr_t)page, NULL};

    if (!page || !rln__ends_with(page, ".rln"))
        return;
    rln__complain("cannot write page: path=\"%s\": that is the name of a trace", page);
    rln__hint_line("", "view --html page.html", words, NULL, "");
    exit(RLN__EXIT_USAGE);
}

int rln__cmd_view(int argc, char **argv)
{
    struct rln__args args;
    struct shown_trace at = {0};

    rln__args_parse(&rln__command_view, argc, argv, &args);
    refuse_trace_as_page(&args);
    open_all(&args, &at);
    if (rln__args_has(&args, HTML))
        write_page(&args, &at, rln__args_text(&args, HTML), false);
    if (rln__args_has(&args, PICTURE))
        write_picture(&args, &at);
    if (!rln__args_has(&args, HTML) && !rln__args_has(&args, PICTURE))
        (rln__server_is_there() ? show_served : show_file)(&args, &at);
    for (size_t i = 0; i < at.n; i++) {
        rln__input_traces_note_losses(&at.traces[i], 0);
        rln__input_traces_close(&at.traces[i]);
    }
    rln__buf_clear(&at.filter_text);
    rln__args_clear(&args);
    return RLN__EXIT_OK;
}
