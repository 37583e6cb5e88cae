/* SPDX-License-Identifier: Apache-2.0 */
/* rule.h - what a rule is, and what it finds.
 *
 *     run.h, prepared once  -->  rule->evaluate()  -->  findings  -->  text, JSON
 *                                     `-- or why it abstains         (the command)
 *
 * A rule is silent, abstains with a reason, or adds findings. It never prints.
 */
#ifndef RLN_ANALYSIS_RULE_H
#define RLN_ANALYSIS_RULE_H

#include "analysis/gpu_times.h"
#include "analysis/run.h"
#include "base/buf.h"
#include "ranges/cpu_times.h"

enum {
    RLN__MOST_THRESHOLDS = 6,
    RLN__MOST_EVIDENCE = 5,
    RLN__MOST_MEASURED = 4,
};

struct rln__threshold {
    const char *name;
    double usual;
    const char *reason; /* why this value: a clause */
};

/* The first thresholds of every rule that says what could be won. */
#define RLN__SHARE_THRESHOLDS                                                          \
    {"share", 0.01, "runs of the same program vary by as much"},                       \
    {                                                                                  \
        "warning", 0.05, "below it, a finding is a note"                               \
    }

#define RLN__SEVERITY_BY_SHARE                                                         \
    "a warning, if it could win at least `warning` of the run; else a note"

/* What a rule cannot do without. */
enum {
    RLN__NEEDS_STEP = 1,       /* a thread with RLN__LEAST_CALLS calls of the step */
    RLN__NEEDS_CLOCK = 2,      /* that ran steadily */
    RLN__NEEDS_ALL_EVENTS = 4, /* none dropped, overwritten or damaged */
    RLN__NEEDS_RANKS = 8,      /* two or more with calls of the step */
    RLN__NEEDS_GPU = 16,   /* its work, and a thread with `calls` calls of the step */
    RLN__READS_TRACE = 32, /* again: it is asked before others are, alone */
    RLN__READS_GPU = 64,   /* its work, if there is any */
    RLN__NEEDS_SWITCHES = 128, /* of threads; alone, too, because the table of them
                               * remembers the last question */
    RLN__READS_SWITCHES = 256, /* if there are any, without that memory */
};

struct rln__inquiry;
struct rln__finding;
struct rln__regularity;

struct rln__rule {
    const char *id;
    const char *question;
    const char *fires;    /* when it fires: a clause after "fires if" */
    const char *severity; /* what its findings are; NULL: RLN__SEVERITY_BY_SHARE */
    const char *against;  /* what speaks against a finding */
    const char *next;     /* command: {range} is its range in reports, {traces} files */
    unsigned needs;
    struct rln__threshold
        thresholds[RLN__MOST_THRESHOLDS]; /* up to one without a name */
    rln_status (*evaluate)(struct rln__inquiry *q, rln_error *err);
    /* Whether a finding is dropped because of that one of another rule; or NULL. If all
     * are, the rule abstains for that reason. */
    bool (*is_superseded)(const struct rln__run *run, const struct rln__finding *f,
                          const struct rln__finding *by);
    const char *superseded_why;
    /* What other rules leave to this one, as regular, with these thresholds; or NULL.
     */
    struct rln__regularity (*regularity)(const double *limits);
};

/* What the time was made of by which calls took longer, of those of which that is known:
 * shares of it, which may be negative. */
struct rln__growth {
    bool is_known;
    double on, preempted, blocked;
};

struct rln__measured {
    const char *name;
    double value;
};

