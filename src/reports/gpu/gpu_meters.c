/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/gpu/gpu_meters.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "format/attributes.h"
#include "format/gpu_metrics.h"
#include "format/registry_lookup.h"
#include "trace/decode/gpu_batches.h"
#include "trace/open/name_catalog.h"
#include "trace/order/scan.h"

#include <stdlib.h>
#include <string.h>

#define UUID_SCOPE "GPU[UUID:"

static int has_uuid(rln_text scope)
{
    return scope.length > sizeof(UUID_SCOPE) - 1 &&
           memcmp(scope.bytes, UUID_SCOPE, sizeof(UUID_SCOPE) - 1) == 0;
}

/* --- The counters ----------------------------------------------------------------- */

/* The GPU whose energy the counter of an id is; UINT32_MAX: it is none. */
static uint32_t gpu_of_id(uint64_t id)
{
    enum rln__gpu_metric metric;
    uint32_t gpu;

    return rln__gpu_metric_of(id, &gpu, &metric) && metric == RLN__METRIC_ENERGY
               ? gpu
               : UINT32_MAX;
}

/* Programs may have counters of the same ids in domains of their own. */
static int is_of_domain(struct rln__names *names, const struct rln__registered *r)
{
    int is_unknown = 0;
    const uint32_t domain =
        rln__names_domain(names, r->process, r->domain_id, &is_unknown);

    return domain != RLN__NONE &&
           rln__text_is(rln__strings_get(&names->strings, names->domains[domain].name),
                        RLN__GPU_METRICS_DOMAIN);
}

int rln__has_gpu_meters(rln_reader *reader)
{
    const struct rln__registry *r = &reader->names.registry;

    for (size_t i = 0; i < r->n_counters; i++)
        if (gpu_of_id(r->counters[i].from.id) != UINT32_MAX &&
            is_of_domain(&reader->names, &r->counters[i].from))
            return 1;
    return 0;
}

static struct rln__gpu_meter *meter_of(struct rln__gpu_meters *m, uint32_t process,
                                       uint32_t gpu)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->items[i].process == process && m->items[i].number == gpu)
            return &m->items[i];
    return NULL;
}

/* Each launcher of a machine may sample its GPUs. Without a UUID, a number may be of
 * another machine. */
static uint32_t first_of_gpu(const struct rln__gpu_meters *m, uint32_t meter)
{
    const rln_text *scope = &m->items[meter].scope;

    if (!has_uuid(*scope))
        return meter;
    for (uint32_t i = 0; i < meter; i++)
        if (rln__compare_text(m->items[i].scope, *scope) == 0)
            return i;
    return meter;
}

static int find_meters(struct rln__gpu_meters *m)
{
    struct rln__names *names = &m->reader->names;
    const struct rln__registry *r = &names->registry;

    for (size_t i = 0; i < r->n_counters; i++) {
        const struct rln__counter *counter = &r->counters[i];
        const uint32_t gpu = gpu_of_id(counter->from.id);
        const struct rln__scope *scope;
        struct rln__gpu_meter *meter;

        if (gpu == UINT32_MAX || !is_of_domain(names, &counter->from) ||
            meter_of(m, counter->from.process, gpu))
            continue;
        scope = rln__registry_scope(names, counter->from.process,
                                    counter->from.domain_id, counter->scope);
        meter = rln__append(&m->items, &m->n, &m->capacity, sizeof(*meter));
        if (!meter)
            return -1;
        *meter = (struct rln__gpu_meter){
            .process = counter->from.process,
            .number = gpu,
            .scope = rln__strings_get(
                &names->strings,
                scope ? rln__names_string(names, scope->from.process, scope->path) : 0),
        };
        meter->first = first_of_gpu(m, (uint32_t)m->n - 1);
    }
    return 0;
}

/* --- Their samples ---------------------------------------------------------------- */

static int add_reading(struct rln__gpu_meter *meter, int64_t t_ns, double counter)
{
    struct rln__gpu_reading next = {.t_ns = t_ns};
    struct rln__gpu_reading *reading;

    if (meter->n) {
        const struct rln__gpu_reading *before = &meter->readings[meter->n - 1];

        if (t_ns <= before->t_ns)
            return 0;
        next.joules = before->joules;
        next.covered_ns = before->covered_ns;
        if (counter >= meter->last_counter) { /* else it began again, with the driver */
            next.joules += counter - meter->last_counter;
            next.covered_ns += (uint64_t)(t_ns - before->t_ns);
        }
    }
    meter->last_counter = counter;
    reading =
        rln__append(&meter->readings, &meter->n, &meter->capacity, sizeof(*reading));
    if (!reading)
        return -1;
    *reading = next;
    return 0;
}

