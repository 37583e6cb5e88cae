/* SPDX-License-Identifier: Apache-2.0 */
#include "output/codec.h"
#include "base/alloc.h"
#include "base/fail.h"

#include <string.h>
#if RLN_HAVE_ZLIB
#include <zlib.h>
#endif
#if RLN_HAVE_ZSTD
#include <zstd.h>
#endif

#define OUT_BYTES (128u << 10)

struct rln__codec {
#if RLN_HAVE_ZLIB
    z_stream zlib; /* if `zstd` is NULL */
#endif
#if RLN_HAVE_ZSTD
    ZSTD_CCtx *zstd; /* owned */
    ZSTD_inBuffer in;
#endif
    int is_zstd, is_end, is_done;
    char bytes[OUT_BYTES];
};

const char *rln__codec_extension(const char *path)
{
    const size_t length = strlen(path);

    if (length > 3 && strcmp(path + length - 3, ".gz") == 0)
        return path + length - 3;
    if (length > 4 && strcmp(path + length - 4, ".zst") == 0)
        return path + length - 4;
    return path + length;
}

/* --- gzip ------------------------------------------------------------------------- */

#if RLN_HAVE_ZLIB
#define GZIP_WINDOW (15 + 16) /* the largest, with gzip's header */

static int open_gzip(struct rln__codec *c)
{
    /* Level 1: exports are large and repetitive. */
    return deflateInit2(&c->zlib, 1, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) ==
           Z_OK;
}

static size_t next_gzip(struct rln__codec *c)
{
    int result;

    c->zlib.next_out = (Bytef *)c->bytes;
    c->zlib.avail_out = OUT_BYTES;
    result = deflate(&c->zlib, c->is_end ? Z_FINISH : Z_NO_FLUSH);
    c->is_done = c->is_end ? result == Z_STREAM_END : c->zlib.avail_out > 0;
    return OUT_BYTES - c->zlib.avail_out;
}
#endif

/* --- Zstandard -------------------------------------------------------------------- */

#if RLN_HAVE_ZSTD
static int open_zstd(struct rln__codec *c)
{
    c->zstd = ZSTD_createCCtx();
    return c->zstd != NULL;
}

static size_t next_zstd(struct rln__codec *c)
{
    ZSTD_outBuffer out = {c->bytes, OUT_BYTES, 0};
    const size_t left = ZSTD_compressStream2(c->zstd, &out, &c->in,
                                             c->is_end ? ZSTD_e_end : ZSTD_e_continue);

    if (ZSTD_isError(left))
        return 0;
    c->is_done = c->is_end ? left == 0 : c->in.pos == c->in.size;
    return out.pos;
}
#endif

/* --- Any codec -------------------------------------------------------------------- */

static rln_status refuse(const char *path, const char *library, rln_error *err)
{
    return rln__fail(err, RLN_ERR_ARGUMENT, 0,
                     "cannot compress export: path=\"%s\": built without %s\nhint: "
                     "omit %s from the name, and compress the file afterwards",
                     path, library, rln__codec_extension(path));
}

/* Whether the name has the extension of an unsupported compression. */
static int is_foreign(const char *path)
{
    static const char *const endings[] = {".xz", ".bz2", ".lz4", ".zip", ".7z"};
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; dot && i < RLN_COUNT(endings); i++)
        if (strcmp(dot, endings[i]) == 0)
            return 1;
    return 0;
}

rln_status rln__codec_new(const char *path, struct rln__codec **out, rln_error *err)
{
    const char *extension = rln__codec_extension(path);
    struct rln__codec *c;
    int is_open = 0;

    *out = NULL;
    if (is_foreign(path))
        return rln__fail(err, RLN_ERR_ARGUMENT, 0,
                         "cannot compress export: path=\"%s\": not one of .gz, .zst",
                         path);
    if (!*extension)
        return RLN_OK;
    if (!RLN_HAVE_ZLIB && strcmp(extension, ".gz") == 0)
        return refuse(path, "zlib", err);
    if (!RLN_HAVE_ZSTD && strcmp(extension, ".zst") == 0)
        return refuse(path, "libzstd", err);
    c = rln__alloc(1, sizeof(*c));
    if (!c)
        return rln__fail_nomem(err);
    c->is_zstd = strcmp(extension, ".zst") == 0;
#if RLN_HAVE_ZSTD
    if (c->is_zstd)
        is_open = open_zstd(c);
#endif
#if RLN_HAVE_ZLIB
    if (!c->is_zstd)
        is_open = open_gzip(c);
#endif
    if (!is_open) {
        rln__free(c);
        return rln__fail_nomem(err);
    }
    *out = c;
    return RLN_OK;
}

void rln__codec_free(struct rln__codec *c)
{
    if (!c)
        return;
#if RLN_HAVE_ZSTD
    if (c->is_zstd)
        (void)ZSTD_freeCCtx(c->zstd);
#endif
#if RLN_HAVE_ZLIB
    if (!c->is_zstd)
        (void)deflateEnd(&c->zlib);
#endif
    rln__free(c);
}

void rln__codec_begin(struct rln__codec *c, rln_text bytes, int is_end)
{
    (void)bytes; /* unused without both libraries */
    c->is_end = is_end;
    c->is_done = 0;
#if RLN_HAVE_ZSTD
    c->in = (ZSTD_inBuffer){bytes.bytes, bytes.length, 0};
#endif
#if RLN_HAVE_ZLIB
    c->zlib.next_in = (Bytef *)(uintptr_t)bytes.bytes;
    c->zlib.avail_in = (uInt)bytes.length;
#endif
}

int rln__codec_next(struct rln__codec *c, rln_text *out, rln_status *status,
                    rln_error *err)
{
    size_t n = 0;

    if (c->is_done || *status)
        return 0;
#if RLN_HAVE_ZSTD
    if (c->is_zstd)
        n = next_zstd(c);
#endif
#if RLN_HAVE_ZLIB
    if (!c->is_zstd)
        n = next_gzip(c);
#endif
    if (!n && !c->is_done) {
        *status = rln__fail(err, RLN_ERR_IO, 0, "cannot compress export");
        return 0;
    }
    *out = (rln_text){c->bytes, n};
    return 1;
}

rln_status rln__codec_unpack(rln_text gzip, char *out, size_t n, rln_error *err)
{
#if RLN_HAVE_ZLIB
    z_stream zlib = {.next_in = (Bytef *)(uintptr_t)gzip.bytes,
                     .avail_in = (uInt)gzip.length,
                     .next_out = (Bytef *)out,
                     .avail_out = (uInt)n};
    int result = inflateInit2(&zlib, GZIP_WINDOW);

    if (result == Z_OK) {
        result = inflate(&zlib, Z_FINISH);
        (void)inflateEnd(&zlib);
    }
    if (result == Z_MEM_ERROR)
        return rln__fail_nomem(err);
    return result == Z_STREAM_END && !zlib.avail_out
               ? RLN_OK
               : rln__fail(err, RLN_ERR_FORMAT, 0, "cannot decompress");
#else
    (void)gzip, (void)out, (void)n;
    return rln__fail(err, RLN_ERR_ARGUMENT, 0, "cannot decompress: built without zlib");
#endif
}
