/* SPDX-License-Identifier: Apache-2.0 */
/* check_findings.c - the list of findings, and the name of each kind. */
#include "reports/check/check_findings.h"
#include "base/alloc.h"
#include "base/fail.h"

struct kind {
    const char *name;
    rln_severity severity;
    const char *advice;
};

static const struct kind kinds[] = {
    [RLN_FINDING_UNMATCHED_POP] =
        {"unmatched-pop", RLN_SEVERITY_ERROR,
         "A pop closed nothing. Look for a path that skips the push, or for a pop in a "
         "domain other than the push's"},
    [RLN_FINDING_WRONG_THREAD] =
        {"wrong-thread", RLN_SEVERITY_ERROR,
         "A push and its pop must be on one thread. For a range that moves between "
         "threads use nvtxRangeStart and nvtxRangeEnd"},
    [RLN_FINDING_UNKNOWN_END] =
        {"unknown-end", RLN_SEVERITY_ERROR,
         "A range was ended by an id that no range has. Look for an id that was "
         "truncated to 32 bits, or never set"},
    [RLN_FINDING_ENDED_TWICE] = {"ended-twice", RLN_SEVERITY_ERROR,
                                 "A start/end range was ended twice. The first end "
                                 "counts; do not reuse the id"},
    [RLN_FINDING_NEVER_CLOSED] =
        {"never-closed", RLN_SEVERITY_WARNING,
         "Reports count it up to the last event. Look for a return, an exception or a "
         "jump that skips the pop or end"},
    [RLN_FINDING_CROSSED] =
        {"crossed", RLN_SEVERITY_WARNING,
         "It was closed while an inner range of another domain was open. Self times "
         "split there; close the inner range first"},
    [RLN_FINDING_ENDED_ELSEWHERE] = {"ended-elsewhere", RLN_SEVERITY_NOTE,
                                     "Start/end ranges may do this. Such a range is on "
                                     "no thread's stack, so it is in no call tree"},
    [RLN_FINDING_UNUSED_DOMAIN] =
        {"unused-domain", RLN_SEVERITY_NOTE,
         "A domain was created but not used. Create it where it is used, or check "
         "whether its annotations are disabled"},
    [RLN_FINDING_HOT_STRING] =
        {"hot-string", RLN_SEVERITY_NOTE,
         "Register it once with nvtxDomainRegisterString: calls become cheaper, and "
         "capture ranges of Nsight Systems find it"},
    [RLN_FINDING_MANY_NAMES] =
        {"many-names", RLN_SEVERITY_WARNING,
         "Names generated at each call cost time and space, and reports have a row for "
         "each. Use one name with the number in the payload; until then, merge them "
         "with --fold-numbers"},
    [RLN_FINDING_CLOCK] = {"clock", RLN_SEVERITY_WARNING,
                           "Durations that include it are wrong: the machine slept, "
                           "moved to another host, or its processors' counters differ"},
    [RLN_FINDING_UNPLACED] = {"unplaced", RLN_SEVERITY_WARNING,
                              "The times of these deferred events are unknown: they "
                              "appear at their submission, and reports omit them"},
    [RLN_FINDING_LOST] = {"lost", RLN_SEVERITY_ERROR,
                          "Disk or memory was full, or the file reached its limit "
                          "(`ulimit -f`): free some, "
                          "raise it, or use -o; recorded events are correct"},
    [RLN_FINDING_REFUSED] =
        {"refused", RLN_SEVERITY_WARNING,
         "The program exceeded a limit of traces or of files, or passed handles that "
         "NVTX "
         "did not return. Look for unbounded names, stale handles and `ulimit -f`"},
    [RLN_FINDING_DAMAGED] =
        {"damaged", RLN_SEVERITY_ERROR,
         "The file was modified after, or copied during, recording, or rows of a "
         "SQLite export contradict each other. The rest was read"},
    [RLN_FINDING_GRAPHS] =
        {"graph-launches", RLN_SEVERITY_WARNING,
         "These CUDA graphs were recorded only as a whole: their kernels are unknown. "
         "Profile with `--cuda-graph-trace=node`"},
    [RLN_FINDING_GPU_LOST] = {"gpu-lost", RLN_SEVERITY_ERROR,
                              "CUPTI refused to record, or could not keep up; recorded "
                              "operations are correct"},
};

static const struct kind *find_kind(rln_finding_kind kind)
{
    return (unsigned)kind < RLN_COUNT(kinds) && kinds[kind].name ? &kinds[kind] : NULL;
}

const char *rln__check_finding_name(rln_finding_kind kind)
{
    const struct kind *found = find_kind(kind);

    return found ? found->name : NULL;
}

rln_finding rln__check_finding(rln_finding_kind kind)
{
    return (rln_finding){
        .kind = kind,
        .severity = kinds[kind].severity,
        .n = 1,
        .thread = UINT32_MAX,
        .domain = UINT32_MAX,
        .part = UINT32_MAX,
    };
}

static uint32_t part_of(const struct rln_check *check, const rln_finding *f)
{
    const rln_reader *r = check->reader;

    return f->thread == UINT32_MAX
               ? f->part
               : r->names.processes[r->threads[f->thread].process].part;
}

int rln__check_add(struct rln_check *check, const rln_finding *finding)
{
    const uint32_t part = part_of(check, finding);
    const struct rln__key key = {{
        (uint64_t)finding->kind << 40 | (uint64_t)finding->severity << 32 |
            finding->thread,
        (uint64_t)finding->domain << 32 | finding->pid,
        rln__key_of_text(finding->message) ^ finding->offset ^ (uint64_t)part << 32,
        rln__key_of_text(finding->other),
    }};
    const uint32_t number = rln__key_index_number(&check->keys, &key);
    const size_t n_known = check->n;
    rln_finding *row = rln__key_index_item(&check->rows, &check->n, &check->capacity,
                                           number, sizeof(*row));

    if (!row)
        return -1;
    if (number < n_known) {
        row->n += finding->n;
    } else {
        *row = *finding;
        row->part = part;
        row->name = kinds[finding->kind].name;
        row->advice = kinds[finding->kind].advice;
    }
    return 0;
}
