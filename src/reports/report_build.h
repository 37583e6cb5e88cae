/* SPDX-License-Identifier: Apache-2.0 */
/* report_build.h - defines a report, and fills it.
 *
 *   struct rln__report_kind     one in report_list.h per report: its name, its columns,
 *        |                      its input
 *        | build(source, out)   puts cells, from left to right and row by row
 *        v
 *   rln_report                  typed cells; the caller formats them
 *        ^
 *        | put(out, rows, item) or, for reports that may have a row per range: a row at
 *                               a time, when it is read (sorted_rows.h)
 *
 * A report is one file, or one with its siblings, and one line in report_list.h.
 */
#ifndef RLN_REPORTS_REPORT_BUILD_H
#define RLN_REPORTS_REPORT_BUILD_H

#include "base/buf.h"
#include "base/count.h"
#include "rangeline/report.h"
#include "ranges/nesting.h"
#include "reports/summary/stats.h"
#include "reports/summary/tally.h"
#include "reports/summary/tree.h"
#include "reports/sums.h"

/* A kind of report. */
struct rln__report_info {
    const char *name;    /* "nvtx_sum" */
    const char *title;   /* "NVTX Range Summary" */
    const char *help;    /* "all ranges, by style and name" */
    const char *subject; /* What the report lists; a trace lacks it if empty. */
    const char
        *subject_if_named;     /* The same with the name of a range; NULL: no other. */
    uint8_t is_of_a_range;     /* Its argument is a range name: "pace:step". */
    uint8_t may_be_of_a_range; /* The same, but without one it is of all ranges. */
    const char *words;         /* Its arguments, "nvtx-name base|mangled"; or NULL. */
    const char *alias, *older_alias; /* Former names in nsys; or NULL. */
    rln_range_style style;           /* Of the ranges it lists; 0: both. */
    uint8_t is_of_kernels;           /* It lists GPU kernels, by name or one by one. */
    const char *details; /* What rows and columns mean, in sentences; or NULL. */
};

/* Whether a report's argument is the name of a range. */
static inline int rln__report_takes_range(const struct rln__report_info *about)
{
    return about->is_of_a_range || about->may_be_of_a_range;
}

/* Whether a report's argument, or NULL, has the word: "nvtx-name:base". */
int rln__report_has_word(const char *argument, const char *word);

/* Whether `name` means the range: its message, or DOMAIN:MESSAGE (:MESSAGE in the
 * default domain). */
int rln__is_named(const char *name, rln_text domain, rln_text message);

struct rln__report_parts;

/* What reports are built from; NULL where no report needs it. */
struct rln__report_source {
    rln_reader *reader; /* borrowed, as all these */
    const struct rln__stats *stats;
    const struct rln__tree *tree;
    const struct rln__tree *thread_tree;
    const struct rln__sums *sums;
    struct rln__nesting *nesting;
    const rln_info *info;
    struct rln__report_parts *parts; /* NULL: there are traces */
    const rln_report_request *request;
    const struct rln__report_kind *kind;
    const char *argument; /* of the request, or the default range; or NULL */
    rln_error *err;
};

/* Fills `out`, which has the kind's columns. A report without rows is no failure. */
typedef rln_status rln__report_builder(const struct rln__report_source *source,
                                       rln_report *out);

enum {
    RLN__NEEDS_NESTING = 1,
    RLN__NEEDS_INFO = 2,
    RLN__IS_TREE = 4,             /* of threads or with GPUs, with an argument */
    RLN__READS_LAUNCHES = 8,      /* as rln__report_reads_launches() */
    RLN__GPU_READS_LAUNCHES = 16, /* with the argument `gpu` */
    RLN__NEEDS_PARTS = 32,        /* only, without an argument: report_parts.h */
    RLN__NEEDS_STEPS = 64,        /* only, of the range that is the argument */
    RLN__NEEDS_TREE = 128,        /* over all threads */
    RLN__CPU_NEEDS_PARTS = 256,   /* only, with the argument `cpu`, too */
};

struct rln__report_kind {
    struct rln__report_info about;
    rln__report_builder *build;
    const rln_report_column *columns;
    size_t n_columns;
    unsigned needs;
    unsigned sums;      /* RLN_SUM_... */
    unsigned gpu_kinds; /* of reports/gpu/gpu_work.h */
};

/* For initializers of the above. */
#define RLN__COLUMN_OF(header, kind, is_time, flags)                                   \
    {                                                                                  \
        header, kind, is_time, flags                                                   \
    }
#define RLN__NUMBERS(header) RLN__COLUMN_OF(header, RLN_COLUMN_NUMBER, 0, 0)
#define RLN__TIMES(header) RLN__COLUMN_OF(header, RLN_COLUMN_NUMBER, 1, 0)
/* What time was made of. */
#define RLN__SPLIT                                                                     \
    RLN__TIMES("On CPU"), RLN__TIMES("Preempted"), RLN__TIMES("Blocked"),              \
        RLN__TIMES("Unknown")
