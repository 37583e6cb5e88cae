/* SPDX-License-Identifier: Apache-2.0 */
/* viewer_parts.h - viewer/ as the command contains it, compressed; made by
 * cmake/viewer.cmake. The server sends some of its parts as files, and a page in a file
 * has them as digits (page.c). */
#ifndef RLN_SERVE_VIEWER_PARTS_H
#define RLN_SERVE_VIEWER_PARTS_H

#include "rangeline/error.h"

#include <stddef.h>

struct rln__viewer_part {
    const char *name; /* "" is the page that a server sends; no part of one in a file */
    const char *type; /* for Content-Type; "": it is not sent */
    const unsigned char *bytes; /* gzip */
    size_t n_bytes;
    size_t n_unpacked;
};

extern const struct rln__viewer_part rln__viewer_parts[];
extern const size_t rln__n_viewer_parts;

extern const char rln__viewer_policy[]; /* of the page that a server sends */

/* The page in a file, with a mark for the parts and the traces. */
extern const rln_text rln__viewer_page;
extern const char rln__viewer_page_lack[]; /* why this build cannot write it; or "" */

#endif
