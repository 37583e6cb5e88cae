/* SPDX-License-Identifier: Apache-2.0 */
/* top_json.h - prints a refresh of `rangeline top` as JSON. */
#ifndef RLN_CLI_COMMANDS_TOP_JSON_H
#define RLN_CLI_COMMANDS_TOP_JSON_H

#include "cli/commands/top/top_page.h"

/* One line: docs/reference/JSON.md. */
void rln__top_json(const struct rln__top *top, struct rln__buf *out);

#endif