#define RLN__SIZES(header)                                                             \
    RLN__COLUMN_OF(header, RLN_COLUMN_NUMBER, 0, RLN_COLUMN_IS_SIZE)
#define RLN__IDS(header) RLN__COLUMN_OF(header, RLN_COLUMN_ID, 0, 0)
#define RLN__TEXTS(header) RLN__COLUMN_OF(header, RLN_COLUMN_TEXT, 0, 0)
#define RLN__TIME_COLUMNS(count)                                                       \
    RLN__NUMBERS("Time (%)"), RLN__TIMES("Total Time"), RLN__NUMBERS(count),           \
        RLN__TIMES("Avg"), RLN__TIMES("Med"), RLN__TIMES("Min"), RLN__TIMES("Max"),    \
        RLN__TIMES("StdDev")
/* What they mean, for the reports' details. */
#define RLN__TIME_DETAILS                                                              \
    "Time (%): share of the rows' Total Time. Avg, Med, Min, Max and StdDev: mean, "   \
    "median, least, greatest and standard deviation of one instance."
#define RLN__COLUMNS(array) .columns = (array), .n_columns = RLN_COUNT(array)

struct rln__sorted_rows;

struct rln__sorted_kind;
/* Gives it rows in place of cells, which it owns. NULL: no memory. */
struct rln__sorted_rows *rln__report_sorted_rows(rln_report *report,
                                                 const struct rln__sorted_kind *kind);

/* Calls the kind's `build`. On failure `*out` is NULL. */
rln_status rln__report_make(const struct rln__report_source *source, rln_report **out);

/* A copy for rln__free(), or NULL. */
char *rln__copy_name(const char *name);

/* --- Columns: before the first cell ----------------------------------------------- */

/* Replaces the kind's columns with these, which are static. */
void rln__set_columns(rln_report *report, const rln_report_column *columns, size_t n);
/* Adds one; its header is copied. */
void rln__add_column(rln_report *report, const char *header, rln_report_column column);

/* Renames one; the name is static. */
void rln__rename_column(rln_report *report, size_t column, const char *header);

/* --- Cells ------------------------------------------------------------------------ */

void rln__report_put_empty(rln_report *report);
void rln__report_put_word(rln_report *report, const char *text);
void rln__report_put_name(rln_report *report, rln_text text);
/* "domain:message" */
void rln__report_put_qualified(rln_report *report, rln_text domain, rln_text message);
/* "PushPop" or "StartEnd", as nsys calls them; nothing for another. */
void rln__report_put_style(rln_report *report, rln_range_style style);
/* Under RLN__SPLIT. */
void rln__report_put_split(rln_report *report, const struct rln__cpu_split *split);
/* Add text to the first; the second puts it into a cell. */
struct rln__buf *rln__report_text(rln_report *report);
void rln__report_put_text(rln_report *report);
/* A grid or block as nsys writes it: "16384    1    1". */
void rln__report_put_dimensions(rln_report *report, const uint32_t *sizes);
void rln__report_put_count(rln_report *report, uint64_t value);
/* Of RLN_PAYLOAD_I64, _U64 or _DOUBLE; integers have all their digits. */
void rln__report_put_bits(rln_report *report, uint8_t type, uint64_t bits);
void rln__report_put_id(rln_report *report, uint64_t id);
void rln__report_put_ns(rln_report *report, uint64_t ns); /* a duration */
void rln__report_put_distance(rln_report *report, int64_t ns);
void rln__report_put_time(rln_report *report, int64_t ns);
void rln__report_put_mean(rln_report *report, double ns);
/* Average, median, least, most and standard deviation, of durations. */
void rln__report_put_spread(rln_report *report, const struct rln__tally *ns);
/* The cells of RLN__TIME_COLUMNS: the share of `whole`, total, number and spread. */
void rln__report_put_times(rln_report *report, const struct rln__tally *ns,
                           uint64_t whole);
void rln__report_put_rate(rln_report *report, double ns);
void rln__report_put_number(rln_report *report, double value);
void rln__report_put_about(rln_report *report, double value);
void rln__report_put_size(rln_report *report, double bytes);
void rln__report_put_fixed(rln_report *report, double value, unsigned decimals);
/* One decimal; 0 of nothing. */
void rln__report_put_percent(rln_report *report, uint64_t part, uint64_t whole);
/* Empties the last `n` cells unless they say something. */
void rln__report_only_if(rln_report *report, int is_known, size_t n);
/* Makes the row begun last a heading of others. */
void rln__report_put_heading(rln_report *report);

/* --- Of a report that was built --- */

/* Gives the description of a report. */
const struct rln__report_info *rln__report_get_about(const rln_report *report);

/* Gives the argument, as requested or, for reports of a range, found: the range's name.
 * NULL if there is none. */
const char *rln__report_argument(const rln_report *report);

/* Counts the columns. */
size_t rln__report_count_columns(const rln_report *report);

#endif
