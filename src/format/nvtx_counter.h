/* SPDX-License-Identifier: Apache-2.0 */
/* nvtx_counter.h - defines NVTX's numbers in counters' semantics and batches, for
 * readers of traces. tests/unit/test_nvtx_numbers.c compares them with the client
 * headers. */
#ifndef RLN_FORMAT_NVTX_COUNTER_H
#define RLN_FORMAT_NVTX_COUNTER_H

#define RLN__COUNTER_NORMALIZE 0x2u
#define RLN__COUNTER_LIMIT_MIN 0x4u
#define RLN__COUNTER_LIMIT_MAX 0x8u
/* 0: unknown; 1: the level; 2: the change since the last sample; 3: since the first. */
#define RLN__COUNTER_VALUE_TYPE(flags) ((unsigned)((flags) >> 4) & 3)
/* enum rln_interpolation has NVTX's numbers. */
#define RLN__COUNTER_INTERPOLATION(flags) ((unsigned)((flags) >> 8) & 7)

enum rln__limit_type {
    RLN__LIMIT_I64 = 1,
    RLN__LIMIT_U64 = 2,
    RLN__LIMIT_F64 = 3,
};

#endif
