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
} buffers[RLN__MOST_BUFFERS];

uint8_t *rln__buffer_take(void)
{
    uint8_t *taken = NULL;
    size_t i = 0;

    pthread_mutex_lock(&lock);
    while (i < RLN__MOST_BUFFERS && buffers[i].is_taken)
        i++;
    if (i < RLN__MOST_BUFFERS && !buffers[i].bytes) {
        void *mapped = mmap(NULL, RLN__BUFFER_BYTES, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        buffers[i].bytes = mapped == MAP_FAILED ? NULL : mapped;
    }
    if (i < RLN__MOST_BUFFERS) {
        taken = buffers[i].bytes;
        buffers[i].is_taken = taken != NULL;
    }
    pthread_mutex_unlock(&lock);
    return taken;
}

void rln__buffer_give_back(uint8_t *buffer)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < RLN__MOST_BUFFERS; i++) {
        if (buffers[i].bytes == buffer)
            buffers[i].is_taken = 0;
    }
    pthread_mutex_unlock(&lock);
}

int rln__buffer_is_ours(const uint8_t *buffer)
{
    int is_ours = 0;

    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < RLN__MOST_BUFFERS && buffer; i++)
        is_ours |= buffers[i].bytes == buffer;
    pthread_mutex_unlock(&lock);
    return is_ours;
}
