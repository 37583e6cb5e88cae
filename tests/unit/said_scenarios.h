/* SPDX-License-Identifier: Apache-2.0 */
/* said_scenarios.h - makes traces of other events than ranges: synchronization,
 * counters, memory and deferred events. Names are those of sc_names() in scenarios.h.
 */
#ifndef RLN_TESTS_SAID_SCENARIOS_H
#define RLN_TESTS_SAID_SCENARIOS_H

#include "trace_builder.h"

static inline void sd_object(struct tb_chunk *c, uint32_t object, uint32_t domain,
                             uint32_t string, uint64_t t)
{
    const uint64_t words[3] = {rln__pair32(object, domain), string, TB_START + t};

    tb_long(c, RLN__SUB_OBJECT, words, 3);
}

static inline void sd_sync(struct tb_chunk *c, enum rln__sync_step step,
                           uint32_t object, uint64_t t)
{
    (void)tb_event(c, RLN__SYNC, object << 2 | step, t);
}

/* Two threads and the lock "queue": 100 holds it while 101 waits, gives up, and waits
 * again. The object 8 is a semaphore that another thread releases; 9 was never
 * registered. */
static inline void sd_locks(struct tb *tb,
                            void (*names)(struct tb *, uint32_t, uint32_t))
{
    const uint64_t destroyed[2] = {7, TB_START + 9000};
    struct tb_chunk n, a, b;

    (void)tb_part(tb, 19);
    names(tb, 1, 100);
    n = tb_names(tb, 1);
    tb_string(&n, 30, "queue");
    tb_string(&n, 31, "slots");
    sd_object(&n, 7, 1, 30, 5);
    sd_object(&n, 8, 0, 31, 6);
    tb_long(&n, RLN__SUB_OBJECT_DESTROY, destroyed, 2);
    a = tb_events(tb, 1, 1, 100);
    b = tb_events(tb, 1, 2, 101);
    tb_thread(&a, 1, 100, 0, "main");
    tb_thread(&b, 2, 101, 0, "worker");
    sd_sync(&a, RLN__SYNC_WAITS, 7, 100);
    sd_sync(&a, RLN__SYNC_HAS, 7, 110);
    sd_sync(&b, RLN__SYNC_WAITS, 7, 150);
    sd_sync(&b, RLN__SYNC_GAVE_UP, 7, 250);
    sd_sync(&b, RLN__SYNC_WAITS, 7, 300);
    sd_sync(&a, RLN__SYNC_RELEASES, 7, 410);
    sd_sync(&b, RLN__SYNC_HAS, 7, 420);
    sd_sync(&b, RLN__SYNC_HAS, 7, 430); /* again, without waiting */
    sd_sync(&b, RLN__SYNC_RELEASES, 7, 440);
    sd_sync(&a, RLN__SYNC_HAS, 8, 500);
    sd_sync(&b, RLN__SYNC_RELEASES, 8, 600);
    sd_sync(&b, RLN__SYNC_RELEASES, 8, 610); /* no thread has it */
    sd_sync(&b, RLN__SYNC_WAITS, 9, 700);
    sd_sync(&a, RLN__SYNC_GAVE_UP, 7, 800); /* it did not wait */
}

/* --- Counters --------------------------------------------------------------------- */

/* Registers a counter under the number that samples use. */
static inline void sd_counter(struct tb_chunk *c, uint32_t number, uint32_t domain,
                              uint32_t name, uint64_t type, uint32_t semantics)
{
    const uint64_t id = (UINT64_C(1) << 32) + number;
    const uint64_t registered[5] = {rln__pair32(domain, name), id, type,
                                    rln__pair32(0, semantics), 0};
    const uint64_t numbered[2] = {rln__pair32(number, domain), id};

    tb_long(c, RLN__SUB_COUNTER_REGISTERED, registered, 5);
    tb_long(c, RLN__SUB_COUNTER, numbered, 2);
}

/* Semantics 5, counter: flags, unit, scale. */
static inline void sd_semantics(struct tb_chunk *c, uint32_t id, uint64_t flags,
                                uint32_t unit, uint64_t numerator, uint64_t denominator)
{
    const uint64_t words[8] = {
        id, rln__pair32(5 | 2u << 16, 7), flags, unit, numerator, denominator};

    tb_long(c, RLN__SUB_SEMANTICS, words, 8);
}

