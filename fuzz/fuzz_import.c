/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_import.c - reads arbitrary bytes after the magic of a SQLite file, as a trace
 * and for GPU operations. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../tests/unit/read_all.h"
#include "rangeline/report.h"
#include "reports/report_set.h"
#include "trace/open/load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_gpu(const char *const *paths)
{
    static const rln_report_request requests[] = {
        {.name = "nvtx_gpu_proj_sum", .argument = "captured:adopt"},
        {.name = "nvtx_kern_sum", .argument = "captured:adopt"}};
    struct rln__reports *reports;
    rln_report *report;
    rln_reader *reader;

    if (rln_reader_open(paths, 1, &reader, NULL))
        return;
    if (!rln__reports_new(reader, requests, 2, &reports, NULL)) {
        for (size_t i = 0; i < 2; i++) {
            (void)!rln__reports_build(reports, i, &report, NULL);
            rln_report_free(report);
        }
        rln__reports_free(reports);
    }
    rln_reader_close(reader);
}

/* SQLite needs a named file. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char magic[16] = "SQLite format 3";
    char path[] = "/tmp/fuzz-import-XXXXXX";
    const char *paths[1] = {path};
    const int fd = mkostemp(path, O_CLOEXEC);

    if (fd < 0)
        return 0;
    if (size > sizeof(magic) && write(fd, magic, sizeof(magic)) == sizeof(magic) &&
        write(fd, data + sizeof(magic), size - sizeof(magic)) ==
            (ssize_t)(size - sizeof(magic))) {
        (void)read_all(paths, 1, NULL);
        read_gpu(paths);
    }
    (void)close(fd);
    (void)unlink(path);
    return 0;
}
