/* SPDX-License-Identifier: Apache-2.0 */
#include "query/query_findings.h"

#include <string.h>

#include "analysis/analysis.h"
#include "analysis/finding_words.h"
#include "base/count.h"
#include "base/fail.h"
#include "base/human_units.h"
#include "base/json.h"

static const struct rln__column columns[] = {
    {"Severity", RLN__TEXT}, {"Could win", RLN__NUMBER}, {"Share", RLN__TEXT},
    {"Finding", RLN__TEXT},  {"Cause", RLN__TEXT},       {"But", RLN__TEXT},
};

static void add_row(struct rln__table *t, const struct rln__run *run,
                    const struct rln__finding *f)
{
    rln__buf_text(&t->text, f->severity == RLN_SEVERITY_NOTE ? "note" : "warning");
    rln__table_cell(t);
    if (f->has_won)
        rln__buf_duration(&t->text, f->won_ns);
    rln__table_cell(t);
    if (f->has_won)
        rln__finding_put_share(run, f->won_share, &t->text);
    rln__table_cell(t);
    rln__buf_format(&t->text, "%s: ", f->rule->id);
    rln__buf_add(&t->text, f->title.bytes, f->title.length);
    rln__table_cell(t);
    rln__finding_put_cause(f, &t->text);
    if (f->growth.is_known)
        rln__buf_format(&t->text, "%sgrowth: ", f->cause.bytes ? "; " : "");
    rln__finding_put_growth(f, &t->text);
    rln__table_cell(t);
    rln__buf_text(&t->text, f->rule->against);
    rln__table_cell(t);
}

static void add_view(struct rln__buf *out, const struct rln__run *run,
                     const struct rln__finding *f)
{
    struct rln__buf address = {0};
    struct rln__nesting_row row;

    if (f->n_evidence && rln__nesting_get(run->nesting, f->evidence[0], &row))
        rln__finding_put_address(&row, &address);
    rln__buf_char(&address, '\0');
    rln__json_text(out, NULL, address.has_failed ? "" : address.bytes);
    out->has_failed |= address.has_failed;
    rln__buf_clear(&address);
}

static void add_details(struct rln__buf *out, const struct rln__analysis *a)
{
    rln__analysis_put_checked(a, out);
    rln__buf_text(out, ". What could be won is an upper bound; bounds overlap.");
    for (size_t i = 0, n = 0; i < a->n_outcomes; i++)
        if (a->outcomes[i].why)
            rln__buf_format(out, "%s%s (%s)", n++ ? ", " : " Nothing to check had ",
                            a->outcomes[i].rule->id, a->outcomes[i].why);
    rln__buf_char(out, '\0');
}

rln_status rln__findings_table(rln_reader *reader, struct rln__table *out,
                               struct rln__findings_notes *notes, rln_error *err)
{
    struct rln__analysis_options options;
    struct rln__analysis a = {.n = 0};
    rln_status status;

    rln__analysis_options_init(&options);
    status = rln__analyze(reader, &options, &a, err);
    if (!status) {
        rln__table_init(out, columns, RLN_COUNT(columns));
        out->is_plain = true;
        rln__json_begin(&notes->views, NULL, '[');
        for (size_t i = 0; i < a.n; i++) {
            add_row(out, &a.run, &a.findings[i]);
            add_view(&notes->views, &a.run, &a.findings[i]);
        }
        rln__buf_char(&notes->views, ']');
        add_details(&notes->details, &a);
        if (out->text.has_failed || notes->views.has_failed ||
            notes->details.has_failed)
            status = rln__fail_nomem(err);
    }
    rln__analysis_clear(&a);
    if (status) {
        rln__table_clear(out);
        rln__findings_notes_clear(notes);
    }
    return status;
}

void rln__findings_notes_clear(struct rln__findings_notes *notes)
{
    rln__buf_clear(&notes->details);
    rln__buf_clear(&notes->views);
}
