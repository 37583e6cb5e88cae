/* SPDX-License-Identifier: Apache-2.0 */
/* switch_scenario.h - two threads that share a processor.
 *
 *   us           0    10    20     50     100    110   150   200
 *   100 "step"        |--------------------------------------|
 *   100          on-----------|    on-----------|      on---------
 *                             preempted         blocked
 *   101 "load"                |--------------------|
 *   101          born.........on----|blocked       | ended
 */
#ifndef RLN_TESTS_SWITCH_SCENARIO_H
#define RLN_TESTS_SWITCH_SCENARIO_H

#include "trace_builder.h"

static inline void tb_switch(struct tb_chunk *c, unsigned kind, uint32_t tid,
                             uint64_t t)
{
    (void)tb_event(c, kind, tid, t);
}

static inline void tb_switch_long(struct tb_chunk *c, uint64_t t, unsigned kind,
                                  uint32_t tid)
{
    const uint64_t words[] = {TB_START + t, rln__pair32(kind, tid)};

    tb_long(c, RLN__SUB_SWITCH, words, 2);
}

static inline void tb_born(struct tb_chunk *c, uint64_t t, uint32_t pid, uint32_t tid)
{
    const uint64_t words[] = {TB_START + t, rln__pair32(pid, tid),
                              rln__pair32(pid, pid)};

    tb_long(c, RLN__SUB_BORN, words, 3);
}

static inline void tb_switches_lost(struct tb_chunk *c, uint64_t from, uint64_t to)
{
    const uint64_t words[] = {TB_START + from, TB_START + to, 5};

    tb_long(c, RLN__SUB_SWITCHES_LOST, words, 3);
}

/* Of one thread. */
static inline void tb_lost_of(struct tb_chunk *c, uint32_t tid, uint64_t from,
                              uint64_t to)
{
    const uint64_t words[] = {TB_START + from, TB_START + to, 5, tid};

    tb_long(c, RLN__SUB_SWITCHES_LOST, words, 4);
}

/* A reading of the clocks of a thread: its time on a processor, and the time that it has
 * waited for one. */
static inline void tb_clocks(struct tb_chunk *c, uint32_t tid, uint64_t t,
                             uint64_t on_ns, uint64_t waited_ns)
{
    const uint64_t words[] = {TB_START + t, rln__pair32(0, tid), on_ns, waited_ns};

    tb_long(c, RLN__SUB_CPU_CLOCKS, words, 4);
}

static inline void tb_until(struct tb_chunk *c, uint64_t t)
{
    const uint64_t word = TB_START + t;

    tb_long(c, RLN__SUB_SWITCHES_UNTIL, &word, 1);
}

static inline void tb_processor(struct tb_chunk *c, uint64_t processor)
{
    tb_long(c, RLN__SUB_PROCESSOR, &processor, 1);
}

/* A chunk of switches of processor 0, of the launcher. */
static inline struct tb_chunk tb_switches(struct tb *tb)
{
    return tb_chunk_at(tb, RLN__CHUNK_SWITCHES, 2, 1, 99, 0);
}

/* A chunk that was written in place of the oldest one: the last switches before it, up to
 * four {kind, thread, time}, and whatever else may be missing has happened since. Thread 0:
 * of any thread, until then. */
static inline struct tb_chunk tb_newest_switches(struct tb *tb, uint64_t place,
                                                 uint64_t place_before, uint64_t since,
                                                 const uint64_t last[][3], size_t n)
{
    struct tb_chunk c = tb_chunk_at(tb, RLN__CHUNK_NEWEST_SWITCHES, 2, 1, 99, 0);
    struct rln__chunk_header *h = tb_at(tb, c.end - TB_CHUNK_BYTES);
    uint64_t words[10] = {TB_START + since, place_before};

    h->place = place;
    memcpy(tb_at(tb, c.end - sizeof(place)), &place, sizeof(place));
    for (size_t i = 0; i < n; i++) {
        words[2 + 2 * i] = TB_START + last[i][2];
        words[3 + 2 * i] = rln__pair32((uint32_t)last[i][0], (uint32_t)last[i][1]);
    }
    tb_long(&c, RLN__SUB_SWITCHES_CONTINUED, words, 2 + 2 * n);
    return c;
}

