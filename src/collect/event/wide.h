/* SPDX-License-Identifier: Apache-2.0 */
/* wide.h - converts wchar_t text to UTF-8. */
#ifndef RLN_COLLECT_EVENT_WIDE_H
#define RLN_COLLECT_EVENT_WIDE_H

#include <stddef.h>

/* Text that lives until rln__wide_clear(). */
struct rln__wide {
    const char *text; /* terminated; NULL without memory */
    size_t n_bytes;
    void *mapping; /* or NULL: in `near` */
    size_t mapping_bytes;
    char near[256]; /* small: this may be a signal stack */
};

/* `from` is a wchar_t string (4 bytes per character on Linux); invalid characters
 * become U+FFFD. At most 1 MiB. */
void rln__wide_init(struct rln__wide *out, const void *from);
void rln__wide_clear(struct rln__wide *w);

#endif
