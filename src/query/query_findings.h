/* SPDX-License-Identifier: Apache-2.0 */
/* query_findings.h - what `rangeline analyze` finds, as a table. */
#ifndef RLN_QUERY_QUERY_FINDINGS_H
#define RLN_QUERY_QUERY_FINDINGS_H

#include "rangeline/reader.h"
#include "table/table.h"

struct rln__findings_notes {
    /* Terminated: how many rules checked what, and which could not tell. */
    struct rln__buf details;
    /* JSON, a text per row: the viewer's address of its evidence, or "". */
    struct rln__buf views;
};

/* Asks all rules, with their usual thresholds. On failure both are empty. */
rln_status rln__findings_table(rln_reader *reader, struct rln__table *out,
                               struct rln__findings_notes *notes, rln_error *err);
void rln__findings_notes_clear(struct rln__findings_notes *notes);

#endif
