/* SPDX-License-Identifier: Apache-2.0 */
/* wide.c - converts wchar_t text to UTF-8, without libc. Cold. */
#include "collect/event/wide.h"

#include "collect/collector.h"

static uint32_t valid(uint32_t c)
{
    return c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0xfffd : c;
}

static size_t bytes_of(uint32_t c)
{
    return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
}

static size_t put_character(char to[4], uint32_t c)
{
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        to[0] = (char)(0xc0 | c >> 6);
        to[1] = (char)(0x80 | (c & 63));
        return 2;
    }
    if (c < 0x10000) {
        to[0] = (char)(0xe0 | c >> 12);
        to[1] = (char)(0x80 | (c >> 6 & 63));
        to[2] = (char)(0x80 | (c & 63));
        return 3;
    }
    to[0] = (char)(0xf0 | c >> 18);
    to[1] = (char)(0x80 | (c >> 12 & 63));
    to[2] = (char)(0x80 | (c >> 6 & 63));
    to[3] = (char)(0x80 | (c & 63));
    return 4;
}

void rln__wide_init(struct rln__wide *out, const void *from)
{
    const uint32_t *wide = from;
    size_t n = 0, n_bytes = 0, room = sizeof out->near;
    char *to = out->near;

    out->text = NULL; /* field by field: clearing `near`, too, might become a memset */
    out->mapping = NULL;
    out->mapping_bytes = 0;
    while (wide && wide[n] && n_bytes <= RLN__MAX_STRING_BYTES)
        n_bytes += bytes_of(valid(wide[n++]));
    if (n_bytes + 1 > room) {
        room = n_bytes + 1;
        to = out->mapping = rln__sys_zeros(room);
        out->mapping_bytes = room;
        if (!to) {
            rln__count(n_strings_refused, 1);
            return;
        }
    }
    out->text = to;
    for (size_t i = 0; i < n; i++) {
        /* Once: another thread may be changing it to a longer one. */
        const uint32_t c = valid(__atomic_load_n(&wide[i], __ATOMIC_RELAXED));

        if (room <= bytes_of(c))
            break;
        room -= bytes_of(c);
        to += put_character(to, c);
    }
    *to = 0;
}

void rln__wide_clear(struct rln__wide *w)
{
    if (w->mapping)
        rln__sys_munmap(w->mapping, w->mapping_bytes);
    w->mapping = NULL;
}
