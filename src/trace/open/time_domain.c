/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/open/time_domain.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "format/attributes.h"
#include "format/nvtx_time.h"
#include "format/registry_lookup.h"
#include "trace/open/clock_tuples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STEPS 64  /* time domains between one and a clock of ours */
#define MAX_MAPS 4096 /* each goes through all points */
#define MAX_FORKS 16
#define S 1000000000
#define FAR_NS (INT64_MAX / 2)

enum map_kind {
    NOWHERE,
    TICKS,     /* of the part */
    MONOTONIC, /* timestamps count at a rate from epoch_s of the system's clock */
    REALTIME,
    HIGH_RESOLUTION, /* either, depending on the C++ library */
    POINTS,
    FACTOR, /* timestamps become those of `via` */
};

/* A timestamp and its place on the time line. */
struct point {
    int64_t at, ns;
};

struct rln__time_map {
    enum map_kind kind;
    uint32_t part;
    int64_t per_s; /* of the system's clocks */
    int64_t epoch_s;
    struct point *points; /* owned; sorted, all `at` differ */
    size_t n_points, capacity;
    double slope; /* of FACTOR; of a single one of POINTS: ns */
    int64_t at_source, at_destination;
    uint32_t via;
    uint8_t is_known;
    uint8_t is_guess;
};

/* The process and domain that an id belongs to. */
struct owner {
    uint32_t process, domain_id;
};

static int64_t clamp_ns(rln__i128 ns)
{
    return ns > FAR_NS ? FAR_NS : ns < -FAR_NS ? -FAR_NS : (int64_t)ns;
}

static int64_t round_ns(double ns)
{
    return !(ns < 9e18)    ? FAR_NS /* also not a number */
           : !(ns > -9e18) ? -FAR_NS
                           : clamp_ns((rln__i128)llround(ns));
}

/* --- The system's clocks ---------------------------------------------------------- */

static int by_realtime(const void *a, const void *b)
{
    const struct rln__clock_tuple *x = a, *y = b;

    return (x->realtime_ns > y->realtime_ns) - (x->realtime_ns < y->realtime_ns);
}

static int is_plausible(const struct rln__clock_tuple *tuple)
{
    return tuple->monotonic_ns && tuple->realtime_ns &&
           tuple->monotonic_ns <= INT64_MAX / 4 && tuple->realtime_ns <= INT64_MAX / 2;
}

rln_status rln__time_domains_init(struct rln__time_domains *t, rln_reader *reader,
                                  rln_error *err)
{
    const size_t n_parts = reader->layout.n_parts;
    struct rln__clock_tuples tuples;
    size_t n = 0;
    int failed = rln__clock_tuples_gather(reader, &tuples);

    memset(t, 0, sizeof(*t));
    t->reader = reader;
    t->first_tuple = rln__alloc(n_parts + 1, sizeof(*t->first_tuple));
    failed |= !t->first_tuple;
    for (size_t part = 0; part < n_parts && !failed; part++) {
        const size_t first = n, begin = tuples.begins[part];

        t->first_tuple[part] = (uint32_t)n;
        for (size_t i = begin; i < begin + tuples.n[part]; i++)
            if (is_plausible(&tuples.all[i]))
                tuples.all[n++] = tuples.all[i];
        if (n > first)
            qsort(&tuples.all[first], n - first, sizeof(*tuples.all), by_realtime);
    }
    if (!failed) {
        t->first_tuple[n_parts] = (uint32_t)n;
        t->tuples = tuples.all;
        tuples.all = NULL;
    }
    rln__clock_tuples_clear(&tuples);
    if (failed)
        rln__time_domains_clear(t);
    return failed ? rln__fail_nomem(err) : RLN_OK;
}

void rln__time_domains_clear(struct rln__time_domains *t)
{
    for (size_t i = 0; i < t->n; i++)
        rln__free(t->maps[i].points);
    rln__free(t->maps);
    rln__free(t->tuples);
    rln__free(t->first_tuple);
    rln__key_index_clear(&t->keys);
    memset(t, 0, sizeof(*t));
}

/* CLOCK_REALTIME may have been set in between: the latest tuple before that time, or
 * else the first, has its distance from CLOCK_MONOTONIC. */
