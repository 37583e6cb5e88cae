/* SPDX-License-Identifier: Apache-2.0 */
/* buffer_pool.h - memory that CUPTI fills with records: at most RLN__MOST_BUFFERS of
 * RLN__BUFFER_BYTES, used again and again. Any thread. */
#ifndef RLN_GPU_BUFFER_POOL_H
#define RLN_GPU_BUFFER_POOL_H

#include <stddef.h>
#include <stdint.h>

enum {
    RLN__BUFFER_BYTES = 1 << 20,
    RLN__MOST_BUFFERS = 64,
};

/* NULL: all are in use, or there is no memory. */
uint8_t *rln__buffer_take(void);
void rln__buffer_give_back(uint8_t *buffer);
/* Whether it is one of the pool's. */
int rln__buffer_is_ours(const uint8_t *buffer);

#endif
