/* SPDX-License-Identifier: Apache-2.0 */
/* otf2.c - Open Trace Format 2: Vampir, Score-P's tools, Scalasca, Ravel. A folder.
 *
 *   system tree node -> location groups: processes -> locations: threads, and lanes
 *   push/pop         Enter and Leave of a region, which is a domain and a message
 *   start/end        the same on a lane: as many as are open at once in a process
 *   GPU work         the same on locations of its stream, as many as are open at once,
 *                    in a group per process
 *   mark             a marker        sample   a metric of the thread that sampled
 *
 * Locations nest across domains, so ranges above one that ends first are left and
 * entered again at that time. Definitions are written at the end.
 *
 * libotf2 does not survive a write that fails: it frees a buffer, and frees it again
 * when the file is closed, usually in the same call. So its first error leaves it by
 * longjmp(), and an archive with an error is never touched again: its memory is lost.
 */
#include "export/exporters.h"
#if RLN_HAVE_OTF2
#include "base/alloc.h"
#include "base/utf8.h"
#include "export/otf2/otf2_archive.h"
#include "export/otf2/otf2_definitions.h"
#include "export/time_origin.h"

#include <math.h>
#include <stdio.h>

/* What others call does no more than this, with a function of ours that calls OTF2. Not
 * in line, so that none of its variables live across the jump. */
#define GUARDED __attribute__((noinline))
#define RETURN_GUARDED(o, err, call)                                                   \
    do {                                                                               \
        if (setjmp((o)->way_out))                                                      \
            return refuse((o), (err));                                                 \
        return (call);                                                                 \
    } while (0)

/* --- The library ------------------------------------------------------------------ */

static OTF2_ErrorCode on_error(void *state, const char *file, uint64_t line,
                               const char *function, OTF2_ErrorCode code,
                               const char *format, va_list list)
{
    struct rln__otf2 *o = state;
    char reason[120];

    (void)file;
    (void)line;
    (void)function;
    (void)vsnprintf(reason, sizeof(reason), format, list);
    (void)snprintf(o->why, sizeof(o->why), "%s: %s", OTF2_Error_GetDescription(code),
                   reason);
    o->archive = NULL;
    longjmp(o->way_out, 1);
}

static rln_status refuse(const struct rln__otf2 *o, rln_error *err)
{
    return rln__fail(err, RLN_ERR_IO, 0, "cannot write file: path=\"%s\": %s",
                     o->x->output.path, *o->why ? o->why : "libotf2 failed");
}

static rln_status check(const struct rln__otf2 *o, OTF2_ErrorCode code, rln_error *err)
{
    if (code == OTF2_ERROR_MEM_ALLOC_FAILED)
        return rln__fail_nomem(err);
    return code == OTF2_SUCCESS ? RLN_OK : refuse(o, err);
}

static OTF2_FlushType on_flush(void *state, OTF2_FileType type, OTF2_LocationRef at,
                               void *caller, bool is_final)
{
    (void)state;
    (void)type;
    (void)at;
    (void)caller;
    (void)is_final;
    return OTF2_FLUSH;
}

/* --- Locations -------------------------------------------------------------------- */

/* A location with its writer, for which libotf2 searches a list of all. NULL when there
 * is no memory. */
static struct rln__otf2_location *location_of(struct rln__otf2 *o, uint32_t number)
{
    struct rln__otf2_location *all = rln__grow_to(
        o->locations, &o->n_locations, &o->locations_capacity, number, sizeof(*all));

    if (!all)
        return NULL;
    o->locations = all;
    if (!all[number].writer)
        all[number].writer = OTF2_Archive_GetEvtWriter(o->archive, number);
    return all[number].writer ? &all[number] : NULL;
}

/* The time of an event that follows all others of its location. OTF2 refuses one before
 * the last, as the end of a range that was never closed is if a later event has no known
 * time: such an event gets the time of the last. */
static OTF2_TimeStamp next_time(const struct rln__otf2 *o,
                                struct rln__otf2_location *location, int64_t t_ns)
{
    const uint64_t t = rln__otf2_time(o, t_ns);

    if (t > location->last)
        location->last = t;
    return location->last;
}

static OTF2_ErrorCode enter(struct rln__otf2 *o, uint32_t number, int64_t t_ns,
                            uint32_t region)
{
    struct rln__otf2_location *to = location_of(o, number);

    return to ? OTF2_EvtWriter_Enter(to->writer, NULL, next_time(o, to, t_ns), region)
              : OTF2_ERROR_MEM_ALLOC_FAILED;
}

static OTF2_ErrorCode leave(struct rln__otf2 *o, uint32_t number, int64_t t_ns,
                            uint32_t region)
{
    struct rln__otf2_location *to = location_of(o, number);

    return to ? OTF2_EvtWriter_Leave(to->writer, NULL, next_time(o, to, t_ns), region)
              : OTF2_ERROR_MEM_ALLOC_FAILED;
}