static inline void sd_sample(struct tb_chunk *c, uint32_t number, uint64_t t,
                             int64_t value)
{
    (void)tb_value(c, RLN__SAMPLE, number << 1, t, (uint64_t)value);
}

static inline void sd_double(struct tb_chunk *c, uint32_t number, uint64_t t,
                             double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    (void)tb_value(c, RLN__SAMPLE, number << 1 | 1, t, bits);
}

static inline void sd_no_value(struct tb_chunk *c, uint32_t number, uint64_t t,
                               unsigned reason)
{
    (void)tb_event(c, RLN__NO_VALUE, number << 2 | reason, t);
}

/* NVTX's types of numbers, and flags of counters. */
enum {
    SD_UINT8 = 12,
    SD_INT64 = 17,
    SD_UINT64 = 18,
    SD_DOUBLE = 20,
    SD_NORMALIZE = 1 << 1,
    SD_DELTA = 2 << 4,
    SD_SINCE_START = 3 << 4,
    SD_SINCE_LAST = 2 << 8,
    SD_UNTIL_NEXT = 3 << 8,
    SD_LINEAR = 4 << 8,
};

/* Two threads sample counters of all kinds; see the expected lines of the tests. */
static inline void sd_counters(struct tb *tb,
                               void (*names)(struct tb *, uint32_t, uint32_t))
{
    struct tb_chunk n, a, b;

    (void)tb_part(tb, 20);
    names(tb, 1, 100);
    n = tb_names(tb, 1);
    tb_string(&n, 30, "queued");
    tb_string(&n, 31, "sent");
    tb_string(&n, 32, "busy");
    tb_string(&n, 33, "free");
    tb_string(&n, 34, "bytes");
    tb_string(&n, 35, "temperature");
    sd_semantics(&n, 1, SD_UNTIL_NEXT, 0, 0, 0);
    sd_semantics(&n, 2, SD_DELTA | SD_SINCE_LAST, 34, 1024, 1);
    sd_semantics(&n, 3, SD_NORMALIZE | SD_LINEAR, 0, 1, 1);
    sd_semantics(&n, 4, SD_SINCE_START, 34, 0, 0);
    sd_counter(&n, 1, 1, 30, SD_INT64, 1);
    sd_counter(&n, 2, 0, 31, SD_INT64, 2);
    sd_counter(&n, 3, 0, 32, SD_UINT8, 3);
    sd_counter(&n, 4, 0, 33, SD_UINT64, 4);
    sd_counter(&n, 5, 0, 35, SD_DOUBLE, 0);
    a = tb_events(tb, 1, 1, 100);
    b = tb_events(tb, 1, 2, 101);
    tb_thread(&a, 1, 100, 0, "main");
    tb_thread(&b, 2, 101, 0, "worker");
    sd_sample(&a, 1, 100, 4); /* 4 for 100 ns, 10 for 200 ns, a gap, 1 for 100 ns */
    sd_sample(&b, 1, 200, 10);
    sd_no_value(&a, 1, 400, 2);
    sd_sample(&a, 1, 500, 1);
    sd_no_value(&b, 1, 600, 0);
    sd_sample(&a, 2, 1000, 3); /* 3, 5, 7 and 7 KiB */
    sd_sample(&b, 2, 1100, 2);
    sd_no_value(&a, 2, 1200, 1);
    sd_no_value(&a, 2, 1300, 0);
    sd_sample(&a, 3, 2000, 0); /* 0, 1, 0.2 of 1 */
    sd_sample(&a, 3, 2100, 255);
    sd_sample(&a, 3, 2300, 51);
    sd_sample(&b, 4, 3000, -1); /* no sign */
    sd_sample(&b, 4, 3100, 5);
    sd_double(&b, 5, 4000, 36.5);
    sd_double(&b, 5, 4100, 38.5);
    sd_no_value(&b, 5, 4200, 3);
    sd_sample(&b, 6, 5000, 12); /* never registered */
}

/* --- Time ------------------------------------------------------------------------- */

