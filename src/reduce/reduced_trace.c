/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_trace.c - reads one trace into sums.
 *
 *   closed range --> place: node of the tree, counted name --> sum of a process
 *                                                          '-> histogram
 *   all places of the trace --> sums of this trace alone --merge--> the others
 *
 * A trace that turns out to be unreadable halfway thus adds nothing.
 */
#include "base/alloc.h"
#include "base/fail.h"
#include "base/file_name.h"
#include "rangeline/losses.h"
#include "reduce/reduced_model.h"
#include "reports/report_build.h"
#include "reports/summary/summary.h"
#include "trace/open/rank.h"

#include <stdlib.h>
#include <string.h>

/* --- While the trace is read ------------------------------------------------------ */

/* Ranges of a node of the tree, or of none, that count under a name. */
struct place {
    uint32_t node, row; /* 0: a start/end range; the summary's row of the name */
    uint32_t last_process, sum; /* the last lookup: index of its sum + 1 */
    struct rln__duration_histogram histogram;
};

struct sum {
    uint32_t place, process;
    struct rln__reduced_row row; /* without path and origin */
};

struct reading {
    struct rln__reduced_reading all;
    rln_reduced *to; /* those of `all` */
    rln_reader *reader;
    struct rln__summary summary;
    struct rln__key_index place_keys; /* {node, row} */
    struct place *places;             /* owned, as all arrays */
    size_t n_places, places_capacity;
    uint32_t *place_of_node; /* of ranges that have their node's name: + 1 */
    size_t n_nodes, nodes_capacity;
    struct rln__map sums_by_key; /* place, process -> index + 1 */
    struct sum *sums;
    size_t n_sums, sums_capacity;
};

static struct place *place_slow(struct reading *r, uint32_t node, uint32_t row)
{
    const struct rln__key key = {{node, row}};
    const uint32_t number = rln__key_index_number(&r->place_keys, &key);
    struct place *place = rln__key_index_item(
        &r->places, &r->n_places, &r->places_capacity, number, sizeof(*place));

    if (!place)
        return NULL;
    place->node = node;
    place->row = row;
    return place;
}

static struct place *place_of(struct reading *r, uint32_t node, uint32_t row)
{
    struct place *place;
    uint32_t *nodes;

    if (!node || r->summary.nodes[node].row != row)
        return place_slow(r, node, row);
    if (node < r->n_nodes && r->place_of_node[node])
        return &r->places[r->place_of_node[node] - 1];
    place = place_slow(r, node, row);
    nodes = rln__grow_to(r->place_of_node, &r->n_nodes, &r->nodes_capacity, node,
                         sizeof(*nodes));
    if (!place || !nodes)
        return NULL;
    r->place_of_node = nodes;
    nodes[node] = (uint32_t)(place - r->places) + 1;
    return place;
}

static struct sum *sum_of(struct reading *r, struct place *place, uint32_t process)
{
    const uint32_t number = (uint32_t)(place - r->places);
    const uint64_t key = (uint64_t)number << 32 | process;
    uint64_t found;
    struct sum *sums;

    if (place->sum && place->last_process == process)
        return &r->sums[place->sum - 1];
    found = rln__map_get(&r->sums_by_key, key);
    if (!found) {
        sums = rln__grow(r->sums, &r->sums_capacity, r->n_sums + 1, sizeof(*sums));
        if (!sums)
            return NULL;
        r->sums = sums;
        memset(&sums[r->n_sums], 0, sizeof(*sums));
        sums[r->n_sums].place = number;
        sums[r->n_sums].process = process;
        found = ++r->n_sums;
        if (rln__map_put(&r->sums_by_key, key, found))
            return NULL;
    }
    place->last_process = process;
    place->sum = (uint32_t)found;
    return &r->sums[found - 1];
}

/* CLOCK_REALTIME, by the clocks of the part alone: other parts of the file may have
 * been recorded on another machine. */
