/* SPDX-License-Identifier: Apache-2.0 */
/* memory_share.h - how much memory this process takes before it uses a file: an eighth
 * of what it may have, which is the machine's or as much as its container and `ulimit`
 * leave. */
#ifndef RLN_BASE_MEMORY_SHARE_H
#define RLN_BASE_MEMORY_SHARE_H

#include "base/control_groups.h"

/* In bytes. */
size_t rln__memory_share(void);

/* An eighth of `n_bytes`, or of the less that control groups leave. */
size_t rln__memory_share_of(uint64_t n_bytes, const struct rln__control_groups *groups);

#endif
