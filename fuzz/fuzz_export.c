/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_export.c - exports arbitrary bytes in every streaming format. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "export/export_file.h"
#include "export/exporter.h"
#include "export/exporters.h"
#include "rangeline/export.h"
#include "trace/open/load.h"
#include "trace/open/window_list.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void export_all(rln_reader *reader)
{
    for (size_t i = 0; rln__format_at(i); i++) {
        const rln_export_options options = {
            .size = sizeof(options),
            .format = rln__format_at(i)->name,
            .path = "/dev/null",
            .flags = RLN_EXPORT_JSON | RLN_EXPORT_BLOBS,
        };
        struct rln__export *output;
        rln_status status;

        if (rln__export_open(reader, &options, &output, NULL) != RLN_OK)
            continue; /* this format needs a file of its own */
        status = rln__export_run(output, NULL);
        (void)status; /* damaged input may fail */
        rln__export_close(output);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    const char *paths[1] = {path};
    const int fd = memfd_create("trace", MFD_CLOEXEC);
    rln_reader *reader;

    if (fd < 0)
        return 0;
    (void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    if (write(fd, data, size) == (ssize_t)size &&
        rln_reader_open(paths, 1, &reader, NULL) == RLN_OK) {
        export_all(reader);
        /* An interval makes exports keep ranges that are open when it begins. */
        if (rln_reader_select_time(reader, 1000, 100000, NULL) == RLN_OK)
            export_all(reader);
        rln_reader_close(reader);
    }
    (void)close(fd);
    return 0;
}
