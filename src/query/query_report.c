/* SPDX-License-Identifier: Apache-2.0 */
#include "query/query_report.h"

#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/json.h"
#include "reports/report_order.h"
#include "reports/report_set.h"
#include "table/table_parts.h"

#define MOST_ROWS_SENT 500u
#define MOST_ROWS_SAVED 200000u /* as a file's text */

void rln__asked_report_clear(struct rln__asked_report *kept)
{
    rln__table_clear(&kept->table);
    rln_report_free(kept->report);
    rln__free(kept->text);
    rln__free(kept->sort);
    rln__free(kept->order);
    *kept = (struct rln__asked_report){.text = NULL};
}

/* Any text: a header may name a rank, an argument a range. */
static void put_word(struct rln__buf *out, const char *key, const char *word)
{
    rln__json_string(out, key, (rln_text){word, strlen(word)});
}

int rln__query_reports(struct rln__buf *out)
{
    const struct rln__report_info *about;

    rln__json_begin(out, NULL, '[');
    for (size_t i = 0; (about = rln__report_about_at(i)); i++) {
        rln__json_begin(out, NULL, '{');
        put_word(out, "name", about->name);
        put_word(out, "title", about->title);
        put_word(out, "help", about->help);
        put_word(out, "words", about->words ? about->words : "");
        rln__json_bool(out, "takesRange", rln__report_takes_range(about));
        rln__buf_char(out, '}');
    }
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

/* RLN_OK, and the report and its table are kept. */
static rln_status build(const struct rln__query_context *a, rln_error *err)
{
    struct rln__asked_report *kept = a->kept;
    rln_report_request request = {.name = NULL};
    rln_status status;
    char *colon;

    rln__asked_report_clear(kept);
    kept->text = copy_of(&a->question->text);
    if (!kept->text)
        return rln__fail_nomem(err);
    request.name = kept->text;
    colon = strchr(kept->text, ':');
    if (colon) {
        *colon = '\0';
        request.argument = colon + 1;
    }
    status = rln_report_build(a->lod->reader, &request, &kept->report, err);
    if (colon)
        *colon = ':';
    if (!status)
        show(kept->report, true, &kept->table);
    else
        rln__asked_report_clear(kept);
    return status;
}

/* Returns the status of HTTP; 400: no such column. */
static int sort(struct rln__asked_report *kept, const struct rln__question_text *header)
{
    size_t column;

    if (kept->sort && header->is_given && strlen(kept->sort) == header->length &&
        memcmp(kept->sort, header->bytes, header->length) == 0)
        return 200;
    rln__free(kept->sort);
    rln__free(kept->order);
    kept->sort = NULL;
    kept->order = NULL;
    if (!header->is_given || rln__is_tree(rln__report_get_about(kept->report)))
        return 200;
    kept->sort = copy_of(header);
    if (!kept->sort)
        return 500;
    column = rln__report_find_column(kept->report, kept->sort);
    if (column != SIZE_MAX)
        kept->order = rln__report_order(kept->report, column);
    if (kept->order)
        return 200;
    rln__free(kept->sort);
    kept->sort = NULL;
    return column == SIZE_MAX ? 400 : 500;
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

static void put_columns(struct rln__buf *out, const struct rln__table *t)
{
    char header[RLN__HEADER_BYTES];

    rln__json_begin(out, "columns", '[');
    for (size_t i = 0; i < t->n_columns; i++) {
        rln__json_begin(out, NULL, '{');
        put_word(out, "header", rln__table_header(t, i, header));
        rln__json_bool(out, "isText", rln__table_is_text(t, i));
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

/* The whole, as `rangeline stats -f` prints it. */
static void put_text(struct rln__buf *out, const struct rln__asked_report *kept,
                     enum rln__table_format format)
{
    const size_t n = rln_report_count_rows(kept->report);
    const size_t n_saved = n < MOST_ROWS_SAVED ? n : MOST_ROWS_SAVED;
    struct rln__table table;
    struct rln__buf text = {0};

    show(kept->report, format == RLN__FORMAT_MARKDOWN, &table);
    choose_rows(kept, 0, n_saved, &table);
    rln__table_print(&table, format, &text);
    rln__json_u64(out, "n", n);
    rln__json_u64(out, "nSaved", n_saved);
    rln__json_string(out, "text", (rln_text){text.bytes, text.length});
    out->has_failed |= text.has_failed | table.text.has_failed;
    rln__buf_clear(&text);
    rln__table_clear(&table);
}

static void put_report(struct rln__buf *out, struct rln__asked_report *kept,
                       size_t first)
{
    const struct rln__report_info *about = rln__report_get_about(kept->report);
    const char *argument = rln__report_argument(kept->report);
    const size_t n = rln_report_count_rows(kept->report);
    const size_t n_left = first < n ? n - first : 0;

    choose_rows(kept, first, n_left < MOST_ROWS_SENT ? n_left : MOST_ROWS_SENT,
                &kept->table);
    put_word(out, "title", about->title);
    put_word(out, "details", about->details ? about->details : "");
    put_word(out, "subject",
             argument && about->subject_if_named ? about->subject_if_named
                                                 : about->subject);
    put_word(out, "argument", argument ? argument : "");
    rln__json_bool(out, "isOrdered", rln__is_tree(about));
    rln__json_u64(out, "n", n);
    put_columns(out, &kept->table);
    put_rows(out, &kept->table);
    out->has_failed |=
        kept->table.text.has_failed || rln_report_status(kept->report, NULL);
}

int rln__query_report(const struct rln__query_context *a, struct rln__buf *out)
{
    const struct rln__question_text *text = &a->question->text;
    struct rln__asked_report *kept = a->kept;
    rln_error err = {0};
    rln_status status = RLN_OK;
    int answer;

    if (!a->lod->is_complete) {
        rln__buf_text(out, "{\"isReading\":true}");
        return 200;
    }
    if (!kept->text || strlen(kept->text) != text->length ||
        memcmp(kept->text, text->bytes, text->length) != 0)
        status = build(a, &err);
    rln__json_begin(out, NULL, '{');
    if (status) {
        put_word(out, "refused", err.message);
    } else {
        answer = sort(kept, &a->question->sort);
        if (answer != 200)
            return answer;
        if (a->question->format >= 0)
            put_text(out, kept, (enum rln__table_format)a->question->format);
        else
            put_report(out, kept, a->question->first);
    }
    rln__buf_char(out, '}');
    return 200;
}
