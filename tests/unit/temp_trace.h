/* SPDX-License-Identifier: Apache-2.0 */
/* temp_trace.h - opens a built trace through a temporary file. */
#ifndef RLN_TESTS_TEMP_TRACE_H
#define RLN_TESTS_TEMP_TRACE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <unistd.h>

#include "rangeline/rangeline.h"
#include "scenarios.h"

/* Static: valid until the next call. The file is gone when the program ends. */
static inline const char *temp_file(const void *bytes, size_t n_bytes)
{
    static char path[64];
    int fd;

    if (path[0])
        (void)unlink(path);
    (void)strcpy(path, "/tmp/rln-test-XXXXXX");
    fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, n_bytes), (ssize_t)n_bytes);
    (void)close(fd);
    return path;
}

static inline rln_status open_bytes(const void *bytes, size_t n_bytes, rln_reader **out,
                                    rln_error *err)
{
    const char *path = temp_file(bytes, n_bytes);
    const rln_status status = rln_reader_open(&path, 1, out, err);

    (void)unlink(path);
    return status;
}

static inline rln_reader *open_scenario(void (*build)(struct tb *tb))
{
    struct tb tb = {0};
    rln_reader *reader;
    rln_error err = {0};

    build(&tb);
    if (open_bytes(tb.bytes, tb.size, &reader, &err))
        fail_msg("%s", err.message);
    tb_clear(&tb);
    return reader;
}

#endif
