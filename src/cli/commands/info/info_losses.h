/* SPDX-License-Identifier: Apache-2.0 */
/* info_losses.h - the losses of a run, for `rangeline info`: a line per kind, with
 * their number, the time since, and the remedy. */
#ifndef RLN_CLI_COMMANDS_INFO_LOSSES_H
#define RLN_CLI_COMMANDS_INFO_LOSSES_H

#include "base/buf.h"
#include "rangeline/model.h"

void rln__info_losses(struct rln__buf *buf, const rln_info *info);

#endif
