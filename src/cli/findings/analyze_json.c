/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/findings/analyze_json.h"

#include <string.h>

#include "analysis/baseline.h"
#include "analysis/finding_words.h"
#include "base/json.h"
#include "cli/findings/analyze_next.h"

static void add_text(struct rln__buf *out, const char *key, rln_text text)
{
    rln__json_key(out, key);
    rln__buf_json(out, text.bytes, text.length);
}

static void add_number(struct rln__buf *out, const char *key, double value)
{
    rln__json_key(out, key);
    rln__buf_double(out, value, 0);
}

/* The domain, unless it is the default one, and the name. */
static void add_name(struct rln__buf *out, rln_text domain, bool is_default_domain,
                     rln_text name)
{
    if (!is_default_domain)
        add_text(out, "domain", domain);
    if (name.bytes)
        add_text(out, "name", name);
}

static void add_step(struct rln__buf *out, const struct rln__run *run)
{
    if (!run->message.bytes)
        return;
    rln__json_begin(out, "step", '{');
    add_name(out, run->domain_name, run->is_default_domain, run->message);
    rln__json_u64(out, "calls", run->n_calls);
    rln__json_u64(out, "threads", run->n_tracks);
    rln__json_u64(out, "ranks", run->n_ranks);
    rln__json_u64(out, "ns", (uint64_t)run->span_ns);
    rln__buf_char(out, '}');
}

static void add_outcome(struct rln__buf *out, const struct rln__outcome *outcome)
{
    rln__json_begin(out, NULL, '{');
    rln__json_text(out, "id", outcome->rule->id);
    rln__json_word(out, "state",
                   outcome->why          ? "skipped"
                   : outcome->n_findings ? "found"
                                         : "silent");
    if (outcome->why)
        rln__json_text(out, "why", outcome->why);
    rln__buf_char(out, '}');
}

static void add_evidence(struct rln__buf *out, const struct rln__run *run,
                         const struct rln__nesting_row *row)
{
    const rln_process_info *process = rln_info_process(run->info, row->process);
    struct rln__buf address = {0};

    rln__finding_put_address(row, &address);
    rln__json_begin(out, NULL, '{');
    rln__json_u64(out, "trace", process ? process->part : 0);
    if (process && process->rank != RLN_NO_RANK)
        rln__json_u64(out, "rank", process->rank);
    rln__json_u64(out, "pid", row->pid);
    rln__json_u64(out, "tid", row->tid);
    add_name(out, row->domain_name, row->is_default_domain, row->message);
    rln__json_i64(out, "start", row->start_ns);
    rln__json_i64(out, "end", row->end_ns);
    add_text(out, "view", (rln_text){address.bytes, address.length});
    rln__buf_char(out, '}');
    out->has_failed |= address.has_failed;
    rln__buf_clear(&address);
}

static void add_numbers(struct rln__buf *out, const struct rln__finding *f)
{
    if (f->has_won) {
        rln__json_begin(out, "won", '{');
        rln__json_u64(out, "ns", (uint64_t)f->won_ns);
        rln__json_word(out, "of", "wall");
        add_number(out, "share", f->won_share);
        rln__buf_char(out, '}');
    }
    rln__json_begin(out, "measured", '{');
    for (size_t i = 0; i < f->n_measured; i++)
        add_number(out, f->measured[i].name, f->measured[i].value);
    rln__buf_char(out, '}');
    rln__json_begin(out, "threshold", '{');
    for (size_t i = 0; i < RLN__MOST_THRESHOLDS && f->rule->thresholds[i].name; i++)
        add_number(out, f->rule->thresholds[i].name, f->limits[i]);
    rln__buf_char(out, '}');
}

static void add_growth(struct rln__buf *out, const struct rln__growth *growth)
{
    if (!growth->is_known)
        return;
    rln__json_begin(out, "growth", '{');
    add_number(out, "on_cpu", growth->on);
    add_number(out, "preempted", growth->preempted);
    add_number(out, "blocked", growth->blocked);
    rln__buf_char(out, '}');
}

static void add_finding(struct rln__buf *out, const struct rln__analyze_job *job,
                        const struct rln__finding *f)
{
    const struct rln__run *run = &job->analysis.run;
    struct rln__buf next = {0};
    struct rln__nesting_row row;

    rln__json_begin(out, NULL, '{');
    rln__json_text(out, "id", f->rule->id);
    add_text(out, "key", (rln_text){f->key.bytes, f->key.length});
    rln__json_word(out, "severity",
                   f->severity == RLN_SEVERITY_NOTE ? "note" : "warning");
    if (job->has_baseline)
        rln__json_bool(out, "known", f->is_known);
    if (f->has_known_share)
        add_number(out, "known_share", f->known_share);
    add_text(out, "title", (rln_text){f->title.bytes, f->title.length});
    add_numbers(out, f);
    rln__json_begin(out, "evidence", '[');
    for (size_t i = 0; i < f->n_evidence; i++)
        if (rln__nesting_get(run->nesting, f->evidence[i], &row))
            add_evidence(out, run, &row);
    rln__buf_char(out, ']');
    rln__json_u64(out, "n_evidence", f->n_all_evidence);
    if (f->cause.bytes) {
        rln__json_begin(out, "cause", '{');
        add_name(out, f->cause_domain, f->is_cause_default_domain, f->cause);
        add_number(out, "share", f->cause_share);
        if (f->is_cause_step)
            rln__json_bool(out, "itself", true);
        rln__buf_char(out, '}');
    }
    if (f->unexplained)
        rln__json_text(out, "unexplained", f->unexplained);
    add_growth(out, &f->growth);
    rln__json_text(out, "against", f->rule->against);
    rln__finding_next(job, f, &next);
    rln__json_begin(out, "next", '[');
    add_text(out, NULL, (rln_text){next.bytes, next.length});
    if (f->n_evidence && rln__nesting_get(run->nesting, f->evidence[0], &row)) {
        next.length = 0;
        rln__finding_view(job, &row, &next);
        add_text(out, NULL, (rln_text){next.bytes, next.length});
    }
    rln__buf_text(out, "]}");
    out->has_failed |= next.has_failed;
    rln__buf_clear(&next);
}

