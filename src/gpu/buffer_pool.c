/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/buffer_pool.h"

#include <pthread.h>
#include <stdlib.h>

enum { PAGE = 4096 };

/* Held for some instructions, and never around a call of CUPTI: it asks for buffers
 * while it holds locks of its own. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    uint8_t *bytes; /* NULL: not allocated yet */
    int is_taken;
} buffers[2 * RLN__MOST_BUFFERS]; /* the second half is spare */

uint8_t *rln__buffer_take(enum rln__buffer_kind kind, size_t *n_bytes)
{
    const size_t first = kind == RLN__BUFFER_SPARE ? RLN__MOST_BUFFERS : 0;
    const size_t end = first + RLN__MOST_BUFFERS;
    uint8_t *taken = NULL;
    void *fresh = NULL;
    size_t i = first;

    *n_bytes = kind == RLN__BUFFER_SPARE ? RLN__SPARE_BYTES : RLN__BUFFER_BYTES;
    (void)pthread_mutex_lock(&lock);
    while (i < end && buffers[i].is_taken)
        i++;
    /* A program that takes the callbacks over unseen may get one, and free it. */
    if (i < end && !buffers[i].bytes && posix_memalign(&fresh, PAGE, *n_bytes) == 0)
        buffers[i].bytes = fresh;
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