static int64_t realtime_of(const rln_reader *reader, uint32_t part, int64_t t_ns)
{
    const struct rln__clock_tuple *created =
        &reader->layout.parts[part].super.created[0];
    const uint64_t monotonic_ns =
        (uint64_t)t_ns - (uint64_t)reader->timelines[part].offset_ns;

    return (int64_t)(monotonic_ns - created->monotonic_ns + created->realtime_ns);
}

static int add_range(struct reading *r, const struct rln__reduced_range *range)
{
    struct place *place = place_of(r, range->node, range->row);
    struct sum *sum = place ? sum_of(r, place, range->process) : NULL;
    const struct rln__reduced_row one = {
        .n = 1,
        .n_open = range->is_open,
        .total_ns = range->ns,
        .self_ns = range->self_ns,
        .min_ns = range->ns,
        .max_ns = range->ns,
        .squares = (rln__u128)range->ns * range->ns,
        .first_ns = range->start_ns,
        .last_ns = range->start_ns,
    };

    if (!sum || rln__duration_histogram_add(&place->histogram, range->ns))
        return -1;
    if (rln__reduced_row_add(&sum->row, &one)) {
        r->summary.engine.status = rln__fail(r->summary.engine.err, RLN_ERR_FORMAT, 0,
                                             "cannot add sums: they exceed 64 bits");
        return -1;
    }
    return 0;
}

static int take(void *context, const struct rln__closing *c, uint64_t ns, uint32_t row,
                uint32_t process)
{
    struct reading *r = context;
    const int is_pushed = !(c->state & RLN__STARTED);
    const struct rln__reduced_range range = {
        .node = is_pushed ? c->tag : 0,
        .row = row,
        .process = process,
        .is_open = c->is_left_open,
        .start_ns = realtime_of(r->reader, c->part, c->start_ns),
        .ns = ns,
        .self_ns = is_pushed ? c->self_ns : 0,
    };
    int failed = add_range(r, &range);

    for (size_t i = 0; i < RLN__N_REDUCED_KINDS && !failed; i++) {
        if (rln__reduced_kinds[i]->add)
            failed = rln__reduced_kinds[i]->add(r->to->sums[i], &r->all, &range);
    }
    return failed;
}

static void reading_clear(struct reading *r)
{
    for (size_t i = 0; i < r->n_places; i++)
        rln__duration_histogram_clear(&r->places[i].histogram);
    rln__summary_clear(&r->summary);
    rln__key_index_clear(&r->place_keys);
    rln__free(r->places);
    rln__free(r->place_of_node);
    rln__map_clear(&r->sums_by_key);
    rln__free(r->sums);
}

/* --- What it was ------------------------------------------------------------------ */

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* The ranks of its processes, each once. */
static int describe_processes(const rln_reader *reader, uint32_t index,
                              struct rln__reduced_part *part)
{
    const struct rln__names *names = &reader->names;
    size_t n = 0;

    part->ranks = rln__alloc(names->n_processes + 1, sizeof(uint32_t));
    if (!part->ranks)
        return -1;
    for (uint32_t i = 0; i < names->n_processes; i++) {
        uint32_t rank;

        if (names->processes[i].part != index)
            continue;
        part->has_processes = 1;
        rank = rln__rank_of(reader, i);
        if (rank != RLN_NO_RANK)
            part->ranks[n++] = rank;
    }
    if (n)
        qsort(part->ranks, n, sizeof(uint32_t), by_number);
    for (size_t i = 0; i < n; i++) {
        if (!i || part->ranks[i] != part->ranks[i - 1])
            part->ranks[part->n_ranks++] = part->ranks[i];
    }
    return 0;
}

