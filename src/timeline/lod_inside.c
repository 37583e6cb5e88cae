/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/lod_inside.h"

#include "base/alloc.h"
#include "base/busy_times.h"
#include "statistics/median.h"
#include "timeline/lod_facts.h"
#include "timeline/lod_marks.h"

#include <stdlib.h>
#include <string.h>

/* --- Occurrences ------------------------------------------------------------------ */

struct finding {
    struct rln__lod *lod;
    const struct rln__lod_sought *sought; /* borrowed */
    uint8_t **marks; /* owned; of occurrences, and what is inside them; or NULL */
    uint64_t n_single, at, stride;
    struct rln__lod_occurrences *out;
};

static int add_occurrence(struct finding *f, uint32_t row,
                          const struct rln__range_bucket *bucket)
{
    struct rln__lod_occurrences *out = f->out;
    struct rln__lod_occurrence *added;

    if (f->at++ % f->stride)
        return 0;
    added = rln__append(&out->items, &out->n, &out->capacity, sizeof(*added));
    if (!added)
        return -1;
    *added = (struct rln__lod_occurrence){row, bucket->start_ns, bucket->end_ns};
    return 0;
}

static int find_in_row(struct finding *f, uint32_t row)
{
    struct rln__range_buckets *buckets = &f->lod->rows[row].buckets;
    uint8_t *marks = NULL;

    if (f->marks) {
        marks = f->marks[row] = rln__lod_inherit_marks(f->lod, row, f->marks);
        if (!marks)
            return -1;
    }
    for (size_t i = 0; i < buckets->n; i++) {
        const struct rln__range_bucket *bucket = &buckets->items[i];

        if (bucket->n > 1 || !rln__lod_is_sought(f->lod, f->sought, bucket))
            continue;
        if (marks && marks[i])
            f->out->n_inner++;
        else if (!bucket->is_open && add_occurrence(f, row, bucket))
            return -1;
        if (marks)
            marks[i] = 1;
    }
    return 0;
}

/* All of those names, and how many of them are not merged. */
static void count(struct finding *f)
{
    for (size_t i = 0; i < f->lod->n_names; i++)
        f->out->n_all += f->sought->names[i] ? f->lod->names[i].durations.n : 0;
    for (uint32_t row = 0; row < f->lod->n_rows; row++) {
        struct rln__range_buckets *buckets = &f->lod->rows[row].buckets;

        if (!rln__lod_is_of_ranges(&f->lod->rows[row]))
            continue;
        for (size_t i = rln__range_buckets_from(buckets, INT64_MIN); i < buckets->n;
             i++)
            f->n_single += buckets->items[i].n == 1 &&
                           rln__lod_is_sought(f->lod, f->sought, &buckets->items[i]);
    }
    f->out->n_merged = f->out->n_all > f->n_single ? f->out->n_all - f->n_single : 0;
    f->stride = f->n_single / RLN__LOD_MOST_OCCURRENCES + 1;
}

int rln__lod_find_occurrences(struct rln__lod *lod, const uint8_t *names,
                              int are_outermost, struct rln__lod_occurrences *out)
{
    const struct rln__lod_sought sought = {.names = names};
    struct finding f = {.lod = lod, .sought = &sought, .out = out};
    int failed = 0;

    *out = (struct rln__lod_occurrences){.n = 0};
    if (are_outermost) {
        f.marks = rln__alloc(lod->n_rows, sizeof(*f.marks));
        failed = !f.marks;
    }
    count(&f);
    for (uint32_t row = 0; row < lod->n_rows && !failed; row++)
        if (rln__lod_is_of_ranges(&lod->rows[row]))
            failed = find_in_row(&f, row);
    out->n_all -= out->n_inner < out->n_all ? out->n_inner : out->n_all;
    rln__lod_free_marks(lod, f.marks);
    return failed ? -1 : 0;
}

void rln__lod_occurrences_clear(struct rln__lod_occurrences *occurrences)
{
    rln__free(occurrences->items);
    *occurrences = (struct rln__lod_occurrences){.n = 0};
}

double rln__lod_median_length(const struct rln__lod_occurrences *occurrences,
                              double *values)
{
    for (size_t i = 0; i < occurrences->n; i++)
        values[i] = (double)rln__lod_length(&occurrences->items[i]);
    return rln__median(values, occurrences->n);
}

