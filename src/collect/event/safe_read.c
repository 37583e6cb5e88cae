/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/event/safe_read.h"

#include "collect/event/intern.h"
#include "collect/payload/seen_pages.h"

enum { PAGE = RLN__PAGE_BYTES, PAGES_A_CALL = 16 };

uintptr_t rln__seen_pages[RLN__SEEN_PAGES];

/* If a system call filter forbids the copy, copies page by page, after the kernel has
 * checked that the page is mapped. The program may still unmap it in between. */
__attribute__((no_sanitize("address"))) static size_t
copy_ourselves(char *to, const char *from, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i++) {
        const uintptr_t at = (uintptr_t)from + i;

        if ((i == 0 || at % PAGE == 0) && !rln__sys_is_readable(at))
            return i;
        ((volatile char *)to)[i] = *(const char *)at;
    }
    return n_bytes;
}

/* A wrong size reads beyond the object, but stays within its page. */
__attribute__((no_sanitize("address"))) static void
copy_seen(char *to, const char *from, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i++)
        ((volatile char *)to)[i] = from[i];
}

static int is_forbidden(long result)
{
    return result == -ENOSYS || result == -EPERM || result == -EACCES;
}

/* One iovec per page, so that the kernel stops exactly where the memory ends. */
static long copy_some(char *to, const char *from, size_t n_bytes)
{
    struct iovec pages[PAGES_A_CALL];
    struct iovec room = {to, 0};
    size_t n = 0;

    while (n < PAGES_A_CALL && room.iov_len < n_bytes) {
        const char *at = from + room.iov_len;
        size_t size = PAGE - ((uintptr_t)at & (PAGE - 1));

        if (size > n_bytes - room.iov_len)
            size = n_bytes - room.iov_len;
        pages[n++] = (struct iovec){(void *)(uintptr_t)at, size};
        room.iov_len += size;
    }
    return rln__sys_copy(&room, 1, pages, n);
}

size_t rln__safe_read(void *to, const void *from, size_t n_bytes)
{
    size_t done = 0;

    if (!from)
        return 0;
    while (done < n_bytes) {
        const size_t left = n_bytes - done;
        const long n = copy_some((char *)to + done, (const char *)from + done, left);

        if (is_forbidden(n))
            return done +
                   copy_ourselves((char *)to + done, (const char *)from + done, left);
        if (n <= 0)
            return done;
        done += (size_t)n;
    }
    return done;
}

size_t rln__safe_read_often(void *to, const void *from, size_t n_bytes)
{
    size_t n = n_bytes;

    if (rln__is_seen(from, n_bytes))
        copy_seen(to, from, n_bytes);
    else if ((n = rln__safe_read(to, from, n_bytes)) > 0)
        rln__see(from);
    return n;
}

int rln__poke(uint64_t *to, uint64_t value)
{
    const long n = copy_some((char *)to, (const char *)&value, sizeof value);

    if (!is_forbidden(n))
        return n == sizeof value;
    if ((uintptr_t)to % sizeof *to || !rln__sys_is_writable(to))
        return 0;
    *to = value;
    return 1;
}

int rln__safe_read_sized(void *to, size_t n_bytes, const void *from)
{
    size_t size;

    if (!rln__safe_read_all(&size, (const size_t *)from))
        return 0;
    if (size > n_bytes)
        size = n_bytes;
    return rln__safe_read(to, from, size) == size;
}

/* The first zero among whole units, or `n` units. */
static size_t zero_in(const char *bytes, size_t unit_bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned any = 0;

        for (size_t k = 0; k < unit_bytes; k++)
            any |= (unsigned char)bytes[i * unit_bytes + k];
        if (!any)
            return i;
    }
    return n;
}

size_t rln__safe_read_length(const void *text, size_t unit_bytes, size_t most)
{
    char near[256];
    size_t length = 0;

    while (text && length < most) {
        size_t want = sizeof near / unit_bytes;
        size_t got, n;

        if (want > most - length)
            want = most - length;
        got = rln__safe_read(near, (const char *)text + length * unit_bytes,
                             want * unit_bytes);
        n = zero_in(near, unit_bytes, got / unit_bytes);
        length += n;
        if (n < got / unit_bytes)
            return length;
        if (got < want * unit_bytes)
            break;
    }
    return most;
}

unsigned rln__safe_read_string_id(const char *text)
{
    const size_t most = RLN__MAX_INTERNED_BYTES;
    const size_t length = rln__safe_read_length(text, 1, most);

    char first;

    if (length < most)
        return rln__intern_string(text, length);
    if (!text)
        return 0;
    if (rln__safe_read_all(&first, text))
        rln__count(n_strings_refused, 1); /* too long */
    else
        rln__count(n_payloads_unread, 1);
    return 0;
}
