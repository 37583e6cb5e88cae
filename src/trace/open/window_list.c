/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/open/window_list.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "trace/open/load.h"

#include <string.h>

#define BEGINNING_OF_TIME (INT64_MIN / 2) /* before any result of a fit */
#define END_OF_TIME (INT64_MAX / 2 + 1)

static struct rln__window_info *add(struct rln__windows *w, uint32_t part)
{
    struct rln__window_info *item =
        rln__append(&w->items, &w->n, &w->capacity, sizeof(*item));

    if (!item)
        return NULL;
    *item = (struct rln__window_info){
        .part = part, .opened_ns = 0, .closed_ns = END_OF_TIME, .is_open = 1};
    return item;
}

static enum rln__window_cause cause_of(uint32_t cause)
{
    return cause <= RLN__WINDOW_BY_SIZE ? (enum rln__window_cause)cause
                                        : RLN__WINDOW_BY_RUN;
}

/* Converts a window from the file. Two processes may open and close at once, and record
 * times a little older than the previous ones, so no window may begin before the last
 * one. */
static void convert(const struct rln__window *from, struct rln__clock_fit *fit,
                    int64_t not_before_ns, struct rln__window_info *to)
{
    to->opened_ns = rln__clock_fit_ns(fit, from->opened);
    if (to->opened_ns < not_before_ns)
        to->opened_ns = not_before_ns;
    to->opened_by = cause_of(from->opened_by);
    if (!from->closed)
        return;
    to->is_open = 0;
    to->closed_by = cause_of(from->closed_by);
    to->closed_ns = rln__clock_fit_ns(fit, from->closed);
    if (to->closed_ns < to->opened_ns)
        to->closed_ns = to->opened_ns;
}

rln_status rln__windows_read(const struct rln__part *part, struct rln__window *to,
                             size_t *n, uint64_t *n_before, rln_error *err)
{
    const uint64_t at = part->offset + RLN__WINDOWS_OFFSET;
    const uint64_t n_counted = part->super.control.gate >> 32;
    const int keeps_newest = part->super.ring.buffer_bytes != 0;
    size_t oldest = 0;
    rln_status status;

    *n = n_counted < RLN__MAX_WINDOWS ? (size_t)n_counted : RLN__MAX_WINDOWS;
    *n_before = keeps_newest ? n_counted - *n : 0;
    oldest = (size_t)(*n_before % RLN__MAX_WINDOWS);
    status = rln__input_read(part->file, at + oldest * sizeof(*to), to,
                             (*n - oldest) * sizeof(*to), NULL, err);
    if (oldest && !status)
        status = rln__input_read(part->file, at, to + (*n - oldest),
                                 oldest * sizeof(*to), NULL, err);
    /* Counted, but not written: its slot still has an older window. */
    if (!status && *n_before && to[*n - 1].opened < to[0].opened)
        to[*n - 1] = (struct rln__window){.opened = 0};
    return status;
}

/* A process counts a window first and writes its times afterwards: without times, the
 * window is ignored. A run that began open has a first one since 0. */
static rln_status load_listed(struct rln__windows *w, const struct rln__part *part,
                              uint32_t index, struct rln__clock_fit *fit,
                              rln_error *err)
{
    const uint64_t n_counted = part->super.control.gate >> 32;
    const int64_t start_ns = rln__clock_fit_ns(fit, part->super.created[0].ticks);
    struct rln__window *listed = rln__alloc(RLN__MAX_WINDOWS, sizeof(*listed));
    uint64_t n_before;
    size_t n;
    int64_t last_ns = start_ns;
    rln_status status = RLN_OK;

    if (!listed)
        return rln__fail_nomem(err);
    status = rln__windows_read(part, listed, &n, &n_before, err);
    for (size_t i = 0; !status && i < n; i++) {
        struct rln__window_info *to;

        if (!listed[i].opened && !(i == 0 && n_before == 0 && listed[i].closed))
            continue;
        to = add(w, index);
        if (!to)
            status = rln__fail_nomem(err);
        else if (listed[i].opened)
            convert(&listed[i], fit, last_ns, to);
        else
            convert(&(struct rln__window){.opened = part->super.created[0].ticks,
                                          .closed = listed[i].closed,
                                          .closed_by = listed[i].closed_by},
                    fit, last_ns, to);
        if (to)
            last_ns = to->opened_ns;
    }
    if (!status && n_counted > n_before + n && w->n > w->first[index])
        w->rest_ns[index] = w->items[w->n - 1].closed_ns;
    rln__free(listed);
    return status;
}

