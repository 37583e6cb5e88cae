/* SPDX-License-Identifier: Apache-2.0 */
/* compressed.h - compresses answers for a client that takes gzip: a page is
 * often at the other end of a tunnel. Independent of any HTTP library. */
#ifndef RLN_SERVE_COMPRESSED_H
#define RLN_SERVE_COMPRESSED_H

#include "base/buf.h"
#include "serve/viewer_parts.h"

/* What the Accept-Encoding headers of a request say; all zero before the first. */
struct rln__encodings {
    int takes_gzip, refuses_gzip; /* by its name */
    int takes_any;                /* `*`: what is not named */
};

/* Call for each such header. What cannot be understood is not taken. */
void rln__encodings_add(struct rln__encodings *encodings, const char *value);
int rln__encodings_have_gzip(const struct rln__encodings *encodings);

/* Compresses `answer` in its buffer, unless it is short or this build has no zlib, and
 * returns whether it did. */
int rln__compress(struct rln__buf *answer);

/* Puts the contents of a part of the viewer into `out`, which is empty; on failure it
 * remains so. RLN_ERR_ARGUMENT: this build has no zlib. */
rln_status rln__unpack(const struct rln__viewer_part *part, struct rln__buf *out);

#endif
