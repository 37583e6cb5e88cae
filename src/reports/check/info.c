/* SPDX-License-Identifier: Apache-2.0 */
/* info.c - describes the opened traces: one scan, and what names and headers say. */
#include "reports/check/info.h"

#include "base/alloc.h"
#include "base/fail.h"
#include "ranges/cpu_times.h"
#include "reports/check/info_count.h"
#include "reports/check/info_describe.h"

static rln_status read_all(rln_info *info, rln_error *err)
{
    rln_status status =
        rln__window_counts_begin(&info->windows, &info->reader->windows, err);

    if (!status)
        status = rln__info_count(info, err);
    return status ? status : rln__info_describe(info, err);
}

rln_status rln_info_open(rln_reader *reader, rln_info **out, rln_error *err)
{
    rln_info *info = rln__alloc(1, sizeof(*info));
    const struct rln__span span = reader->span;
    rln_status status;

    *out = NULL;
    if (!info)
        return rln__fail_nomem(err);
    info->reader = reader;
    if (rln__engine_init(&info->engine, reader, err)) {
        rln__free(info);
        return rln__fail_nomem(err);
    }
    rln__counters_init(&info->counters, reader);
    reader->span.is_window =
        0; /* describes everything, whatever window and filter are selected */
    status = read_all(info, err);
    reader->span = span;
    if (status) {
        rln_info_close(info);
        return status;
    }
    *out = info;
    return RLN_OK;
}

void rln_info_close(rln_info *info)
{
    if (!info)
        return;
    rln__engine_clear(&info->engine);
    rln__free(info->parts);
    rln__free(info->uses);
    rln__window_counts_clear(&info->windows);
    rln__free(info->processes);
    rln__free(info->threads);
    rln__free(info->domains);
    rln__free(info->categories);
    rln__free(info->sorted_counters);
    rln__counters_clear(&info->counters);
    rln__heaps_clear(&info->heaps);
    rln__unplaced_clear(&info->unplaced);
    rln__gpus_clear(&info->gpus);
    rln__free(info);
}

const rln_totals *rln_info_totals(const rln_info *info)
{
    return &info->totals;
}

const rln_part_info *rln_info_part(const rln_info *info, uint32_t index)
{
    return index < info->totals.n_parts ? &info->parts[index] : NULL;
}

const rln_process_info *rln_info_process(const rln_info *info, uint32_t index)
{
    return index < info->totals.n_processes ? &info->processes[index] : NULL;
}

const rln_thread_info *rln_info_thread(const rln_info *info, uint32_t index)
{
    return index < info->totals.n_threads ? &info->threads[index] : NULL;
}

const rln_domain_info *rln_info_domain(const rln_info *info, uint32_t index)
{
    return index < info->totals.n_domains ? &info->domains[index] : NULL;
}

const struct rln__name_catalog_category *rln__info_category(const rln_info *info,
                                                            uint32_t index)
{
    return index < info->totals.n_categories ? &info->categories[index] : NULL;
}

const struct rln__heap_info *rln__info_heap(const rln_info *info, uint32_t index)
{
    return index < info->totals.n_heaps ? &info->heaps.heaps[index] : NULL;
}

const struct rln_counter *rln__info_counter(const rln_info *info, uint32_t index)
{
    return index < info->totals.n_counters ? &info->sorted_counters[index] : NULL;
}

int rln__info_has_switches(const rln_info *info, uint32_t launcher, rln_text *why,
                           int64_t *since_ns)
{
    const uint32_t part = info->reader->names.processes[launcher].part;

    *why = rln__cpu_times_why_missing(info->reader, part);
    *since_ns = rln__cpu_times_since_ns(info->reader, part);
    return rln__has_cpu_times(info->reader, part);
}

const struct rln__window_info *rln__info_window(const rln_info *info, size_t index)
{
    return index < info->windows.n ? &info->windows.items[index] : NULL;
}

const struct rln__unplaced_info *rln__info_unplaced(const rln_info *info,
                                                    uint32_t index)
{
    return index < info->unplaced.n ? &info->unplaced.clocks[index] : NULL;
}

const struct rln__damage_info *rln__info_damage(const rln_info *info, uint32_t index)
{
    return index < info->totals.n_damages ? &info->damages[index] : NULL;
}

const struct rln__gpu_info *rln__info_gpu(const rln_info *info, uint32_t index)
{
    return index < info->gpus.n ? &info->gpus.items[index] : NULL;
}
