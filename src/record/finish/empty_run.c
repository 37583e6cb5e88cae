/* SPDX-License-Identifier: Apache-2.0 */
/* empty_run.c - the reasons, and the search for similar names: the trace has the
 * names of the program's ranges even if it has none of the ranges. */
#include "record/finish/empty_run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file_name.h"
#include "base/utf8.h"
#include "base/wildcard.h"
#include "console/args.h"
#include "console/die.h"
#include "console/nearest.h"
#include "console/signal_name.h"
#include "format/windows.h"
#include "record/start/capture_options.h"
#include "record/start/gpu_options.h"
#include "record/start/loadable.h"
#include "trace/open/name_catalog.h"

#define MOST_LISTED 5

/* --- Matching --------------------------------------------------------------------- */

/* As the collector does. */
static bool matches(const char *pattern, rln_text text, bool ignores_case)
{
    return rln__wildcard_matches(pattern, strchr(pattern, '\0'), text.bytes,
                                 text.length, ignores_case);
}

static bool is_misspelt(const char *pattern, rln_text text)
{
    char word[64];

    if (text.length >= sizeof(word))
        return false;
    memcpy(word, text.bytes, text.length);
    word[text.length] = '\0';
    return rln__nearest(word, &pattern, 1) != NULL;
}

/* --- Names ------------------------------------------------------------------------ */

enum nearness { FAR, NEAR, EQUAL };

struct search {
    rln_reader *reader; /* owned, as the next */
    struct rln__name_catalog *named;
    char *message, *domain;   /* owned; patterns */
    struct rln__buf found[2]; /* FAR and NEAR names, one after the other */
    size_t n_found[2];
    bool has_equal;
};

static enum nearness nearness_of(const struct search *s,
                                 const struct rln__name_catalog_message *m)
{
    const bool is_domain =
        s->domain ? matches(s->domain, m->domain_name, false) : m->domain == 0;

    if (is_domain && matches(s->message, m->message, false))
        return EQUAL;
    if (matches(s->message, m->message, true) || is_misspelt(s->message, m->message))
        return NEAR;
    return FAR;
}

static void add_escaped(struct rln__buf *buf, rln_text text)
{
    for (size_t i = 0; i < text.length; i++) {
        if (strchr("@*?\\", text.bytes[i]))
            rln__buf_char(buf, '\\');
        (void)rln__buf_printable(buf, text.bytes + i, 1);
    }
}

/* As typed after -p. */
static void add_name(struct search *s, enum nearness nearness,
                     const struct rln__name_catalog_message *m)
{
    struct rln__buf name = {0};
    struct rln__buf *found = &s->found[nearness];

    rln__buf_text(&name, "'");
    add_escaped(&name, m->message);
    if (m->domain) {
        rln__buf_char(&name, '@');
        add_escaped(&name, m->domain_name);
    }
    rln__buf_text(&name, "'");
    if (!name.has_failed && s->n_found[nearness]++ < MOST_LISTED) {
        rln__buf_text(found, found->length ? ", " : "");
        rln__buf_add(found, name.bytes, name.length);
        if (m->n_missed)
            rln__buf_format(found, " (opened %" PRIu64 " time%s)", m->n_missed,
                            m->n_missed == 1 ? "" : "s");
    }
    rln__buf_clear(&name);
}

/* Names that were opened come first: there may be many others. */
static void search_windows(struct search *s, bool were_opened)
{
    const struct rln__name_catalog_message *m;

    for (size_t i = 0; (m = rln__name_catalog_message_at(s->named, i)) != NULL; i++) {
        const enum nearness nearness = nearness_of(s, m);

        if ((m->n_missed != 0) != were_opened)
            continue;
        if (nearness == EQUAL)
            s->has_equal = true;
        else if (m->message.length)
            add_name(s, nearness, m);
    }
}

static bool search(struct search *s, const char *path, const char *range)
{
    *s = (struct search){.reader = NULL};
    if (rln_reader_open(&path, 1, &s->reader, NULL))
        return false;
    if (rln__name_catalog_open(s->reader, &s->named, NULL)) {
        rln_reader_close(s->reader);
        return false;
    }
    rln__capture_split(range, &s->message, &s->domain);
    search_windows(s, true);
    search_windows(s, false);
    return true;
}

static void search_clear(struct search *s)
{
    for (size_t i = 0; i < 2; i++)
        rln__buf_clear(&s->found[i]);
    free(s->message);
    free(s->domain);
    rln__name_catalog_close(s->named);
    rln_reader_close(s->reader);
}

/* --- Explanations ----------------------------------------------------------------- */

