/* SPDX-License-Identifier: Apache-2.0 */
/* read_all.h - calls every query of the library on a trace. For tests in which it only
 * matters that nothing breaks: damage, failing memory, fuzzing. */
#ifndef RLN_TESTS_READ_ALL_H
#define RLN_TESTS_READ_ALL_H

#include <stdlib.h>

#include "export/exporter.h"
#include "rangeline/rangeline.h"
#include "ranges/cpu_times.h"
#include "ranges/events.h"
#include "reports/check/info.h"
#include "reports/summary/stats.h"
#include "reports/summary/tree.h"
#include "reports/sums.h"
#include "trace/open/load.h"
#include "trace/open/name_catalog.h"
#include "trace/open/schema_catalog.h"
#include "trace/open/window_list.h"

/* Every range, or every event, with its payloads. */
static inline rln_status read_ranges(rln_reader *reader, rln_error *err)
{
    rln_ranges *ranges;
    const rln_range *range;
    const rln_payload *payloads;
    size_t n;
    rln_status status = rln_ranges_open(reader, &ranges, err);

    while (!status) {
        status = rln_ranges_next(ranges, &range, err);
        if (!status)
            status = rln_ranges_payloads(ranges, &payloads, &n, err);
    }
    rln_ranges_close(ranges);
    return status;
}

static inline rln_status read_events(rln_reader *reader, rln_error *err)
{
    rln_events *events;
    const rln_event *event;
    const rln_payload *payloads;
    size_t n;
    rln_status status = rln__events_open_all(reader, &events, err);

    while (!status) {
        status = rln_events_next(events, &event, err);
        if (!status)
            status = rln_events_payloads(events, &payloads, &n, err);
    }
    rln_events_close(events);
    return status;
}

/* Each window alone; if there are very many, only the last ones. */
static inline rln_status read_windows(rln_reader *reader, rln_error *err)
{
    const size_t n = rln__reader_count_windows(reader);
    struct rln__stats *stats = NULL;
    struct rln__tree *tree = NULL;
    rln_status status = RLN_OK;

    for (size_t i = n > 4 ? n - 4 : 0; i < n && !status; i++) {
        status = rln_reader_select_window(reader, i, err);
        if (!status)
            status = read_ranges(reader, err);
        if (status == RLN_END)
            status = rln__stats_new(reader, &stats, err);
        if (!status)
            status = rln__tree_new(reader, &tree, err);
        rln__stats_free(stats);
        rln__tree_free(tree);
        stats = NULL;
        tree = NULL;
    }
    return status ? status : rln_reader_select_window(reader, RLN_ALL_WINDOWS, err);
}

/* What each thread's time is made of adds up. */
static inline rln_status read_cpu_times(rln_reader *reader, rln_error *err)
{
    struct rln__cpu_times times;
    const rln_status status = rln__cpu_times_load(&times, reader, err);

    if (status)
        return status;
    for (uint32_t i = 0; i < reader->n_threads; i++)
        for (int64_t to_ns = 1; to_ns < INT64_MAX / 64; to_ns *= 64) {
            const struct rln__cpu_split split =
                rln__cpu_times_of(&times, i, to_ns / 2, to_ns);

            if (split.on_ns + split.preempted_ns + split.blocked_ns +
                    split.unknown_ns !=
                (uint64_t)(to_ns - to_ns / 2))
                abort();
        }
    rln__cpu_times_clear(&times);
    return RLN_OK;
}

/* Returns the first failure; only memory and the disk may cause one. */
static inline rln_status read_all(const char *const *paths, size_t n_paths,
                                  rln_error *err)
{
    rln_reader *reader;
    rln_info *info = NULL;
    struct rln__stats *stats = NULL;
    struct rln__tree *tree = NULL;
    struct rln__sums *sums = NULL;
    struct rln__schema_catalog *registered = NULL;
    struct rln__name_catalog *named = NULL;
    rln_status status = rln_reader_open(paths, n_paths, &reader, err);

    if (status)
        return status;
    status = read_ranges(reader, err);
    if (status == RLN_END)
        status = read_events(reader, err);
    if (status == RLN_END)
        status = rln_info_open(reader, &info, err);
    if (!status)
        status = rln__stats_new(reader, &stats, err);
    if (!status)
        status = rln__tree_new(reader, &tree, err);
    if (!status) {
        rln__tree_free(tree);
        status = rln__tree_new_by_thread(reader, &tree, err);
    }
    if (!status)
        status = rln__sums_new(reader, ~0u, &sums, err);
    if (!status)
        status = rln__schema_catalog_open(reader, &registered, err);
    if (!status)
        status = rln__name_catalog_open(reader, &named, err);
    if (!status)
        status = read_windows(reader, err);
    if (!status)
        status = read_cpu_times(reader, err);
    if (!status)
        status = rln__reader_refresh(reader, err);
    rln_info_close(info);
    rln__stats_free(stats);
    rln__tree_free(tree);
    rln__sums_free(sums);
    rln__schema_catalog_close(registered);
    rln__name_catalog_close(named);
    rln_reader_close(reader);
    return status;
}

#endif
