/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_reduced.c - reads arbitrary bytes as a file of reduced traces, with the size and
 * the checksum that such a file has, and what is made of it: reports, merges, a file.
 */
#include <stdlib.h>
#include <string.h>

#include "reduce/reduced.h"
#include "reduce/reduced_file.h"
#include "reports/report_set.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST_REPORTS 64

/* All that sums have. */
static void make_reports(struct rln__reduced *sums)
{
    rln_report_request requests[MOST_REPORTS];
    const struct rln__report_info *about;
    struct rln__reports *reports;
    rln_report *report;
    size_t n = 0;

    for (size_t i = 0; n < MOST_REPORTS && (about = rln__report_about_at(i)); i++) {
        if (rln__reduced_has_report(sums, about, NULL))
            requests[n++] = (rln_report_request){.name = about->name};
        if (n < MOST_REPORTS && rln__reduced_has_report(sums, about, "cpu"))
            requests[n++] =
                (rln_report_request){.name = about->name, .argument = "cpu"};
    }
    if (rln__reduced_reports(sums, requests, n, &reports, NULL))
        return;
    for (size_t i = 0; i < n; i++) {
        if (!rln__reports_build(reports, i, &report, NULL))
            rln_report_free(report);
    }
    rln__reports_free(reports);
}

/* What was read is in the order of the file, so it is written as it was read, unless it is
 * of an older version, or has strings that nothing uses, which a merge drops. */
static void write_again(struct rln__reduced *sums, const uint8_t *file, size_t size)
{
    struct rln__reduced *again, *empty;
    const void *bytes;
    size_t n;

    if (rln__reduced_bytes(sums, &bytes, &n, NULL))
        return;
    if (file[8] == RLN__REDUCED_VERSION && (n != size || memcmp(bytes, file, n) != 0))
        abort();
    if (rln__reduced_read(bytes, n, "again", &again, NULL))
        abort();
    if (!rln__reduced_new(NULL, &empty, NULL)) {
        (void)!rln__reduced_merge(empty, again, NULL);
        (void)!rln__reduced_merge(again, empty, NULL);
    }
    rln__reduced_free(empty);
    rln__reduced_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t n = size < RLN__REDUCED_HEAD_BYTES + RLN__REDUCED_END_BYTES
                         ? RLN__REDUCED_HEAD_BYTES + RLN__REDUCED_END_BYTES
                         : size;
    uint8_t *file = calloc(n, 1);
    struct rln__reduced *sums;

    if (!file)
        return 0;
    memcpy(file, data, size);
    memcpy(file, RLN__REDUCED_MAGIC, RLN__REDUCED_MAGIC_BYTES);
    for (unsigned i = 0; i < 8; i++)
        file[16 + i] = (uint8_t)(n >> 8 * i);
    memset(file + 8, 0, 8);
    file[8] = size > 8 && data[8] == 1 ? 1 : RLN__REDUCED_VERSION;
    for (unsigned i = 0; i < 8; i++)
        file[n - 8 + i] = (uint8_t)(rln__reduced_checksum(file, n - 8) >> 8 * i);
    if (!rln__reduced_read(file, n, "fuzz", &sums, NULL)) {
        make_reports(sums);
        write_again(sums, file, n);
        rln__reduced_free(sums);
    }
    free(file);
    return 0;
}
