/* SPDX-License-Identifier: Apache-2.0 */
/* live.c - rangeline/live.h: a view of a run that is being recorded, refreshed by
 * reading only what was added since the last time. live_events.c adds up new events,
 * live_open.c lists what is open.
 */
#include "base/alloc.h"
#include "base/fail.h"
#include "live/live_events.h"
#include "live/live_open.h"
#include "live/live_state.h"

#include <string.h>
#include <unistd.h>

static void begin_refresh(rln_live *live)
{
    live->totals.from_ns = live->n_refreshes ? live->totals.to_ns : INT64_MIN;
    live->totals.n_events = live->totals.n_lost = live->totals.n_overruns = 0;
    live->n_refreshes++;
    live->n_shown = live->n_stacks = 0;
    for (size_t i = 0; i < live->n_rows; i++) {
        rln_live_row *row = &live->rows[i];

        row->total_ns = row->self_ns = row->mean_ns = row->max_ns = 0;
        row->n_ended = row->n_open = 0;
        row->oldest_open_ns = 0;
    }
}

static void end_refresh(rln_live *live)
{
    for (size_t i = 0; i < live->n_rows; i++) {
        rln_live_row *row = &live->rows[i];

        row->mean_ns = row->n_ended ? row->mean_ns / row->n_ended : 0;
    }
    if (live->n_refreshes == 1)
        live->totals.from_ns = live->first_ns;
}

/* Notes which threads have ended, and then reads new events: so all that they recorded
 * is known. Threads are read one after the other, all of them up to the same time;
 * later events belong to the next refresh. */
static rln_status read_new(rln_live *live, rln_error *err)
{
    int64_t now_ns = INT64_MAX;
    rln_status status;
    int knows_now;

    rln__live_note_gone(live);
    status = rln__reader_refresh(live->reader, err);
    if (status)
        return status;
    knows_now = rln__reader_now(live->reader, &now_ns);
    status =
        rln__incremental_scan_step(&live->scan, now_ns, rln__live_visit, live, err);
    if (!knows_now)
        now_ns = live->last_ns;
    if (live->n_refreshes == 1 || now_ns > live->totals.to_ns)
        live->totals.to_ns = now_ns;
    return status;
}

rln_status rln_live_refresh(rln_live *live, rln_error *err)
{
    rln_status status;

    begin_refresh(live);
    live->engine.err = err;
    live->engine.status = RLN_OK;
    if (rln__engine_drop_old_ends(&live->engine))
        return rln__fail_nomem(err);
    status = read_new(live, err);
    if (!status && live->n_refreshes == 1) /* before that, no thread was known */
        status = read_new(live, err);
    if (status)
        return status;
    if (rln__live_add_open(live))
        return rln__fail_nomem(err);
    end_refresh(live);
    return RLN_OK;
}

rln_status rln_live_new(rln_reader *reader, rln_live **out, rln_error *err)
{
    rln_live *live = rln__alloc(1, sizeof(*live));
    rln_status status;
    ssize_t n;

    *out = NULL;
    if (!live)
        return rln__fail_nomem(err);
    live->reader = live->predicate.reader = reader;
    if (rln__engine_init(&live->engine, reader, err)) {
        rln__free(live);
        return rln__fail_nomem(err);
    }
    n = readlink("/proc/self/ns/pid", live->pid_namespace, sizeof(live->pid_namespace));
    live->n_pid_namespace = n > 0 ? (size_t)n : 0;
    status = rln__incremental_scan_init(&live->scan, reader, err);
    if (status) {
        rln_live_free(live);
        return status;
    }
    *out = live;
    return RLN_OK;
}

void rln_live_free(rln_live *live)
{
    if (!live)
        return;
    rln__incremental_scan_clear(&live->scan);
    rln__engine_clear(&live->engine);
    rln__predicate_clear(&live->predicate);
    rln__key_index_clear(&live->names);
    rln__free(live->rows);
    rln__free(live->row_of_attr);
    rln__free(live->threads);
    rln__free(live->gone);
    rln__free(live->shown);
    rln__free(live->stacks);
    rln__free(live);
}

/* --- Handing out ------------------------------------------------------------------ */

const rln_live_totals *rln_live_get_totals(const rln_live *live)
{
    return &live->totals;
}

const rln_live_row *rln_live_rows(const rln_live *live, size_t *n)
{
    *n = live->n_rows;
    return live->rows;
}

const rln_live_thread *rln_live_threads(const rln_live *live, size_t *n)
{
    *n = live->n_shown;
    return live->shown;
}