/* The ranges of two threads, 100 and 101, and the launcher. */
static inline void sc_switched_ranges(struct tb *tb)
{
    struct tb_chunk c;

    (void)tb_part(tb, 77);
    c = tb_names(tb, 1);
    (void)tb_process(&c, 1, 0, 100);
    tb_string(&c, 1, "step");
    tb_string(&c, 2, "load");
    tb_attributes(&c, 1, 0, 1);
    tb_attributes(&c, 2, 0, 2);
    c = tb_names(tb, 2);
    tb_process(&c, 2, 0, 99)->flags = RLN__PROCESS_LAUNCHER;
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    (void)tb_event(&c, RLN__PUSH, 1, 10000);
    (void)tb_event(&c, RLN__POP, 0, 200000);
    c = tb_events(tb, 1, 2, 101);
    tb_thread(&c, 2, 101, 0, "worker");
    (void)tb_event(&c, RLN__PUSH, 2, 30000);
    (void)tb_event(&c, RLN__POP, 0, 110000);
}

/* The kernel refused to record switches: readings, some ms after the ranges. */
static inline void sc_clocks(struct tb *tb)
{
    const uint64_t ms = 1000000;
    struct tb_chunk c;

    sc_switched_ranges(tb);
    c = tb_switches(tb);
    tb_clocks(&c, 100, 10 * ms, 0, 0);
    tb_clocks(&c, 100, 20 * ms, 4 * ms, 0);
    tb_clocks(&c, 101, 25 * ms, 0, 0);
    tb_clocks(&c, 100, 30 * ms, 4 * ms, 0); /* its wait for a processor shows later */
    tb_clocks(&c, 100, 40 * ms, 12 * ms, 11 * ms);
    tb_clocks(&c, 101, 95 * ms, 70 * ms, 0);
    tb_clocks(&c, 100, 50 * ms, 22 * ms, 11 * ms);
    tb_clocks(&c, 100, 60 * ms, 22 * ms, 11 * ms);
    tb_clocks(&c, 100, 70 * ms, ms, 11 * ms); /* another thread, of the same number */
    tb_until(&c, 300 * ms);
}

static inline void sc_switches(struct tb *tb)
{
    struct tb_chunk c;

    sc_switched_ranges(tb);
    c = tb_switches(tb);
    tb_switch(&c, RLN__SWITCH_EXECED, 100, 0);
    tb_born(&c, 15000, 100, 101);
    tb_switch(&c, RLN__SWITCH_PREEMPTED, 100, 30000);
    tb_switch(&c, RLN__SWITCH_ON, 101, 31000); /* the switch itself is its time */
    tb_switch(&c, RLN__SWITCH_BLOCKED, 101, 50000);
    tb_switch_long(&c, 50800, RLN__SWITCH_ON, 100);
    tb_switch(&c, RLN__SWITCH_BLOCKED, 100, 100000);
    tb_switch(&c, RLN__SWITCH_ON, 101, 110000);
    tb_switch(&c, RLN__SWITCH_ENDED, 101, 115000);
    tb_processor(&c, 1);
    tb_switch(&c, RLN__SWITCH_ON, 100, 150000);
    tb_until(&c, 300000);
}