static int64_t ns_of_realtime(const struct rln__time_domains *t, uint32_t part,
                              int64_t ns)
{
    size_t low = t->first_tuple[part];
    size_t high = t->first_tuple[part + 1];
    const struct rln__clock_tuple *near;

    if (low == high)
        return clamp_ns(
            (rln__i128)ns -
            (int64_t)t->reader->layout.parts[0].super.created[0].realtime_ns);
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;

        if ((int64_t)t->tuples[middle].realtime_ns <= ns)
            low = middle;
        else
            high = middle;
    }
    near = &t->tuples[low];
    return clamp_ns((rln__i128)ns - (int64_t)near->realtime_ns +
                    (int64_t)near->monotonic_ns +
                    t->reader->clock_fits[part].offset_ns);
}

static int64_t ns_of_system(const struct rln__time_domains *t,
                            const struct rln__time_map *m, int64_t timestamp)
{
    const int64_t ns =
        clamp_ns((rln__i128)timestamp * S / m->per_s + (rln__i128)m->epoch_s * S);

    if (m->kind == REALTIME || (m->kind == HIGH_RESOLUTION && ns >= (int64_t)S * S / 2))
        return ns_of_realtime(t, m->part, ns);
    return clamp_ns((rln__i128)ns + t->reader->clock_fits[m->part].offset_ns);
}

/* --- Points ----------------------------------------------------------------------- */

/* Linear between two points; outside, with the slope from the first to the last. Where
 * later timestamps would not be later in time, the points contradict each other. */
static unsigned ns_of_points(const struct rln__time_map *m, int64_t timestamp,
                             int64_t *out)
{
    const struct point *p = m->points;
    size_t low = 0, high = m->n_points - 1;
    rln__i128 ns, at;

    if (high == 0) {
        *out = round_ns((double)p[0].ns +
                        ((double)timestamp - (double)p[0].at) * m->slope);
        return 0;
    }
    if (timestamp >= p[low].at && timestamp <= p[high].at) {
        while (high - low > 1) {
            const size_t middle = low + (high - low) / 2;

            if (p[middle].at <= timestamp)
                low = middle;
            else
                high = middle;
        }
    }
    ns = (rln__i128)p[high].ns - p[low].ns;
    at = (rln__i128)p[high].at - p[low].at;
    if (ns <= 0)
        return RLN__UNPLACED_CONTRADICTORY;
    if (timestamp > p[high].at)
        *out = round_ns((double)p[high].ns + ((double)timestamp - (double)p[high].at) *
                                                 (double)ns / (double)at);
    else if (timestamp < p[low].at)
        *out = round_ns((double)p[low].ns + ((double)timestamp - (double)p[low].at) *
                                                (double)ns / (double)at);
    else
        *out = clamp_ns(p[low].ns + ((rln__i128)timestamp - p[low].at) * ns / at);
    return 0;
}

unsigned rln__time_domains_ns(struct rln__time_domains *t, uint32_t number,
                              int64_t timestamp, int64_t *ns)
{
    for (unsigned i = 0; i <= MAX_STEPS; i++) {
        const struct rln__time_map *m = &t->maps[number];

        switch (m->kind) {
        case TICKS:
            *ns = rln__reader_ns(t->reader, m->part, (uint64_t)timestamp);
            return 0;
        case MONOTONIC:
        case REALTIME:
        case HIGH_RESOLUTION:
            *ns = ns_of_system(t, m, timestamp);
            return 0;
        case POINTS:
            return ns_of_points(m, timestamp, ns);
        case FACTOR:
            if (m->slope <= 0)
                return RLN__UNPLACED_CONTRADICTORY;
            timestamp = round_ns((double)m->at_destination +
                                 ((double)timestamp - (double)m->at_source) * m->slope);
            number = m->via;
            break;
        default:
            return RLN__UNPLACED_UNTIED;
        }
    }
    return RLN__UNPLACED_UNTIED;
}

int rln__time_domains_is_guess(const struct rln__time_domains *t, uint32_t number)
{
    return t->maps[number].is_guess;
}

int rln__time_domains_counts_ns(const struct rln__time_domains *t, uint32_t number)
{
    const unsigned kind = t->maps[number].kind;

    return kind == MONOTONIC || kind == REALTIME || kind == HIGH_RESOLUTION;
}

