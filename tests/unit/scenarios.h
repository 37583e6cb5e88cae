/* SPDX-License-Identifier: Apache-2.0 */
/* scenarios.h - makes the traces that tests of the readers share, one per feature. */
#ifndef RLN_TESTS_SCENARIOS_H
#define RLN_TESTS_SCENARIOS_H

#include "gpu_scenario.h"
#include "newest_scenario.h"
#include "payload_scenario.h"
#include "said_scenarios.h"
#include "switch_scenario.h"

/* Process 1 with strings 1 "step", 2 "load", 3 "io" (a domain), 4 "disk" (a category),
 * and attributes of the same ids for the first two; 3 is "load" in the domain io. */
static inline void sc_names(struct tb *tb, uint32_t process, uint32_t pid)
{
    struct tb_chunk c = tb_names(tb, process);

    (void)tb_process(&c, process, 0, pid);
    tb_string(&c, 1, "step");
    tb_string(&c, 2, "load");
    tb_string(&c, 3, "io");
    tb_string(&c, 4, "disk");
    tb_domain(&c, 1, 3);
    tb_category(&c, 1, 7, 4);
    tb_attributes(&c, 1, 0, 1);
    tb_attributes(&c, 2, 0, 2);
    tb_attributes_full(&c, 3, 1, 7, 0xff00ff00u, 2,
                       rln__types(1, 6, RLN__MESSAGE_REGISTERED));
}

/* step [0,100] around load [10,50]; a mark with color, category and payload. */
static inline void sc_nested(struct tb *tb)
{
    struct tb_chunk c;

    (void)tb_part(tb, 11);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    (void)tb_event(&c, RLN__PUSH, 1, 0);
    (void)tb_event(&c, RLN__PUSH, 2, 10000);
    (void)tb_value(&c, RLN__MARK_VALUE, 3, 20000, 0x3dcccccdu); /* 0.1f */
    (void)tb_event(&c, RLN__POP, 0, 50000);
    (void)tb_event(&c, RLN__POP, 0, 100000);
    (void)tb_event(&c, RLN__POP, 0, 110000); /* closes nothing */
    (void)tb_event(&c, RLN__PUSH, 3, 120000);
}

/* A child forked inside "step" pops it, uses its parent's names, and adds its own. */
static inline void sc_fork(struct tb *tb)
{
    struct tb_chunk c;
    struct rln__process_record *r;

    (void)tb_part(tb, 12);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    (void)tb_event(&c, RLN__PUSH, 1, 10);
    (void)tb_event(&c, RLN__POP, 0, 500);
    c = tb_names(tb, 2);
    r = tb_process(&c, 2, 1, 200);
    r->flags = RLN__PROCESS_FORKED;
    r->inherited_strings = 5;
    r->inherited_attributes = 4;
    r->inherited_domains = 2;
    tb_string(&c, 5, "child's own");
    tb_attributes(&c, 4, 1, 5);
    c = tb_events(tb, 2, 1, 200);
    tb_thread(&c, 1, 200, 100, "main");
    tb_depths(&c, RLN__SUB_INHERITED, 100, 0, 0, 1);
    (void)tb_event(&c, RLN__PUSH, 2, 110);
    (void)tb_event(&c, RLN__PUSH, 4, 120);
    (void)tb_event(&c, RLN__POP, 1, 130);
    (void)tb_event(&c, RLN__POP, 0, 140);
    (void)tb_event(&c, RLN__POP, 0, 150); /* the parent's */
    (void)tb_event(&c, RLN__POP, 0, 160); /* unmatched */
    (void)tb_event(&c, RLN__PUSH, 3, 170);
    (void)tb_event(&c, RLN__POP, 1, 180);
}

/* "step" is open when events are lost; afterwards two ranges are. */
static inline void sc_gap(struct tb *tb)
{
    struct tb_chunk c;

    (void)tb_part(tb, 13);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    (void)tb_event(&c, RLN__PUSH, 1, 10);
    tb_depths(&c, RLN__SUB_GAP, 100, 42, 0, 2);
    (void)tb_event(&c, RLN__PUSH, 2, 110);
    (void)tb_event(&c, RLN__POP, 0, 120);
    (void)tb_event(&c, RLN__POP, 0, 130); /* lost */
    (void)tb_event(&c, RLN__POP, 0, 140); /* lost */
    (void)tb_event(&c, RLN__POP, 0, 150); /* unmatched */
}

/* Two threads lose events, one of them its last ones; and every other kind of loss or
 * invalid call. */
