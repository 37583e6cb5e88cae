/* SPDX-License-Identifier: Apache-2.0 */
/* files.h - the page as separate files, as a server sends them; made from viewer/ by
 * cmake/viewer.cmake. */
#ifndef RLN_SERVE_FILES_H
#define RLN_SERVE_FILES_H

#include <stddef.h>

struct rln__viewer_file {
    const char *name; /* "" is the page */
    const char *type; /* for Content-Type */
    const unsigned char *bytes;
    size_t n_bytes;
};

extern const struct rln__viewer_file rln__viewer_files[];
extern const size_t rln__n_viewer_files;

#endif
