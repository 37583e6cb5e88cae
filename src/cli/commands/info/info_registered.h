/* SPDX-License-Identifier: Apache-2.0 */
/* info_registered.h - schemas, enums and scopes, for `rangeline info`. Equal ones of
 * several processes are listed once. */
#ifndef RLN_CLI_COMMANDS_INFO_REGISTERED_H
#define RLN_CLI_COMMANDS_INFO_REGISTERED_H

#include "base/buf.h"
#include "trace/open/schema_catalog.h"

/* Lines below a domain's, indented by 14 columns; no more than `n_most` of a kind. */
void rln__info_registered(struct rln__buf *buf,
                          const struct rln__schema_catalog *registered, uint32_t domain,
                          uint32_t n_most);

/* ,"schemas":[..],"enums":[..],"scopes":[..] */
void rln__json_registered(struct rln__buf *buf,
                          const struct rln__schema_catalog *registered);

#endif