static inline void sc_losses(struct tb *tb)
{
    struct tb_chunk c;
    struct rln__process_record *r;

    (void)tb_part(tb, 32);
    c = tb_names(tb, 1);
    r = tb_process(&c, 1, 0, 100);
    r->n_dropped = 47;
    r->n_strings_cut = 1;
    r->n_strings_refused = 1200;
    r->n_invalid = 3;
    r->n_payloads_cut = 2;
    r->n_payloads_unread = 1;
    r->n_waits = 17;
    r->waited_ns = 2500000000;
    tb_string(&c, 1, "step");
    tb_attributes(&c, 1, 0, 1);
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    (void)tb_event(&c, RLN__MARK, 1, 9000);
    tb_depths(&c, RLN__SUB_GAP, 20000, 40, 0, 0);
    (void)tb_event(&c, RLN__MARK, 1, 21000);
    c = tb_events(tb, 1, 2, 101);
    tb_thread(&c, 2, 101, 0, "other");
    (void)tb_event(&c, RLN__MARK, 1, 5000);
    tb_depths(&c, RLN__SUB_GAP, 30000, 2, 0, 0);
    (void)tb_event(&c, RLN__MARK, 1, 31000);
}

/* A handler interrupts a push after it took its place and before it took its time;
 * another one interrupts the handler. Times by place: 900, 300, 700, 500, 600, 1000. */
static inline void sc_inversion(struct tb *tb)
{
    struct tb_chunk c;

    (void)tb_part(tb, 14);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    (void)tb_event(&c, RLN__PUSH, 1, 900);
    (void)tb_event(&c, RLN__PUSH, 2, 300);
    (void)tb_event(&c, RLN__POP, 0, 700);
    (void)tb_event(&c, RLN__MARK, 2, 500);
    (void)tb_word(&c, 0);
    (void)tb_event(&c, RLN__MARK, 2, 600);
    (void)tb_event(&c, RLN__POP, 0, 1000);
}

/* A range begins in one process and ends in another; one ends twice; one never does. */
static inline void sc_startend(struct tb *tb)
{
    struct tb_chunk c, d;
    uint64_t first, second;

    (void)tb_part(tb, 15);
    sc_names(tb, 1, 100);
    sc_names(tb, 2, 200);
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    first = tb_event(&c, RLN__START, 1, 10);
    second = tb_value(&c, RLN__START_VALUE, 3, 20, 0x40490fdbu);
    (void)tb_event(&c, RLN__START, 2, 30);
    d = tb_events(tb, 2, 1, 200);
    tb_thread(&d, 1, 200, 0, "worker");
    (void)tb_value(&d, RLN__END, 0, 100, first);
    (void)tb_value(&d, RLN__END, 1, 120, first); /* already ended */
    (void)tb_value(&c, RLN__END, 0, 140, second);
    (void)tb_value(&c, RLN__END, 0, 160, 77); /* never began */
}

static inline uint64_t sc_task(struct tb_chunk *c, uint32_t attr, uint64_t t,
                               uint64_t outer)
{
    return pb_event(c, RLN__START, attr, t, NULL, RLN__TYPE_RANGE_ID, &outer,
                    sizeof(outer));
}

/* Ranges of tasks that say in which others they were begun:
 *
 *   step 0 ------------------------------------- 100   step 110 - 120
 *     load 10 ------------- 70   load 80 --- 95          begun in one that has ended
 *       io/load 30 - 40
 *     load 20 -------------------------- 90
 *       io/load 50 - 60
 *   worker: load 25 - 35                                 begun on another thread
 */
static inline void sc_tasks(struct tb *tb)
{
    struct tb_chunk c;
    uint64_t step, first, second, inner;

    (void)tb_part(tb, 40);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    step = tb_event(&c, RLN__START, 1, 0);
    first = sc_task(&c, 2, 10, step);
    second = sc_task(&c, 2, 20, step);
    inner = sc_task(&c, 3, 30, first);
    (void)tb_value(&c, RLN__END, 1, 40, inner);
    inner = sc_task(&c, 3, 50, second);
    (void)tb_value(&c, RLN__END, 1, 60, inner);
    (void)tb_value(&c, RLN__END, 0, 70, first);
    inner = sc_task(&c, 2, 80, step);
    (void)tb_value(&c, RLN__END, 0, 90, second);
    (void)tb_value(&c, RLN__END, 0, 95, inner);
    (void)tb_value(&c, RLN__END, 0, 100, step);
    inner = sc_task(&c, 1, 110, step);
    (void)tb_value(&c, RLN__END, 0, 120, inner);
    c = tb_events(tb, 1, 2, 101);
    tb_thread(&c, 2, 101, 25, "worker");
    inner = sc_task(&c, 2, 25, step);
    (void)tb_value(&c, RLN__END, 0, 35, inner);
}

