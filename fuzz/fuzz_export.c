/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_export.c - any bytes at all, written in every format that is a stream. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "export/exporter.h"
#include "rangeline/window.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void export_all(rln_reader *reader, const char *path)
{
    const struct rln__export_options options = {
        .includes_json = 1, .includes_blobs = 1, .product = "fuzz", .input = path};

    for (size_t i = 0; rln__exporters[i]; i++) {
        struct rln__output output = {.fd = open("/dev/null", O_WRONLY | O_CLOEXEC)};

        if (output.fd >= 0 && rln__exporters[i]->is_text)
            (void)rln__export_run(rln__exporters[i], reader, &options, &output, NULL);
        if (output.fd >= 0)
            (void)close(output.fd);
        rln__output_clear(&output);
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
        export_all(reader, path);
        /* What began before a time is held back until then. */
        if (rln_reader_select_time(reader, 1000, 100000, NULL) == RLN_OK)
            export_all(reader, path);
        rln_reader_close(reader);
    }
    (void)close(fd);
    return 0;
}
