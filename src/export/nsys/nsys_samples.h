/* SPDX-License-Identifier: Apache-2.0 */
/* nsys_samples.h - writes counters to the tables of Nsight's plugins. */
#ifndef RLN_EXPORT_NSYS_NSYS_SAMPLES_H
#define RLN_EXPORT_NSYS_NSYS_SAMPLES_H

#include "export/nsys/nsys.h"

rln_status rln__nsys_sample(struct rln__nsys *n, const rln_event *event,
                            rln_error *err);

#endif