static int describe_parts(const struct reading *r, struct rln__reduced_trace *trace)
{
    const struct rln__layout *layout = &r->reader->layout;
    int failed = 0;

    trace->parts = rln__alloc(layout->n_parts, sizeof(*trace->parts));
    for (uint32_t i = 0; trace->parts && i < layout->n_parts && !failed; i++) {
        const struct rln__superblock *super = &layout->parts[i].super;
        const rln_text host = {super->host, strnlen(super->host, sizeof(super->host))};
        struct rln__reduced_part *part = &trace->parts[trace->n_parts++];

        const uint64_t n_windows = super->control.gate >> 32;

        part->id = super->trace_id;
        part->n_windows =
            n_windows < RLN__MAX_WINDOWS ? (uint32_t)n_windows : RLN__MAX_WINDOWS;
        part->start_ns = (int64_t)super->created[0].realtime_ns;
        part->host = host.length ? rln__reduced_string(r->to, host, &failed) : 0;
        failed |= describe_processes(r->reader, i, part);
    }
    return trace->parts ? failed : -1;
}

static void count(const struct reading *r, struct rln__reduced_trace *trace)
{
    const rln_stats_totals *t = &r->summary.totals;
    const rln_losses *losses = rln_reader_get_losses(r->reader);

    trace->counts[RLN__COUNT_EVENTS] = t->n_events;
    trace->counts[RLN__COUNT_MARKS] = t->n_marks;
    trace->counts[RLN__COUNT_UNMATCHED] = t->n_unmatched;
    trace->counts[RLN__COUNT_INHERITED] = t->n_inherited;
    trace->counts[RLN__COUNT_LOST_RANGES] = t->n_lost_ranges;
    trace->counts[RLN__COUNT_GAPS] = t->n_gaps;
    trace->counts[RLN__COUNT_LOST_EVENTS] = t->n_lost_events;
    trace->counts[RLN__COUNT_UNPLACED] = t->n_unplaced;
    trace->counts[RLN__COUNT_RESUMED] = t->n_resumed;
    trace->counts[RLN__COUNT_DROPPED] = losses->n_dropped;
    trace->counts[RLN__COUNT_OVERWRITTEN] = losses->n_overwritten;
    trace->counts[RLN__COUNT_DAMAGES] = losses->n_damages;
    trace->counts[RLN__COUNT_GPU_LOST] = losses->n_gpu_lost + r->all.n_gpu_unread;
    trace->damage_offset = losses->n_damages ? losses->damage.offset : 0;
    if (t->n_events) {
        trace->first_ns = realtime_of(r->reader, 0, t->first_ns);
        trace->last_ns = realtime_of(r->reader, 0, t->last_ns);
    }
}

static int describe_trace(const struct reading *r, const char *path)
{
    const char *name = rln__file_name(path);
    const rln_losses *losses = rln_reader_get_losses(r->reader);
    struct rln__reduced_trace trace = {.is_finished =
                                           (uint8_t)rln_reader_is_finished(r->reader)};
    int failed = 0;

    count(r, &trace);
    trace.name = rln__reduced_string(r->to, (rln_text){name, strlen(name)}, &failed);
    if (losses->n_damages)
        trace.damage = rln__reduced_string(
            r->to, (rln_text){losses->damage.reason, strlen(losses->damage.reason)},
            &failed);
    trace.source = rln__strings_add(&r->to->sources, path, strlen(path));
    if (failed || !trace.source || describe_parts(r, &trace)) {
        rln__reduced_trace_clear(&trace);
        return -1;
    }
    return rln__reduced_add_trace(r->to, &trace);
}

/* --- When it has been read -------------------------------------------------------- */

/* Marks nodes with ranges, and those around them. */
static void mark_used(const struct reading *r, uint8_t *is_used)
{
    for (size_t i = 0; i < r->n_places; i++)
        is_used[r->places[i].node] = 1;
    for (size_t i = r->summary.n_nodes; i-- > 1;) {
        if (is_used[i])
            is_used[r->summary.nodes[i].parent] = 1;
    }
}