#define SD_TIME_DOMAIN ((UINT64_C(1) << 24) + 7) /* static ids count from here */

static inline void sd_time_domain(struct tb_chunk *c, uint32_t domain, uint64_t id,
                                  uint64_t type, int64_t ticks_per_s, uint64_t start)
{
    const uint64_t words[7] = {domain, id, 0, type, 0, (uint64_t)ticks_per_s, start};

    tb_long(c, RLN__SUB_TIME_DOMAIN, words, 7);
}

static inline void sd_sync_point(struct tb_chunk *c, uint32_t domain, uint64_t source,
                                 uint64_t destination, int64_t at_source,
                                 int64_t at_destination)
{
    const uint64_t words[5] = {rln__pair32(domain, 1), source, destination,
                               (uint64_t)at_source, (uint64_t)at_destination};

    tb_long(c, RLN__SUB_SYNC_POINTS, words, 5);
}

static inline void sd_conversion(struct tb_chunk *c, uint64_t source,
                                 uint64_t destination, double slope, int64_t at_source,
                                 int64_t at_destination)
{
    uint64_t words[6] = {
        0, source, destination, 0, (uint64_t)at_source, (uint64_t)at_destination};

    memcpy(&words[3], &slope, sizeof(slope));
    tb_long(c, RLN__SUB_CONVERSION, words, 6);
}

/* --- Deferred events -------------------------------------------------------------- */

#define SD_SCHEMA (UINT64_C(1) << 24)

enum { /* NVTX's flags and types of entries */
       SD_MESSAGE = 1 << 10,
       SD_TIME = 2 << 10,
       SD_BEGIN = 1 << 12,
       SD_END = 2 << 12,
       SD_RANGE_ID = 67,
       SD_TID32 = 73,
       SD_TEXT = 75,
};

struct sd_entry {
    uint64_t flags, type;
    uint32_t name, semantics;
    uint64_t detail;
};

/* `event` is NVTX's number of a kind: 2 push/pop, 3 start/end, 4 mark, 7 start, 8 end.
 */
static inline void sd_schema(struct tb_chunk *c, uint64_t id, unsigned event,
                             uint64_t n_bytes, const struct sd_entry *entries, size_t n)
{
    uint64_t words[64] = {0, id, rln__pair32(1, event << 3), n_bytes, rln__pair32(0, n),
                          0};

    words[0] = rln__pair32(1, 0);
    for (size_t i = 0; i < n; i++) {
        uint64_t *to = words + 6 + i * RLN__ENTRY_WORDS;

        to[0] = entries[i].flags;
        to[1] = entries[i].type;
        to[2] = rln__pair32(entries[i].name, 0);
        to[3] = entries[i].detail;
        to[5] = entries[i].semantics;
    }
    tb_long(c, RLN__SUB_SCHEMA, words, 6 + n * RLN__ENTRY_WORDS);
}

/* Semantics 2, time. */
static inline void sd_time_semantics(struct tb_chunk *c, uint32_t id, uint64_t domain)
{
    const uint64_t words[3] = {id, rln__pair32(2 | 1u << 16, 2), domain};

    tb_long(c, RLN__SUB_SEMANTICS, words, 3);
}

static inline size_t sd_segment(uint64_t *to, uint64_t schema, const void *bytes,
                                size_t n_bytes)
{
    to[0] = schema;
    to[1] = 0x1000;
    to[2] = rln__pair32(n_bytes, n_bytes);
    return 3 + tb_text(to + 3, bytes, n_bytes);
}

/* `words` before two segments; thread 1, domain 1. */
static inline void sd_batch(struct tb_chunk *c, unsigned sub, uint64_t t,
                            const uint64_t *before, size_t n_before, const void *first,
                            size_t n_first, const void *second, size_t n_second)
{
    uint64_t words[256] = {TB_START + t, rln__pair32(1, 1)};
    size_t n = 2;

    for (size_t i = 0; i < n_before; i++)
        words[n++] = before[i];
    n += sd_segment(words + n, 0, first, n_first);
    n += sd_segment(words + n, 0, second, n_second);
    tb_long(c, sub, words, n);
}

