/* SPDX-License-Identifier: Apache-2.0 */
/* rule_memory_growth.c - memory grows as long as the program runs. What counts is the
 * level of a counter where calls of the step end: within a step, memory goes up and
 * down.
 *
 *     level     _.-'''---''''---''''    filled: the first quarter is skipped
 *           _.-'
 *           _______...----'''''''       a leak: each block is above the one before
 */
#include "analysis/inputs/levels.h"
#include "analysis/rules.h"
#include "base/alloc.h"
#include "base/count.h"
#include "base/fail.h"
#include "base/human_units.h"
#include "base/thousands.h"
#include "base/utf8.h"
#include "ranges/pattern.h"
#include "statistics/median.h"

#include <ctype.h>

enum { RISE, AGREEMENT, MIB, CALLS };

#define BLOCKS 20u
/* More than any machine has. */
#define MOST_BYTES 0x1p62

/* --- Which counters say how much memory is in use --------------------------------- */

/* A counter and its field, "memory used", in lower case; a long name is cut. */
struct lowered {
    char text[128];
    size_t length;
};

static void lower(struct lowered *out, rln_text text)
{
    for (size_t i = 0; i < text.length && out->length < sizeof(out->text); i++)
        out->text[out->length++] = (char)tolower((unsigned char)text.bytes[i]);
}

static bool matches(const struct lowered *name, const char *const *patterns)
{
    for (; *patterns; patterns++)
        if (rln__text_matches(*patterns, (rln_text){name->text, name->length}))
            return true;
    return false;
}

/* How many bytes a unit is; 0: it is none of memory. What has none may be bytes. */
static double bytes_in(rln_text unit)
{
    static const struct {
        const char *name;
        double bytes;
    } units[] = {{"", 1},        {"b", 1},        {"byte", 1},     {"bytes", 1},
                 {"kb", 1e3},    {"kib", 0x1p10}, {"mb", 1e6},     {"mib", 0x1p20},
                 {"gb", 1e9},    {"gib", 0x1p30}, {"kbytes", 1e3}, {"mbytes", 1e6},
                 {"gbytes", 1e9}};
    struct lowered name = {0};

    lower(&name, unit);
    for (size_t i = 0; i < RLN_COUNT(units); i++)
        if (rln__text_is((rln_text){name.text, name.length}, units[i].name))
            return units[i].bytes;
    return 0;
}

static bool is_memory(rln_text name, const rln_text *field,
                      const rln_semantics *semantics)
{
    static const char *const memory[] = {
        "*memory*", "mem",     "mem_*", "mem.*",  "mem *",  "*_mem",   "*.mem",
        "* mem",    "*_mem_*", "*rss*", "*heap*", "*vram*", "*alloc*", NULL};
    static const char *const bytes[] = {"*memory", "mem",     "*rss*",
                                        "*heap",   "*vram",   "*bytes*",
                                        "*used*",  "*usage*", NULL};
    /* Sums over a run grow by nature, and free memory that grows is no leak. */
    static const char *const others[] = {"*total*", "*free*", "*avail*", "*fault*",
                                         NULL};
    struct lowered whole = {0};

    if (!field)
        return true;
    lower(&whole, name);
    if (field->length)
        lower(&whole, (rln_text){" ", 1});
    lower(&whole, *field);
    return bytes_in(semantics->unit) > 0 && matches(&whole, memory) &&
           (semantics->unit.length || matches(&whole, bytes)) &&
           !matches(&whole, others);
}

/* --- Growth ----------------------------------------------------------------------- */

struct growth {
    const struct rln__gauge *gauge;
    const struct rln__track *track;
    size_t first; /* call that counts */
    double from, to, agreement;
};

/* Of the tracks of a process, the one with most calls. */
static const struct rln__track *track_of(const struct rln__run *run, uint32_t process)
{
    const struct rln__track *best = NULL, *track;
    size_t at = 0;

    while ((track = rln__run_next_track(run, &at)))
        if (track->process == process && (!best || track->n > best->n))
            best = track;
    return best;
}

/* The medians of blocks of the calls from `first` on. 0, -1 when there is no memory, or
 * 1: the counter was sampled too late. */
