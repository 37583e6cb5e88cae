/* SPDX-License-Identifier: Apache-2.0 */
/* page.c - the viewer's page with traces in it.
 *
 *   page_data.c --JSON--> gzip --> a file without a name --base 64--> the page
 *
 * A browser decodes this by itself. Without zlib the JSON is stored as it is.
 */
#include "serve/page.h"
#include "base/fail.h"
#include "output/codec.h"
#include "serve/page_data.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PIECE_BYTES 49152 /* a multiple of 3: only the last piece is padded */

static const char mark[] = "@DATA@"; /* where its traces go */

static void put_base64(struct rln__buf *out, const unsigned char *bytes, size_t n)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < n; i += 3) {
        const unsigned second = i + 1 < n ? bytes[i + 1] : 0;
        const unsigned third = i + 2 < n ? bytes[i + 2] : 0;
        const unsigned all = (unsigned)bytes[i] << 16 | second << 8 | third;

        rln__buf_char(out, digits[all >> 18]);
        rln__buf_char(out, digits[all >> 12 & 63]);
        rln__buf_char(out, i + 1 < n ? digits[all >> 6 & 63] : '=');
        rln__buf_char(out, i + 2 < n ? digits[all & 63] : '=');
    }
}

static rln_status put_file(int fd, struct rln__output *output, rln_error *err)
{
    unsigned char bytes[PIECE_BYTES];
    rln_status status = RLN_OK;
    ssize_t n = 1;

    for (off_t at = 0; n > 0 && !status; at += n) {
        n = pread(fd, bytes, sizeof(bytes), at); /* from memory: never a short read */
        if (n < 0)
            return rln__fail(err, RLN_ERR_IO, 0, "cannot write page: %s",
                             strerror(errno));
        put_base64(&output->buf, bytes, (size_t)n);
        status = rln__output_flush_full(output, err);
    }
    return status;
}

/* RLN_ERR_ARGUMENT, with nothing written: this build cannot compress. */
static rln_status put_packed(rln_reader *reader,
                             const struct rln__page_options *options,
                             struct rln__output *output, rln_error *err)
{
    struct rln__output packed = {.fd = memfd_create("page", MFD_CLOEXEC)};
    const int fd = packed.fd;
    rln_status status =
        fd < 0 ? RLN_ERR_ARGUMENT : rln__codec_new("page.gz", &packed.codec, NULL);

    if (!status) {
        rln__buf_text(&output->buf,
                      "<script type=\"application/gzip\" class=\"trace\">");
        status = rln__page_data(reader, options, &packed, err);
        if (!status)
            status = rln__output_end(&packed, err);
        if (!status)
            status = put_file(fd, output, err);
    }
    rln__output_clear(&packed);
    if (fd >= 0)
        (void)close(fd);
    return status;
}

static rln_status put_trace(rln_reader *reader, const struct rln__page_options *options,
                            struct rln__output *output, rln_error *err)
{
    rln_status status = put_packed(reader, options, output, err);

    if (status == RLN_ERR_ARGUMENT) {
        rln__buf_text(&output->buf,
                      "<script type=\"application/json\" class=\"trace\">");
        status = rln__page_data(reader, options, output, err);
    }
    rln__buf_text(&output->buf, "</script>\n");
    return status;
}

rln_status rln__page_write(rln_reader *const *readers,
                           const struct rln__page_options *options, size_t n_traces,
                           struct rln__output *output, rln_error *err)
{
    const char *page = (const char *)rln__viewer_page;
    const char *at = memmem(page, rln__viewer_page_bytes, mark, strlen(mark));
    const char *rest = at + strlen(mark);
    rln_status status = RLN_OK;

    rln__buf_add(&output->buf, page, (size_t)(at - page));
    for (size_t i = 0; i < n_traces && !status; i++)
        status = put_trace(readers[i], &options[i], output, err);
    rln__buf_add(&output->buf, rest, rln__viewer_page_bytes - (size_t)(rest - page));
    return status ? status : rln__output_flush_full(output, err);
}
