/* SPDX-License-Identifier: Apache-2.0 */
/* itt_frames.h - ITT's frames, as ranges of the domain "ITT frames" with the names of
 * their domains: the runtimes of OpenMP make a domain for each parallel region, which
 * is a frame of it. */
#ifndef RLN_BRIDGE_ITT_FRAMES_H
#define RLN_BRIDGE_ITT_FRAMES_H

#include "bridge/itt_layout.h"

/* Signatures are ITT's; `id` may be NULL. */
void rln__itt_frame_begin(const struct rln__itt_domain *domain,
                          const struct rln__itt_id *id);
void rln__itt_frame_end(const struct rln__itt_domain *domain,
                        const struct rln__itt_id *id);
/* One with times of rln__itt_timestamp(); an `end` of all ones is now. */
void rln__itt_frame_submit(const struct rln__itt_domain *domain,
                           const struct rln__itt_id *id, uint64_t begin, uint64_t end);
uint64_t rln__itt_timestamp(void);

#endif
