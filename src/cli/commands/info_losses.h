/* SPDX-License-Identifier: Apache-2.0 */
/* info_losses.h - what a run could not record, for `rangeline info`: a line for each
 * kind, which says what is missing, how much of it, since when, and what to do. */
#ifndef RLN_CLI_COMMANDS_INFO_LOSSES_H
#define RLN_CLI_COMMANDS_INFO_LOSSES_H

#include "base/buf.h"
#include "rangeline/model.h"

void rln__info_losses(struct rln__buf *buf, const rln_info *info);

#endif
