/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_use.h - whether the program uses CUDA, for a hint if its GPU work is not
 * recorded. */
#ifndef RLN_RECORD_DURING_CUDA_USE_H
#define RLN_RECORD_DURING_CUDA_USE_H

#include <stdbool.h>

#include "record/start/child_pids.h"

/* Whether one of these processes has the device open that only CUDA's driver opens.
 * Reads links of /proc, of a bounded number of descriptors. */
bool rln__uses_cuda(const struct rln__pids *pids);

#endif
