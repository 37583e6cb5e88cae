/* SPDX-License-Identifier: Apache-2.0 */
/* client_clocks.c - registers clocks of the program, and records sync points with the
 * run's clock.
 *
 * Readers do all the arithmetic. A program's clock functions are called from its own
 * calls about the same domain, without locks and with unchanged signals, so they may do
 * anything. They are the only pointers into a client that we keep, and are called only
 * while their code is unchanged.
 */
#include "collect/callbacks/client_clocks.h"

#include "collect/callbacks/register.h"
#include "collect/event/safe_read.h"
#include "collect/event/statements.h"

enum { /* NVTX_TIMESTAMP_TYPE_* */
       TOOL_PROVIDED = 1,
       MONOTONIC_RAW = 15,
       BOOTTIME = 17,
       MAX_SOURCES = 64,
};

/* nvtxTimeDomainAttr_t and nvtxScopeAttr_t, with their ABI layout. */
struct time_domain_attributes {
    uint64_t scope;
    uint64_t type;
    uint64_t time_domain; /* the program's id, or 0 */
    uint64_t flags;
    int64_t resolution;
    uint64_t start;
};

struct scope_attributes {
    size_t size;
    const char *path;
    uint64_t parent;
    uint64_t scope; /* the program's id, or 0 */
};

enum { CODE_BYTES = 32 };

/* A clock of the program's. */
struct clock {
    uint32_t domain;
    uint64_t time_domain;
    int64_t (*now)(void);
    int64_t (*now_with)(void *);
    void *data;
    unsigned char code[CODE_BYTES]; /* the function's first bytes */
    size_t n_code_bytes;
};

enum { CLOCK_WORDS = sizeof(struct clock) / 8 };

_Static_assert(sizeof(struct clock) % 8 == 0, "it is copied word by word");

union clock_words {
    struct clock clock;
    uint64_t words[CLOCK_WORDS];
};

/* A registered clock. `sequence` is odd while it is written, which begins by
 * compare-and-swap; a reader that finds the number changed ignores what it read. */
static struct timer_source {
    uint32_t sequence;           /* atomic; 0: free */
    uint64_t sampled_ticks;      /* atomic: when it was last sampled */
    uint64_t words[CLOCK_WORDS]; /* atomic: union clock_words */
} sources[MAX_SOURCES];

static uint64_t sampled_ticks; /* atomic: last sample of the system's clocks */

int64_t rln__on_timestamp_get(void)
{
    return (int64_t)rln__now();
}

/* --- registering ------------------------------------------------------------------ */

uint64_t rln__on_time_domain_register(uint64_t domain_handle, const void *from)
{
    const uint32_t domain = rln__domain_of(domain_handle);
    struct time_domain_attributes given;
    uint64_t id;

    if (!rln__safe_read_all(&given, (const struct time_domain_attributes *)from)) {
        rln__count(n_invalid, 1);
        return 0;
    }
    id = rln__register(&(struct rln__registration){
        .sub = RLN__SUB_TIME_DOMAIN,
        .domain = domain,
        .id = given.time_domain,
        .words = (uint64_t[]){domain, 0, given.scope, given.type, given.flags,
                              (uint64_t)given.resolution, given.start},
        .n_words = 7,
    });
    rln__clocks_sample(domain);
    return id;
}

uint64_t rln__on_scope_register(uint64_t domain_handle, const void *from)
{
    const uint32_t domain = rln__domain_of(domain_handle);
    struct scope_attributes given = {0};

    if (!rln__safe_read_sized(&given, sizeof given, from)) {
        rln__count(n_invalid, 1);
        return 0;
    }
    return rln__register(&(struct rln__registration){
        .sub = RLN__SUB_SCOPE,
        .domain = domain,
        .id = given.scope,
        .words = (uint64_t[]){rln__pair32(domain, rln__safe_read_string(given.path)), 0,
                              given.parent},
        .n_words = 3,
        .is_by_content = 1,
    });
}

