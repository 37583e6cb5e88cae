/* SPDX-License-Identifier: Apache-2.0 */
#include "query/query_report.h"

#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/json.h"
#include "base/key_index.h"
#include "query/query_diff.h"
#include "reports/report_order.h"
#include "reports/report_set.h"
#include "table/table_parts.h"

#define MOST_ROWS_SENT 500u
#define MOST_ROWS_SAVED 200000u /* as a file's text */

void rln__asked_report_clear(struct rln__asked_report *kept)
{
    rln__table_clear(&kept->table);
    rln__table_clear(&kept->exact);
    rln__findings_notes_clear(&kept->notes);
    rln_report_free(kept->report);
    rln__free(kept->text);
    rln__free(kept->sort);
    rln__free(kept->order);
    *kept = (struct rln__asked_report){.text = NULL};
}

/* What is known of the table of findings, as if it were a report. */
static const struct rln__report_info of_findings = {
    .name = "findings",
    .title = "Findings",
    .help = "what costs time, as `rangeline analyze` says",
    .subject = "findings"};

/* And of the table of differences. */
static const struct rln__report_info of_differences = {
    .name = "diff",
    .title = "Differences",
    .help = "what is slower or faster in the second trace, as `rangeline diff` says",
    .subject = "differences"};

bool rln__query_is_diff(const struct rln__question *question)
{
    return question->kind == RLN__QUERY_REPORT &&
           rln__text_is(rln__query_text(&question->text), of_differences.name);
}

static void put_kind(struct rln__buf *out, const struct rln__report_info *about)
{
    rln__json_begin(out, NULL, '{');
    rln__json_text(out, "name", about->name);
    rln__json_text(out, "title", about->title);
    rln__json_text(out, "help", about->help);
    rln__json_text(out, "words", about->words ? about->words : "");
    rln__json_bool(out, "takesRange", rln__report_takes_range(about));
    rln__buf_char(out, '}');
}

int rln__query_reports(const struct rln__query_context *a, struct rln__buf *out)
{
    const struct rln__report_info *about;

    rln__json_begin(out, NULL, '[');
    put_kind(out, &of_findings);
    if (a->can_diff)
        put_kind(out, &of_differences);
    for (size_t i = 0; (about = rln__report_about_at(i)); i++)
        put_kind(out, about);
    rln__buf_char(out, ']');
    return 200;
}

/* NULL: no memory. */
static char *copy_of(const struct rln__question_text *text)
{
    char *copy = rln__alloc(text->length + 1, 1);

    return copy ? memcpy(copy, text->bytes, text->length) : NULL;
}

static void show(const rln_report *report, bool is_for_people, struct rln__table *out)
{
    const struct rln__cell_format cell_format = {.unit = rln__unit_find("ns"),
                                                 .is_human_readable = is_for_people,
                                                 .is_aligned = is_for_people};

    rln__report_show(report, &cell_format, out);
}

/* Before it is cut. For people a table may have other rows than for programs. */
static size_t count_rows(const struct rln__table *t)
{
    return t->n_columns ? t->n_cells / t->n_columns : 0;
}

static rln_status build_report(const struct rln__query_context *a, rln_error *err)
{
    struct rln__asked_report *kept = a->kept;
    char *colon = strchr(kept->text, ':');
    rln_report_request request = {.name = kept->text,
                                  .argument = colon ? colon + 1 : NULL};
    rln_status status;

    if (colon)
        *colon = '\0';
    status = rln_report_build(a->lod->reader, &request, &kept->report, err);
    if (colon)
        *colon = ':';
    if (status)
        return status;
    kept->about = rln__report_get_about(kept->report);
    show(kept->report, true, &kept->table);
    return RLN_OK;
}