/* --- Lanes ------------------------------------------------------------------------ */

/* A lane has its own stack; it belongs to no thread. */
static struct rln__thread_stack *lane_stack(struct rln__otf2 *o, uint32_t process,
                                            uint32_t index, rln_text scope)
{
    const rln_range where = {.flags = RLN_FLAG_DEFERRED,
                             .scope = scope,
                             .process = process,
                             .thread = UINT32_MAX,
                             .tid = index};

    return rln__stacks_of(&o->stacks, &where);
}

static struct rln__otf2_lane *take_lane(struct rln__otf2 *o, const rln_range *r)
{
    const struct rln__thread_stack *stack;
    struct rln__otf2_lane *lane;
    uint32_t n_before = 0;

    for (size_t i = 0; i < o->n_lanes; i++) {
        if (o->lanes[i].process != r->process ||
            o->lanes[i].scope.bytes != r->scope.bytes)
            continue;
        n_before++;
        if (!o->lanes[i].is_taken)
            return &o->lanes[i];
    }
    stack = lane_stack(o, r->process, n_before, r->scope);
    lane = stack
               ? rln__append(&o->lanes, &o->n_lanes, &o->lanes_capacity, sizeof(*lane))
               : NULL;
    if (!lane)
        return NULL;
    *lane = (struct rln__otf2_lane){.process = r->process,
                                    .location = stack->number,
                                    .index = n_before,
                                    .scope = r->scope};
    return lane;
}

/* --- Ranges ----------------------------------------------------------------------- */

static GUARDED rln_status enter_range(struct rln__otf2 *o, const rln_range *r,
                                      rln_error *err)
{
    const uint32_t region = rln__name_list_number(&o->regions, &r->attributes);
    struct rln__thread_stack *stack;
    struct rln__otf2_lane *lane;
    uint32_t location;

    if (region == UINT32_MAX)
        return rln__fail_nomem(err);
    if (r->start_ns < o->first_ns)
        o->first_ns = r->start_ns;
    if (rln__is_on_stack(r)) {
        stack = rln__stacks_of(&o->stacks, r);
        if (!stack || rln__stack_push(stack, r, region))
            return rln__fail_nomem(err);
        location = stack->number;
    } else {
        lane = take_lane(o, r);
        if (!lane || rln__map_put(&o->on_lane, rln__open_key(r),
                                  (uint64_t)(lane - o->lanes) + 1))
            return rln__fail_nomem(err);
        lane->is_taken = 1;
        lane->region = region;
        location = lane->location;
    }
    return check(o, enter(o, location, r->start_ns, region), err);
}

static rln_status close_on_lane(struct rln__otf2 *o, const rln_range *r, rln_error *err)
{
    const uint64_t number = rln__map_remove(&o->on_lane, rln__open_key(r));
    struct rln__otf2_lane *lane = number ? &o->lanes[number - 1] : NULL;

    if (!lane)
        return RLN_OK;
    lane->is_taken = 0;
    return check(o, leave(o, lane->location, r->end_ns, lane->region), err);
}

static GUARDED rln_status leave_range(struct rln__otf2 *o, const rln_range *r,
                                      rln_error *err)
{
    struct rln__thread_stack *stack;
    OTF2_ErrorCode code = OTF2_SUCCESS;
    size_t at;

    if (!rln__is_on_stack(r))
        return close_on_lane(o, r, err);
    stack = rln__stacks_of(&o->stacks, r);
    if (!stack)
        return rln__fail_nomem(err);
    at = rln__stack_find(stack, r);
    if (at == stack->n)
        return RLN_OK;
    for (size_t i = stack->n; i > at && !code; i--)
        code = leave(o, stack->number, r->end_ns, stack->frames[i - 1].frame);
    rln__stack_remove(stack, at);
    for (size_t i = at; i < stack->n && !code; i++)
        code = enter(o, stack->number, r->end_ns, stack->frames[i].frame);
    return check(o, code, err);
}

static GUARDED rln_status put_operation(struct rln__otf2 *o, const rln_range *r,
                                        rln_error *err)
{
    const uint32_t region = rln__name_list_number(&o->regions, &r->attributes);
    const struct rln__thread_stack *stack = rln__stacks_of_operation(&o->stacks, r);
    OTF2_ErrorCode code;

    if (!stack || region == UINT32_MAX)
        return rln__fail_nomem(err);
    o->gpu_domain = r->attributes.domain + 1;
    if (r->start_ns < o->first_ns)
        o->first_ns = r->start_ns;
    if (r->end_ns > o->last_ns)
        o->last_ns = r->end_ns;
    code = enter(o, stack->number, r->start_ns, region);
    if (!code)
        code = leave(o, stack->number, r->end_ns, region);
    return check(o, code, err);
}

