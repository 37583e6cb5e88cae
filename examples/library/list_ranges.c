/* SPDX-License-Identifier: Apache-2.0 */
/* list_ranges.c TRACE [DOMAIN [NS]] - prints each range, where it ran, and its
 * payloads: of one domain, or of all; of at least NS nanoseconds. */
#include <rangeline/rangeline.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static rln_filter *filter;
static rln_reader *reader;
static rln_info *info;
static rln_ranges *ranges;
static rln_error err;

static rln_status open_trace(const char *path, const char *domain, const char *ns)
{
    rln_status status = rln_filter_new(&filter, &err);

    if (!status && domain)
        status = rln_filter_add(filter, RLN_FILTER_DOMAIN, domain, &err);
    if (!status && domain && ns)
        rln_filter_set_min_duration(filter, strtoll(ns, NULL, 10));
    if (!status)
        status = rln_reader_open(&path, 1, &reader, &err);
    if (!status) {
        rln_reader_set_filter(reader, filter);
        status = rln_info_open(reader, &info, &err);
    }
    return status ? status : rln_ranges_open(reader, &ranges, &err);
}

static rln_status print_range(const rln_range *range)
{
    const rln_thread_info *thread = rln_info_thread(info, range->thread);
    const rln_process_info *process = rln_info_process(info, range->process);
    const rln_text name = range->attributes.message;
    const rln_payload *payloads;
    size_t n;
    rln_status status = rln_ranges_payloads(ranges, &payloads, &n, &err);

    printf("%.*s: level %" PRIu32 ", %s, process %" PRIu32 ", thread %" PRIu32,
           (int)name.length, name.bytes, range->depth,
           range->flags & RLN_FLAG_OPEN ? "never closed" : "closed", process->number,
           thread->number);
    for (size_t i = 0; i < n; i++)
        printf(", %.*s of %zu bytes", (int)payloads[i].schema_name.length,
               payloads[i].schema_name.bytes, payloads[i].bytes.length);
    printf("\n");
    return status;
}

int main(int argc, char **argv)
{
    const rln_range *range;
    rln_status status;

    if (argc < 2)
        return 2;
    status = open_trace(argv[1], argv[2], argc > 2 ? argv[3] : NULL);
    while (!status && (status = rln_ranges_next(ranges, &range, &err)) == RLN_OK)
        status = print_range(range);
    rln_ranges_close(ranges);
    rln_info_close(info);
    rln_reader_close(reader);
    rln_filter_free(filter);
    if (status == RLN_END)
        return 0;
    fprintf(stderr, "list_ranges: %s\n", err.message);
    return 1;
}
