/* SPDX-License-Identifier: Apache-2.0 */
/* attach_report.h - reports why processes of a run are not recorded in its trace.
 *
 *   launcher   creates a System V segment, passes its id in RANGELINE_REPORT
 *   collector  adds an entry if it cannot open the trace
 *   launcher   prints the entries after the run
 *
 * hook/sitecustomize.py of the Python package uses it, too, by the offsets.
 *
 * A process without free descriptors or /proc, or with another root or user, can still
 * attach such a segment. So can every other process of the machine: the launcher trusts
 * nothing in it, and the collector writes only to one that repeats the run's id.
 */
#ifndef RLN_FORMAT_ATTACH_REPORT_H
#define RLN_FORMAT_ATTACH_REPORT_H

#include <stdint.h>

#define RLN__REPORT_VARIABLE "RANGELINE_REPORT"
#define RLN__MAX_REPORTS 32u
#define RLN__REPORT_PATH_BYTES 472u

enum rln__attach_step {
    RLN__ATTACH_NONE = 0,   /* the entry is still being written */
    RLN__ATTACH_OPEN = 1,   /* the trace could not be opened */
    RLN__ATTACH_BESIDE = 2, /* likewise, but the process records into `path` */
    RLN__ATTACH_MEMORY = 3, /* no memory that the kernel wipes on fork */
    RLN__ATTACH_CLOCK = 4,  /* the process may not read the trace's clock */
    RLN__ATTACH_PYTHON =
        5, /* no package for the interpreter `path`: no functions, no modules */
    /* the program set a profile function, and so displaced the one that records */
    RLN__ATTACH_DISPLACED = 6,
    RLN__ATTACH_MISSED = 7, /* greenlets switched, and what records was not called */
};

struct rln__attach_report {
    uint32_t step; /* atomic, enum rln__attach_step: written last */
    int32_t error; /* errno, or 0 */
    uint32_t pid;
    uint32_t uid;
    uint64_t reserved[3];
    char path[RLN__REPORT_PATH_BYTES]; /* zero padded */
};

struct rln__attach_reports {
    uint8_t run_id[16];
    uint32_t n;         /* atomic: entries reserved; may exceed RLN__MAX_REPORTS */
    uint32_t has_torch; /* atomic: 1 once the hook of --pytorch has run */
    uint32_t reserved[10];
    struct rln__attach_report entries[RLN__MAX_REPORTS];
};

#endif
