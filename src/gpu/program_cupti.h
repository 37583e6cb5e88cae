/* SPDX-License-Identifier: Apache-2.0 */
/* program_cupti.h - what the program itself asks of CUPTI, as torch.profiler does. It
 * takes precedence:
 *
 *     registers its callbacks     they are kept: CUPTI calls ours, which call them
 *     registers its clock         records have its times, which ours convert
 *     enables a kind              ours go off: its buffers have only what it wants
 *     disables the last one       ours are on again
 *
 * The preloaded librangeline-cuda.so, which sees these calls, makes them here. `real`
 * is the function that the program would have called; calls to another CUPTI than ours
 * are passed on. Any thread.
 */
#ifndef RLN_GPU_PROGRAM_CUPTI_H
#define RLN_GPU_PROGRAM_CUPTI_H

#include "gpu/cupti.h"

/* Whether it came first. Then its callbacks must stay. */
int rln__program_was_first(void);
/* Before the others: until then, all calls are passed on. `subscribe_again` is called
 * after the program's cuptiFinalize(), and returns CUPTI's result. */
void rln__program_begin(const struct rln__cupti *cupti, int (*subscribe_again)(void));
/* Whether the program records now. */
int rln__program_is_recording(void);

/* Exported. Each returns CUPTI's result. */
int rln_gpu_register(int (*real)(rln__cupti_request *, rln__cupti_complete *),
                     rln__cupti_request *request, rln__cupti_complete *complete);
int rln_gpu_set_clock(int (*real)(rln__cupti_clock *), rln__cupti_clock *now);
int rln_gpu_enable(int (*real)(int), int kind);
int rln_gpu_disable(int (*real)(int), int kind);
int rln_gpu_finalize(int (*real)(void));

#endif
