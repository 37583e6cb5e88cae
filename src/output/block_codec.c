/* SPDX-License-Identifier: Apache-2.0 */
#include "output/block_codec.h"
#include "base/alloc.h"
#include "base/fail.h"

#if RLN_HAVE_ZSTD
#include <zstd.h>

#define LEVEL 1 /* the blocks are large and repetitive */

struct rln__block_codec {
    ZSTD_CCtx *zstd; /* owned */
};

rln_status rln__block_codec_new(struct rln__block_codec **out, rln_error *err)
{
    struct rln__block_codec *c = rln__alloc(1, sizeof(*c));

    *out = NULL;
    if (!c)
        return rln__fail_nomem(err);
    c->zstd = ZSTD_createCCtx();
    if (!c->zstd) {
        rln__free(c);
        return rln__fail_nomem(err);
    }
    *out = c;
    return RLN_OK;
}

void rln__block_codec_free(struct rln__block_codec *c)
{
    if (!c)
        return;
    (void)ZSTD_freeCCtx(c->zstd);
    rln__free(c);
}

void rln__block_codec_add(struct rln__block_codec *c, rln_text block,
                          struct rln__buf *out)
{
    const size_t most = ZSTD_compressBound(block.length);
    char *to = rln__buf_room(out, most);
    size_t n;

    if (!to)
        return;
    n = ZSTD_compressCCtx(c->zstd, to, most, block.bytes, block.length, LEVEL);
    if (ZSTD_isError(n)) /* there is room, so it was memory */
        out->has_failed = 1;
    else
        out->length += n;
}

#else

rln_status rln__block_codec_new(struct rln__block_codec **out, rln_error *err)
{
    (void)err;
    *out = NULL;
    return RLN_OK;
}

void rln__block_codec_free(struct rln__block_codec *c)
{
    (void)c;
}

void rln__block_codec_add(struct rln__block_codec *c, rln_text block,
                          struct rln__buf *out)
{
    (void)c;
    (void)block;
    out->has_failed = 1;
}

#endif
