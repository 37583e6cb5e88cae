/* SPDX-License-Identifier: Apache-2.0 */
/* perfetto_switches.h - context switches as the kernel's events sched_switch, of which
 * Perfetto makes the states of threads and what each processor ran.
 *
 *   processor 0   | 0 -> 17 |             | 17 -> 0 |        | 0 -> 18 |
 *
 * What ran between threads of the program is not known, and is thread 0, as when nothing
 * does.
 */
#ifndef RLN_EXPORT_PERFETTO_PERFETTO_SWITCHES_H
#define RLN_EXPORT_PERFETTO_PERFETTO_SWITCHES_H

#include "export/exporter.h"
#include "export/perfetto/perfetto_packets.h"

/* Of one part only: processors and threads of several may have the same numbers. */
rln_status rln__perfetto_switches(struct rln__packets *packets, rln_reader *reader,
                                  rln_error *err);

#endif