/* A part without counted windows is recorded from the beginning on, or not at all. */
static rln_status load_part(struct rln__windows *w, const struct rln__part *part,
                            uint32_t index, struct rln__clock_fit *fit, rln_error *err)
{
    const uint64_t gate = part->super.control.gate;
    struct rln__window_info *whole;

    if (gate >> 32)
        return load_listed(w, part, index, fit, err);
    if (gate & RLN__GATE_CLOSED)
        return RLN_OK;
    whole = add(w, index);
    if (!whole)
        return rln__fail_nomem(err);
    whole->opened_ns = rln__clock_fit_ns(fit, part->super.created[0].ticks);
    return RLN_OK;
}

rln_status rln__windows_load(struct rln__windows *w, const struct rln__layout *layout,
                             struct rln__clock_fit *clock_fits, rln_error *err)
{
    rln_status status = RLN_OK;

    if (!w->first)
        w->first = rln__alloc(layout->n_parts + 1, sizeof(*w->first));
    if (!w->rest_ns)
        w->rest_ns = rln__alloc(layout->n_parts + 1, sizeof(*w->rest_ns));
    if (!w->first || !w->rest_ns)
        return rln__fail_nomem(err);
    w->n = 0;
    for (uint32_t i = 0; i < layout->n_parts && !status; i++) {
        w->first[i] = w->n;
        w->rest_ns[i] = END_OF_TIME;
        status = load_part(w, &layout->parts[i], i, &clock_fits[i], err);
    }
    w->first[layout->n_parts] = w->n;
    return status;
}

void rln__windows_clear(struct rln__windows *w)
{
    rln__free(w->items);
    rln__free(w->first);
    rln__free(w->rest_ns);
    memset(w, 0, sizeof(*w));
}

/* A part's first window, if no one opened it, also has everything before it. */
static int64_t begin_of(const struct rln__windows *w, size_t index)
{
    const struct rln__window_info *window = &w->items[index];
    const int is_first = index == w->first[window->part];

    return is_first && window->opened_by == RLN__WINDOW_BY_RUN ? BEGINNING_OF_TIME
                                                               : window->opened_ns;
}

const struct rln__window_info *rln__windows_at(const struct rln__windows *w,
                                               uint32_t part, int64_t t_ns)
{
    size_t low = w->first[part], high = w->first[part + 1];

    if (low == high || t_ns < begin_of(w, low) || t_ns >= w->rest_ns[part])
        return NULL;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;

        if (w->items[middle].opened_ns <= t_ns)
            low = middle;
        else
            high = middle;
    }
    return &w->items[low];
}

int64_t rln__windows_opening(const struct rln__windows *w, uint32_t part, int64_t t_ns)
{
    const struct rln__window_info *window = rln__windows_at(w, part, t_ns);

    return window && window->opened_ns < t_ns && window->closed_ns > t_ns
               ? window->opened_ns
               : t_ns;
}

struct rln__span rln__windows_span(const struct rln__windows *w, size_t index)
{
    const struct rln__window_info *window = &w->items[index];
    const int is_last = index + 1 == w->first[window->part + 1];

    return (struct rln__span){
        .part = window->part,
        .is_window = 1,
        .opened_ns = begin_of(w, index),
        .closed_ns = window->closed_ns,
        .next_ns = is_last ? w->rest_ns[window->part] : w->items[index + 1].opened_ns,
    };
}

size_t rln__reader_count_windows(const rln_reader *reader)
{
    return reader->windows.n;
}

rln_status rln_reader_select_window(rln_reader *reader, size_t index, rln_error *err)
{
    const size_t n = reader->windows.n;

    if (index == RLN_ALL_WINDOWS)
        reader->span = (struct rln__span){.is_window = 0};
    else if (index < n)
        reader->span = rln__windows_span(&reader->windows, index);
    else
        return rln__fail(err, RLN_ERR_ARGUMENT, 0,
                         "cannot select window: window=%zu: there %s %zu", index,
                         n == 1 ? "is" : "are", n);
    reader->selected = index;
    return RLN_OK;
}

rln_status rln_reader_select_time(rln_reader *reader, int64_t from_ns, int64_t to_ns,
                                  rln_error *err)
{
    struct rln__span *span = &reader->span;

    if (from_ns > to_ns)
        return rln__fail(err, RLN_ERR_ARGUMENT, 0,
                         "cannot select time: from=%lld, to=%lld: it ends before it "
                         "begins",
                         (long long)from_ns, (long long)to_ns);
    if (!span->is_window)
        *span = (struct rln__span){.is_window = 1,
                                   .is_any_part = 1,
                                   .opened_ns = BEGINNING_OF_TIME,
                                   .closed_ns = END_OF_TIME,
                                   .next_ns = END_OF_TIME};
    if (from_ns > span->opened_ns)
        span->opened_ns = from_ns;
    if (to_ns < span->closed_ns)
        span->closed_ns = to_ns;
    if (to_ns < span->next_ns)
        span->next_ns = to_ns + 1; /* a begin at that very time is inside */
    return RLN_OK;
}