/* --- Children --------------------------------------------------------------------- */

struct sum {
    uint64_t ns;
    uint32_t n;
};

/* An operation of a GPU that was requested in an occurrence. */
struct operation {
    uint32_t occurrence, gpu;
    int64_t start_ns, end_ns;
};

struct measuring {
    struct rln__lod *lod, *narrow;
    const uint32_t *kinds;                   /* borrowed; NULL: names count */
    const struct rln__lod_gpus *gpus;        /* borrowed */
    const struct rln__lod_occurrence *items; /* borrowed */
    size_t n;
    size_t *first_of_row; /* owned: the first occurrence of each row, and the end */
    uint64_t *inner_ns;   /* owned: by occurrence, the time of pushed children */
    struct sum *sums;     /* owned: by name, of the occurrence at hand */
    uint32_t *names;      /* owned: those that have sums */
    size_t n_names, names_capacity;
    uint32_t *callers_rows; /* owned: rows with occurrences, of the thread `caller` */
    size_t n_callers_rows, callers_rows_capacity;
    uint32_t caller;
    struct operation *operations; /* owned */
    size_t n_operations, operations_capacity;
    struct rln__lod_inside *out;
};

static int add_time(struct measuring *m, struct rln__lod_time_inside time)
{
    struct rln__lod_inside *out = m->out;
    struct rln__lod_time_inside *added =
        rln__append(&out->times, &out->n, &out->capacity, sizeof(*added));

    if (!added)
        return -1;
    *added = time;
    return 0;
}

/* The sums at hand are those of this occurrence; the next one begins without any. */
static int flush(struct measuring *m, size_t occurrence)
{
    int failed = 0;

    for (size_t i = 0; i < m->n_names && !failed; i++) {
        struct sum *sum = &m->sums[m->names[i]];

        failed = add_time(m, (struct rln__lod_time_inside){
                                 m->names[i], (uint32_t)occurrence, sum->n, sum->ns});
        *sum = (struct sum){.n = 0};
    }
    m->n_names = 0;
    return failed;
}

static int take_child(struct measuring *m, size_t occurrence,
                      const struct rln__range_bucket *child)
{
    const uint32_t name = rln__lod_name_of(m->lod, child);
    const uint32_t part = m->kinds ? m->kinds[name] : name;
    const int64_t end_ns = m->items[occurrence].end_ns;
    const uint64_t ns = child->n > 1 ? child->covered_ns
                        : child->end_ns > end_ns
                            ? (uint64_t)end_ns - (uint64_t)child->start_ns
                            : (uint64_t)rln__range_bucket_ns(child);
    struct sum *sum = &m->sums[part];

    if (!sum->n) {
        uint32_t *added =
            rln__append(&m->names, &m->n_names, &m->names_capacity, sizeof(*m->names));

        if (!added)
            return -1;
        *added = part;
    }
    sum->n += child->n;
    sum->ns += ns;
    m->out->is_rough |= child->n > 1;
    return 0;
}

/* The row, from the index with the finer resolution. */
static struct rln__lod_row *row_of(const struct measuring *m, uint32_t number)
{
    struct rln__lod_row *row = &m->lod->rows[number];

    return rln__lod_is_close(row) ? &m->narrow->rows[number] : row;
}

/* Both are in the order of their starts. */
static int add_children(struct measuring *m, uint32_t above, uint32_t below)
{
    struct rln__lod_row *row = row_of(m, below);
    size_t at = m->first_of_row[above], end = m->first_of_row[above + 1];
    size_t i = at < end ? rln__range_buckets_from(&row->buckets, m->items[at].start_ns)
                        : row->buckets.n;

    for (; i < row->buckets.n && at < end; i++) {
        const struct rln__range_bucket *child = &row->buckets.items[i];

        while (at < end && m->items[at].end_ns <= child->start_ns) {
            if (flush(m, at++))
                return -1;
        }
        if (at == end || child->start_ns < m->items[at].start_ns ||
            rln__lod_name_of(m->lod, child) == RLN__NONE ||
            !rln__lod_is_directly_in(m->lod, above, below, child->start_ns))
            continue;
        if (take_child(m, at, child))
            return -1;
        if (row->kind == RLN__LOD_PUSHED)
            m->inner_ns[at] += rln__range_bucket_covered(child);
    }
    return at < end ? flush(m, at) : 0;
}