static uint32_t add_path(struct reading *r, uint32_t parent, uint32_t style,
                         uint32_t row)
{
    const struct rln__names *names = &r->reader->names;
    const struct rln__summary_row *name = &r->summary.rows[row];
    int failed = 0;
    const uint32_t domain = rln__reduced_string(
        r->to, rln__strings_get(&names->strings, names->domains[name->domain].name),
        &failed);
    const uint32_t message = rln__reduced_string(
        r->to, rln__strings_get(&names->strings, name->message), &failed);

    return failed ? UINT32_MAX
                  : rln__reduced_path(r->to, parent, style, name->domain ? domain : 0,
                                      message);
}

/* The paths of all nodes; with a filter, only of those with ranges, and those around
 * them, as in the tree. `paths` has that of each. */
static int add_node_paths(struct reading *r, uint32_t *paths)
{
    const struct rln__summary *s = &r->summary;
    uint8_t *is_used = rln__alloc(s->n_nodes, 1);

    if (!is_used)
        return -1;
    if (r->reader->filter)
        mark_used(r, is_used);
    else
        memset(is_used, 1, s->n_nodes);
    paths[0] = UINT32_MAX;
    for (uint32_t i = 1; i < s->n_nodes; i++) {
        if (!is_used[i])
            continue;
        paths[i] =
            add_path(r, paths[s->nodes[i].parent], RLN_RANGE_PUSH_POP, s->nodes[i].row);
        if (paths[i] == UINT32_MAX)
            break;
    }
    rln__free(is_used);
    for (uint32_t i = 1; i < s->n_nodes; i++) {
        if (paths[i] == UINT32_MAX)
            return -1;
    }
    return 0;
}

/* The path of a place: that of its node, or a child of it for a name that ranges got at
 * their end. */
static uint32_t path_of(struct reading *r, const struct place *place,
                        const uint32_t *paths)
{
    if (!place->node)
        return add_path(r, UINT32_MAX, RLN_RANGE_START_END, place->row);
    if (r->summary.nodes[place->node].row == place->row)
        return paths[place->node];
    return add_path(r, paths[place->node], RLN__RENAMED, place->row);
}

/* `paths` has room for all places behind those of nodes. */
static rln_status add_sums(struct reading *r, uint32_t *paths, rln_error *err)
{
    uint32_t *of_places = paths + r->summary.n_nodes;
    rln_status status = RLN_OK;

    if (add_node_paths(r, paths))
        return rln__fail_nomem(err);
    for (size_t i = 0; i < r->n_places; i++) {
        of_places[i] = path_of(r, &r->places[i], paths);
        if (of_places[i] == UINT32_MAX ||
            rln__duration_histogram_merge(&r->to->wholes[of_places[i]].durations,
                                          &r->places[i].histogram))
            return rln__fail_nomem(err);
    }
    for (size_t i = 0; i < r->n_sums && !status; i++) {
        struct rln__reduced_row row = r->sums[i].row;

        row.path = of_places[r->sums[i].place];
        row.origin = rln__reduced_origin_of(r->to, r->reader, r->sums[i].process);
        status = row.origin == UINT32_MAX ? rln__fail_nomem(err)
                                          : rln__reduced_add_row(r->to, &row, err);
    }
    return status;
}

static rln_status read_ranges(struct reading *r, rln_error *err)
{
    const struct rln__summary_taker taker = {r, take};
    rln_status status = rln__summary_read_to(&r->summary, r->reader, &taker, err);
    uint32_t *paths;

    if (status)
        return status;
    paths = rln__alloc(r->summary.n_nodes + r->n_places + 1, sizeof(*paths));
    if (!paths)
        return rln__fail_nomem(err);
    status = add_sums(r, paths, err);
    rln__free(paths);
    return status;
}

