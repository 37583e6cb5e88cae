/* SPDX-License-Identifier: Apache-2.0 */
/* block_codec.h - compresses blocks of memory with Zstandard, each on its own. */
#ifndef RLN_OUTPUT_BLOCK_CODEC_H
#define RLN_OUTPUT_BLOCK_CODEC_H

#include "base/buf.h"
#include "rangeline/error.h"

struct rln__block_codec;

/* `*out` is NULL, with RLN_OK, if this build has no library for it. */
rln_status rln__block_codec_new(struct rln__block_codec **out, rln_error *err);
/* NULL is accepted. */
void rln__block_codec_free(struct rln__block_codec *codec);

/* Appends the compressed block to `out`; without memory, that has failed. */
void rln__block_codec_add(struct rln__block_codec *codec, rln_text block,
                          struct rln__buf *out);

#endif
