/* SPDX-License-Identifier: Apache-2.0 */
/* newest_scenario.h - makes a trace with reused chunks: docs/reference/FORMAT.md 10.
 *
 *   thread 100   place 5000: [continued: two more, step, load (in line), resumed | ...]
 *                place 9000: [continued, repeating ranges that are there | ...]
 *   thread 101   place 7000, which begins with the thread, and is cut by a kill
 *                place 3000: being reused, no chunk
 *   kept         a start that ends in 5000, an end of a start in 7000, a start that
 *                is still there
 */
#ifndef RLN_TESTS_NEWEST_SCENARIO_H
#define RLN_TESTS_NEWEST_SCENARIO_H

#include "trace_builder.h"

static inline struct tb_chunk ns_chunk(struct tb *tb, uint32_t thread, uint32_t tid,
                                       uint64_t t, uint64_t place)
{
    struct tb_chunk c = tb_chunk_at(tb, RLN__CHUNK_RING, 1, thread, tid, t);
    struct rln__chunk_header *h = tb_at(tb, c.end - TB_CHUNK_BYTES);

    h->place = place;
    memcpy(tb_at(tb, c.end - sizeof(place)), &place, sizeof(place));
    return c;
}

/* The record's words before its list; the caller adds the depths. */
static inline size_t ns_continued(uint64_t words[64], uint64_t t, uint64_t before,
                                  uint64_t n_depths)
{
    words[0] = TB_START + t;
    words[1] = before;
    (void)tb_text(words + 2, "main\0\0\0\0\0\0\0\0\0\0\0", 16);
    words[4] = n_depths;
    return 5;
}

/* A push with these attributes, as it was recorded, or with a text in line. */
static inline size_t ns_push(uint64_t *words, uint64_t t, uint32_t id,
                             const char *in_line)
{
    const size_t length = in_line ? strlen(in_line) : 0;
    size_t n = 3;

    words[1] = TB_START + t;
    words[2] = RLN__PUSH | (uint64_t)id << 32;
    if (in_line) {
        words[2] = RLN__PUSH | RLN__EVENT_IN_LINE << 8;
        words[n++] = 0;
        words[n++] = rln__pair32(0, rln__types(0, 0, RLN__MESSAGE_PLAIN));
        words[n++] = length;
        n += tb_text(words + n, in_line, length);
    }
    words[0] = rln__long_word(RLN__LONG, RLN__SUB_EVENT, n);
    return n;
}

static inline void ns_kept(struct tb *tb, size_t chunk, unsigned i, uint32_t kind,
                           uint32_t id, uint64_t t, uint64_t range, uint64_t place)
{
    const struct rln__kept_record kept = {
        .word = rln__long_word(RLN__LONG, RLN__SUB_KEPT, RLN__KEPT_WORDS),
        .ticks = TB_START + t,
        .kind = kind,
        .id = id,
        .range = range,
        .process = 1,
        .thread = 2,
        .place = place,
        .tid = 101,
    };

    memcpy(tb_at(tb, chunk + (i + 1) * sizeof(kept)), &kept, sizeof(kept));
}

static inline void ns_main(struct tb *tb)
{
    struct tb_chunk c = ns_chunk(tb, 1, 100, 5000, 5000);
    uint64_t words[64];
    size_t n = ns_continued(words, 5000, 1000, 1);

    words[n++] = rln__pair32(0, 2);
    n += ns_push(words + n, 200, 1, NULL);
    n += ns_push(words + n, 300, 0, "made as it goes");
    words[n++] = rln__long_word(RLN__LONG, RLN__SUB_RESUMED, 4);
    words[n++] = TB_START + 400;
    words[n++] = 0;
    words[n++] = rln__pair32(1, 3);
    tb_long(&c, RLN__SUB_CONTINUED, words, n);
    (void)tb_event(&c, RLN__MARK, 2, 100);
    (void)tb_event(&c, RLN__POP, 1, 200);
    (void)tb_value(&c, RLN__END, 0, 300, 1100);     /* kept */
    (void)tb_value(&c, RLN__END, 0, 400, 1200);     /* overwritten */
    (void)tb_value(&c, RLN__END, 0, 500, 1u << 20); /* never was */

    c = ns_chunk(tb, 1, 100, 6000, 9000);
    n = ns_continued(words, 6000, 5000, 1);
    words[n++] = rln__pair32(0, 2);
    n += ns_push(words + n, 200, 1, NULL);
    n += ns_push(words + n, 300, 0, "made as it goes");
    tb_long(&c, RLN__SUB_CONTINUED, words, n);
    for (uint64_t i = 0; i < 5; i++) /* two below, and one that was never pushed */
        (void)tb_event(&c, RLN__POP, 0, 100 + i);
}

