/* SPDX-License-Identifier: Apache-2.0 */
/* wide.h - converts wchar_t text to UTF-8. */
#ifndef RLN_COLLECT_EVENT_WIDE_H
#define RLN_COLLECT_EVENT_WIDE_H

#include <stddef.h>

/* Text that lives until rln__wide_clear(). */
struct rln__wide {
    const char *text; /* terminated; NULL without memory */
    void *mapping;    /* or NULL: in `near` */
    size_t mapping_bytes;
    char near[256]; /* small: this may be a signal stack */
};

/* `from` is a wchar_t string (4 bytes per character on Linux); invalid characters
 * become U+FFFD. Of a text of more than 1 MiB, the end is missing, but it is still more
 * than 1 MiB, so that rln__text_length() cuts and counts it. Without memory, counts a
 * lost name. */
void rln__wide_init(struct rln__wide *out, const void *from);
void rln__wide_clear(struct rln__wide *w);

#endif