static rln_status build_diff(const struct rln__query_context *a, rln_error *err)
{
    struct rln__asked_report *kept = a->kept;
    struct rln__diff_tables tables = {.details = {0}};
    const rln_status status =
        rln__diff_tables_make(a->lod->reader, a->compared, a->filter, &tables, err);

    kept->about = &of_differences;
    kept->table = tables.for_people;
    kept->exact = tables.exact;
    kept->notes.details = tables.details;
    return status;
}

static rln_status build_findings(const struct rln__query_context *a, rln_error *err)
{
    a->kept->about = &of_findings;
    return rln__findings_table(a->lod->reader, &a->kept->table, &a->kept->notes, err);
}

/* RLN_OK, and the table is kept. */
static rln_status build(const struct rln__query_context *a, rln_error *err)
{
    struct rln__asked_report *kept = a->kept;
    rln_status status;

    rln__asked_report_clear(kept);
    kept->text = copy_of(&a->question->text);
    if (!kept->text)
        return rln__fail_nomem(err);
    if (strcmp(kept->text, of_findings.name) == 0)
        status = build_findings(a, err);
    else if (a->can_diff && rln__query_is_diff(a->question))
        status = build_diff(a, err);
    else
        status = build_report(a, err);
    if (status)
        rln__asked_report_clear(kept);
    else
        kept->n_rows = count_rows(&kept->table);
    return status;
}

/* Whether the order of the rows says something that no column does. */
static bool is_ordered(const struct rln__asked_report *kept)
{
    return !kept->report || rln__is_tree(kept->about);
}

/* A column that the report does not have leaves its own order. */
static rln_status sort(struct rln__asked_report *kept,
                       const struct rln__question_text *header, rln_error *err)
{
    size_t column;

    if (kept->sort && rln__text_is(rln__query_text(header), kept->sort))
        return RLN_OK;
    rln__free(kept->sort);
    rln__free(kept->order);
    kept->sort = NULL;
    kept->order = NULL;
    if (!header->is_given || is_ordered(kept))
        return RLN_OK;
    kept->sort = copy_of(header);
    if (!kept->sort)
        return rln__fail_nomem(err);
    column = rln__report_find_column(kept->report, kept->sort);
    if (column != SIZE_MAX)
        kept->order = rln__report_order(kept->report, column);
    if (kept->order || column == SIZE_MAX)
        return RLN_OK;
    rln__free(kept->sort);
    kept->sort = NULL;
    return rln__fail_nomem(err);
}

/* Cuts a table to `n` rows from the `first` one on, in the order that was asked for. */
static void choose_rows(const struct rln__asked_report *kept, size_t first, size_t n,
                        struct rln__table *t)
{
    rln__free(t->rows);
    t->rows = rln__alloc(n + 1, sizeof(*t->rows));
    t->text.has_failed |= !t->rows;
    for (size_t i = 0; i < n && t->rows; i++)
        t->rows[i] = kept->order ? kept->order[first + i] : first + i;
    t->n_cells = t->rows ? n * t->n_columns : 0;
}

/* A column for people may be one that the report has not. */
static bool can_sort(const struct rln__asked_report *kept, const char *header)
{
    return !is_ordered(kept) && *header &&
           rln__report_find_column(kept->report, header) != SIZE_MAX;
}

static void put_columns(struct rln__buf *out, const struct rln__asked_report *kept)
{
    const struct rln__table *t = &kept->table;
    char header[RLN__HEADER_BYTES];

    rln__json_begin(out, "columns", '[');
    for (size_t i = 0; i < t->n_columns; i++) {
        rln__json_begin(out, NULL, '{');
        rln__json_text(out, "header", rln__table_header(t, i, header));
        rln__json_bool(out, "isText", rln__table_is_text(t, i));
        rln__json_bool(out, "canSort", can_sort(kept, rln__table_header(t, i, header)));
        rln__buf_char(out, '}');
    }
    rln__buf_char(out, ']');
}