static inline void ns_newest(struct tb *tb,
                             void (*names)(struct tb *, uint32_t, uint32_t))
{
    struct rln__superblock *super = tb_part(tb, 22);
    struct rln__process_record *r;
    struct tb_chunk c;
    size_t kept, record;

    super->minor = RLN__MINOR;
    super->ring.buffer_bytes = 1 << 20;
    super->ring.next_place = 20000;
    record = tb->size + RLN__CHUNK_HEADER_BYTES;
    names(tb, 1, 100);
    r = tb_at(tb, record);
    r->n_overwritten = 12;
    r->whole_since = TB_START + 4900;
    ns_main(tb);
    c = ns_chunk(tb, 2, 101, 5500, 7000);
    tb_thread(&c, 2, 101, 5500, "other");
    (void)tb_event(&c, RLN__START, 2, 100); /* id 7013: eight of the header, five */
    (void)tb_event(&c, RLN__PUSH, 1, 200);
    c = ns_chunk(tb, 2, 101, 5600, 3000);
    (void)tb_event(&c, RLN__MARK, 1, 100);
    memset(tb_at(tb, c.end - 8), 0, 8);
    c = tb_chunk_at(tb, RLN__CHUNK_KEPT, 1, 0, 0, 5000);
    kept = c.end - TB_CHUNK_BYTES;
    ns_kept(tb, kept, 0, RLN__START, 2, 150, 1100, 1100);
    ns_kept(tb, kept, 2, RLN__END, 0, 5900, 7013, 2000);
    ns_kept(tb, kept, 3, RLN__START, 2, 5600, 7013, 7013); /* its record is there */
}

/* A chunk of thread 100 that repeats the push of `step` at 100 ns, and marks once. */
static inline void ns_goes_on(struct tb *tb, uint64_t t, uint64_t place,
                              uint64_t before)
{
    struct tb_chunk c = ns_chunk(tb, 1, 100, t, place);
    uint64_t words[64];
    size_t n = ns_continued(words, t, before, 1);

    words[n++] = rln__pair32(0, 1);
    n += ns_push(words + n, 100, 1, NULL);
    tb_long(&c, RLN__SUB_CONTINUED, words, n);
    (void)tb_event(&c, RLN__MARK, 2, 10);
}

/* The first chunk, at place 3000; and one of thread 101. */
static inline void ns_two_threads(struct tb *tb,
                                  void (*names)(struct tb *, uint32_t, uint32_t))
{
    struct rln__superblock *super = tb_part(tb, 22);
    struct tb_chunk c;

    super->minor = RLN__MINOR;
    super->ring.buffer_bytes = 1 << 20;
    super->ring.next_place = 90000;
    names(tb, 1, 100);
    c = ns_chunk(tb, 1, 100, 0, 3000);
    tb_thread(&c, 1, 100, 0, "main");
    (void)tb_event(&c, RLN__PUSH, 1, 100);
    c = ns_chunk(tb, 2, 101, 50, 4000);
    tb_thread(&c, 2, 101, 50, "other");
    (void)tb_event(&c, RLN__MARK, 3, 10);
}

/* Thread 100's chunk at place 10000 is gone, but the one before it is not. */
static inline void ns_without_one(struct tb *tb,
                                  void (*names)(struct tb *, uint32_t, uint32_t))
{
    ns_two_threads(tb, names);
    ns_goes_on(tb, 2000, 20000, 10000);
    ns_goes_on(tb, 3000, 30000, 20000);
}

#endif