static int measure(struct growth *g, double *medians)
{
    const size_t n = g->track->n - g->first;
    double *values = rln__alloc(n + 1, sizeof(*values));
    int failed = values ? 0 : -1;

    for (size_t b = 0; !failed && b < BLOCKS; b++) {
        const size_t from = g->first + n * b / BLOCKS;
        const size_t to = g->first + n * (b + 1) / BLOCKS;

        for (size_t i = from; !failed && i < to; i++) {
            const struct rln__call *call = &g->track->calls[i];

            failed = !rln__level_at(g->gauge, call->start_ns + (int64_t)call->ns,
                                    &values[i - from]);
        }
        if (!failed)
            medians[b] = rln__median(values, to - from);
    }
    rln__free(values);
    return failed;
}

/* As measure(); 1 also if it does not grow. */
static int find_growth(const struct rln__inquiry *q, struct growth *g)
{
    const double scale = bytes_in(g->gauge->unit);
    double medians[BLOCKS], n_up = 0;
    int failed;

    g->first = g->track->n / 4;
    failed = measure(g, medians);
    if (failed)
        return failed;
    for (size_t b = 1; b < BLOCKS; b++)
        n_up += medians[b] > medians[b - 1];
    g->from = medians[0];
    g->to = medians[BLOCKS - 1];
    g->agreement = n_up / (BLOCKS - 1);
    return g->from >= 0 && g->to * scale < MOST_BYTES &&
                   g->to > (1 + q->limits[RISE]) * g->from &&
                   (g->to - g->from) * scale >= q->limits[MIB] * 0x1p20 &&
                   g->agreement > q->limits[AGREEMENT]
               ? 0
               : 1;
}

/* --- Findings --------------------------------------------------------------------- */

/* "app:memory.used" */
static void add_name(struct rln__buf *out, const struct rln__gauge *gauge)
{
    rln__buf_range(out, gauge->domain_name, gauge->is_default_domain, gauge->name);
    if (!gauge->field.length)
        return;
    rln__buf_char(out, '.');
    (void)rln__buf_printable(out, gauge->field.bytes, gauge->field.length);
}

static void describe(const struct rln__inquiry *q, const struct growth *g,
                     size_t n_processes, struct rln__finding *f)
{
    const struct rln__call *calls = g->track->calls;
    const double n_calls = (double)(g->track->n - g->first);
    const double scale = bytes_in(g->gauge->unit);

    f->severity = RLN_SEVERITY_WARNING;
    rln__finding_measure(f, "from_bytes", g->from * scale);
    rln__finding_measure(f, "to_bytes", g->to * scale);
    rln__finding_measure(f, "agreement", g->agreement);
    rln__finding_measure(f, "processes", (double)n_processes);
    rln__finding_show(f, calls[g->track->n - 1].range, 2);
    rln__finding_show(f, calls[g->first].range, 1);
    add_name(&f->title, g->gauge);
    rln__buf_text(&f->title, " grows from ");
    rln__buf_size(&f->title, (uint64_t)(g->from * scale));
    rln__buf_text(&f->title, " to ");
    rln__buf_size(&f->title, (uint64_t)(g->to * scale));
    rln__buf_text(&f->title, " in the last ");
    rln__buf_count(&f->title, (uint64_t)n_calls);
    rln__buf_text(&f->title, " calls of ");
    rln__buf_range(&f->title, q->run->domain_name, q->run->is_default_domain,
                   q->run->message);
    rln__buf_text(&f->title, ", ");
    rln__buf_size(&f->title, (uint64_t)((g->to - g->from) * scale / n_calls));
    rln__buf_text(&f->title, " a call");
}

static rln_status add(struct rln__inquiry *q, const struct growth *g,
                      size_t n_processes, rln_error *err)
{
    const struct rln__gauge *gauge = g->gauge;
    struct rln__buf field = {0}; /* ends with a zero byte */
    struct rln__finding *f = NULL;

    rln__buf_add(&field, gauge->field.bytes, gauge->field.length);
    rln__buf_char(&field, '\0');
    if (!field.has_failed)
        f = rln__finding_new(q, gauge->domain_name, gauge->is_default_domain,
                             gauge->name, gauge->field.length ? field.bytes : NULL);
    if (f)
        describe(q, g, n_processes, f);
    rln__buf_clear(&field);
    return f ? RLN_OK : rln__fail_nomem(err);
}