int rln__time_domains_is_own(const struct rln__time_domains *t, uint32_t number)
{
    return t->maps[number].kind == TICKS || t->maps[number].kind == MONOTONIC;
}

static int by_timestamp(const void *a, const void *b)
{
    const struct point *x = a, *y = b;

    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return (x->ns > y->ns) - (x->ns < y->ns);
}

/* Sorts; of points with one timestamp the first stays. */
static void settle_points(struct rln__time_map *m)
{
    size_t n = 0;

    qsort(m->points, m->n_points, sizeof(*m->points), by_timestamp);
    for (size_t i = 0; i < m->n_points; i++) {
        if (n == 0 || m->points[i].at != m->points[n - 1].at)
            m->points[n++] = m->points[i];
    }
    m->n_points = n;
}

static int add_point(struct rln__time_map *m, int64_t at, int64_t ns)
{
    struct point *added =
        rln__append(&m->points, &m->n_points, &m->capacity, sizeof(*added));

    if (!added)
        return -1;
    *added = (struct point){at, ns};
    return 0;
}

/* --- Finding the shortest way ----------------------------------------------------- */

static void set_system(struct rln__time_map *m, enum map_kind kind, int64_t per_s,
                       int64_t epoch_s)
{
    m->kind = kind;
    m->per_s = per_s;
    m->epoch_s = epoch_s;
}

/* Sets what is known about standard clocks. Leap seconds are those since 2017. */
static void set_known(const struct rln__time_domains *t, struct rln__time_map *m,
                      uint64_t type, int64_t ticks_per_s, uint64_t start)
{
    const uint32_t clock = t->reader->layout.parts[m->part].super.clock_kind;
    const int64_t per_s = ticks_per_s > 0 ? ticks_per_s : S;

    switch (type) {
    case RLN__TIME_TOOL:
        m->kind = TICKS;
        break;
    case RLN__TIME_TSC:
        m->kind =
            clock == RLN__CLOCK_TSC || clock == RLN__CLOCK_CNTVCT ? TICKS : NOWHERE;
        break;
    case RLN__TIME_MONOTONIC_RAW:
        m->kind = clock == RLN__CLOCK_MONOTONIC_RAW ? TICKS : NOWHERE;
        break;
    case RLN__TIME_MONOTONIC:
    case RLN__TIME_MONOTONIC_COARSE:
    case RLN__TIME_STEADY_CLOCK:
        set_system(m, MONOTONIC, per_s, 0);
        break;
    case RLN__TIME_REALTIME:
    case RLN__TIME_REALTIME_COARSE:
    case RLN__TIME_TIMESPEC_GET:
    case RLN__TIME_SYSTEM_CLOCK:
        set_system(m, REALTIME, per_s, 0);
        break;
    case RLN__TIME_C_TIME:
        set_system(m, REALTIME, ticks_per_s > 0 ? per_s : 1, 0);
        break;
    case RLN__TIME_HIGH_RESOLUTION_CLOCK:
        set_system(m, HIGH_RESOLUTION, per_s, 0);
        break;
    case RLN__TIME_UTC_CLOCK:
        set_system(m, REALTIME, per_s, -27);
        break;
    case RLN__TIME_TAI_CLOCK: /* from 1958 */
        set_system(m, REALTIME, per_s, -378691200 - 37);
        break;
    case RLN__TIME_GPS_CLOCK: /* from 1980 */
        set_system(m, REALTIME, per_s, 315964800 - 18);
        break;
    case RLN__TIME_NONE:
        if (start == RLN__TIMER_UNIX_EPOCH && ticks_per_s > 0)
            set_system(m, REALTIME, per_s, 0);
        else if (start == RLN__TIMER_WIN_FILETIME && ticks_per_s > 0)
            set_system(m, REALTIME, per_s, -INT64_C(11644473600));
        break;
    default:
        break;
    }
}

/* A map for `id`, with what is known about its clock; UINT32_MAX when there is no
 * memory. */