static rln_status take_sample(void *context, const struct rln__item *item, int64_t t_ns,
                              uint32_t part, rln_error *err)
{
    struct rln__gpu_meters *m = context;
    const rln_reader *reader = m->reader;
    const uint32_t process = reader->threads[item->thread].process;
    const struct rln__counter_number *number;
    struct rln__gpu_meter *meter;
    double value;

    (void)part;
    if (item->kind != RLN__SAMPLE || !item->has_value || !(item->ref & 1))
        return RLN_OK;
    number = rln__registry_number(&reader->names, process, item->ref >> 1);
    meter = number ? meter_of(m, process, gpu_of_id(number->counter)) : NULL;
    if (!meter)
        return RLN_OK;
    memcpy(&value, &item->value, sizeof(value));
    if (!(value > -1e15 && value < 1e15)) /* or NaN */
        return RLN_OK;
    return add_reading(meter, t_ns, value) ? rln__fail_nomem(err) : RLN_OK;
}

static int is_of_sampler(const struct rln__gpu_meters *m,
                         const struct rln__chunk_info *chunk)
{
    const uint32_t process =
        rln__names_process(&m->reader->names, chunk->part, chunk->process);

    for (size_t i = 0; i < m->n; i++)
        if (m->items[i].process == process)
            return 1;
    return 0;
}

/* Only the samplers' chunks are read. */
static rln_status read_samples(struct rln__gpu_meters *m, rln_error *err)
{
    struct rln__scan_steps steps;
    rln_status status = rln__scan_steps_init(&steps, m->reader, err);
    size_t n = 0;

    for (size_t i = 0; i < steps.n && !status; i++)
        if (is_of_sampler(m, &steps.chunks[i]))
            steps.chunks[n++] = steps.chunks[i];
    steps.n = n;
    while (!status)
        status = rln__scan_step(&steps, take_sample, NULL, m, err);
    rln__scan_steps_clear(&steps);
    return status == RLN_END ? RLN_OK : status;
}

/* --- Whose they are --------------------------------------------------------------- */

static int is_of_uuid(rln_text scope, rln_text uuid)
{
    const size_t n = sizeof(UUID_SCOPE) - 1;

    return has_uuid(scope) && uuid.length && scope.length == n + uuid.length + 1 &&
           memcmp(scope.bytes + n, uuid.bytes, uuid.length) == 0;
}

/* The number in "GPU 0/context 1/stream 7". */
static uint32_t device_of_stream(rln_text path)
{
    uint32_t device = 0;

    for (size_t i = sizeof("GPU ") - 1; i < path.length; i++) {
        if (path.bytes[i] < '0' || path.bytes[i] > '9')
            break;
        device = device * 10 + (uint32_t)(path.bytes[i] - '0');
    }
    return device;
}

static uint32_t part_of(const struct rln__gpu_meters *m, uint32_t process)
{
    return m->reader->names.processes[process].part;
}

/* The meter of a process's GPU: of its own trace, else the first of another one, whose
 * launcher sampled the GPUs of the machine. SIZE_MAX: there is none. */
static size_t meter_of_gpu(const struct rln__gpu_meters *m, uint32_t process,
                           rln_text uuid)
{
    size_t found = SIZE_MAX;

    for (size_t i = 0; i < m->n; i++) {
        if (!is_of_uuid(m->items[i].scope, uuid))
            continue;
        if (part_of(m, m->items[i].process) == part_of(m, process))
            return i;
        if (found == SIZE_MAX)
            found = i;
    }
    return found;
}

static int use(struct rln__gpu_meters *m, uint32_t process, size_t meter)
{
    struct rln__gpu_used *used =
        rln__append(&m->used, &m->n_used, &m->used_capacity, sizeof(*used));

    if (!used)
        return -1;
    *used = (struct rln__gpu_used){process, (uint32_t)meter};
    return 0;
}

/* What processes gave work to has streams. */
static int use_by_streams(struct rln__gpu_meters *m)
{
    const rln_reader *reader = m->reader;

    for (size_t i = 0; i < reader->n_threads; i++) {
        const struct rln__trace_thread *thread = &reader->threads[i];
        const struct rln__gpu_info *gpu = NULL;
        size_t meter = SIZE_MAX;

        if (thread->is_stream)
            gpu = rln__gpus_find(
                &reader->gpus, thread->process,
                device_of_stream(rln__reader_stream_name(reader, (uint32_t)i)));
        if (gpu)
            meter = meter_of_gpu(m, thread->process, gpu->uuid);
        if (meter != SIZE_MAX && use(m, thread->process, meter))
            return -1;
    }
    return 0;
}

static int use_all_of_trace(struct rln__gpu_meters *m, uint32_t process)
{
    for (size_t i = 0; i < m->n; i++)
        if (part_of(m, m->items[i].process) == part_of(m, process) &&
            use(m, process, i))
            return -1;
    return 0;
}

static int by_process(const void *a, const void *b)
{
    const struct rln__gpu_used *x = a, *y = b;

    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    return (x->meter > y->meter) - (x->meter < y->meter);
}

