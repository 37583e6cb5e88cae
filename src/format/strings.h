/* SPDX-License-Identifier: Apache-2.0 */
/* strings.h - stores each text once and numbers it.
 *
 * All processes and traces share one table, so that equal texts have equal numbers and
 * names are compared as integers. Number 0 is "no text". Texts do not move until the
 * table is cleared.
 */
#ifndef RLN_FORMAT_STRINGS_H
#define RLN_FORMAT_STRINGS_H

#include "base/hash.h"
#include "rangeline/error.h"

struct rln__text_block;

struct rln__strings {
    rln_text *texts; /* owned; [0] is no text */
    size_t n;        /* 0 until the first text */
    size_t capacity;
    struct rln__map by_hash;
    struct rln__text_block *block; /* owned: block for the next text */
    int is_fixed;                  /* no text is added */
};

/* Returns the number of this text, or 0 when there is no memory or the table is fixed.
 * Empty text has a number of its own. */
uint32_t rln__strings_add(struct rln__strings *strings, const char *bytes,
                          size_t length);

/* The same, without adding it: 0 if it is not there. */
uint32_t rln__strings_find(const struct rln__strings *strings, const char *bytes,
                           size_t length);

static inline rln_text rln__strings_get(const struct rln__strings *strings,
                                        uint32_t number)
{
    const rln_text none = {NULL, 0};

    return number < strings->n ? strings->texts[number] : none;
}

void rln__strings_clear(struct rln__strings *strings);

#endif