static void hint_names(const struct search *s, enum nearness nearness, const char *what)
{
    const struct rln__buf *found = &s->found[nearness];
    const size_t n = s->n_found[nearness];

    rln__hint("%s %.*s%s", what, (int)found->length, found->bytes,
              n > MOST_LISTED ? " and more" : "");
}

static void explain_no_match(const struct rln__empty_run *run)
{
    struct search s;

    rln__complain(
        "no trace written: no range opened that matches --nvtx-capture=\"%s\"",
        run->range);
    if (!search(&s, run->path, run->range))
        return;
    if (s.n_found[NEAR])
        hint_names(&s, NEAR, "similar names:");
    else if (s.has_equal && !run->filter)
        rln__hint(
            "a mark or registered string has this name; only ranges are captured");
    else if (s.n_found[FAR])
        hint_names(&s, FAR, "ranges and marks of the program:");
    if (s.n_found[NEAR] && !s.domain &&
        memchr(s.found[NEAR].bytes, '@', s.found[NEAR].length))
        rln__hint(
            "use -p 'MESSAGE@*' for any domain; -p MESSAGE means the default domain");
    if (run->filter)
        rln__hint("ranges that --%s=\"%s\" excludes are not captured", run->filter,
                  run->filtered);
    search_clear(&s);
}

/* A program that failed may have come to none of its calls: how it ended is the reason,
 * not missing annotations. */
static bool complain_failed(const struct rln__empty_run *run, const char *before)
{
    if (run->signal)
        rln__complain("no trace written: the program was killed by %s before %s",
                      rln__signal_text(run->signal), before);
    else if (run->exit_code)
        rln__complain("no trace written: the program ended with status %d before %s",
                      run->exit_code, before);
    return run->signal || run->exit_code;
}

/* Python loaded what records functions, but no function was recorded. */
static void hint_no_function(const struct rln__empty_run *run)
{
    if (!run->has_loaded)
        rln__hint("its Pythons ignore the environment (-I, -E, -S)");
    else if (run->python_is_mine)
        rln__hint("only functions of Python and of installed packages ran, or patterns "
                  "exclude the others: --python=functions records all, "
                  "--python-include=PACKAGE those of PACKAGE");
    else
        rln__hint("patterns exclude all functions");
}

/* Of a program in Python, which needs no annotations. False: it is none, or was killed.
 */
static bool hint_python(const struct rln__empty_run *run)
{
    if (!run->is_python || run->signal)
        return false;
    if (run->reported_python) /* with what to do */
        return true;
    if (run->records_python && !run->exit_code)
        hint_no_function(run);
    if (run->python_command)
        rln__hint("this records its %s: `%.*s`", run->python_gain,
                  (int)strlen(run->python_command), run->python_command);
    if (!run->records_python)
        rln__hint("%s: `from rangeline import nvtx`, `with nvtx.annotate(\"step\"):`",
                  run->python_command ? "or annotate it" : "annotate it");
    return true;
}

static void explain_no_event(const struct rln__empty_run *run)
{
    if (!complain_failed(run, "it recorded a range or mark"))
        rln__complain("no trace written: the program %s no range and no mark%s",
                      run->records_python ? "recorded" : "loaded NVTX, but recorded",
                      run->records_gil ? ", and no thread waited for Python's GIL"
                                       : "");
    (void)hint_python(run);
}

/* Calls excluded by an option leave no sign in the trace. */
static void explain_no_call(const struct rln__empty_run *run)
{
    if (run->has_reports) {
        rln__complain("no trace written: no process could record into it");
        return;
    }
    if (run->filter) {
        rln__complain("no trace written: --%s=\"%s\" excludes all NVTX calls",
                      run->filter, run->filtered);
        rln__hint("record without it; `rangeline info` then lists the domains");
        return;
    }
    if (!complain_failed(run, "any NVTX call reached the collector"))
        rln__complain("no trace written: no NVTX call reached the collector%s%s",
                      run->records_gpu ? ", and no use of CUDA was seen" : "",
                      run->records_mpi ? ", and no call of MPI was seen" : "");
    if (strcmp(rln__file_name(run->program), "rangeline") == 0) {
        rln__hint("the inner `rangeline profile` records into its own trace");
        return;
    }
    if (rln__loadable_explain(run->program) || hint_python(run) || run->exit_code)
        return;
    if (run->records_gpu)
        rln__gpu_explain_none();
    rln__hint("annotate the program: in C, #include <nvtx3/nvToolsExt.h>, "
              "nvtxRangePush(\"step\") and nvtxRangePop(); Python needs no "
              "annotations, with --python=functions");
    rln__hint("check whether it can load the collector: 32-bit, static, set-uid and "
              "musl programs cannot, nor can one without a free file descriptor");
}