static uint32_t add_map(struct rln__time_domains *t, struct owner owner, uint64_t id)
{
    const uint32_t domain_id = id < RLN__FIRST_TIME_DOMAIN_ID ? 0 : owner.domain_id;
    const struct rln__key key = {{owner.process, domain_id, id}};
    const struct rln__names *names = &t->reader->names;
    const struct rln__time_domain *known =
        rln__registry_time_domain(names, owner.process, owner.domain_id, id);
    const uint32_t number = rln__key_index_number(&t->keys, &key);
    struct rln__time_map *map;

    if (number < t->n)
        return number;
    map = rln__key_index_item(&t->maps, &t->n, &t->capacity, number, sizeof(*map));
    if (!map)
        return UINT32_MAX;
    map->part = names->processes[owner.process].part;
    if (known)
        set_known(t, map, known->timestamp_type, known->ticks_per_s, known->start);
    else if (id && id < RLN__FIRST_TIME_DOMAIN_ID)
        set_known(t, map, id, 0, 0);
    return number;
}

/* 0: unknown. System clocks that the collector ties to its own count ns. */
static int64_t ticks_per_s(const struct rln__time_domains *t, struct owner owner,
                           uint64_t id)
{
    const struct rln__time_domain *known = rln__registry_time_domain(
        &t->reader->names, owner.process, owner.domain_id, id);

    if (!known && (id == RLN__TIME_MONOTONIC_RAW || id == RLN__TIME_BOOTTIME))
        return S;
    return known ? known->ticks_per_s : 0;
}

/* Whether the id is `wanted`, in the owner's process or in one that it was forked from.
 */
static int is_meant(const struct rln__time_domains *t, uint32_t process,
                    uint32_t domain_id, uint64_t id, struct owner owner,
                    uint64_t wanted)
{
    if (id != wanted ||
        (id >= RLN__FIRST_TIME_DOMAIN_ID && domain_id != owner.domain_id))
        return 0;
    for (unsigned i = 0; i < MAX_FORKS && owner.process != RLN__NONE; i++) {
        if (owner.process == process)
            return 1;
        owner.process = rln__names_parent(&t->reader->names, owner.process);
    }
    return 0;
}

/* Which side of a pair `id` is on: 1 the source, 2 the destination, 0 neither. */
static int side_of(const struct rln__time_domains *t, uint32_t process,
                   uint32_t domain_id, uint64_t source, uint64_t destination,
                   struct owner owner, uint64_t id)
{
    if (source == destination)
        return 0;
    if (is_meant(t, process, domain_id, source, owner, id))
        return 1;
    return is_meant(t, process, domain_id, destination, owner, id) ? 2 : 0;
}

/* A path from the requested time domain to one that can be placed. */
struct step {
    uint64_t id;
    size_t n_points;   /* in common with the one before */
    size_t conversion; /* + 1; to the one before */
    uint32_t before;
};

struct search {
    struct step steps[MAX_STEPS];
    uint32_t n;
};

/* The step for a neighbor of step `from`; NULL if a shorter way reached it, or there
 * is no room. */
static struct step *step_to(struct search *s, uint32_t from, uint64_t id)
{
    for (uint32_t i = 0; i < s->n; i++) {
        if (s->steps[i].id == id)
            return s->steps[i].before == from ? &s->steps[i] : NULL;
    }
    if (s->n == MAX_STEPS)
        return NULL;
    s->steps[s->n] = (struct step){.id = id, .before = from};
    return &s->steps[s->n++];
}

static void add_neighbours(const struct rln__time_domains *t, struct search *s,
                           uint32_t from, struct owner owner)
{
    const struct rln__registry *r = &t->reader->names.registry;
    const uint64_t id = s->steps[from].id;

    for (size_t i = 0; i < r->n_sync_points; i++) {
        const struct rln__sync_points *p = &r->sync_points[i];
        const int side =
            side_of(t, p->process, p->domain_id, p->source, p->destination, owner, id);
        struct step *step =
            side ? step_to(s, from, side == 1 ? p->destination : p->source) : NULL;

        if (step)
            step->n_points += p->n;
    }
    for (size_t i = 0; i < r->n_conversions; i++) {
        const struct rln__conversion *c = &r->conversions[i];
        const int side =
            side_of(t, c->process, c->domain_id, c->source, c->destination, owner, id);
        struct step *step;

        if (!side || !isfinite(c->slope) || !isfinite(1 / c->slope))
            continue;
        step = step_to(s, from, side == 1 ? c->destination : c->source);
        if (step)
            step->conversion = i + 1;
    }
}