/* --- relations between clocks ----------------------------------------------------- */

void rln__on_time_sync_point(uint64_t domain, uint64_t time_domain_1,
                             uint64_t time_domain_2, int64_t time_1, int64_t time_2)
{
    rln__put_statement(RLN__SUB_SYNC_POINTS, rln__pair32(rln__domain_of(domain), 1),
                       time_domain_1, time_domain_2, (uint64_t)time_1,
                       (uint64_t)time_2);
}

/* Writes one record, without points in unmapped memory. */
static size_t put_points(uint32_t domain, uint64_t source, uint64_t destination,
                         const struct rln__nvtx_sync_point *points, size_t n)
{
    enum { HEAD = 3, PAIRS = 64 };
    uint64_t words[HEAD + 2 * PAIRS];
    const size_t want = n < PAIRS ? n : PAIRS;
    const size_t got =
        rln__safe_read(&words[HEAD], points, want * sizeof *points) / sizeof *points;

    words[0] = rln__pair32(domain, got);
    words[1] = source;
    words[2] = destination;
    if (got)
        rln__names_append(RLN__SUB_SYNC_POINTS, words, HEAD + 2 * got);
    if (got < want)
        rln__count(n_payloads_unread, 1);
    return got == want ? got : 0;
}

void rln__on_time_sync_point_table(uint64_t domain, uint64_t source,
                                   uint64_t destination,
                                   const struct rln__nvtx_sync_point *points, size_t n)
{
    while (n) {
        const size_t done =
            put_points(rln__domain_of(domain), source, destination, points, n);

        if (!done)
            return;
        points += done;
        n -= done;
    }
}

void rln__on_timestamp_conversion_factor(uint64_t domain, uint64_t source,
                                         uint64_t destination, double slope,
                                         int64_t time_source, int64_t time_destination)
{
    uint64_t bits;

    __builtin_memcpy(&bits, &slope, sizeof bits);
    rln__put_statement(RLN__SUB_CONVERSION, rln__domain_of(domain), source, destination,
                       bits, (uint64_t)time_source, (uint64_t)time_destination);
}

/* --- clocks that we read ---------------------------------------------------------- */

/* The other clock is read between two readings of the run's clock; the middle of these
 * is the time of the sync point. */
static void tie_system_clock(uint64_t type, clockid_t clock)
{
    const uint64_t before = rln__now();
    const uint64_t there = rln__sys_clock_ns(clock);
    const uint64_t after = rln__now();

    rln__put_statement(RLN__SUB_SYNC_POINTS, rln__pair32(0, 1), type, TOOL_PROVIDED,
                       there, before + (after - before) / 2);
}

static void tie_source(const struct clock *c)
{
    const uint64_t before = rln__now();
    const int64_t there = c->now ? c->now() : c->now_with(c->data);
    const uint64_t after = rln__now();

    rln__put_statement(RLN__SUB_SYNC_POINTS, rln__pair32(c->domain, 1), c->time_domain,
                       TOOL_PROVIDED, (uint64_t)there, before + (after - before) / 2);
}

/* Whether a clock must be sampled now. A program's clock may itself submit events;
 * those find that it has just been sampled. */
static int is_due(uint64_t *when)
{
    const uint64_t interval = rln__collector.ticks_per_100_ms / 10;
    const uint64_t now = rln__now();
    uint64_t last = __atomic_load_n(when, __ATOMIC_RELAXED);

    return !(last && now - last < interval) &&
           __atomic_compare_exchange_n(when, &last, now, 0, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED);
}

/* Whether the function is unchanged: its library may have been unloaded and replaced by
 * another. */
