/* SPDX-License-Identifier: Apache-2.0 */
/* intern.h - maps an event's attributes to a small number.                    [hot]
 *
 * The attributes of an event (domain, category, color, types, message) are a row in a
 * table that only grows; an event's word carries the row's id. Finding the row of a
 * call:
 *
 *   1. The thread guesses: a small table keyed by the message's address has pointers to
 *      rows. A guess is one word, so a signal handler cannot tear it. It is confirmed
 * by comparing the content, so printf into a reused buffer is safe.
 *   2. intern.c: the process's table, keyed by content.
 *   3. If the table lacks it, intern.c makes the row and writes it to the file before
 *      other threads can find it. When the limits are reached, or if a text is seen
 * only once, the event has its attributes in line instead.
 */
#ifndef RLN_COLLECT_EVENT_INTERN_H
#define RLN_COLLECT_EVENT_INTERN_H

#include "collect/event/ids.h"
#include "collect/event/thread.h"

/* Limits per process: the text of all rows, and the length of one text. */
enum {
    RLN__MAX_TEXT_BYTES = 16 << 20,
    RLN__MAX_INTERNED_BYTES = 4096, /* a longer plain message goes in line */
};

/* --- handles ---------------------------------------------------------------------- */

/* Handles are numbers that cannot be pointers: checked, never dereferenced.
 *
 *   domain     d1 | 0...   | domain:32      another tag if it is excluded
 *   string     see layout.h, because payloads contain them
 *   resource   d3 | 0...   | resource:32
 *   sync       d4 | 0...   | object:22
 *   memory     d5 | kind:8 | 0... | number:32, a heap, a region or a set of permissions
 */
#define RLN__TAG_DOMAIN 0xd1a1000000000000u
#define RLN__TAG_EXCLUDED 0xd1e1000000000000u /* domain_filter.h */
#define RLN__TAG_RESOURCE 0xd3c3000000000000u
#define RLN__TAG_SYNC 0xd4d4000000000000u
#define RLN__TAG_MEMORY 0xd5e5000000000000u

/* Whether the handle is one of our domains, and not an excluded one. */
static inline int rln__is_domain(uint64_t handle)
{
    return handle - RLN__TAG_DOMAIN < RLN__MAX_DOMAINS;
}

static inline uint32_t rln__domain_of(uint64_t handle)
{
    /* NULL and unknown handles mean the default domain. */
    if (RLN_LIKELY(rln__is_domain(handle)))
        return (uint32_t)(handle - RLN__TAG_DOMAIN);
    return handle - RLN__TAG_EXCLUDED < RLN__MAX_DOMAINS
               ? (uint32_t)(handle - RLN__TAG_EXCLUDED)
               : 0;
}

static inline void *rln__string_handle(uint32_t domain, uint32_t shifted_id)
{
    return (void *)(uintptr_t)(((uint64_t)RLN__TAG_STRING << 48) |
                               ((uint64_t)domain << RLN__STRING_DOMAIN_SHIFT) |
                               shifted_id);
}

static inline uint64_t rln__domain_handle(uint32_t domain)
{
    return RLN__TAG_DOMAIN + domain;
}

/* 0 if `string` was registered in the domain of that handle. Then the domain handle is
 * valid, and its lower half is the domain's index. */
static inline uint64_t rln__string_mismatch(const void *string, uint64_t domain_handle)
{
    return (uint64_t)(uintptr_t)string >> RLN__STRING_DOMAIN_SHIFT ^ domain_handle ^
           ((uint64_t)RLN__TAG_STRING << (48 - RLN__STRING_DOMAIN_SHIFT) ^
            RLN__TAG_DOMAIN);
}

static inline uint32_t rln__string_shifted_id(const void *handle)
{
    return (uint32_t)(uintptr_t)handle & ((1u << RLN__STRING_DOMAIN_SHIFT) - 1);
}

/* --- guesses ---------------------------------------------------------------------- */

/* Swapping the halves of both keys makes the parts that are constants in the caller
 * fold into one 32-bit addition. */
static inline uint64_t rln__guess_hash(uint64_t domain_key, uint64_t style_key,
                                       const void *message)
{
    const uint64_t both = domain_key ^ style_key;

    return ((uint64_t)(uintptr_t)message + (both << 32 | both >> 32)) *
           0x9e3779b97f4a7c15u;
}

static inline size_t rln__guess_slot(uint64_t hash)
{
    return hash >> (64 - RLN__GUESS_BITS);
}

/* Reads 8 bytes of which only some may belong to the text. They lie in the same page,
 * which AddressSanitizer does not accept. */