/* Takes all points that `id` shares with `other`, whose map is `via`. */
static int take_points(struct rln__time_domains *t, uint32_t number, struct owner owner,
                       uint64_t id, uint64_t other, uint32_t via)
{
    const struct rln__registry *r = &t->reader->names.registry;

    for (size_t i = 0; i < r->n_sync_points; i++) {
        const struct rln__sync_points *s = &r->sync_points[i];
        const int side =
            side_of(t, s->process, s->domain_id, s->source, s->destination, owner, id);

        if (!side || other != (side == 1 ? s->destination : s->source))
            continue;
        for (size_t k = 0; k < s->n; k++) {
            const struct rln__sync_point *p = &r->points[s->first + k];
            int64_t ns;

            if (!rln__time_domains_ns(t, via, side == 1 ? p->destination : p->source,
                                      &ns) &&
                add_point(&t->maps[number], side == 1 ? p->source : p->destination, ns))
                return -1;
        }
    }
    if (t->maps[number].n_points)
        settle_points(&t->maps[number]);
    return 0;
}

/* Places the time domain before `step` by means of that of `step`, whose map is `via`.
 * 0: impossible. -1: no memory. */
static int connect(struct rln__time_domains *t, struct owner owner, uint32_t number,
                   uint64_t id, const struct step *step, uint32_t via)
{
    const int64_t rate = ticks_per_s(t, owner, id);
    struct rln__time_map *m;

    if (step->n_points && take_points(t, number, owner, id, step->id, via))
        return -1;
    m = &t->maps[number];
    if (m->n_points > 1 || (m->n_points == 1 && rate > 0)) {
        m->kind = POINTS;
        m->slope = rate > 0 ? 1e9 / (double)rate : 1;
    } else if (step->conversion) {
        const struct rln__conversion *c =
            &t->reader->names.registry.conversions[step->conversion - 1];
        const int is_source = c->source == id;

        m->kind = FACTOR;
        m->via = via;
        m->slope = is_source ? c->slope : 1 / c->slope;
        m->at_source = is_source ? c->at_source : c->at_destination;
        m->at_destination = is_source ? c->at_destination : c->at_source;
    } else {
        m->n_points = 0;
        return 0;
    }
    return 1;
}

/* Step `last` has the map `number`: places all time domains before it. */
static int connect_all(struct rln__time_domains *t, const struct search *s,
                       uint32_t last, uint32_t number, struct owner owner)
{
    while (last) {
        const struct step *step = &s->steps[last];
        const uint64_t id = s->steps[step->before].id;
        const uint32_t before = add_map(t, owner, id);
        int what;

        if (before == UINT32_MAX)
            return -1;
        what = connect(t, owner, before, id, step, number);
        if (what <= 0)
            return what;
        number = before;
        last = step->before;
    }
    return 1;
}

/* Finds the shortest path to a time domain that can be placed. */
static int find_way(struct rln__time_domains *t, struct owner owner, uint64_t id)
{
    struct search s = {.n = 1};

    s.steps[0].id = id;
    for (uint32_t i = 0; i < s.n; i++) {
        uint32_t number = 0;
        int what = 0;

        if (i) {
            number = add_map(t, owner, s.steps[i].id);
            if (number == UINT32_MAX)
                return -1;
        }
        if (i && t->maps[number].kind != NOWHERE)
            what = connect_all(t, &s, i, number, owner);
        else
            add_neighbours(t, &s, i, owner);
        if (what)
            return what < 0 ? -1 : 0;
    }
    return 0;
}

uint32_t rln__time_domains_find(struct rln__time_domains *t, uint32_t process,
                                uint32_t domain_id, uint64_t id)
{
    const struct owner owner = {process, domain_id};
    const uint32_t number = add_map(t, owner, id);

    if (number == UINT32_MAX || t->maps[number].is_known)
        return number;
    t->maps[number].is_known = 1;
    if (t->maps[number].kind == NOWHERE && t->n < MAX_MAPS && find_way(t, owner, id))
        return UINT32_MAX;
    /* A clock that the trace does not describe is taken for the tool's own. */
    if (id == 0 && t->maps[number].kind == NOWHERE) {
        t->maps[number].kind = TICKS;
        t->maps[number].is_guess = 1;
    }
    return number;
}
