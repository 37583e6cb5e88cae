/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/buffer_pool.h"

#include <pthread.h>
#include <sys/mman.h>

/* Held for some instructions, and never around a call of CUPTI: it asks for buffers
 * while it holds locks of its own. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    uint8_t *bytes; /* NULL: not mapped yet */
    int is_taken;
} buffers[2 * RLN__MOST_BUFFERS]; /* the second half is spare */

uint8_t *rln__buffer_take(enum rln__buffer_kind kind, size_t *n_bytes)
{
    const size_t first = kind == RLN__BUFFER_SPARE ? RLN__MOST_BUFFERS : 0;
    const size_t end = first + RLN__MOST_BUFFERS;
    uint8_t *taken = NULL;
    size_t i = first;

    *n_bytes = kind == RLN__BUFFER_SPARE ? RLN__SPARE_BYTES : RLN__BUFFER_BYTES;
    (void)pthread_mutex_lock(&lock);
    while (i < end && buffers[i].is_taken)
        i++;
    if (i < end && !buffers[i].bytes) {
        void *mapped = mmap(NULL, *n_bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        buffers[i].bytes = mapped == MAP_FAILED ? NULL : mapped;
    }
    if (i < end) {
        taken = buffers[i].bytes;
        buffers[i].is_taken = taken != NULL;
    }
    (void)pthread_mutex_unlock(&lock);
    return taken;
}

static size_t find(const uint8_t *buffer)
{
    size_t i = 0;

    while (i < 2 * RLN__MOST_BUFFERS && (!buffer || buffers[i].bytes != buffer))
        i++;
    return i;
}

void rln__buffer_give_back(uint8_t *buffer)
{
    size_t i;

    (void)pthread_mutex_lock(&lock);
    i = find(buffer);
    if (i < 2 * RLN__MOST_BUFFERS)
        buffers[i].is_taken = 0;
    (void)pthread_mutex_unlock(&lock);
}

enum rln__buffer_kind rln__buffer_kind_of(const uint8_t *buffer)
{
    size_t i;

    (void)pthread_mutex_lock(&lock);
    i = find(buffer);
    (void)pthread_mutex_unlock(&lock);
    return i < RLN__MOST_BUFFERS       ? RLN__BUFFER_OURS
           : i < 2 * RLN__MOST_BUFFERS ? RLN__BUFFER_SPARE
                                       : RLN__BUFFER_FOREIGN;
}