static bool have_one_name(const struct rln__gauge *a, const struct rln__gauge *b)
{
    return a->is_default_domain == b->is_default_domain &&
           rln__compare_text(a->domain_name, b->domain_name) == 0 &&
           rln__compare_text(a->name, b->name) == 0 &&
           rln__compare_text(a->field, b->field) == 0;
}

/* Adds a finding for each name: about the process where it grows most. */
static rln_status add_all(struct rln__inquiry *q, struct growth *all, size_t n,
                          rln_error *err)
{
    rln_status status = RLN_OK;

    for (size_t i = 0; !status && i < n; i++) {
        const struct growth *worst = &all[i];
        size_t n_processes = 0;

        if (!all[i].gauge)
            continue;
        for (size_t k = n; k-- > i;) {
            if (!all[k].gauge || !have_one_name(all[i].gauge, all[k].gauge))
                continue;
            n_processes++;
            if (all[k].to - all[k].from > worst->to - worst->from)
                worst = &all[k];
        }
        status = add(q, worst, n_processes, err);
        for (size_t k = n; k-- > i;)
            if (all[k].gauge && have_one_name(all[i].gauge, all[k].gauge))
                all[k].gauge = NULL;
    }
    return status;
}

static rln_status look_at_all(struct rln__inquiry *q, const struct rln__levels *levels,
                              rln_error *err)
{
    struct growth *all = rln__alloc(levels->n + 1, sizeof(*all));
    size_t n = 0, n_looked_at = 0;
    rln_status status = all ? RLN_OK : rln__fail_nomem(err);

    for (size_t i = 0; !status && i < levels->n; i++) {
        const struct rln__gauge *gauge = &levels->gauges[i];
        struct growth g = {gauge, track_of(q->run, gauge->process), 0, 0, 0, 0};
        int found;

        if (!g.track || (double)g.track->n < q->limits[CALLS])
            continue;
        n_looked_at++;
        found = find_growth(q, &g);
        if (found < 0)
            status = rln__fail_nomem(err);
        else if (found == 0)
            all[n++] = g;
    }
    if (!status && !n_looked_at)
        q->why = "the process whose memory a counter tells has too few calls of the "
                 "step";
    if (!status)
        status = add_all(q, all, n, err);
    rln__free(all);
    return status;
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    struct rln__levels levels;
    rln_status status =
        rln__levels_read(q->reader, q->run->info, is_memory, &levels, err);

    if (!status && !levels.n)
        q->why = "no counter says how much memory is in use: sample one, such as `rss` "
                 "in bytes";
    else if (!status)
        status = look_at_all(q, &levels, err);
    rln__levels_clear(&levels);
    return status;
}

const struct rln__rule rln__rule_memory_growth = {
    .id = "memory-growth",
    .question = "does memory grow from step to step?",
    .fires =
        "where calls of the step end, from the second quarter of them on, a counter of "
        "memory rises by over `rise` and at least `mib` MiB, and over `agreement` of "
        "the differences between the medians of 20 blocks of calls rise; its unit is "
        "bytes, KiB, MiB or another of memory, and its name speaks of memory, rss, "
        "heap, vram "
        "or alloc, and not of a total or of what is free",
    .severity = "a warning",
    .against = "a cache that fills, or results that are kept, grow until they are "
               "complete: a longer run tells",
    .next = "rangeline stats -r counter_sum {traces}",
    .needs = RLN__NEEDS_STEP | RLN__NEEDS_ALL_EVENTS | RLN__READS_TRACE,
    .thresholds = {{"rise", 0.05, "steps that differ change a level by less"},
                   {"agreement", 0.8, "half of the differences rise by chance"},
                   {"mib", 1, "less takes long to matter"},
                   {"calls", 80, "three calls a block, without the first quarter"}},
    .evaluate = evaluate,
};