static void put_rows(struct rln__buf *out, const struct rln__table *t)
{
    rln__json_begin(out, "rows", '[');
    for (size_t i = 0; i < t->n_cells; i++) {
        if (i % t->n_columns == 0)
            rln__json_begin(out, NULL, '[');
        rln__json_string(out, NULL, rln__table_cell_at(t, i));
        if ((i + 1) % t->n_columns == 0)
            rln__buf_char(out, ']');
    }
    rln__buf_char(out, ']');
}

/* The whole, as `rangeline stats -f` or `rangeline diff -f` prints it; Markdown is for
 * people. */
static void put_text(struct rln__buf *out, struct rln__asked_report *kept,
                     enum rln__table_format format)
{
    const bool is_for_people = format == RLN__FORMAT_MARKDOWN;
    struct rln__table own = {0}, *table = &kept->table;
    struct rln__buf text = {0};
    size_t n_rows = kept->n_rows, n;

    if (kept->report) {
        show(kept->report, is_for_people, &own);
        table = &own;
        n_rows = count_rows(&own);
    } else if (kept->about == &of_differences && !is_for_people) {
        table = &kept->exact;
    }
    n = n_rows < MOST_ROWS_SAVED ? n_rows : MOST_ROWS_SAVED;
    choose_rows(kept, 0, n, table);
    rln__table_print(table, format, &text);
    rln__json_u64(out, "n", n_rows);
    rln__json_u64(out, "nSaved", n);
    rln__json_string(out, "text", (rln_text){text.bytes, text.length});
    out->has_failed |= text.has_failed | table->text.has_failed;
    rln__buf_clear(&text);
    rln__table_clear(&own);
}

static void put_about(struct rln__buf *out, const struct rln__asked_report *kept)
{
    const struct rln__report_info *about = kept->about;
    const char *argument = kept->report ? rln__report_argument(kept->report) : NULL;
    const char *details = kept->report ? about->details : kept->notes.details.bytes;

    rln__json_text(out, "title", about->title);
    rln__json_text(out, "details", details ? details : "");
    rln__json_text(out, "subject",
                   argument && about->subject_if_named ? about->subject_if_named
                                                       : about->subject);
    rln__json_text(out, "argument", argument ? argument : "");
}

static void put_report(struct rln__buf *out, struct rln__asked_report *kept,
                       size_t first)
{
    const size_t n_left = first < kept->n_rows ? kept->n_rows - first : 0;

    choose_rows(kept, first, n_left < MOST_ROWS_SENT ? n_left : MOST_ROWS_SENT,
                &kept->table);
    put_about(out, kept);
    if (kept->report)
        out->has_failed |= rln_report_status(kept->report, NULL) != RLN_OK;
    if (kept->notes.views.length) {
        rln__json_key(out, "views");
        rln__buf_add(out, kept->notes.views.bytes, kept->notes.views.length);
    }
    rln__json_u64(out, "n", kept->n_rows);
    put_columns(out, kept);
    put_rows(out, &kept->table);
    out->has_failed |= kept->table.text.has_failed;
}

int rln__query_report(const struct rln__query_context *a, struct rln__buf *out)
{
    const struct rln__question_text *text = &a->question->text;
    struct rln__asked_report *kept = a->kept;
    rln_error err = {0};
    rln_status status = RLN_OK;

    rln__json_begin(out, NULL, '{');
    if (!a->lod->is_complete ||
        (a->can_diff && !a->compared && rln__query_is_diff(a->question))) {
        rln__json_bool(out, "isReading", true);
        rln__buf_char(out, '}');
        return 200;
    }
    if (!kept->text || !rln__text_is(rln__query_text(text), kept->text))
        status = build(a, &err);
    if (!status)
        status = sort(kept, &a->question->sort, &err);
    if (status)
        rln__json_text(out, "refused", err.message);
    else if (a->question->format >= 0)
        put_text(out, kept, (enum rln__table_format)a->question->format);
    else
        put_report(out, kept, a->question->first);
    rln__buf_char(out, '}');
    if (out->has_failed) /* and perhaps what is kept */
        rln__asked_report_clear(kept);
    return 200;
}
