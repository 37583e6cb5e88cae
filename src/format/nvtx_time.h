/* SPDX-License-Identifier: Apache-2.0 */
/* nvtx_time.h - defines NVTX's numbers about time, for readers of traces: sources of
 * timestamps, and flags of schemas and batches for deferred events.
 * tests/unit/test_nvtx_numbers.c compares them with the client headers. */
#ifndef RLN_FORMAT_NVTX_TIME_H
#define RLN_FORMAT_NVTX_TIME_H

/* Also valid as ids of time domains. Clocks of the C library are those of
 * clock_gettime(), unless their names say otherwise. */
enum rln__timestamp_type {
    RLN__TIME_NONE = 0,
    RLN__TIME_TOOL = 1,
    RLN__TIME_TSC = 10,
    RLN__TIME_TSC_PHYSICAL = 11,
    RLN__TIME_REALTIME = 12,
    RLN__TIME_REALTIME_COARSE = 13,
    RLN__TIME_MONOTONIC = 14,
    RLN__TIME_MONOTONIC_RAW = 15,
    RLN__TIME_MONOTONIC_COARSE = 16,
    RLN__TIME_BOOTTIME = 17,
    RLN__TIME_C_TIME = 40,
    RLN__TIME_TIMESPEC_GET = 42,
    RLN__TIME_STEADY_CLOCK = 50,
    RLN__TIME_HIGH_RESOLUTION_CLOCK = 51,
    RLN__TIME_SYSTEM_CLOCK = 52,
    RLN__TIME_UTC_CLOCK = 53,
    RLN__TIME_TAI_CLOCK = 54,
    RLN__TIME_GPS_CLOCK = 55,
};

#define RLN__FIRST_TIME_DOMAIN_ID (UINT64_C(1) << 24) /* below are the types */

/* The time at which a timer was 0. */
enum rln__timer_start {
    RLN__TIMER_UNIX_EPOCH = 3,
    RLN__TIMER_WIN_FILETIME = 4, /* 1601 */
};

/* In a schema's flags: the kind of event that it describes. */
#define RLN__SCHEMA_EVENT(flags) ((unsigned)((flags) >> 3) & 15)

enum rln__schema_event {
    RLN__SCHEMA_IS_COUNTERS = 1,
    RLN__SCHEMA_IS_PUSHPOP = 2,
    RLN__SCHEMA_IS_STARTEND = 3,
    RLN__SCHEMA_IS_MARK = 4,
    RLN__SCHEMA_IS_PUSH = 5,
    RLN__SCHEMA_IS_POP = 6,
    RLN__SCHEMA_IS_START = 7,
    RLN__SCHEMA_IS_END = 8,
};

/* In an entry's flags: the kind of event that the entry belongs to. */
#define RLN__ENTRY_EVENT(flags) ((unsigned)((flags) >> 12) & 7)

enum rln__entry_event {
    RLN__ENTRY_OF_BEGIN = 1,
    RLN__ENTRY_OF_END = 2,
    RLN__ENTRY_OF_MARK = 3,
    RLN__ENTRY_OF_COUNTER = 4,
};

/* In the flags of a batch of counter samples: it has one time and an interval. */
#define RLN__BATCH_BEGIN_INTERVAL (UINT64_C(1) << 32)
#define RLN__BATCH_END_INTERVAL (UINT64_C(2) << 32)

#endif
