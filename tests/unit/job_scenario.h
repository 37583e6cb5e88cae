/* SPDX-License-Identifier: Apache-2.0 */
/* job_scenario.h - the traces of a job: each is small, and has an id of its own. */
#ifndef RLN_TESTS_JOB_SCENARIO_H
#define RLN_TESTS_JOB_SCENARIO_H

#include "gpu_scenario.h"
#include "payload_builder.h"

enum job_kind {
    JOB_FINISHED,
    JOB_KILLED,    /* with ranges that are left open */
    JOB_EMPTY,     /* without any chunk */
    JOB_OTHER,     /* of another program */
    JOB_NO_RANK,   /* two processes without a rank, and a launcher */
    JOB_TWO_PARTS, /* ranks 100 and 101 */
    JOB_MANY,      /* more ranges of a name than are kept one by one */
    JOB_GPU,       /* with GPU work, and calls of NCCL */
    JOB_N_KINDS
};

#define JOB_MESSAGE (RLN__FIRST_SCHEMA_ID + 1)

/* As Knuth's MMIX; the same numbers everywhere. */
static inline uint32_t job_random(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % below;
}

static inline void job_names(struct tb *tb, uint32_t process, const char *rank,
                             int is_other, unsigned flags)
{
    struct tb_chunk c = tb_names(tb, process);

    tb_process(&c, process, 0, 100 + process)->flags = (uint16_t)flags;
    tb_string(&c, 1, is_other ? "solve" : "step");
    tb_string(&c, 2, "load");
    tb_string(&c, 3, is_other ? "halo" : "write");
    tb_string(&c, 4, "app");
    tb_domain(&c, 1, 4);
    tb_attributes(&c, 1, 0, 1);
    tb_attributes(&c, 2, 0, 2);
    tb_attributes(&c, 3, 1, 3);
    if (rank)
        tb_note(&c, "RANK", rank);
}

/* Outer ranges with up to three inner ones each, and a start/end range around them. */
static inline void job_events(struct tb *tb, uint32_t process, uint32_t thread,
                              uint64_t *random, unsigned n, int is_left_open)
{
    struct tb_chunk c = tb_events(tb, process, thread, 99 + process + thread);
    uint64_t t = job_random(random, 1000), id;

    tb_thread(&c, thread, 99 + process + thread, 0, "main");
    id = tb_event(&c, RLN__START, 3, t);
    for (unsigned i = 0; i < n && c.at + 200 < c.end; i++) {
        (void)tb_event(&c, RLN__PUSH, 1, t += job_random(random, 50));
        for (unsigned k = job_random(random, 4); k; k--) {
            const unsigned which = 2 + job_random(random, 2);

            (void)tb_event(&c, RLN__PUSH, which, t += job_random(random, 100));
            (void)tb_event(&c, RLN__POP, which - 2, t += job_random(random, 5000));
        }
        (void)tb_event(&c, RLN__POP, 0, t += job_random(random, 300));
        (void)tb_event(&c, RLN__MARK, 2, t);
    }
    if (is_left_open) {
        (void)tb_event(&c, RLN__PUSH, 1, t += 7);
        (void)tb_event(&c, RLN__PUSH, 3, t += 8);
        (void)tb_event(&c, RLN__MARK, 2, t += 1000);
    } else {
        (void)tb_value(&c, RLN__END, 0, t, id);
    }
}

/* A call of NCCL with a payload, and what it launches; a kernel and a copy of the step
 * around it, on other streams. Two GPUs, whose work is written last first. */
static inline void job_gpu_step(struct tb_chunk *c, struct tb_chunk *d, uint32_t i,
                                uint64_t t, uint64_t *random)
{
    const uint64_t bytes = UINT64_C(1024) << i % 3;
    const uint64_t message[2] = {7, bytes};
    const uint32_t device = i % 5 == 4;
    struct rln__gpu_call calls[2] = {{.head = gs_head(t + 20, t + 30, 13, 2 * i + 1)},
                                     {.head = gs_head(t + 50, t + 60, 13, 2 * i + 2)}};
    const uint64_t from = t + 100 + job_random(random, 100);
    const struct rln__gpu_kernel nccl = {
        .head = gs_head(from, from + 200 + job_random(random, 400), 16, 2 * i + 1),
        .at = {device, 1, 0, 8}};
    const struct rln__gpu_kernel solve = {
        .head = gs_head(from + 50, from + 150 + job_random(random, 400), 11, 2 * i + 2),
        .at = {device, 1, 0, 7}};
    const struct rln__gpu_copy copy = {
        .head = gs_head(from + 100, from + 120 + job_random(random, 700), 12, 0),
        .at = {device, 1, 0, 7},
        .bytes = 4096};

    calls[0].head.tid = calls[1].head.tid = 100;
    (void)tb_event(c, RLN__PUSH, 1, t);
    (void)pb_event(c, RLN__PUSH, 17, t + 10, NULL, JOB_MESSAGE, message,
                   sizeof(message));
    (void)tb_event(c, RLN__POP, 2, t + 40 + job_random(random, 5));
    (void)tb_event(c, RLN__POP, 0, t + 70);
    gs_batch(d, 90000, RLN__GPU_SCHEMA(RLN__GPU_CALL), 0, calls, sizeof(calls));
    gs_batch(d, 90000, RLN__GPU_SCHEMA(RLN__GPU_COPY), SD_SCHEMA + 1, &copy,
             sizeof(copy));
    gs_batch(d, 90000, RLN__GPU_SCHEMA(RLN__GPU_KERNEL), SD_SCHEMA + 1, &solve,
             sizeof(solve));
    if (i % 4 != 3) /* a call in a group launches nothing itself */
        gs_batch(d, 90000, RLN__GPU_SCHEMA(RLN__GPU_KERNEL), SD_SCHEMA + 2, &nccl,
                 sizeof(nccl));
}

