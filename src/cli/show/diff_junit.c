/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/diff_junit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/human_units.h"
#include "base/markup.h"
#include "base/utf8.h"
#include "cli/show/whole_file.h"
#include "console/die.h"

enum outcome { PASSED, SKIPPED, FAILED };

struct suite {
    const struct rln__diff_view *view;
    bool may_fail;
    struct rln__buf cases;
    size_t n, n_skipped, n_failed, n_compared;
};

static void add_text(struct rln__buf *out, const struct rln__buf *text)
{
    struct rln__buf printable = {0};

    (void)rln__buf_printable(&printable, text->bytes, text->length);
    rln__buf_markup(out, printable.bytes, printable.length);
    out->has_failed |= printable.has_failed || text->has_failed;
    rln__buf_clear(&printable);
}

static bool is_compared(const struct rln__diff_row *row)
{
    return row->before.n_ranges && row->after.n_ranges;
}

/* And why, if it has not passed. */
static enum outcome judge(const struct suite *suite, const struct rln__diff_row *row,
                          struct rln__buf *why)
{
    const struct rln__diff_view *view = suite->view;

    if (!is_compared(row)) {
        rln__buf_format(why, "%s: only on one side", rln__diff_verdict(view, row));
        return SKIPPED;
    }
    if (!rln__diff_exceeds(view, row) && !rln__diff_may_exceed(view, row)) {
        rln__buf_text(why, row->changes & RLN__DIFF_FEW ? "ran too few times" : "");
        return row->changes & RLN__DIFF_FEW ? SKIPPED : PASSED;
    }
    rln__buf_diff_change(why, view, row);
    rln__buf_text(why, ", from ");
    rln__buf_duration(why, rln__diff_value(view, row, RLN__DIFF_BEFORE));
    rln__buf_text(why, " to ");
    rln__buf_duration(why, rln__diff_value(view, row, RLN__DIFF_AFTER));
    if (!rln__diff_exceeds(view, row))
        rln__buf_text(why, rln__diff_is_of_sums(row)
                               ? ": sums of one run do not say how it varies"
                               : ": runs of one side differ, too");
    else if (!suite->may_fail)
        rln__buf_text(why, ": one run per side");
    return rln__diff_exceeds(view, row) && suite->may_fail ? FAILED : SKIPPED;
}

static void add_case(struct suite *suite, const struct rln__diff_row *row)
{
    struct rln__buf *out = &suite->cases;
    struct rln__buf path = {0}, why = {0};
    const enum outcome outcome = judge(suite, row, &why);

    rln__buf_diff_path(&path, suite->view->diff, row);
    rln__buf_text(out, "    <testcase classname=\"rangeline.diff\" name=\"");
    add_text(out, &path);
    rln__buf_format(out, "\" time=\"%.9f\"",
                    rln__diff_value(suite->view, row, RLN__DIFF_AFTER) / 1e9);
    if (outcome == PASSED) {
        rln__buf_text(out, "/>\n");
    } else {
        rln__buf_text(out, outcome == FAILED ? ">\n      <failure message=\""
                                             : ">\n      <skipped message=\"");
        add_text(out, &why);
        rln__buf_text(out, "\"/>\n    </testcase>\n");
    }
    suite->n++;
    suite->n_compared += is_compared(row);
    suite->n_skipped += outcome == SKIPPED;
    suite->n_failed += outcome == FAILED;
    rln__buf_clear(&path);
    rln__buf_clear(&why);
}

static void add_error(struct rln__buf *cases, const char *why)
{
    rln__buf_format(cases,
                    "    <testcase classname=\"rangeline.diff\" name=\"comparison\">\n"
                    "      <error message=\"%s\"/>\n    </testcase>\n",
                    why);
}

/* Runs of a CI job write it again and again, but nothing else is ever replaced. */
static void refuse_other_file(const char *path)
{
    static const char magic[] = "<?xml";
    char bytes[sizeof(magic) - 1] = "";
    struct stat st;
    FILE *file;
    bool is_xml;

    if (stat(path, &st) || !S_ISREG(st.st_mode) || st.st_size == 0)
        return; /* opening a pipe would wait for its writer: this command */
    file = fopen(path, "re");
    if (!file)
        return;
    is_xml = fread(bytes, 1, sizeof(bytes), file) == sizeof(bytes) &&
             memcmp(bytes, magic, sizeof(bytes)) == 0;
    (void)fclose(file);
    if (is_xml)
        return;
    rln__complain("cannot write JUnit file: path=\"%s\": there is a file that is none",
                  path);
    rln__hint("choose another name, such as --junit diff.xml");
    exit(RLN__EXIT_FAILED);
}

/* Frees the cases. */
static void write_suite(struct suite *suite, const char *path)
{
    const bool is_error = suite->n_compared == 0;
    struct rln__buf out = {0};

    rln__buf_format(&out,
                    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
                    "  <testsuite name=\"rangeline diff\" tests=\"%zu\" "
                    "failures=\"%zu\" errors=\"%d\" skipped=\"%zu\">\n",
                    suite->n + is_error, suite->n_failed, is_error, suite->n_skipped);
    rln__buf_add(&out, suite->cases.bytes, suite->cases.length);
    rln__buf_text(&out, "  </testsuite>\n</testsuites>\n");
    if (out.has_failed || suite->cases.has_failed)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    rln__whole_file_write(path, out.bytes, out.length, true);
    rln__buf_clear(&suite->cases);
    rln__buf_clear(&out);
}

void rln__diff_junit_begin(const char *path)
{
    struct suite suite = {.view = NULL};
    struct stat st;

    refuse_other_file(path);
    if (strcmp(path, "-") == 0 || (stat(path, &st) == 0 && !S_ISREG(st.st_mode)))
        return; /* what reads it would get two documents */
    add_error(&suite.cases, "not compared: standard error of rangeline diff says why");
    write_suite(&suite, path);
}

void rln__diff_junit_write(const struct rln__diff_view *view, const char *path,
                           bool may_fail)
{
    struct suite suite = {.view = view, .may_fail = may_fail};
    const struct rln__diff_row *row;

    for (size_t i = 0; (row = rln__diff_at(view->diff, i)); i++) {
        if (row->before.n_ranges || row->after.n_ranges)
            add_case(&suite, row);
    }
    if (!suite.n_compared)
        add_error(&suite.cases, "no common range");
    write_suite(&suite, path);
}