/* A range inside others of its name, directly and not:
 *
 *   step 0 ------------------------------------- 100
 *     step 10 ------------------ 70    load 80 - 90
 *       load 20 -------- 60
 *         step 30 - 50
 */
static inline void sc_itself(struct tb *tb)
{
    struct tb_chunk c;

    (void)tb_part(tb, 41);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    (void)tb_event(&c, RLN__PUSH, 1, 0);
    (void)tb_event(&c, RLN__PUSH, 1, 10);
    (void)tb_event(&c, RLN__PUSH, 2, 20);
    (void)tb_event(&c, RLN__PUSH, 1, 30);
    (void)tb_event(&c, RLN__POP, 0, 50);
    (void)tb_event(&c, RLN__POP, 0, 60);
    (void)tb_event(&c, RLN__POP, 0, 70);
    (void)tb_event(&c, RLN__PUSH, 2, 80);
    (void)tb_event(&c, RLN__POP, 0, 90);
    (void)tb_event(&c, RLN__POP, 0, 100);
}

/* Rare cases: records in line and with absolute ticks, thread names, resources, a chunk
 * passed to another thread, holes, unknown records, text that is not UTF-8. */
static inline void sc_rare(struct tb *tb)
{
    const uint64_t u64_payload = 0xffffffffffffffffu;
    const uint64_t future[2] = {1, 2};
    uint64_t words[4];
    struct tb_chunk c;

    (void)tb_part(tb, 16);
    sc_names(tb, 1, 100);
    c = tb_names(tb, 1);
    tb_bytes(&c, 10, "bad \xff\xc3\xa9 \xe2\x82 \"quoted\\\"\n\x01", 23);
    tb_attributes(&c, 10, 0, 10);
    tb_attributes_full(&c, 11, 0, 0, 0, 0, rln__types(255, 255, 0));
    tb_attributes_full(&c, 12, 0, 3, 0x80112233u, 1, rln__types(1, 3, 1));
    tb_attributes_full(&c, 13, 0, 0, 0, 1, rln__types(0, 5, 1));
    tb_note(&c, "exe", "/bin/demo");
    tb_note(&c, "command", "demo");
    words[0] = rln__pair32(101, 2);
    words[1] = TB_START + 55;
    tb_long(&c, RLN__SUB_THREAD_NAME, words, 2);
    words[0] = rln__pair32(9, 1);
    words[1] = rln__pair32(0x40003, 3); /* a CUDA stream */
    words[2] = 0xdeadbeef;
    words[3] = TB_START + 56;
    tb_long(&c, RLN__SUB_RESOURCE, words, 4);
    words[0] = 9;
    words[1] = TB_START + 57;
    tb_long(&c, RLN__SUB_RESOURCE_DESTROY, words, 2);
    words[0] = 1;
    words[1] = TB_START + 58;
    tb_long(&c, RLN__SUB_DOMAIN_DESTROY, words, 2);
    tb_long(&c, 99, words, 2);

    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    (void)tb_event(&c, RLN__MARK, 10, 10);
    (void)tb_value(&c, RLN__MARK_VALUE, 11, 20, 5);
    (void)tb_value(&c, RLN__MARK_VALUE, 12, 30, 0x3fb999999999999au); /* 0.1 */
    (void)tb_value(&c, RLN__MARK_VALUE, 13, 40, 0xfffffffeu);         /* -2 */
    tb_in_line(&c, RLN__PUSH, 50, &u64_payload, 1, "in line");
    (void)tb_event(&c, RLN__POP, 1, 60);
    (void)tb_word(&c, rln__long_word(RLN__HOLE, 0, 3));
    (void)tb_word(&c, 1);
    (void)tb_word(&c, 1);
    tb_long(&c, 200, future, 2);
    (void)tb_event(&c, 7, 0, 1);            /* one word, unknown */
    (void)tb_event(&c, RLN__MARK, 999, 70); /* 999 is not defined */
    tb_thread(&c, 2, 101, 80, "next");
    (void)tb_event(&c, RLN__MARK, 1, 90);
}