void rln__findings_json(const struct rln__analyze_job *job, struct rln__buf *out)
{
    const struct rln__analysis *a = &job->analysis;

    rln__json_begin(out, NULL, '{');
    rln__json_text(out, "schema", RLN__FINDINGS_SCHEMA);
    rln__json_begin(out, "traces", '[');
    for (size_t i = 0; job->paths[i]; i++)
        rln__json_text(out, NULL, job->paths[i]);
    rln__buf_char(out, ']');
    rln__json_begin(out, "span", '[');
    rln__json_i64(out, NULL, a->run.first_ns);
    rln__json_i64(out, NULL, a->run.last_ns);
    rln__buf_char(out, ']');
    add_step(out, &a->run);
    rln__json_begin(out, "rules", '[');
    for (size_t i = 0; i < a->n_outcomes; i++)
        add_outcome(out, &a->outcomes[i]);
    rln__buf_char(out, ']');
    rln__json_begin(out, "findings", '[');
    for (size_t i = 0; i < a->n; i++)
        add_finding(out, job, &a->findings[i]);
    rln__buf_text(out, "]}\n");
}

/* Members may be added; those here stay. */
#define NUMBERS "{\"type\":\"object\",\"additionalProperties\":{\"type\":\"number\"}}"
#define RULE "{\"type\":\"string\",\"pattern\":\"^[a-z-]+$\"}"
#define COUNT "{\"type\":\"integer\",\"minimum\":0}"

const char *rln__findings_schema(void)
{
    return "{\n"
           "\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\n"
           "\"title\":\"" RLN__FINDINGS_SCHEMA "\",\n"
           "\"type\":\"object\",\n"
           "\"required\":[\"schema\",\"traces\",\"span\",\"rules\",\"findings\"],\n"
           "\"properties\":{\n"
           " \"schema\":{\"const\":\"" RLN__FINDINGS_SCHEMA "\"},\n"
           " \"traces\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},\n"
           " \"span\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"},"
           "\"minItems\":2,\"maxItems\":2},\n"
           " \"step\":{\"type\":\"object\",\n"
           "  \"required\":[\"name\",\"calls\",\"threads\",\"ranks\",\"ns\"],\n"
           "  \"properties\":{\"domain\":{\"type\":\"string\"},"
           "\"name\":{\"type\":\"string\"},\n"
           "   \"calls\":" COUNT ",\"threads\":" COUNT ",\"ranks\":" COUNT
           ",\"ns\":" COUNT "}},\n"
           " \"rules\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\n"
           "  \"required\":[\"id\",\"state\"],\n"
           "  \"properties\":{\"id\":" RULE ",\n"
           "   \"state\":{\"enum\":[\"found\",\"silent\",\"skipped\"]},"
           "\"why\":{\"type\":\"string\"}}}},\n"
           " \"findings\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\n"
           "  \"required\":[\"id\",\"key\",\"severity\",\"title\",\"measured\","
           "\"threshold\",\"evidence\",\"n_evidence\",\"against\",\"next\"],\n"
           "  \"properties\":{\"id\":" RULE ",\n"
           "   \"key\":{\"type\":\"string\"},\"title\":{\"type\":\"string\"},\n"
           "   \"severity\":{\"enum\":[\"note\",\"warning\"]},"
           "\"known\":{\"type\":\"boolean\"},"
           "\"known_share\":{\"type\":\"number\",\"minimum\":0,\"maximum\":1},\n"
           "   \"won\":{\"type\":\"object\",\"required\":[\"ns\",\"of\",\"share\"],\n"
           "    \"properties\":{\"ns\":" COUNT ",\"of\":{\"const\":\"wall\"},\n"
           "     \"share\":{\"type\":\"number\",\"minimum\":0,\"maximum\":1}}},\n"
           "   \"measured\":" NUMBERS ",\n"
           "   \"threshold\":" NUMBERS ",\n"
           "   \"evidence\":{\"type\":\"array\",\"maxItems\":5,"
           "\"items\":{\"type\":\"object\",\n"
           "    \"required\":[\"trace\",\"pid\",\"tid\",\"start\",\"end\",\"view\"],\n"
           "    \"properties\":{\"trace\":" COUNT ",\"rank\":" COUNT ",\"pid\":" COUNT
           ",\"tid\":" COUNT ",\n"
           "     \"domain\":{\"type\":\"string\"},\"name\":{\"type\":\"string\"},\n"
           "     \"start\":{\"type\":\"integer\"},\"end\":{\"type\":\"integer\"},"
           "\"view\":{\"type\":\"string\"}}}},\n"
           "   \"n_evidence\":" COUNT ",\n"
           "   \"cause\":{\"type\":\"object\",\"required\":[\"name\",\"share\"],\n"
           "    \"properties\":{\"domain\":{\"type\":\"string\"},"
           "\"name\":{\"type\":\"string\"},\"share\":{\"type\":\"number\"},\n"
           "     \"itself\":{\"type\":\"boolean\"}}},\n"
           "   \"unexplained\":{\"type\":\"string\"},\n"
           "   \"growth\":" NUMBERS ",\n"
           "   \"against\":{\"type\":\"string\"},\n"
           "   \"next\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}}}}\n"
           "}\n"
           "}\n";
}