static inline void sd_submit(struct tb_chunk *c, uint64_t t, uint64_t schema,
                             const void *bytes, size_t n_bytes)
{
    uint64_t words[64] = {TB_START + t, rln__pair32(1, 1), 1};

    tb_long(c, RLN__SUB_SUBMITTED, words,
            3 + sd_segment(words + 3, schema, bytes, n_bytes));
}

struct sd_kernel {
    int64_t begin, end;
    char name[8];
};

struct sd_half {
    uint64_t id;
    int64_t at;
    uint32_t tid, reserved;
};

/* Schemas, in the domain io: 1 push/pop on the clock A, which ticks every 10 ns; 2
 * start/end in the tool's ticks; 3 a start, 4 its end, on thread 101; 5 a mark on the
 * clock B, which has no relation to any other clock. */
static inline void sd_deferred_names(struct tb_chunk *n)
{
    const struct sd_entry kernel[] = {{SD_TIME | SD_BEGIN, SD_INT64, 31, 9, 0},
                                      {SD_TIME | SD_END, SD_INT64, 32, 9, 0},
                                      {SD_MESSAGE, SD_TEXT, 33, 0, 8}};
    const struct sd_entry copy[] = {{SD_TIME | SD_BEGIN, SD_INT64, 31, 0, 0},
                                    {SD_TIME | SD_END, SD_INT64, 32, 0, 0},
                                    {SD_MESSAGE, SD_TEXT, 33, 0, 8}};
    const struct sd_entry half[] = {{0, SD_RANGE_ID, 35, 0, 0},
                                    {SD_TIME, SD_INT64, 31, 0, 0},
                                    {0, SD_TID32, 34, 0, 0},
                                    {0, 16, 0, 0, 0}};
    const struct sd_entry mark[] = {{SD_TIME, SD_INT64, 31, 10, 0},
                                    {SD_TIME, SD_INT64, 32, 0, 0},
                                    {SD_MESSAGE, SD_TEXT, 33, 0, 8}};

    tb_string(n, 31, "begin");
    tb_string(n, 32, "end");
    tb_string(n, 33, "what");
    tb_string(n, 34, "tid");
    tb_string(n, 35, "id");
    tb_string(n, 36, "power");
    sd_time_domain(n, 1, SD_TIME_DOMAIN, 80, 0, 0);
    sd_time_domain(n, 1, SD_TIME_DOMAIN + 1, 80, 0, 0);
    sd_sync_point(n, 1, SD_TIME_DOMAIN, 1, 1000, TB_START + 10000);
    sd_sync_point(n, 1, SD_TIME_DOMAIN, 1, 2000, TB_START + 20000);
    sd_time_semantics(n, 9, SD_TIME_DOMAIN);
    sd_time_semantics(n, 10, SD_TIME_DOMAIN + 1);
    sd_schema(n, SD_SCHEMA + 1, 2, sizeof(struct sd_kernel), kernel, 3);
    sd_schema(n, SD_SCHEMA + 2, 3, sizeof(struct sd_kernel), copy, 3);
    sd_schema(n, SD_SCHEMA + 3, 7, sizeof(struct sd_half), half, 4);
    sd_schema(n, SD_SCHEMA + 4, 8, sizeof(struct sd_half), half, 4);
    sd_schema(n, SD_SCHEMA + 5, 4, sizeof(struct sd_kernel), mark, 3);
    sd_counter(n, 1, 1, 36, SD_INT64, 9);
}