/* --- Marks and samples ------------------------------------------------------------ */

static struct rln__thread_stack *thread_of(struct rln__otf2 *o, const rln_event *e)
{
    const rln_range where = {.process = e->process, .thread = e->thread, .tid = e->tid};

    return rln__stacks_of(&o->stacks, &where);
}

static GUARDED rln_status put_mark(struct rln__otf2 *o, const rln_event *e,
                                   rln_error *err)
{
    const struct rln__thread_stack *stack = thread_of(o, e);

    if (!stack)
        return rln__fail_nomem(err);
    if (e->t_ns < o->first_ns)
        o->first_ns = e->t_ns;
    o->text.length = 0;
    rln__frame_name(&o->text, &e->attributes);
    rln__buf_add(&o->text, "", 1);
    if (o->text.has_failed)
        return rln__fail_nomem(err);
    if (!location_of(o, stack->number)) /* it is there, with or without ranges */
        return rln__fail_nomem(err);
    return check(o,
                 OTF2_MarkerWriter_WriteMarker(o->markers, rln__otf2_time(o, e->t_ns),
                                               0, 0, OTF2_MARKER_SCOPE_LOCATION,
                                               stack->number, o->text.bytes),
                 err);
}

static uint32_t metric_of(struct rln__otf2 *o, const rln_event *e,
                          const struct rln__sampled_counter *counter,
                          const struct rln__sampled *f)
{
    const struct rln__key key = {{counter->number, f->index}};
    const uint32_t number = rln__key_index_number(&o->metric_keys, &key);
    const size_t n_known = o->n_metrics;
    struct rln__otf2_metric *metric = rln__key_index_item(
        &o->metrics, &o->n_metrics, &o->metrics_capacity, number, sizeof(*metric));

    if (metric && number >= n_known)
        *metric = (struct rln__otf2_metric){
            e->attributes.domain_name, e->attributes.message, f->field,
            f->semantics->unit, f->semantics->interpolation == RLN_INTERPOLATION_POINT};
    return metric ? number : UINT32_MAX;
}

static GUARDED rln_status put_sample(struct rln__otf2 *o, const rln_event *e,
                                     rln_error *err)
{
    const struct rln__thread_stack *stack = thread_of(o, e);
    const struct rln__sampled_counter *counter;
    rln_status status = rln__sampling_see(&o->sampling, e, &counter, err);
    struct rln__otf2_location *to = stack ? location_of(o, stack->number) : NULL;

    if (!to)
        return rln__fail_nomem(err);
    if (e->t_ns < o->first_ns)
        o->first_ns = e->t_ns;
    for (size_t i = 0; !status && i < counter->n; i++) {
        const struct rln__sampled *f = &counter->fields[i];
        const OTF2_Type type = OTF2_TYPE_DOUBLE;
        const OTF2_MetricValue value = {.floating_point = f->level};
        uint32_t metric;

        if (!f->has_value || !isfinite(f->level))
            continue;
        metric = metric_of(o, e, counter, f);
        if (metric == UINT32_MAX)
            return rln__fail_nomem(err);
        status =
            check(o,
                  OTF2_EvtWriter_Metric(to->writer, NULL, next_time(o, to, e->t_ns),
                                        metric, 1, &type, &value),
                  err);
    }
    return status;
}

/* --- The end ---------------------------------------------------------------------- */

/* Threads without ranges are locations: readers refuse an archive that has none. */
static OTF2_ErrorCode see_threads(struct rln__otf2 *o)
{
    const rln_reader *reader = o->x->reader;

    for (uint32_t i = 0; i < reader->n_threads; i++) {
        const rln_range where = {.process = reader->threads[i].process,
                                 .thread = i,
                                 .tid = reader->threads[i].tid};

        if (reader->threads[i].is_stream)
            continue;
        if (!rln__stacks_of(&o->stacks, &where))
            return OTF2_ERROR_MEM_ALLOC_FAILED;
    }
    if (o->stacks.n == 0 &&
        !lane_stack(o, 0, 0, (rln_text){NULL, 0})) /* a lane is one, too */
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    return OTF2_SUCCESS;
}

static GUARDED rln_status end_archive(struct rln__otf2 *o, rln_error *err)
{
    OTF2_ErrorCode code;

    o->defs = OTF2_Archive_GetGlobalDefWriter(o->archive);
    if (!o->defs)
        return refuse(o, err);
    code = see_threads(o);
    if (!code)
        code = rln__otf2_define(o);
    if (!code)
        code = OTF2_Archive_CloseMarkerWriter(o->archive, o->markers);
    if (!code)
        code = OTF2_Archive_CloseDefFiles(o->archive);
    if (!code)
        code = OTF2_Archive_CloseEvtFiles(o->archive);
    if (!code) {
        code = OTF2_Archive_Close(o->archive);
        o->archive = NULL;
    }
    return o->text.has_failed ? rln__fail_nomem(err) : check(o, code, err);
}

