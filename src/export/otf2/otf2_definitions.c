/* SPDX-License-Identifier: Apache-2.0 */
#include "export/exporters.h"
#if RLN_HAVE_OTF2
#include "base/alloc.h"
#include "base/count.h"
#include "base/utf8.h"
#include "export/otf2/otf2_definitions.h"

#include <string.h>

#define NO_STRING OTF2_UNDEFINED_UINT32

/* A new string; no string if it could not be written. */
static OTF2_StringRef define(struct rln__otf2 *o, rln_text text)
{
    const OTF2_StringRef ref = o->n_strings++;

    return OTF2_GlobalDefWriter_WriteString(o->defs, ref, rln__otf2_text(o, text)) ==
                   OTF2_SUCCESS
               ? ref
               : NO_STRING;
}

static OTF2_StringRef define_words(struct rln__otf2 *o, const char *words)
{
    return define(o, (rln_text){words, strlen(words)});
}

static OTF2_ErrorCode define_regions(struct rln__otf2 *o)
{
    OTF2_ErrorCode code = OTF2_SUCCESS;
    struct rln__buf *name = &o->name;

    for (uint32_t i = 0; i < o->regions.n && !code; i++) {
        const int is_gpu = o->regions.items[i].domain + 1 == o->gpu_domain;
        OTF2_StringRef ref;

        name->length = 0;
        rln__frame_name(name, &o->regions.items[i]);
        ref = define(o, (rln_text){name->bytes, name->length});
        code = OTF2_GlobalDefWriter_WriteRegion(
            o->defs, i, ref, ref, 0, OTF2_REGION_ROLE_CODE,
            is_gpu ? OTF2_PARADIGM_CUDA : OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, 0,
            0, 0);
    }
    o->text.has_failed |= name->has_failed;
    return code;
}