/* A process that runs from 0 to 30000 and submits earlier events at 25000. */
static inline void sd_deferred(struct tb *tb,
                               void (*names)(struct tb *, uint32_t, uint32_t))
{
    /* The second lies in the first; the third crosses both; the last has no duration.
     */
    const struct sd_kernel kernels[] = {{1500, 1600, "late"},
                                        {1000, 1100, "outer"},
                                        {1010, 1050, "inner"},
                                        {1040, 1120, "cross"},
                                        {1700, 1700, "moment"}};
    const struct sd_kernel copy = {TB_START + 5000, TB_START + 9000, "copy"};
    const struct sd_kernel lost = {77, 0, "lost"};
    const struct sd_half start = {42, TB_START + 3000, 101, 0};
    const struct sd_half end = {42, TB_START + 4000, 101, 0};
    const struct sd_half never = {43, TB_START + 4500, 101, 0};
    const int64_t values[] = {5, -6, 7}, pair[] = {1200, 100}, both[] = {1800, 1900};
    const uint64_t batch[] = {SD_SCHEMA + 1, 0, 0, 0};
    const uint64_t by_pair[] = {(UINT64_C(1) << 32) + 1, UINT64_C(1) << 32};
    const uint64_t by_time[] = {(UINT64_C(1) << 32) + 1, 0};
    struct tb_chunk n, c, d;

    (void)tb_part(tb, 21);
    names(tb, 1, 100);
    n = tb_names(tb, 1);
    sd_deferred_names(&n);
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    (void)tb_event(&c, RLN__PUSH, 1, 10);
    (void)tb_event(&c, RLN__POP, 0, 30000);
    c = tb_events(tb, 1, 2, 101);
    tb_thread(&c, 2, 101, 0, "gpu");
    d = tb_chunk_at(tb, RLN__CHUNK_DEFERRED, 1, 0, 0, 0);
    sd_batch(&d, RLN__SUB_EVENT_BATCH, 25000, batch, 4, kernels, sizeof(kernels), "",
             0);
    sd_submit(&d, 25100, SD_SCHEMA + 2, &copy, sizeof(copy));
    sd_submit(&d, 25200, SD_SCHEMA + 4, &end, sizeof(end));
    sd_submit(&d, 25300, SD_SCHEMA + 3, &start, sizeof(start));
    sd_submit(&d, 25400, SD_SCHEMA + 3, &never, sizeof(never));
    sd_submit(&d, 25500, SD_SCHEMA + 5, &lost, sizeof(lost));
    sd_batch(&d, RLN__SUB_COUNTER_BATCH, 25600, by_pair, 2, values, sizeof(values),
             pair, sizeof(pair));
    sd_batch(&d, RLN__SUB_COUNTER_BATCH, 25700, by_time, 2, values, 16, both,
             sizeof(both));
}

/* --- Groups of counters ----------------------------------------------------------- */

struct sd_disk {
    uint64_t read;
    int32_t queue;
    float busy;
};

/* A sample by reference: the bytes of the counter's schema, or of its type. */
static inline void sd_sample_bytes(struct tb_chunk *c, uint32_t number, uint64_t t,
                                   const void *bytes, size_t n_bytes)
{
    uint64_t words[32] = {TB_START + t,
                          rln__pair32(RLN__SAMPLE | 1u << 16, (uint64_t)number << 1)};

    tb_long(c, RLN__SUB_PAYLOADS, words, 2 + sd_segment(words + 2, 0, bytes, n_bytes));
}

/* Three counters sampled together, one of them in bytes, one with its own scope; and a
 * plain one whose sample was passed by address. */
static inline void sd_group(struct tb *tb,
                            void (*names)(struct tb *, uint32_t, uint32_t))
{
    const struct sd_entry entries[] = {{0, SD_UINT64, 32, 1, 0},
                                       {0, 15, 33, 0, 0},  /* int32 */
                                       {0, 19, 34, 2, 0}}; /* float */
    const struct sd_disk first = {4096, 3, 12.5f}, second = {8192, -1, 0.1f};
    const uint64_t scope[] = {rln__pair32(1, 36), SD_SCHEMA + 9, 0};
    const uint64_t in_scope[] = {2, rln__pair32(1 | 1u << 16, 2), SD_SCHEMA + 9};
    const int64_t plain = -7;
    struct tb_chunk n, c;

    (void)tb_part(tb, 23);
    names(tb, 1, 31001);
    n = tb_names(tb, 1);
    tb_string(&n, 30, "disk");
    tb_string(&n, 31, "bytes");
    tb_string(&n, 32, "read");
    tb_string(&n, 33, "queue");
    tb_string(&n, 34, "busy");
    tb_string(&n, 35, "plain");
    tb_string(&n, 36, "arm[0]");
    tb_long(&n, RLN__SUB_SCOPE, scope, 3);
    tb_long(&n, RLN__SUB_SEMANTICS, in_scope, 3);
    sd_semantics(&n, 1, SD_UNTIL_NEXT, 31, 0, 0);
    sd_schema(&n, SD_SCHEMA + 1, 1, sizeof(first), entries, 3);
    sd_counter(&n, 1, 1, 30, SD_SCHEMA + 1, 0);
    sd_counter(&n, 2, 1, 35, SD_INT64, 1);
    c = tb_events(tb, 1, 1, 31001);
    tb_thread(&c, 1, 31001, 0, "main");
    sd_sample_bytes(&c, 1, 100, &first, sizeof(first));
    sd_sample_bytes(&c, 1, 200, &second, sizeof(second));
    sd_no_value(&c, 1, 300, 1);
    sd_sample_bytes(&c, 2, 400, &plain, sizeof(plain));
}

