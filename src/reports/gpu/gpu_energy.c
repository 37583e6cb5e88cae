/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_energy.c - what the GPUs of each name's ranges drew while these were open. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "reports/domain_order.h"
#include "reports/gpu/gpu_meters.h"
#include "reports/report_list.h"
#include "reports/summary/summary.h"

struct energy_row {
    struct rln__gpu_energy energy;
    double known_ns; /* of the total: of each range, the mean of its GPUs */
    uint64_t total_ns, n_ranges;
    uint32_t n_gpus;
    /* When all has been read: */
    rln_text domain_name, message;
    rln_range_style style;
    uint8_t is_default_domain;
};

struct energy_rows {
    struct rln__gpu_meters meters;
    struct energy_row *rows; /* owned */
    size_t n, capacity;
    struct rln__key_index pairs; /* {row, meter}: to count GPUs once */
};

/* Counts a GPU for a row, once. -1: no memory. */
static int count_gpu(struct energy_rows *all, uint32_t row, uint32_t meter)
{
    const struct rln__key key = {{row, meter}};
    const size_t n_known = all->pairs.n;
    const uint32_t number = rln__key_index_number(&all->pairs, &key);

    all->rows[row].n_gpus += number == n_known;
    return number == UINT32_MAX ? -1 : 0;
}

static int take(void *context, const struct rln__closing *c, uint64_t ns, uint32_t row,
                uint32_t process)
{
    struct energy_rows *all = context;
    struct rln__gpu_energy energy = {0, 0};
    struct energy_row *rows =
        rln__grow_to(all->rows, &all->n, &all->capacity, row, sizeof(*rows));
    const struct rln__gpu_used *gpus;
    size_t n;

    if (!rows)
        return -1;
    all->rows = rows;
    gpus = rln__gpu_meters_of(&all->meters, process, &n);
    for (size_t i = 0; i < n; i++) {
        rln__gpu_meters_add(&all->meters, gpus[i].meter, c->start_ns, c->end_ns,
                            &energy);
        if (count_gpu(all, row, all->meters.items[gpus[i].meter].first))
            return -1;
    }
    rows[row].energy.joules += energy.joules;
    if (n)
        rows[row].known_ns += (double)energy.covered_ns / (double)n;
    rows[row].total_ns += ns;
    rows[row].n_ranges++;
    return 0;
}

static int by_energy(const void *a, const void *b)
{
    const struct energy_row *x = a, *y = b;
    int order;

    if (x->energy.joules != y->energy.joules)
        return x->energy.joules > y->energy.joules ? -1 : 1;
    order = rln__compare_domains(x->is_default_domain, x->domain_name,
                                 y->is_default_domain, y->domain_name);
    if (!order)
        order = rln__compare_text(x->message, y->message);
    return order ? order : (int)x->style - (int)y->style;
}

/* Drops names without ranges, and sorts the others. */
static void sort(struct energy_rows *all, const struct rln__summary *s)
{
    const struct rln__names *names = &s->reader->names;
    size_t n = 0;

    for (size_t i = 0; i < all->n; i++) {
        const struct rln__summary_row *of = &s->rows[i];
        struct energy_row *row = &all->rows[n];

        if (!all->rows[i].n_ranges)
            continue;
        *row = all->rows[i];
        row->domain_name =
            rln__strings_get(&names->strings, names->domains[of->domain].name);
        row->message = rln__strings_get(&names->strings, of->message);
        row->style = of->style;
        row->is_default_domain = of->domain == 0;
        n++;
    }
    all->n = n;
    if (n)
        qsort(all->rows, n, sizeof(*all->rows), by_energy);
}

static void put_row(rln_report *out, const struct energy_row *row, double whole)
{
    const double joules = row->energy.joules;
    const double total_ns = (double)row->total_ns;

    rln__report_put_fixed(out, whole > 0 ? 100 * joules / whole : 0, 1);
    rln__report_put_fixed(out, joules, 3);
    rln__report_put_count(out, row->n_ranges);
    rln__report_put_fixed(out, joules / (double)row->n_ranges, 3);
    rln__report_put_fixed(out, joules / row->known_ns * 1e9, 1);
    rln__report_only_if(out, row->known_ns > 0, 4);
    rln__report_put_ns(out, row->total_ns);
    rln__report_put_fixed(out, total_ns > 0 ? 100 * row->known_ns / total_ns : 0, 1);
    rln__report_put_count(out, row->n_gpus);
    rln__report_put_style(out, row->style);
    rln__report_put_qualified(out, row->domain_name, row->message);
}

static rln_status build_gpu_energy(const struct rln__report_source *source,
                                   rln_report *out)
{
    struct energy_rows all = {.n = 0};
    const struct rln__summary_taker taker = {&all, take};
    struct rln__summary summary;
    rln_status status;
    double whole;

    if (!rln__has_gpu_meters(source->reader))
        return RLN_OK;
    status = rln__gpu_meters_load(&all.meters, source->reader, source->err);
    if (status)
        return status;
    status = rln__summary_read_names_to(&summary, source->reader, &taker, source->err);
    if (!status) {
        sort(&all, &summary);
        whole = rln__gpu_meters_joules(&all.meters);
        for (size_t i = 0; i < all.n; i++)
            put_row(out, &all.rows[i], whole);
        rln__summary_clear(&summary);
    }
    rln__free(all.rows);
    rln__key_index_clear(&all.pairs);
    rln__gpu_meters_clear(&all.meters);
    return status;
}

static const rln_report_column columns[] = {
    RLN__NUMBERS("Energy (%)"), RLN__NUMBERS("Energy (J)"), RLN__NUMBERS("Instances"),
    RLN__NUMBERS("Avg (J)"),    RLN__NUMBERS("Power (W)"),  RLN__TIMES("Total Time"),
    RLN__NUMBERS("Known (%)"),  RLN__NUMBERS("GPUs"),       RLN__TEXTS("Style"),
    RLN__TEXTS("Range"),
};

const struct rln__report_kind rln__report_gpu_energy = {
    .about =
        {.name = "gpu_energy",
         .title = "GPU Energy Summary",
         .help = "what the GPUs drew during ranges, by name",
         .subject = "energy of GPUs",
         .details =
             "One row per name, domain and style, the most energy first. Energy: what "
             "the GPUs drew while a range was open: those that its process gave work "
             "to, with -t cuda, else all that were sampled, with whatever else ran on "
             "them; (%): of what all drew while they were sampled. A GPU's counter is "
             "read ten times a second and is taken to rise evenly between, so a "
             "single range of less is an estimate. Power: the mean, of its GPUs "
             "together. Known: the part of the time in which they were sampled. Ranges "
             "inside others, and those of several threads, count in full, so energies "
             "overlap."},
    .build = build_gpu_energy,
    RLN__COLUMNS(columns),
};