static int add_all_children(struct measuring *m)
{
    for (uint32_t row = 0; row < m->lod->n_rows; row++) {
        if (!rln__lod_is_of_ranges(&m->lod->rows[row]))
            continue;
        for (uint32_t above = m->lod->rows[row].above; above != RLN__NONE;
             above = m->lod->is_filtered ? m->lod->rows[above].above : RLN__NONE) {
            if (add_children(m, above, row))
                return -1;
        }
    }
    return 0;
}

/* Start/end ranges inside others may overlap, so that no time is an outer one's own. */
static int add_selves(struct measuring *m)
{
    for (size_t i = 0; i < m->n; i++) {
        const uint64_t ns = rln__lod_length(&m->items[i]);
        const struct rln__lod_row *row = &m->lod->rows[m->items[i].row];
        const struct rln__lod_time_inside self = {
            RLN__LOD_SELF, (uint32_t)i, 1,
            ns > m->inner_ns[i] ? ns - m->inner_ns[i] : 0};

        if (row->kind == RLN__LOD_PUSHED && add_time(m, self))
            return -1;
    }
    return 0;
}

/* --- GPU work --------------------------------------------------------------------- */

/* Most operations in a row are of the same thread. */
static int set_caller(struct measuring *m, uint32_t caller)
{
    if (m->caller == caller)
        return 0;
    m->caller = caller;
    m->n_callers_rows = 0;
    for (uint32_t row = 0; row < m->lod->n_rows; row++) {
        uint32_t *added;

        if (m->first_of_row[row] == m->first_of_row[row + 1] ||
            !rln__lod_is_same_thread(m->lod, m->lod->rows[row].thread, caller))
            continue;
        added = rln__append(&m->callers_rows, &m->n_callers_rows,
                            &m->callers_rows_capacity, sizeof(*added));
        if (!added)
            return -1;
        *added = row;
    }
    return 0;
}

/* The last occurrence of a row that begins before the call does, if it encloses that. */
static int find_around(const struct measuring *m, uint32_t row,
                       const struct rln__gpu_call_span *call, size_t *out)
{
    size_t low = m->first_of_row[row], high = m->first_of_row[row + 1];

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (m->items[middle].start_ns <= call->from_ns)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == m->first_of_row[row])
        return 0;
    *out = low - 1;
    return rln__gpu_is_around(call, m->items[*out].start_ns, m->items[*out].end_ns);
}

static int add_operation(struct measuring *m, uint32_t row,
                         const struct rln__range_bucket *bucket)
{
    const struct rln__gpu_call_span call = rln__lod_call_span(bucket);

    if (set_caller(m, rln__lod_owner(m->lod, bucket)))
        return -1;
    for (size_t i = 0; i < m->n_callers_rows; i++) {
        struct operation *added;
        size_t occurrence;

        if (!find_around(m, m->callers_rows[i], &call, &occurrence))
            continue;
        added = rln__append(&m->operations, &m->n_operations, &m->operations_capacity,
                            sizeof(*added));
        if (!added)
            return -1;
        *added = (struct operation){(uint32_t)occurrence, m->gpus->of_row[row],
                                    bucket->start_ns, bucket->end_ns};
    }
    return 0;
}