/* --- Beginning -------------------------------------------------------------------- */

static GUARDED rln_status open_archive(struct rln__otf2 *o, struct rln__export *x,
                                       rln_error *err)
{
    static const OTF2_FlushCallbacks flushes = {.otf2_pre_flush = on_flush};
    const rln_status status = rln__export_time_origin(x->reader, &o->zero_ns, err);
    OTF2_ErrorCode code;

    o->x = x;
    (void)OTF2_Error_RegisterCallback(on_error, o);
    if (status)
        return status;
    o->archive =
        OTF2_Archive_Open(x->output.part, "traces", OTF2_FILEMODE_WRITE,
                          OTF2_CHUNK_SIZE_MIN, OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT,
                          OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!o->archive)
        return refuse(o, err);
    code = OTF2_Archive_SetFlushCallbacks(o->archive, &flushes, NULL);
    if (!code)
        code = OTF2_Archive_SetSerialCollectiveCallbacks(o->archive);
    if (!code)
        code = OTF2_Archive_SetCreator(o->archive, "rangeline");
    if (!code)
        code = OTF2_Archive_OpenEvtFiles(o->archive);
    o->markers = code ? NULL : OTF2_Archive_GetMarkerWriter(o->archive);
    if (!o->markers)
        return refuse(o, err);
    return check(o,
                 OTF2_MarkerWriter_WriteDefMarker(o->markers, 0, "NVTX", "mark",
                                                  OTF2_SEVERITY_NONE),
                 err);
}

/* --- The exporter's operations ---------------------------------------------------- */

static rln_status begin(void *state, struct rln__export *x, rln_error *err)
{
    struct rln__otf2 *o = state;

    RETURN_GUARDED(o, err, open_archive(o, x, err));
}

static rln_status on_open(void *state, const rln_range *r, rln_error *err)
{
    struct rln__otf2 *o = state;

    RETURN_GUARDED(o, err, enter_range(o, r, err));
}

static rln_status on_close(void *state, const rln_range *r, rln_error *err)
{
    struct rln__otf2 *o = state;

    RETURN_GUARDED(o, err, leave_range(o, r, err));
}

static rln_status on_mark(void *state, const rln_event *e, rln_error *err)
{
    struct rln__otf2 *o = state;

    RETURN_GUARDED(o, err, put_mark(o, e, err));
}

static rln_status on_sample(void *state, const rln_event *e, rln_error *err)
{
    struct rln__otf2 *o = state;

    RETURN_GUARDED(o, err, put_sample(o, e, err));
}

static rln_status on_gpu(void *state, const struct rln__row *row, rln_error *err)
{
    struct rln__otf2 *o = state;

    RETURN_GUARDED(o, err, put_operation(o, row->range, err));
}

static rln_status end(void *state, rln_error *err)
{
    struct rln__otf2 *o = state;

    RETURN_GUARDED(o, err, end_archive(o, err));
}

static void clear(void *state)
{
    struct rln__otf2 *o = state;

    if (o->archive && !setjmp(o->way_out))
        (void)OTF2_Archive_Close(o->archive);
    (void)OTF2_Error_RegisterCallback(NULL, NULL);
    rln__stacks_clear(&o->stacks);
    rln__name_list_clear(&o->regions);
    rln__key_index_clear(&o->metric_keys);
    rln__sampling_clear(&o->sampling);
    rln__map_clear(&o->on_lane);
    rln__free(o->lanes);
    rln__free(o->locations);
    rln__free(o->gpu_groups);
    rln__free(o->metrics);
    rln__buf_clear(&o->text);
    rln__buf_clear(&o->name);
}

const struct rln__exporter rln__exporter_otf2 = {
    .format = {.name = "otf2",
               .extension = ".otf2",
               .help = "a folder for Vampir and other HPC tools",
               .is_folder = 1},
    .state_bytes = sizeof(struct rln__otf2),
    .has_only_operations = 1,
    .begin = begin,
    .open = on_open,
    .close = on_close,
    .mark = on_mark,
    .sample = on_sample,
    .gpu = on_gpu,
    .end = end,
    .clear = clear,
};
#else
const struct rln__exporter rln__exporter_otf2 = {
    .format = {.name = "otf2",
               .extension = ".otf2",
               .help = "a folder for Vampir and other HPC tools",
               .missing_library = "libotf2",
               .is_folder = 1},
};
#endif