/* The second thread executes: on processor 1, it becomes the first one, which has ended. */
static inline void sc_execed(struct tb *tb)
{
    struct tb_chunk c;

    sc_switched_ranges(tb);
    c = tb_switches(tb);
    tb_switch(&c, RLN__SWITCH_EXECED, 100, 0);
    tb_born(&c, 15000, 100, 101);
    tb_switch(&c, RLN__SWITCH_BLOCKED, 100, 20000);
    tb_switch(&c, RLN__SWITCH_ON, 100, 114000);
    tb_switch(&c, RLN__SWITCH_ENDED, 100, 116000);
    tb_processor(&c, 1);
    tb_switch(&c, RLN__SWITCH_ON, 101, 25000);
    tb_switch(&c, RLN__SWITCH_EXECED, 100, 120000);
    tb_switch(&c, RLN__SWITCH_BLOCKED, 100, 150000);
    tb_switch(&c, RLN__SWITCH_ON, 100, 160000);
    tb_switch(&c, RLN__SWITCH_EXECED, 100, 170000);
    tb_until(&c, 300000);
}

/* Twelve steps of 100 ms, in 20 of which each is preempted; the seventh waits for 80 more, and
 * the switches of the last were lost. */
static inline void sc_waiting_steps(struct tb *tb)
{
    const uint64_t ms = 1000000;
    struct tb_chunk ranges, c;
    uint64_t t = 0;

    (void)tb_part(tb, 78);
    c = tb_names(tb, 1);
    (void)tb_process(&c, 1, 0, 100);
    tb_string(&c, 1, "step");
    tb_attributes(&c, 1, 0, 1);
    c = tb_names(tb, 2);
    tb_process(&c, 2, 0, 99)->flags = RLN__PROCESS_LAUNCHER;
    ranges = tb_events(tb, 1, 1, 100);
    tb_thread(&ranges, 1, 100, 0, "main");
    c = tb_switches(tb);
    tb_switch(&c, RLN__SWITCH_EXECED, 100, 0);
    for (uint64_t i = 0; i < 12; i++) {
        (void)tb_event(&ranges, RLN__PUSH, 1, t += ms);
        if (i == 11)
            tb_switches_lost(&c, t, t + 300 * ms);
        else
            tb_switch(&c, RLN__SWITCH_PREEMPTED, 100, t + 50 * ms);
        t += 70 * ms;
        if (i < 11)
            tb_switch(&c, RLN__SWITCH_ON, 100, t);
        if (i == 6) {
            tb_switch(&c, RLN__SWITCH_BLOCKED, 100, t + 10 * ms);
            tb_switch(&c, RLN__SWITCH_ON, 100, t += 90 * ms);
            t -= 10 * ms;
        }
        (void)tb_event(&ranges, RLN__POP, 0, t += 30 * ms);
    }
    tb_until(&c, t + 300 * ms);
}

/* Of the switches of sc_switches(), the newest. */
static inline void sc_newest_switches(struct tb *tb)
{
    static const uint64_t last[][3] = {{RLN__SWITCH_ON, 100, 0},
                                       {RLN__SWITCH_BLOCKED, 101, 50000},
                                       {RLN__SWITCH_RUNNABLE + 1, 100, 60000}},
                          not_needed[][3] = {{RLN__SWITCH_BLOCKED, 100, 105000}};
    struct tb_chunk c;

    sc_switched_ranges(tb);
    ((struct rln__superblock *)tb_at(tb, 0))->ring.buffer_bytes = 1 << 20;
    c = tb_newest_switches(tb, 9000, 5000, 120000, not_needed, 1);
    tb_switch(&c, RLN__SWITCH_ENDED, 101, 115000);
    tb_processor(&c, 1);
    tb_switch(&c, RLN__SWITCH_ON, 100, 150000);
    tb_until(&c, 300000);
    c = tb_newest_switches(tb, 5000, 1000, 40000, last, 3);
    tb_switch(&c, RLN__SWITCH_ON, 101, 45000); /* of another ring, one is missing */
    tb_switch(&c, RLN__SWITCH_BLOCKED, 100, 100000);
    tb_switch(&c, RLN__SWITCH_ON, 101, 110000);
}

#endif
