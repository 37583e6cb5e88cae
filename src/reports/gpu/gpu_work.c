/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/gpu/gpu_work.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "reports/report_build.h"

#include <string.h>

enum rln__kernel_name rln__kernel_name_by(const char *argument)
{
    return rln__report_has_word(argument, "base")      ? RLN__KERNEL_SHORT
           : rln__report_has_word(argument, "mangled") ? RLN__KERNEL_MANGLED
                                                       : RLN__KERNEL_DEMANGLED;
}

unsigned rln__gpu_rules_by(const char *argument)
{
    return (rln__report_has_word(argument, "captured") ? RLN__GPU_BY_CAPTURE : 0u) |
           (rln__report_has_word(argument, "adopt") ? RLN__GPU_BY_ADOPTION : 0u);
}

static rln_status check_tables(const rln_reader *reader, unsigned kinds, rln_error *err)
{
    for (size_t i = 0; i < reader->n_files; i++) {
        for (unsigned kind = 0; kind < RLN__N_GPU_KINDS; kind++) {
            const char *why = reader->files[i]->gpu_refusals[kind];

            if (why && kinds & RLN__GPU_BIT(kind))
                return rln__fail(err, RLN_ERR_FORMAT, 0, "%s", why);
        }
    }
    return RLN_OK;
}

rln_status rln__gpu_work_init(struct rln__gpu_work *w, rln_reader *reader,
                              const struct rln__gpu_choice *choice, rln_error *err)
{
    const rln_status status = check_tables(reader, choice->kinds, err);

    memset(w, 0, sizeof(*w));
    w->predicate.reader = reader;
    w->choice = *choice;
    return status ? status : rln__gpu_batches_find(&w->batches, reader, err);
}

void rln__gpu_work_clear(struct rln__gpu_work *w)
{
    rln__predicate_clear(&w->predicate);
    rln__gpu_batches_clear(&w->batches);
    rln__free(w->events.items);
    memset(w, 0, sizeof(*w));
}

void rln__gpu_work_restart(struct rln__gpu_work *w,
                           const struct rln__gpu_choice *choice)
{
    w->choice = *choice;
    w->next_batch = w->next_event = w->events.n = 0;
}

/* The attributes with the name in the form that is wanted; where there is none, in the
 * form that the event has. RLN__NONE when there is no memory. */
static uint32_t name_of(struct rln__gpu_work *w)
{
    struct rln__gpu_kernel kernel;
    uint64_t handle;

    if (w->batch->kind != RLN__GPU_KERNEL || w->choice.form == RLN__KERNEL_DEMANGLED)
        return w->event->attr;
    rln__gpu_work_element(w, &kernel, sizeof(kernel));
    handle =
        w->choice.form == RLN__KERNEL_SHORT ? kernel.short_name : kernel.mangled_name;
    return handle ? rln__gpu_name(&w->batches, w->batch, handle) : w->event->attr;
}

/* Reads the next batch of a kind that is wanted. */
static rln_status read_batch(struct rln__gpu_work *w, rln_error *err)
{
    while (w->next_batch < w->batches.n) {
        w->batch = &w->batches.all[w->next_batch++];
        w->next_event = 0;
        if (w->choice.kinds & RLN__GPU_BIT(w->batch->kind))
            return rln__gpu_batch_read(&w->batches, w->batch, &w->events, err);
    }
    return RLN_END;
}

rln_status rln__gpu_work_next(struct rln__gpu_work *w, rln_error *err)
{
    for (;;) {
        int accepts = 1;
        rln_status status = RLN_OK;

        while (!status && w->next_event == w->events.n)
            status = read_batch(w, err);
        if (status)
            return status;
        w->event = &w->events.items[w->next_event++];
        if (w->choice.is_filtered)
            status =
                rln__predicate_gpu(&w->predicate, w->batch, w->event, &accepts, err);
        if (status)
            return status;
        if (!accepts)
            continue;
        w->name = name_of(w);
        return w->name == RLN__NONE ? rln__fail_nomem(err) : RLN_OK;
    }
}

void rln__gpu_work_element(const struct rln__gpu_work *w, void *out, size_t n_bytes)
{
    rln__gpu_element(&w->batches, w->batch, w->event, out, n_bytes);
}

struct rln__kernel_shape rln__gpu_work_shape(const struct rln__gpu_work *w)
{
    struct rln__kernel_shape shape;
    struct rln__gpu_kernel kernel;

    rln__gpu_work_element(w, &kernel, sizeof(kernel));
    memcpy(shape.grid, kernel.grid, sizeof(shape.grid));
    memcpy(shape.block, kernel.block, sizeof(shape.block));
    return shape;
}

rln_text rln__gpu_work_text(const struct rln__gpu_work *w)
{
    const struct rln__names *names = &w->predicate.reader->names;

    return rln__strings_get(&names->strings, names->attrs[w->name].message);
}

rln_text rln__gpu_call_name(rln_text name)
{
    const size_t n = strlen("_v3020");

    if (name.length > n && memcmp(name.bytes + name.length - n, "_v", 2) == 0)
        name.length -= n;
    return name;
}
