/* SPDX-License-Identifier: Apache-2.0 */
/* buffer_pool.h - memory that CUPTI fills with records: at most RLN__MOST_BUFFERS of
 * RLN__BUFFER_BYTES, used again and again. Any thread.
 *
 * When all are in use, older releases of CUPTI would crash without one. For them there
 * are as many small ones, whose records are lost. */
#ifndef RLN_GPU_BUFFER_POOL_H
#define RLN_GPU_BUFFER_POOL_H

#include <stddef.h>
#include <stdint.h>

enum {
    RLN__BUFFER_BYTES = 1 << 20,
    RLN__SPARE_BYTES = 64 << 10,
    RLN__MOST_BUFFERS = 64,
};

enum rln__buffer_kind {
    RLN__BUFFER_FOREIGN, /* not from here */
    RLN__BUFFER_OURS,
    RLN__BUFFER_SPARE,
};

/* NULL: all of that kind are in use, or there is no memory. */
uint8_t *rln__buffer_take(enum rln__buffer_kind kind, size_t *n_bytes);
void rln__buffer_give_back(uint8_t *buffer);
enum rln__buffer_kind rln__buffer_kind_of(const uint8_t *buffer);

#endif