/* Two processes and three threads whose events interleave, over several chunks. */
static inline void sc_threads(struct tb *tb)
{
    struct tb_chunk c[3], later;

    (void)tb_part(tb, 17);
    sc_names(tb, 1, 100);
    sc_names(tb, 2, 200);
    c[0] = tb_events(tb, 1, 1, 100);
    c[1] = tb_events(tb, 1, 2, 101);
    c[2] = tb_events(tb, 2, 1, 200);
    for (unsigned i = 0; i < 3; i++)
        tb_thread(&c[i], i == 1 ? 2 : 1, i == 2 ? 200 : 100 + i, i, "worker");
    for (uint64_t k = 0; k < 100; k++) {
        for (unsigned i = 0; i < 3; i++)
            (void)tb_event(&c[i], k % 2 ? RLN__POP : RLN__PUSH, k % 2 ? 0 : 1 + i % 2,
                           100 + k * 10 + i * (k % 3));
    }
    later = tb_chunk_at(tb, RLN__CHUNK_EVENTS, 1, 2, 101, 2000);
    (void)tb_event(&later, RLN__PUSH, 2, 0);
    (void)tb_event(&later, RLN__POP, 0, 100);
}

/* Two traces, one after the other; the second is of another boot, an hour later. */
static inline void sc_parts(struct tb *tb)
{
    struct rln__superblock *super;
    struct tb_chunk c;
    uint64_t id;

    sc_nested(tb);
    super = tb_part(tb, 18);
    super->boot_id[0] = 'f';
    super->created[0].realtime_ns += 3600000000000u;
    super->created[1].realtime_ns += 3600000000000u;
    super->finished = 0;
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 5, "main");
    id = tb_event(&c, RLN__START, 2, 10);
    (void)tb_value(&c, RLN__END, 0, 30, id);
}

/* A range that was pushed while no window was open. */
static inline void sc_resumed(struct tb_chunk *c, uint64_t t, uint32_t domain,
                              uint32_t attributes)
{
    tb_depths(c, RLN__SUB_RESUMED, t, 0, domain, attributes);
}

/* Recorded from 1 to 2 us by a capture range, from 5 to 6 us by a command, and from 8
 * us on. "step" is open before the first window and ends after it; of the two ranges
 * open before the second window, "io:load" ends in the third. */
static inline void sc_windows(struct tb *tb)
{
    struct tb_chunk c;
    uint64_t id;

    (void)tb_part(tb, 21);
    tb_window(tb, 1000, RLN__WINDOW_BY_CAPTURE, 2000, RLN__WINDOW_BY_CAPTURE);
    tb_window(tb, 5000, RLN__WINDOW_BY_COMMAND, 6000, RLN__WINDOW_BY_COMMAND);
    tb_window(tb, 8000, RLN__WINDOW_BY_PROGRAM, 0, 0);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 1000, "main");
    sc_resumed(&c, 1005, 0, 1);
    (void)tb_event(&c, RLN__PUSH, 2, 1010);
    (void)tb_event(&c, RLN__POP, 0, 1050);
    (void)tb_event(&c, RLN__PUSH, 2, 1900);
    (void)tb_event(&c, RLN__POP, 0, 2500);
    (void)tb_event(&c, RLN__POP, 0, 3000);
    sc_resumed(&c, 5010, 1, 3);
    sc_resumed(&c, 5010, 0, 2);
    (void)tb_event(&c, RLN__PUSH, 1, 5020);
    (void)tb_event(&c, RLN__POP, 0, 5080);
    (void)tb_event(&c, RLN__POP, 0, 5200);
    (void)tb_event(&c, RLN__PUSH, 1, 8100);
    (void)tb_event(&c, RLN__POP, 1, 8200);
    c = tb_events(tb, 1, 2, 101);
    tb_thread(&c, 2, 101, 1500, "other");
    id = tb_event(&c, RLN__START, 2, 1600);
    (void)tb_event(&c, RLN__MARK, 2, 2010); /* saw the window close too late */
    (void)tb_value(&c, RLN__END, 0, 5500, id);
    (void)tb_event(&c, RLN__MARK, 1, 8050);
}

static inline void sc_locks(struct tb *tb)
{
    sd_locks(tb, sc_names);
}

static inline void sc_payloads(struct tb *tb)
{
    ps_payloads(tb, sc_names);
}

static inline void sc_counters(struct tb *tb)
{
    sd_counters(tb, sc_names);
}

static inline void sc_deferred(struct tb *tb)
{
    sd_deferred(tb, sc_names);
}