/* --- Memory ----------------------------------------------------------------------- */

/* A call in the domain io; `operands` follow. */
static inline void sd_memory(struct tb_chunk *c, unsigned operation, uint64_t t,
                             const uint64_t *operands, size_t n)
{
    uint64_t words[32] = {TB_START + t, rln__pair32(operation, 1)};

    memcpy(words + 2, operands, n * 8);
    tb_long(c, RLN__SUB_MEMORY, words, 2 + n);
}

#define SD_MEMORY(c, operation, t, ...)                                                \
    do {                                                                               \
        const uint64_t operands[] = {__VA_ARGS__};                                     \
        sd_memory(c, operation, t, operands, sizeof(operands) / 8);                    \
    } while (0)

/* A pool with three regions: one grows, one is freed by its number, one by its address;
 * then all end with the pool. Every other call occurs once. */
static inline void sd_pool(struct tb *tb,
                           void (*names)(struct tb *, uint32_t, uint32_t))
{
    const uint64_t virtual_two = rln__pair32(1, 2);
    struct tb_chunk n, c;

    (void)tb_part(tb, 22);
    names(tb, 1, 100);
    n = tb_names(tb, 1);
    tb_string(&n, 30, "pool");
    tb_string(&n, 31, "scratch");
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    SD_MEMORY(&c, 0, 100, 1, rln__pair32(1, 1), 0x10000, 65536, rln__pair32(7, 30));
    SD_MEMORY(&c, 3, 200, 1, virtual_two, 1, 0x10000, 4096, 2, 0x12000, 8192);
    SD_MEMORY(&c, 3, 300, 1, rln__pair32(1, 1), 3, 0x18000, 1024);
    SD_MEMORY(&c, 6, 400, 2, rln__pair32(2, 7), 3, 31, rln__pair32(1, 0), 0x10000, 30);
    SD_MEMORY(&c, 4, 500, rln__pair32(1, 1), 0x12000, 16384);
    SD_MEMORY(&c, 5, 600, rln__pair32(2, 1), 3);
    SD_MEMORY(&c, 5, 700, virtual_two, 0x10000, 0x99999); /* the second is no region */
    SD_MEMORY(&c, 3, 800, 0, rln__pair32(1, 1), 4, 0x500000, 100);
    SD_MEMORY(&c, 8, 900, 1, 5);
    SD_MEMORY(&c, 7, 910, 1, 1, rln__pair32(3, 1), 0x12000);
    SD_MEMORY(&c, 11, 920, 1, rln__pair32(1, 2));
    SD_MEMORY(&c, 12, 930, 1);
    SD_MEMORY(&c, 10, 940, 1);
    SD_MEMORY(&c, 9, 950, 1);
    SD_MEMORY(&c, 13, 960, 0);
    SD_MEMORY(&c, 14, 970, 2, 3);
    SD_MEMORY(&c, 15, 980, 2, 3, 7);
    SD_MEMORY(&c, 16, 990, 0xabc0, 1, 1, 0x12000);
    SD_MEMORY(&c, 1, 1000, 1);
    SD_MEMORY(&c, 2, 1100, 0);
    SD_MEMORY(&c, 3, 1200, 9, rln__pair32(1, 1000)); /* claims more than it has */
    SD_MEMORY(&c, 200, 1300, 1);                     /* of a newer NVTX */
}

#endif
