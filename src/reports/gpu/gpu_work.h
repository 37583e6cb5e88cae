/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_work.h - yields GPU operations and calls one by one, batch by batch, for reports.
 *
 *   kinds, name --> [batch: kernel kernel ...][batch: copy ...] --> event, its name
 */
#ifndef RLN_REPORTS_GPU_GPU_WORK_H
#define RLN_REPORTS_GPU_GPU_WORK_H

#include "ranges/predicate.h"

/* The forms of a kernel's name: "void f<int>(int)", "f", "_Z1fIiEvi". */
enum rln__kernel_name {
    RLN__KERNEL_DEMANGLED,
    RLN__KERNEL_SHORT,
    RLN__KERNEL_MANGLED,
};

/* What reports of kernels take as an argument; those that are not of ranges also take
 * the range as a prefix (range_prefix.h). */
#define RLN__KERNEL_NAME_WORDS "base|mangled"
#define RLN__KERNEL_PREFIX_WORDS "nvtx-name " RLN__KERNEL_NAME_WORDS
#define RLN__KERNEL_NAME_DETAILS                                                       \
    "Names are demangled with types; :base has none of these, :mangled is the "        \
    "linker's name."
#define RLN__KERNEL_DETAILS                                                            \
    RLN__KERNEL_NAME_DETAILS " :nvtx-name puts the range that launched a kernel in "   \
                             "front of its name."

/* The form that a report's argument asks for; NULL: none. */
enum rln__kernel_name rln__kernel_name_by(const char *argument);

/* Sets of kinds. */
#define RLN__GPU_BIT(kind) (1u << (kind))
enum {
    RLN__GPU_KERNELS = RLN__GPU_BIT(RLN__GPU_KERNEL),
    RLN__GPU_MEMORY = RLN__GPU_BIT(RLN__GPU_COPY) | RLN__GPU_BIT(RLN__GPU_SET),
    RLN__GPU_OPERATIONS =
        RLN__GPU_KERNELS | RLN__GPU_MEMORY | RLN__GPU_BIT(RLN__GPU_GRAPH),
    RLN__GPU_CALLS = RLN__GPU_BIT(RLN__GPU_CALL),
    RLN__GPU_NODES = RLN__GPU_BIT(RLN__GPU_NODE),
};

/* The ranges to which an operation belongs, if not those around the call that requested
 * it. */
enum {
    /* Of an operation of a CUDA graph: those around the creation of its node. */
    RLN__GPU_BY_CAPTURE = 1,
    /* If the thread of the call has none: those of the process's main thread. */
    RLN__GPU_BY_ADOPTION = 2,
};

/* What reports of ranges take as an argument for that. */
#define RLN__GPU_RULE_WORDS "captured adopt"
#define RLN__GPU_RULE_DETAILS                                                          \
    ":captured gives nodes of CUDA graphs to the ranges around their creation; "       \
    ":adopt gives work of threads without ranges to those of the main thread."
unsigned rln__gpu_rules_by(const char *argument);

/* How many blocks, and how many threads a block has, in each of three dimensions. */
struct rln__kernel_shape {
    uint32_t grid[3], block[3];
};

struct rln__gpu_choice {
    unsigned kinds;
    enum rln__kernel_name form;
    int is_filtered; /* or all of it, whatever filter and window are selected */
    unsigned rules;  /* RLN__GPU_BY_... */
};

struct rln__gpu_work {
    struct rln__gpu_choice choice;
    struct rln__predicate predicate; /* with the reader */
    struct rln__gpu_batches batches;
    struct rln__gpu_events events;      /* of the current batch */
    const struct rln__gpu_batch *batch; /* of the last event */
    const struct rln__gpu_event *event; /* the last one */
    uint32_t name;                      /* its name: index of attributes */
    size_t next_batch, next_event;
};

/* Fails if a table of one of the kinds could not be imported. On failure there is
 * nothing to clear. */
rln_status rln__gpu_work_init(struct rln__gpu_work *work, rln_reader *reader,
                              const struct rln__gpu_choice *choice, rln_error *err);
void rln__gpu_work_clear(struct rln__gpu_work *work);

/* Reads the next event, or RLN_END. */
rln_status rln__gpu_work_next(struct rln__gpu_work *work, rln_error *err);
/* Starts again, with another choice, of kinds that the first one has. */
void rln__gpu_work_restart(struct rln__gpu_work *work,
                           const struct rln__gpu_choice *choice);

/* Copies the element of the last event. */
void rln__gpu_work_element(const struct rln__gpu_work *work, void *out, size_t n_bytes);
/* Of the last event, a kernel. */
struct rln__kernel_shape rln__gpu_work_shape(const struct rln__gpu_work *work);
/* Its name as text, borrowed from the reader. */
rln_text rln__gpu_work_text(const struct rln__gpu_work *work);
/* "cudaMemcpy_v3020" without the version that Nsight adds to a call of the runtime. */
rln_text rln__gpu_call_name(rln_text name);

#endif