static inline void sc_gpu(struct tb *tb)
{
    gs_gpu(tb, sc_names);
}

static inline void sc_group(struct tb *tb)
{
    sd_group(tb, sc_names);
}

static inline void sc_pool(struct tb *tb)
{
    sd_pool(tb, sc_names);
}

/* 120 times step around load, which takes 1 to 1.3 us plus `more_ns`. */
static inline void sc_paced(struct tb *tb, uint32_t more_ns)
{
    struct tb_chunk c;
    uint64_t t = 0;

    (void)tb_part(tb, 30);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    for (uint32_t i = 0; i < 120; i++) {
        (void)tb_event(&c, RLN__PUSH, 1, t);
        (void)tb_event(&c, RLN__PUSH, 2, t += 5000);
        (void)tb_event(&c, RLN__POP, 0, t += 1000 + i * 7919 % 300 + more_ns);
        (void)tb_event(&c, RLN__POP, 0, t += 1000);
        t += 2000;
    }
}

static inline void sc_pace(struct tb *tb)
{
    sc_paced(tb, 0);
}

/* The same, slower, with a range that the other does not have. */
static inline void sc_slower_pace(struct tb *tb)
{
    struct tb_chunk c;

    sc_paced(tb, 400);
    c = tb_events(tb, 1, 2, 101);
    tb_thread(&c, 2, 101, 0, "other");
    (void)tb_event(&c, RLN__PUSH, 3, 100);
    (void)tb_event(&c, RLN__POP, 1, 600);
}

/* 24 steps with different names, each around one of three layers and a mark. */
static inline void sc_numbered(struct tb *tb)
{
    struct tb_chunk c;
    uint64_t t = 0;
    char name[64];

    (void)tb_part(tb, 31);
    c = tb_names(tb, 1);
    (void)tb_process(&c, 1, 0, 100);
    for (uint32_t i = 0; i < 24; i++) {
        (void)snprintf(name, sizeof(name), "step %u of 24, lr=%ue-0%u", i, i + 1,
                       i % 9);
        tb_string(&c, i + 1, name);
        tb_attributes(&c, i + 1, 0, i + 1);
    }
    for (uint32_t i = 0; i < 3; i++) {
        (void)snprintf(name, sizeof(name), "layer.%u.conv2d", i);
        tb_string(&c, 30 + i, name);
        tb_attributes(&c, 30 + i, 0, 30 + i);
    }
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    for (uint32_t i = 0; i < 24; i++) {
        (void)tb_event(&c, RLN__PUSH, i + 1, t);
        (void)tb_event(&c, RLN__PUSH, 30 + i % 3, t + 100);
        (void)tb_event(&c, RLN__MARK, i + 1, t + 200);
        (void)tb_event(&c, RLN__POP, 0, t + 1000 + i);
        (void)tb_event(&c, RLN__POP, 0, t + 2000);
        t += 3000;
    }
}

static inline void sc_newest(struct tb *tb)
{
    ns_newest(tb, sc_names);
}

static inline void sc_without_one(struct tb *tb)
{
    ns_without_one(tb, sc_names);
}

/* A process of a job with one `step` of so many nanoseconds, from 0 on. Without its own
 * rank it has that of the launcher, or none. */
static inline struct tb_chunk sc_rank(struct tb *tb, uint32_t process, const char *rank,
                                      uint64_t step_ns)
{
    struct tb_chunk c = tb_names(tb, process);

    (void)tb_process(&c, process, 0, 100 + process);
    tb_string(&c, 1, "step");
    tb_string(&c, 2, "write");
    tb_attributes(&c, 1, 0, 1);
    tb_attributes(&c, 2, 0, 2);
    if (rank) {
        tb_note(&c, "SLURM_PROCID", "7"); /* the node's */
        tb_note(&c, "RANK", rank);
    }
    c = tb_events(tb, process, 1, 100 + process);
    tb_thread(&c, 1, 100 + process, 0, "main");
    (void)tb_event(&c, RLN__PUSH, 1, 0);
    (void)tb_event(&c, RLN__POP, 0, step_ns);
    return c;
}

/* step: 100, 100, 160 and 120 ns on ranks 0, 1, 2 and 10, the last with two processes;
 * write: 50 ns on rank 0; and a process without a rank. */
