/* SPDX-License-Identifier: Apache-2.0 */
/* otf2_archive.h - an OTF2 archive that is being written: what its two files share. */
#ifndef RLN_EXPORT_OTF2_OTF2_ARCHIVE_H
#define RLN_EXPORT_OTF2_OTF2_ARCHIVE_H

#include "base/key_index.h"
#include "export/exporter.h"
#include "export/name_list.h"
#include "export/samples.h"
#include "export/stacks.h"

#include <otf2/otf2.h>
#include <setjmp.h>

/* Where a start/end or deferred range is while it is open. */
struct rln__otf2_lane {
    uint32_t process;
    uint32_t location; /* number of its stack */
    uint32_t index;    /* among those of its process and scope */
    rln_text scope;
    uint32_t region; /* of the range that is there */
    int is_taken;
};

struct rln__otf2_location {
    OTF2_EvtWriter *writer; /* the archive's */
    uint64_t last;          /* time of its last event */
};

struct rln__otf2_metric {
    rln_text domain_name, name, field, unit;
    int is_point; /* holds only at its time */
};

struct rln__otf2 {
    struct rln__export *x;      /* borrowed */
    OTF2_Archive *archive;      /* owned */
    OTF2_MarkerWriter *markers; /* the archive's, as all writers */
    struct rln__stacks stacks;  /* a location each, lanes among them */
    struct rln__name_list regions;
    struct rln__otf2_lane *lanes; /* owned */
    size_t n_lanes, lanes_capacity;
    struct rln__map on_lane;           /* rln__open_key() -> lane + 1 */
    uint32_t gpu_domain;               /* index + 1; 0: there is no GPU work */
    OTF2_LocationGroupRef *gpu_groups; /* owned; by process; 0: none */
    struct rln__sampling sampling;
    struct rln__key_index metric_keys; /* counter, field */
    struct rln__otf2_metric *metrics;  /* owned; by number of the key */
    size_t n_metrics, metrics_capacity;
    OTF2_GlobalDefWriter *defs;
    OTF2_StringRef n_strings;
    struct rln__buf text, name;
    struct rln__otf2_location *locations; /* owned; by number */
    size_t n_locations, locations_capacity;
    uint64_t zero_ns;
    int64_t first_ns, last_ns; /* the last one of GPU work */
    jmp_buf way_out;
    char why[200]; /* OTF2's complaint */
};

static inline uint64_t rln__otf2_time(const struct rln__otf2 *o, int64_t t_ns)
{
    return o->zero_ns + (uint64_t)t_ns;
}

/* A text with a zero byte at its end. Borrowed until the next. */
const char *rln__otf2_text(struct rln__otf2 *o, rln_text text);

#endif