static int is_still_there(const struct clock *c)
{
    const void *function =
        c->now ? (const void *)(uintptr_t)c->now : (const void *)(uintptr_t)c->now_with;
    unsigned char code[CODE_BYTES];

    if (!c->n_code_bytes ||
        rln__safe_read(code, function, c->n_code_bytes) != c->n_code_bytes)
        return 0;
    for (size_t i = 0; i < c->n_code_bytes; i++) {
        if (code[i] != c->code[i])
            return 0;
    }
    return 1;
}

/* Copies the clock; 0 if there is none, or if it is being written. */
static int read_source(const struct timer_source *from, struct clock *to)
{
    const uint32_t sequence = __atomic_load_n(&from->sequence, __ATOMIC_ACQUIRE);
    union clock_words copy;

    if (sequence == 0 || sequence % 2)
        return 0;
    for (size_t i = 0; i < CLOCK_WORDS; i++)
        copy.words[i] = __atomic_load_n(&from->words[i], __ATOMIC_RELAXED);
    *to = copy.clock;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return __atomic_load_n(&from->sequence, __ATOMIC_RELAXED) == sequence;
}

void rln__clocks_sample(uint32_t domain)
{
    if (is_due(&sampled_ticks)) {
        tie_system_clock(MONOTONIC_RAW, CLOCK_MONOTONIC_RAW);
        tie_system_clock(BOOTTIME, CLOCK_BOOTTIME);
    }
    for (size_t i = 0; i < MAX_SOURCES; i++) {
        struct clock c;

        if (read_source(&sources[i], &c) && c.domain == domain &&
            is_due(&sources[i].sampled_ticks) && is_still_there(&c))
            tie_source(&c);
    }
}

/* Whether the slot is free, or has the same clock or one that is gone. */
static int is_slot_for(const struct timer_source *s, const struct clock *new)
{
    struct clock there;

    if (__atomic_load_n(&s->sequence, __ATOMIC_RELAXED) == 0)
        return 1;
    return read_source(s, &there) &&
           ((there.domain == new->domain &&there.time_domain == new->time_domain) ||
            !is_still_there(&there));
}

static void add_source(uint64_t domain_handle, struct clock given)
{
    const void *function = given.now ? (const void *)(uintptr_t)given.now
                                     : (const void *)(uintptr_t)given.now_with;
    union clock_words new;

    given.domain = rln__domain_of(domain_handle);
    given.n_code_bytes = rln__safe_read(given.code, function, CODE_BYTES);
    new.clock = given;
    for (size_t i = 0; i < MAX_SOURCES; i++) {
        struct timer_source *s = &sources[i];
        uint32_t sequence = __atomic_load_n(&s->sequence, __ATOMIC_RELAXED);

        if (sequence % 2 || !is_slot_for(s, &given) ||
            !__atomic_compare_exchange_n(&s->sequence, &sequence, sequence + 1, 0,
                                         __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            continue;
        __atomic_thread_fence(__ATOMIC_RELEASE);
        for (size_t k = 0; k < CLOCK_WORDS; k++)
            __atomic_store_n(&s->words[k], new.words[k], __ATOMIC_RELAXED);
        __atomic_store_n(&s->sampled_ticks, rln__now(), __ATOMIC_RELAXED);
        __atomic_store_n(&s->sequence, sequence + 2, __ATOMIC_RELEASE);
        tie_source(&given);
        return;
    }
    rln__count(n_strings_refused, 1);
}

void rln__on_timer_source(uint64_t domain, uint64_t time_domain, uint64_t flags,
                          int64_t (*now)(void))
{
    (void)flags; /* a program that has unloaded the library submits no events for it */
    if (now)
        add_source(domain, (struct clock){.time_domain = time_domain, .now = now});
}

void rln__on_timer_source_with_data(uint64_t domain, uint64_t time_domain,
                                    uint64_t flags, int64_t (*now)(void *), void *data)
{
    (void)flags;
    if (now)
        add_source(
            domain,
            (struct clock){.time_domain = time_domain, .now_with = now, .data = data});
}