__attribute__((no_sanitize("address"))) static inline uint64_t
rln__load8(const char *from)
{
    uint64_t word;

    __builtin_memcpy(&word, from, 8);
    return word;
}

/* Whether the message equals the row's text and fits 16 bytes with its terminator. */
__attribute__((no_sanitize("address"))) static inline int
rln__is_short_text_of(const struct rln__attributes *a, const char *message)
{
    if (RLN_UNLIKELY(((uintptr_t)message & 4095) > 4096 - 16))
        return 0;
    return (((rln__load8(message) ^ a->head[0]) & a->mask[0]) |
            ((rln__load8(message + 8) ^ a->head[1]) & a->mask[1])) == 0 &&
           a->length < 16;
}

static inline const struct rln__attributes *const *rln__guess_of(uint64_t hash)
{
    return &rln__own_kept()->guesses[rln__guess_slot(hash)];
}

/* The thread's guess in that slot, if its keys match. */
static inline const struct rln__attributes *
rln__guess_at(const struct rln__attributes *const *slot, uint64_t domain_key,
              uint64_t style_key)
{
    const struct rln__attributes *a = __atomic_load_n(slot, __ATOMIC_RELAXED);

    return RLN_LIKELY(a && a->domain_key == domain_key && a->style_key == style_key)
               ? a
               : NULL;
}

/* The row of a short plain message that this thread used recently, or NULL: then
 * rln__intern_plain() searches. */
static inline const struct rln__attributes *
rln__guess_plain(uint64_t domain_key, uint64_t style_key, const char *message)
{
    const uint64_t hash = rln__guess_hash(domain_key, style_key, message);
    const struct rln__attributes *a =
        rln__guess_at(rln__guess_of(hash), domain_key, style_key);

    return RLN_LIKELY(a && rln__is_short_text_of(a, message)) ? a : NULL;
}

/* The same for a registered message, or for none (handle NULL). */
static inline const struct rln__attributes *
rln__guess_handle(uint64_t domain_key, uint64_t style_key, const void *handle)
{
    const uint64_t hash = rln__guess_hash(domain_key, style_key, handle);
    const struct rln__attributes *a =
        rln__guess_at(rln__guess_of(hash), domain_key, style_key);

    return RLN_LIKELY(a && a->head[0] == (uint64_t)(uintptr_t)handle) ? a : NULL;
}

/* --- the table: intern.c. Any state, any thread, from handlers too ---------------- */

/* The row of a plain message, made on first use. NULL: the event must have the message
 * in line, of which `*n_bytes` is then the length. */
const struct rln__attributes *rln__intern_plain(uint64_t domain_key, uint64_t style_key,
                                                const char *message, size_t *n_bytes);

/* The row of a registered message or of none. NULL: as above. */
const struct rln__attributes *
rln__intern_handle(uint64_t domain_key, uint64_t style_key, const void *handle);

/* The row of a message that cannot be in line. NULL: a limit is reached. */
const struct rln__attributes *rln__intern_message(uint64_t domain_key,
                                                  uint64_t style_key, const char *text,
                                                  size_t n_bytes);

/* The row of a text of `n_bytes`, for messages without an address of their own. */
const struct rln__attributes *rln__intern_text(uint64_t domain_key, uint64_t style_key,
                                               const char *text, size_t n_bytes);

/* The domain of that name, made on first use. */
uint32_t rln__intern_domain(const char *name, size_t n_bytes);

/* The id of a string record with that text; 0 if a limit is reached. */
uint32_t rln__intern_string(const char *text, size_t n_bytes);

/* The id of a list of semantics with elements as in docs/reference/FORMAT.md 6; 0 if a
 * limit is reached. */
uint32_t rln__intern_semantics(const uint64_t *words, size_t n_words);

/* The row of a counter, given by its NVTX id in a domain. rln__guess_handle() can guess
 * it, with the counter's id as the handle and RLN__STYLE_KEY_COUNTER. NULL if a limit
 * is reached. */
const struct rln__attributes *rln__intern_counter(uint32_t domain, uint64_t counter);
#define RLN__STYLE_KEY_COUNTER (3ull << 56)

/* The row of a string of this process, used without a color; or NULL. */
const struct rln__attributes *rln__attributes_of_string(const void *handle);

/* Limits the length of texts from now on; the default is RLN__MAX_STRING_BYTES. */
void rln__limit_texts(size_t n_bytes);

/* The length of a text, limited by rln__limit_texts(). A longer text is truncated
 * between two characters, and counted. */
size_t rln__text_length(const char *text);

#endif
