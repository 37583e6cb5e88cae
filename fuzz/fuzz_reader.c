/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_reader.c - reads arbitrary bytes in every way that the library offers. */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../tests/unit/read_all.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    const char *paths[1] = {path};
    const int fd = memfd_create("trace", MFD_CLOEXEC);

    if (fd < 0)
        return 0;
    (void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    if (write(fd, data, size) == (ssize_t)size)
        (void)read_all(paths, 1, NULL);
    (void)close(fd);
    return 0;
}