/* As typed after --categories, except for escapes. */
static void add_category(const struct rln__name_catalog_category *c,
                         struct rln__buf *list, size_t *n)
{
    struct rln__buf name = {0};

    rln__buf_char(&name, '\'');
    (void)rln__buf_printable(&name, c->name.bytes, c->name.length);
    if (c->domain_name.length)
        rln__buf_char(&name, '@');
    (void)rln__buf_printable(&name, c->domain_name.bytes, c->domain_name.length);
    rln__buf_char(&name, '\'');
    if (c->name.length && !name.has_failed &&
        !(list->length && memmem(list->bytes, list->length, name.bytes, name.length)) &&
        (*n)++ < MOST_LISTED) {
        rln__buf_text(list, list->length ? ", " : "");
        rln__buf_add(list, name.bytes, name.length);
    }
    rln__buf_clear(&name);
}

static void hint_categories(const char *path)
{
    const struct rln__name_catalog_category *category;
    struct rln__buf list = {0};
    rln_reader *reader;
    struct rln__name_catalog *named = NULL;
    size_t n = 0;

    if (rln_reader_open(&path, 1, &reader, NULL))
        return;
    if (rln__name_catalog_open(reader, &named, NULL)) {
        rln_reader_close(reader);
        return;
    }
    for (size_t i = 0; (category = rln__name_catalog_category_at(named, i)) != NULL;
         i++)
        add_category(category, &list, &n);
    if (n && !list.has_failed)
        rln__hint("categories of the program: %.*s%s", (int)list.length, list.bytes,
                  n > MOST_LISTED ? " and more" : "");
    else if (!n)
        rln__hint("the program named no category");
    rln__buf_clear(&list);
    rln__name_catalog_close(named);
    rln_reader_close(reader);
}

static void explain_filter(const struct rln__empty_run *run)
{
    rln__complain("no trace written: --%s=\"%s\" excludes all ranges and marks",
                  run->filter, run->filtered);
    if (strcmp(run->filter, "categories") == 0)
        hint_categories(run->path);
    rln__hint(
        "record without it; `rangeline info` then lists the domains and categories");
}

/* No window was ever open. */
static void explain_closed(const struct rln__empty_run *run)
{
    const uint64_t gate = run->gate;

    if (gate & RLN__GATE_DELAY) {
        rln__complain("no trace written: the program ended before --delay had passed");
        rln__hint("use a shorter --delay");
    } else if (gate & RLN__GATE_COMMAND) {
        rln__complain("no trace written: recording was never started");
        rln__hint("run `rangeline start PID` while the program runs");
    } else if (gate & RLN__GATE_PROGRAM) {
        rln__complain(
            "no trace written: the program stopped recording, and did not restart it");
    } else if (gate & RLN__GATE_OVER) {
        rln__complain(
            "no trace written: --max-size was reached before the first event");
        rln__hint("use a larger --max-size");
    } else if (run->occurrences && run->nth) {
        rln__complain("no trace written: the capture range was opened %u time%s, and "
                      "--capture-nth=\"%s\" counts from 0",
                      run->occurrences, run->occurrences == 1 ? "" : "s", run->nth);
    } else if (run->n_held) {
        rln__complain(
            "no trace written: the capture range was opened %" PRIu64
            " time%s, and closed again while a delay or stop blocked recording",
            run->n_held, run->n_held == 1 ? "" : "s");
        rln__hint("a range still open after the delay or stop is captured");
    } else if (gate & RLN__GATE_CUDA) {
        rln__complain("no trace written: cudaProfilerStart was not called");
        rln__hint("if the program contains the CUDA runtime, link it with nvcc -cudart "
                  "shared, or use -c nvtx");
    } else {
        explain_no_match(run);
    }
}

static void explain_window(uint64_t gate)
{
    rln__complain("no trace written: the program recorded no range and no mark while a "
                  "window was open");
    if (gate & RLN__GATE_PROGRAM)
        rln__hint("the program itself stopped recording, as with rln_stop(), and did "
                  "not restart it");
    else if (gate & RLN__GATE_COMMAND)
        rln__hint(
            "`rangeline stop` stopped recording; `rangeline start PID` restarts it");
    else if (gate & RLN__GATE_OVER)
        rln__hint("recording ended before: a larger --max-size or --duration records "
                  "more, if given");
}

void rln__empty_run_explain(const struct rln__empty_run *run)
{
    const bool was_open = rln__gate_had_window(run->gate);

    if (!run->has_loaded)
        explain_no_call(run);
    else if (!was_open)
        explain_closed(run);
    else if (run->filter)
        explain_filter(run);
    else if (run->gate >> 32)
        explain_window(run->gate);
    else
        explain_no_event(run);
}