static int by_occurrence(const void *a, const void *b)
{
    const struct operation *x = a, *y = b;

    if (x->occurrence != y->occurrence)
        return x->occurrence < y->occurrence ? -1 : 1;
    if (x->gpu != y->gpu)
        return x->gpu < y->gpu ? -1 : 1;
    return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

static int add_gpu_times(struct measuring *m)
{
    if (m->n_operations)
        qsort(m->operations, m->n_operations, sizeof(*m->operations), by_occurrence);
    for (size_t i = 0; i < m->n_operations;) {
        const struct operation *first = &m->operations[i];
        struct rln__lod_time_inside time = {RLN__LOD_OF_GPU | first->gpu,
                                            first->occurrence, 0, 0};
        int64_t until_ns = INT64_MIN;

        for (; i < m->n_operations && m->operations[i].gpu == first->gpu &&
               m->operations[i].occurrence == first->occurrence;
             i++) {
            time.n++;
            time.ns += rln__busy_more(&until_ns, m->operations[i].start_ns,
                                      m->operations[i].end_ns);
        }
        if (add_time(m, time))
            return -1;
    }
    return 0;
}

static int add_gpu_work(struct measuring *m)
{
    for (uint32_t row = 0; row < m->lod->n_rows; row++) {
        const struct rln__lod_row *r = &m->lod->rows[row];

        if (m->gpus->of_row[row] == RLN__NONE)
            continue;
        for (size_t i = 0; i < r->buckets.n; i++) {
            m->out->is_rough |= r->buckets.items[i].n > 1;
            if (rln__lod_has_call(r, &r->buckets.items[i]) &&
                add_operation(m, row, &r->buckets.items[i]))
                return -1;
        }
    }
    return add_gpu_times(m);
}

/* --- The whole -------------------------------------------------------------------- */

static int by_part(const void *a, const void *b)
{
    const struct rln__lod_time_inside *x = a, *y = b;

    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    return (x->occurrence > y->occurrence) - (x->occurrence < y->occurrence);
}

/* An occurrence may have a part in several rows. */
static void merge_times(struct rln__lod_inside *out)
{
    size_t n = 0;

    if (out->n)
        qsort(out->times, out->n, sizeof(*out->times), by_part);
    for (size_t i = 0; i < out->n; i++) {
        const struct rln__lod_time_inside *time = &out->times[i];

        if (n && by_part(&out->times[n - 1], time) == 0) {
            out->times[n - 1].ns += time->ns;
            out->times[n - 1].n += time->n;
        } else {
            out->times[n++] = *time;
        }
    }
    out->n = n;
}

static int begin(struct measuring *m)
{
    size_t at = 0;

    m->first_of_row = rln__alloc(m->lod->n_rows + 1, sizeof(*m->first_of_row));
    m->inner_ns = rln__alloc(m->n, sizeof(*m->inner_ns));
    m->sums = rln__alloc(m->lod->n_names, sizeof(*m->sums));
    if (!m->first_of_row || !m->inner_ns || !m->sums)
        return -1;
    for (uint32_t row = 0; row <= m->lod->n_rows; row++) {
        while (at < m->n && m->items[at].row < row)
            at++;
        m->first_of_row[row] = at;
    }
    return 0;
}

int rln__lod_measure_inside(struct rln__lod *lod, struct rln__lod *narrow,
                            const uint32_t *kinds, const struct rln__lod_gpus *gpus,
                            const struct rln__lod_occurrences *occurrences,
                            struct rln__lod_inside *out)
{
    struct measuring m = {.lod = lod,
                          .narrow = narrow,
                          .kinds = kinds,
                          .gpus = gpus,
                          .items = occurrences->items,
                          .n = occurrences->n,
                          .caller = RLN__NONE,
                          .out = out};
    int failed;

    *out = (struct rln__lod_inside){.n = 0};
    failed = begin(&m) || add_all_children(&m) || add_selves(&m) || add_gpu_work(&m);
    if (!failed)
        merge_times(out);
    rln__free(m.first_of_row);
    rln__free(m.inner_ns);
    rln__free(m.sums);
    rln__free(m.names);
    rln__free(m.callers_rows);
    rln__free(m.operations);
    return failed ? -1 : 0;
}

void rln__lod_inside_clear(struct rln__lod_inside *inside)
{
    rln__free(inside->times);
    *inside = (struct rln__lod_inside){.n = 0};
}

size_t rln__lod_find_part(const struct rln__lod_inside *inside, uint32_t part)
{
    size_t low = 0, high = inside->n;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (inside->times[middle].part < part)
            low = middle + 1;
        else
            high = middle;
    }
    return low < inside->n && inside->times[low].part == part ? low : inside->n;
}

size_t rln__lod_end_of_part(const struct rln__lod_inside *inside, size_t first)
{
    size_t end = first;

    while (end < inside->n && inside->times[end].part == inside->times[first].part)
        end++;
    return end;
}

double rln__lod_median_of_part(const struct rln__lod_inside *inside, size_t first,
                               size_t n, double *values)
{
    const size_t end = rln__lod_end_of_part(inside, first);

    if ((end - first) * 2 < n) /* most have none of it */
        return 0;
    memset(values, 0, n * sizeof(*values));
    for (size_t i = first; i < end; i++)
        values[inside->times[i].occurrence] = (double)inside->times[i].ns;
    return rln__median(values, n);
}