static inline void sc_ranks(struct tb *tb)
{
    struct tb_chunk c;

    (void)tb_part(tb, 40);
    (void)sc_rank(tb, 1, "10", 70);
    (void)sc_rank(tb, 2, "2", 160);
    c = sc_rank(tb, 3, "0", 100);
    (void)tb_event(&c, RLN__PUSH, 2, 200);
    (void)tb_event(&c, RLN__POP, 0, 250);
    (void)sc_rank(tb, 4, "1", 100);
    (void)sc_rank(tb, 5, "10", 50);
    (void)sc_rank(tb, 6, NULL, 1000);
}

#define SC_MS 1000000

/* Its time of day is 3 ms ahead. */
static inline void sc_second_machine(struct tb *tb)
{
    struct rln__superblock *super = tb_part(tb, 2);

    super->boot_id[0] = 'f';
    memcpy(super->host, "another", 8);
    for (size_t i = 0; i < 2; i++)
        super->created[i].realtime_ns += 3 * SC_MS;
    sc_names(tb, 1, 200);
}

/* step ends at 100 ms, 200 ms, ... on two machines. On the second one, one step ends
 * late, the clock is slower by `rate`, and a mark comes half a step later. */
static inline void sc_two_machines(struct tb *tb, unsigned n, double rate)
{
    struct tb_chunk c;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    for (uint64_t i = 1; i <= n; i++) {
        (void)tb_event(&c, RLN__PUSH, 1, i * 100 * SC_MS - 10 * SC_MS);
        (void)tb_event(&c, RLN__POP, 0, i * 100 * SC_MS);
    }
    sc_second_machine(tb);
    c = tb_events(tb, 1, 1, 200);
    tb_thread(&c, 1, 200, 0, "main");
    for (uint64_t i = 1; i <= n; i++) {
        const uint64_t late = i == 2 ? 5 * SC_MS : 0;
        const double end = (double)(i * 100 * SC_MS) * (1 - rate);

        (void)tb_event(&c, RLN__PUSH, 1, (uint64_t)end - 20 * SC_MS);
        (void)tb_event(&c, RLN__POP, 0, (uint64_t)end + late);
    }
    (void)tb_event(&c, RLN__MARK, 2,
                   (uint64_t)((double)((n * 100ull + 50) * SC_MS) * (1 - rate)));
}

static inline void sc_machines(struct tb *tb)
{
    sc_two_machines(tb, 3, 0);
}

/* 514 ranges open at once, alternating between the default domain and "io";
 * `is_last_first`: they are closed alternately, too. */
static inline void sc_in_turn(struct tb *tb, int is_last_first)
{
    struct tb_chunk c;
    uint64_t t = 0;

    (void)tb_part(tb, 41);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    for (uint32_t i = 0; i < 514; i++)
        (void)tb_event(&c, RLN__PUSH, i % 2 ? 3 : 1, t += 1000);
    for (uint32_t i = 0; i < 514; i++)
        (void)tb_event(&c, RLN__POP, is_last_first ? i % 2 == 0 : i < 257, t += 1000);
}

/* All ranges of "io" are closed first, each while an inner one of the other domain is
 * open. */
static inline void sc_deep(struct tb *tb)
{
    sc_in_turn(tb, 0);
}

static inline void sc_deep_nested(struct tb *tb)
{
    sc_in_turn(tb, 1);
}

static const struct sc_scenario {
    const char *name;
    void (*build)(struct tb *tb);
} sc_all[] = {
    {"nested", sc_nested},
    {"fork", sc_fork},
    {"gap", sc_gap},
    {"losses", sc_losses},
    {"inversion", sc_inversion},
    {"startend", sc_startend},
    {"tasks", sc_tasks},
    {"itself", sc_itself},
    {"rare", sc_rare},
    {"threads", sc_threads},
    {"parts", sc_parts},
    {"locks", sc_locks},
    {"payloads", sc_payloads},
    {"counters", sc_counters},
    {"deferred", sc_deferred},
    {"pool", sc_pool},
    {"group", sc_group},
    {"windows", sc_windows},
    {"pace", sc_pace},
    {"slower_pace", sc_slower_pace},
    {"numbered", sc_numbered},
    {"newest", sc_newest},
    {"without_one", sc_without_one},
    {"ranks", sc_ranks},
    {"machines", sc_machines},
    {"deep", sc_deep},
    {"deep_nested", sc_deep_nested},
    {"gpu", sc_gpu},
    {"switches", sc_switches},
    {"execed", sc_execed},
    {"clocks", sc_clocks},
    {"newest_switches", sc_newest_switches},
    {"waiting_steps", sc_waiting_steps},
};

#define SC_COUNT (sizeof(sc_all) / sizeof(sc_all[0]))

#endif
