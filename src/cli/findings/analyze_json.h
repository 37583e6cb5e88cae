/* SPDX-License-Identifier: Apache-2.0 */
/* analyze_json.h - the findings for programs: one document, and its schema. */
#ifndef RLN_CLI_FINDINGS_ANALYZE_JSON_H
#define RLN_CLI_FINDINGS_ANALYZE_JSON_H

#include "cli/findings/analyze_findings.h"

/* One document, whose schema is rln__findings_schema(). */
void rln__findings_json(const struct rln__analyze_job *job, struct rln__buf *out);
/* JSON Schema; static. */
const char *rln__findings_schema(void);

#endif