/* Library text is borrowed from the reader. */
struct rln__finding {
    const struct rln__rule *rule;
    const double *limits;          /* borrowed: values of the rule's thresholds */
    rln_text domain_name, message; /* of the range that it is about */
    bool is_default_domain;
    /* Owned: "outliers|app|step", valid UTF-8, without what differs in the next run:
     * times, pids, the order of traces. */
    struct rln__buf key;
    struct rln__buf title; /* owned: a sentence without a full stop */
    rln_severity severity;
    bool has_won; /* of the next two: it can say what could be won */
    double won_ns, won_share;
    struct rln__measured measured[RLN__MOST_MEASURED];
    size_t n_measured;
    size_t evidence[RLN__MOST_EVIDENCE]; /* ranges in the nesting, the worst first */
    double weights[RLN__MOST_EVIDENCE];
    size_t n_evidence, n_all_evidence;
    rln_text cause_domain, cause; /* a range; no text: not known */
    bool is_cause_default_domain;
    bool is_cause_step;   /* the step itself, outside all ranges inside */
    double cause_share;   /* of the growth that the finding is about, or: */
    const char *cause_of; /* static: of what else, or NULL */
    double cause_chance;  /* that what hit the calls by chance hit it in all of them */
    const char *unexplained; /* static: why no cause is known, where one was sought */
    bool grew_alike;         /* that is why: all ranges inside did */
    struct rln__growth growth;
    bool is_of_warm_up;   /* of slow calls: outside the first steps they are few */
    bool is_known;        /* in the baseline */
    bool has_known_share; /* and there it has the next one */
    double known_share;   /* that it could win */
};

/* What became of a rule. */
struct rln__outcome {
    const struct rln__rule *rule;
    const double *limits;
    const char *why; /* static: it abstained; or NULL */
    size_t n_findings;
};

struct rln__inquiry {
    rln_reader *reader; /* for rules that need more than the run */
    const struct rln__run *run;
    const struct rln__gpu_times *gpu;
    struct rln__cpu_times *cpu; /* for rules that need switches */
    const struct rln__rule *rule;
    const double *limits;
    const char *why;              /* static; a rule that abstains sets it */
    bool is_filtered;             /* the user has left out ranges */
    const char *const *recursive; /* patterns of names that may be nested, up to NULL */
    const char *const *loaders;   /* patterns of names, up to NULL: they load data */
    const struct rln__regularity *periodic; /* left to another rule; NULL: nothing is */
    struct rln__finding *findings;          /* owned by the analysis */
    size_t n, capacity;
};

/* Adds a finding about a range, which the key and the caller's title name; `tail` makes
 * the key unique, or is NULL. Borrowed until the next one is added; NULL when there is
 * no memory. */
struct rln__finding *rln__finding_new(struct rln__inquiry *q, rln_text domain,
                                      bool is_default_domain, rln_text message,
                                      const char *tail);
/* Removes the last one. */
void rln__finding_drop(struct rln__inquiry *q);
void rln__finding_clear(struct rln__finding *f);
/* The same as rln__finding_new() about the step. */
struct rln__finding *rln__finding_of_step(struct rln__inquiry *q, const char *tail);

/* Sets what could be won at most, and by its share the severity. The first thresholds
 * of the rule are RLN__SHARE_THRESHOLDS. */
void rln__finding_won(struct rln__finding *f, const struct rln__inquiry *q, double ns);
/* Whether that is worth a finding. */
bool rln__is_worth(const struct rln__inquiry *q, double ns);

/* Whether its cause is the range that the other one is about. */
bool rln__finding_blames(const struct rln__finding *f,
                         const struct rln__finding *other);

/* Whether it is known, and could win more than runs vary by beyond what it could. */
bool rln__finding_has_grown(const struct rln__finding *f);

void rln__finding_measure(struct rln__finding *f, const char *name, double value);

/* Adds a range as evidence; of too many, those with the largest weights stay. */
void rln__finding_show(struct rln__finding *f, size_t range, double weight);

/* Appends "app:step", safe for a terminal; a long name loses its middle. */
void rln__buf_range(struct rln__buf *buf, rln_text domain, bool is_default_domain,
                    rln_text message);

/* The innermost range of the same name around one; false: there is none. */
bool rln__enclosing_call(const struct rln__nesting *nesting,
                         const struct rln__nesting_row *row,
                         struct rln__nesting_row *out);

/* --- What several threads could win ----------------------------------------------- */

/* Time that the i-th calls of threads lose together: threads that wait for each other
 * lose the same time, so the largest of each counts. */
struct rln__win {
    double *by_call; /* owned */
    size_t n, capacity;
};

/* 0, or -1 when there is no memory. */
int rln__win_add(struct rln__win *win, size_t call, double ns);
double rln__win_total(const struct rln__win *win);
void rln__win_clear(struct rln__win *win);

#endif