/* Sums of a trace alone. */
static rln_status read_trace(rln_reduced *to, rln_reader *reader, const char *path,
                             rln_error *err)
{
    struct reading r = {.all = {to, reader, &r.summary, 0}, .to = to, .reader = reader};
    rln_status status = read_ranges(&r, err);

    for (size_t i = 0; i < RLN__N_REDUCED_KINDS && !status; i++) {
        if (rln__reduced_kinds[i]->take)
            status = rln__reduced_kinds[i]->take(to->sums[i], &r.all, err);
    }
    if (!status && describe_trace(&r, path))
        status = rln__fail_nomem(err);
    reading_clear(&r);
    return status;
}

/* --- Outside ---------------------------------------------------------------------- */

/* The first line of the message, in which the file is called by its name: without
 * folders, which others may have mounted elsewhere. */
static int list_unreadable(rln_reduced *r, const char *path, const char *message)
{
    const char *name = rln__file_name(path);
    const char *at = *path ? strstr(message, path) : NULL;
    const size_t n_before = at ? (size_t)(at - message) : 0;
    struct rln__buf reason = {0};
    uint32_t name_number, reason_number = 0;
    int failed = 0;

    rln__buf_add(&reason, message, n_before);
    if (at)
        rln__buf_text(&reason, name);
    message = at ? at + strlen(path) : message;
    rln__buf_add(&reason, message, strcspn(message, "\n"));
    name_number = rln__reduced_string(r, (rln_text){name, strlen(name)}, &failed);
    if (!reason.has_failed)
        reason_number =
            rln__reduced_string(r, (rln_text){reason.bytes, reason.length}, &failed);
    failed |= reason.has_failed;
    rln__buf_clear(&reason);
    return failed ? -1 : rln__reduced_add_unreadable(r, name_number, reason_number);
}

/* Files that were merged with a part that they had already. */
static rln_status refuse_twice(rln_reader *reader, const char *path, rln_error *err)
{
    const rln_duplicate *duplicate;
    const rln_status status = rln_reader_find_duplicate(reader, &duplicate, err);

    if (status)
        return status == RLN_END ? RLN_OK : status;
    return rln__fail(err, RLN_ERR_ARGUMENT, 0,
                     "cannot add trace twice: path=\"%.200s\": the file has it twice",
                     path);
}

static rln_status add_opened(rln_reduced *r, rln_reader *reader, const char *path,
                             rln_error *err)
{
    const rln_reduced_options options = {.size = sizeof(options),
                                         .filter = r->filter,
                                         .rules = (const char *const *)r->rules,
                                         .n_rules = r->n_rules,
                                         .steps = r->steps_name.bytes};
    rln_reduced *own;
    rln_status status = rln_reduced_new(&options, &own, err);

    if (status)
        return status;
    status = refuse_twice(reader, path, err);
    own->source = rln__strings_add(&own->sources, path, strlen(path) + 1);
    rln_reader_set_filter(reader, r->filter);
    if (!status && r->n_rules)
        status =
            rln_reader_rename(reader, (const char *const *)r->rules, r->n_rules, err);
    if (!status)
        status = read_trace(own, reader, path, err);
    if (!status)
        status = rln_reduced_merge(r, own, err);
    rln_reduced_free(own);
    return status;
}

rln_status rln_reduced_add_trace(rln_reduced *r, const char *path, rln_error *err)
{
    rln_error own = {0};
    rln_reader *reader;
    rln_status status = rln_reader_open(&path, 1, &reader, &own);

    rln__buf_clear(&r->bytes);
    if (!status)
        status = add_opened(r, reader, path, &own);
    if (!status) {
        rln_reader_close(reader);
        return RLN_OK;
    }
    rln_reader_close(reader);
    if (err)
        *err = own;
    if (status == RLN_ERR_NOMEM || status == RLN_ERR_ARGUMENT)
        return status;
    return list_unreadable(r, path, own.message) ? rln__fail_nomem(err) : status;
}