/* Sorts them, each once. */
static void sort_used(struct rln__gpu_meters *m)
{
    size_t n = 0;

    if (m->n_used)
        qsort(m->used, m->n_used, sizeof(*m->used), by_process);
    for (size_t i = 0; i < m->n_used; i++)
        if (!n || by_process(&m->used[n - 1], &m->used[i]) != 0)
            m->used[n++] = m->used[i];
    m->n_used = n;
}

static void index_used(struct rln__gpu_meters *m)
{
    size_t at = 0;

    for (uint32_t p = 0; p <= m->n_processes; p++) {
        while (at < m->n_used && m->used[at].process < p)
            at++;
        m->first_used[p] = at;
    }
}

static rln_status assign(struct rln__gpu_meters *m, rln_error *err)
{
    struct rln__gpu_batches batches;
    rln_status status = rln__gpu_batches_find(&batches, m->reader, err);
    size_t n;

    if (status)
        return status;
    rln__gpu_batches_clear(&batches); /* the reader keeps what there is of GPUs */
    m->n_processes = m->reader->names.n_processes;
    m->first_used = rln__alloc(m->n_processes + 1, sizeof(*m->first_used));
    if (!m->first_used || use_by_streams(m))
        return rln__fail_nomem(err);
    sort_used(m);
    index_used(m);
    for (uint32_t p = 0; p < m->n_processes; p++)
        if (!rln__gpu_meters_of(m, p, &n) && use_all_of_trace(m, p))
            return rln__fail_nomem(err);
    sort_used(m);
    index_used(m);
    return RLN_OK;
}

/* --- All of it -------------------------------------------------------------------- */

rln_status rln__gpu_meters_load(struct rln__gpu_meters *m, rln_reader *reader,
                                rln_error *err)
{
    rln_status status;

    memset(m, 0, sizeof(*m));
    m->reader = reader;
    status = find_meters(m) ? rln__fail_nomem(err) : read_samples(m, err);
    if (!status)
        status = assign(m, err);
    if (status)
        rln__gpu_meters_clear(m);
    return status;
}

void rln__gpu_meters_clear(struct rln__gpu_meters *m)
{
    for (size_t i = 0; i < m->n; i++)
        rln__free(m->items[i].readings);
    rln__free(m->items);
    rln__free(m->used);
    rln__free(m->first_used);
    memset(m, 0, sizeof(*m));
}

const struct rln__gpu_used *rln__gpu_meters_of(const struct rln__gpu_meters *m,
                                               uint32_t process, size_t *n)
{
    const size_t first = process < m->n_processes ? m->first_used[process] : 0;

    *n = process < m->n_processes ? m->first_used[process + 1] - first : 0;
    return *n ? &m->used[first] : NULL;
}

/* Goes on from the last one: questions come by time, mostly. */
static size_t reading_before(struct rln__gpu_meter *meter, int64_t t_ns)
{
    const struct rln__gpu_reading *r = meter->readings;
    size_t low = 0, high = meter->n; /* r[low] <= t < r[high] */

    if (r[meter->last].t_ns <= t_ns &&
        (meter->last + 1 == meter->n || t_ns < r[meter->last + 1].t_ns))
        return meter->last;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;

        if (r[middle].t_ns <= t_ns)
            low = middle;
        else
            high = middle;
    }
    meter->last = low;
    return low;
}

/* What the meter has at a time, between its first and last reading. */
static struct rln__gpu_reading read_at(struct rln__gpu_meter *meter, int64_t t_ns)
{
    const size_t i = reading_before(meter, t_ns);
    const struct rln__gpu_reading *a = &meter->readings[i], *b = a + 1;
    double part;

    if (t_ns <= a->t_ns || i + 1 == meter->n)
        return *a;
    part = (double)(t_ns - a->t_ns) / (double)(b->t_ns - a->t_ns);
    return (struct rln__gpu_reading){
        t_ns, a->joules + part * (b->joules - a->joules),
        a->covered_ns + (uint64_t)(part * (double)(b->covered_ns - a->covered_ns))};
}

void rln__gpu_meters_add(struct rln__gpu_meters *m, uint32_t meter, int64_t start_ns,
                         int64_t end_ns, struct rln__gpu_energy *sum)
{
    struct rln__gpu_meter *of = &m->items[meter];
    struct rln__gpu_reading from, to;

    start_ns = rln__span_clip(&m->reader->span, start_ns);
    end_ns = rln__span_clip(&m->reader->span, end_ns);
    if (!of->n || end_ns <= start_ns)
        return;
    from = read_at(of, start_ns);
    to = read_at(of, end_ns);
    sum->joules += to.joules - from.joules;
    sum->covered_ns += to.covered_ns - from.covered_ns;
}

double rln__gpu_meters_joules(const struct rln__gpu_meters *m)
{
    double joules = 0;

    for (size_t i = 0; i < m->n; i++)
        if (m->items[i].n && m->items[i].first == i)
            joules += m->items[i].readings[m->items[i].n - 1].joules;
    return joules;
}