static inline void job_gpus(struct tb *tb, uint64_t *random)
{
    static const struct pb_entry message[] = {
        {0, RLN__TYPE_UINT64, "NCCL communicator ID", 0, 0},
        {0, RLN__TYPE_UINT64, "Message size [bytes]", 0, 8},
    };
    struct tb_chunk n = tb_names(tb, 1), c = tb_events(tb, 1, 2, 100), d;
    const uint32_t n_steps = 4 + job_random(random, 6);

    gs_names(&n);
    tb_string(&n, 200, "ncclDevKernel_AllReduce_Sum_f32_RING_LL");
    tb_attributes_full(&n, 16, GS_DOMAIN, 0, 0, 200,
                       rln__types(0, 0, RLN__MESSAGE_REGISTERED));
    tb_string(&n, 201, "NCCL");
    tb_string(&n, 202, "ncclAllReduce");
    tb_domain(&n, 2, 201);
    tb_attributes(&n, 17, 2, 202);
    pb_schema(&n, (struct pb_schema){2, NULL, JOB_MESSAGE, 1, 0, 16, 0, 0}, message, 2);
    tb_thread(&c, 2, 100, 0, "main");
    d = tb_chunk_at(tb, RLN__CHUNK_DEFERRED, 1, 0, 0, 0);
    for (uint32_t i = n_steps; i-- > 0;)
        job_gpu_step(&c, &d, n_steps - 1 - i, (n_steps - 1 - i) * 1000, random);
    gs_batch(&d, 90000, RLN__GPU_LOSS_SCHEMA, 0,
             &(struct rln__gpu_loss){(int64_t)TB_START + 3500, gs_handle(15), 5},
             sizeof(struct rln__gpu_loss));
}

static inline uint64_t job_id(uint32_t number)
{
    return number * 2654435761u + 1;
}

/* Of the second part of a trace: no id of another trace, however many there are. */
static inline uint64_t job_second_id(uint32_t number)
{
    return job_id(number) | 1ull << 32;
}

static inline struct rln__superblock *job_part(struct tb *tb, uint32_t number,
                                               uint64_t id)
{
    struct rln__superblock *super = tb_part(tb, id);

    for (size_t i = 0; i < 2; i++)
        super->created[i].realtime_ns += (uint64_t)number * 12345;
    super->boot_id[0] = (char)('a' + number % 3);
    super->host[4] = (char)('a' + number % 3);
    return super;
}

/* Trace `number` of a job. */
static inline void job_build(struct tb *tb, uint32_t number, enum job_kind kind)
{
    uint64_t random = number;
    char rank[16];

    (void)snprintf(rank, sizeof(rank), "%u", (unsigned)number);
    job_part(tb, number, job_id(number))->finished = kind != JOB_KILLED;
    if (kind == JOB_EMPTY)
        return;
    job_names(tb, 1, kind == JOB_NO_RANK ? NULL : rank, kind == JOB_OTHER, 0);
    if (kind == JOB_MANY) {
        for (uint32_t i = 0; i < 20; i++)
            job_events(tb, 1, 1 + i, &random, 1000, 0);
        return;
    }
    if (kind == JOB_GPU) {
        job_gpus(tb, &random);
        return;
    }
    job_events(tb, 1, 1, &random, 5 + job_random(&random, 20), kind == JOB_KILLED);
    if (kind == JOB_NO_RANK) {
        job_names(tb, 2, NULL, 0, 0);
        job_events(tb, 2, 1, &random, 4, 0);
        job_names(tb, 3, NULL, 0, RLN__PROCESS_LAUNCHER);
    } else if (kind == JOB_TWO_PARTS) {
        (void)job_part(tb, number + 1000, job_second_id(number));
        job_names(tb, 1, "101", 1, 0);
        job_events(tb, 1, 1, &random, 9, 0);
    }
}

/* Of which kind a trace of a mixed job is. */
static inline enum job_kind job_kind_of(uint32_t number)
{
    static const enum job_kind kinds[] = {JOB_FINISHED, JOB_FINISHED, JOB_KILLED,
                                          JOB_OTHER,    JOB_FINISHED, JOB_EMPTY,
                                          JOB_NO_RANK,  JOB_OTHER,    JOB_TWO_PARTS};

    return number == 4 ? JOB_MANY : kinds[number % (sizeof(kinds) / sizeof(kinds[0]))];
}

#endif