static OTF2_ErrorCode define_processes(struct rln__otf2 *o)
{
    const rln_reader *reader = o->x->reader;
    const char *host = reader->layout.parts[0].super.host;
    const OTF2_StringRef machine = define(
        o, (rln_text){host, strnlen(host, sizeof(reader->layout.parts[0].super.host))});
    OTF2_ErrorCode code = OTF2_GlobalDefWriter_WriteSystemTreeNode(
        o->defs, 0, machine, define_words(o, "machine"),
        OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    struct rln__buf *name = &o->name;

    if (reader->names.n_processes == 0 && !code) /* the end adds its location */
        code = OTF2_GlobalDefWriter_WriteLocationGroup(
            o->defs, 0, machine, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
            OTF2_UNDEFINED_LOCATION_GROUP);
    for (uint32_t i = 0; i < reader->names.n_processes && !code; i++) {
        const rln_text program = rln__process_name(reader, i);

        name->length = 0;
        rln__buf_add(name, program.bytes, program.length);
        rln__buf_format(name, " %u", reader->names.processes[i].record.pid);
        code = OTF2_GlobalDefWriter_WriteLocationGroup(
            o->defs, i, define(o, (rln_text){name->bytes, name->length}),
            OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP);
    }
    o->text.has_failed |= name->has_failed;
    return code;
}

/* A group for each process with GPU work, numbered after those of processes. */
static OTF2_ErrorCode define_gpus(struct rln__otf2 *o)
{
    const size_t n_processes = o->x->reader->names.n_processes;
    OTF2_LocationGroupRef next = (OTF2_LocationGroupRef)n_processes;
    OTF2_ErrorCode code = OTF2_SUCCESS;

    if (!o->gpu_domain)
        return code;
    o->gpu_groups = rln__alloc(n_processes, sizeof(*o->gpu_groups));
    o->text.has_failed |= !o->gpu_groups;
    if (!o->gpu_groups)
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    for (size_t i = 0; i < o->stacks.n && !code; i++) {
        const struct rln__thread_stack *t = &o->stacks.items[i];

        if (!t->is_stream || o->gpu_groups[t->process])
            continue;
        o->gpu_groups[t->process] = next; /* never 0: a process comes first */
        code = OTF2_GlobalDefWriter_WriteLocationGroup(
            o->defs, next++, define_words(o, "GPU work"),
            OTF2_LOCATION_GROUP_TYPE_ACCELERATOR, 0, t->process);
    }
    return code;
}

/* Also closes the files written beside the definitions. */
static OTF2_ErrorCode define_locations(struct rln__otf2 *o)
{
    OTF2_ErrorCode code = OTF2_Archive_OpenDefFiles(o->archive);
    struct rln__buf *name = &o->name;

    for (uint32_t i = 0; i < o->stacks.n && !code; i++) {
        const struct rln__thread_stack *t = &o->stacks.items[i];
        OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(o->archive, i);
        uint64_t n_events = 0;

        name->length = 0;
        if (t->is_deferred && t->scope.length) {
            rln__buf_utf8(name, t->scope.bytes, t->scope.length);
            rln__buf_format(name, " %u", t->tid);
        } else if (t->is_deferred) {
            rln__buf_format(name, "start/end %u", t->tid);
        } else {
            rln__stack_name(name, o->x->reader, t);
            if (!t->is_stream)
                rln__buf_format(name, " %u", t->tid);
        }
        code = OTF2_EvtWriter_GetNumberOfEvents(writer, &n_events);
        if (!code)
            code = OTF2_GlobalDefWriter_WriteLocation(
                o->defs, i, define(o, (rln_text){name->bytes, name->length}),
                t->is_stream ? OTF2_LOCATION_TYPE_ACCELERATOR_STREAM
                             : OTF2_LOCATION_TYPE_CPU_THREAD,
                n_events, t->is_stream ? o->gpu_groups[t->process] : t->process);
        if (!code)
            code = OTF2_Archive_CloseEvtWriter(o->archive, writer);
        if (!code) /* of which there are none: but readers open the file */
            code = OTF2_Archive_CloseDefWriter(
                o->archive, OTF2_Archive_GetDefWriter(o->archive, i));
    }
    o->text.has_failed |= name->has_failed;
    return code;
}

static OTF2_ErrorCode define_metrics(struct rln__otf2 *o)
{
    OTF2_ErrorCode code = OTF2_SUCCESS;
    struct rln__buf *name = &o->name;

    for (uint32_t i = 0; i < o->n_metrics && !code; i++) {
        const struct rln__otf2_metric *m = &o->metrics[i];
        const OTF2_MetricMemberRef member = i;

        name->length = 0;
        rln__buf_add(name, m->domain_name.bytes, m->domain_name.length);
        rln__buf_text(name, m->domain_name.length ? ":" : "");
        rln__buf_add(name, m->name.bytes, m->name.length);
        rln__buf_text(name, m->field.length ? "." : "");
        rln__buf_add(name, m->field.bytes, m->field.length);
        code = OTF2_GlobalDefWriter_WriteMetricMember(
            o->defs, member, define(o, (rln_text){name->bytes, name->length}), 0,
            OTF2_METRIC_TYPE_USER,
            m->is_point ? OTF2_METRIC_ABSOLUTE_POINT : OTF2_METRIC_ABSOLUTE_NEXT,
            OTF2_TYPE_DOUBLE, OTF2_BASE_DECIMAL, 0, define(o, m->unit));
        if (!code)
            code = OTF2_GlobalDefWriter_WriteMetricClass(o->defs, i, 1, &member,
                                                         OTF2_METRIC_ASYNCHRONOUS,
                                                         OTF2_RECORDER_KIND_CPU);
    }
    o->text.has_failed |= name->has_failed;
    return code;
}

static OTF2_ErrorCode define_clock(struct rln__otf2 *o)
{
    const struct rln__clock_tuple *zero =
        &o->x->reader->layout.parts[0].super.created[0];
    const int64_t last_ns = o->x->last_ns > o->last_ns ? o->x->last_ns : o->last_ns;

    return OTF2_GlobalDefWriter_WriteClockProperties(
        o->defs, 1000000000, rln__otf2_time(o, o->first_ns),
        (uint64_t)(last_ns - o->first_ns), zero->realtime_ns + (uint64_t)o->first_ns);
}

OTF2_ErrorCode rln__otf2_define(struct rln__otf2 *o)
{
    static OTF2_ErrorCode (*const all[])(struct rln__otf2 *) = {
        define_clock,   define_processes, define_gpus,
        define_regions, define_locations, define_metrics};
    /* String 0 is none. */
    OTF2_ErrorCode code = define_words(o, "") == 0 ? OTF2_SUCCESS : OTF2_ERROR_INVALID;

    for (size_t i = 0; i < RLN_COUNT(all) && !code; i++)
        code = all[i](o);
    return code;
}
#endif
