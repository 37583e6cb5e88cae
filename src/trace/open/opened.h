/* SPDX-License-Identifier: Apache-2.0 */
/* opened.h - the opened traces: what rln_reader is inside the library, and what readers
 * of events ask them. */
#ifndef RLN_TRACE_OPEN_OPENED_H
#define RLN_TRACE_OPEN_OPENED_H

#include "format/names.h"
#include "rangeline/reader.h"
#include "trace/open/clock_fit.h"
#include "trace/open/gpus.h"
#include "trace/open/losses.h"
#include "trace/open/overwritten_chunks.h"
#include "trace/open/shift.h"
#include "trace/open/window_list.h"
#include "trace/payload/payload_decode.h"

/* Threads are identified by their number in their process, because tids are reused. */
struct rln__trace_thread {
    uint32_t process;
    uint32_t number;
    uint32_t tid;
    uint32_t system_name; /* string number */
    uint8_t is_stream;    /* of a GPU */
};

struct rln_filter;

struct rln_reader {
    struct rln__damages damages;
    struct rln__input **files; /* owned, as is each file */
    size_t n_files;
    struct rln__layout layout;
    struct rln__names names;
    struct rln__clock_fit *clock_fits; /* owned; one for each part */
    struct rln__shift *shifts;         /* owned; of each part */
    struct rln__trace_thread *threads; /* owned */
    size_t n_threads, threads_capacity;
    struct rln__map threads_by_number;
    struct rln__overwritten_chunks overwritten;
    struct rln__windows windows;
    struct rln__span span;           /* the part of them that is read */
    size_t selected;                 /* index, or RLN_ALL_WINDOWS */
    const struct rln_filter *filter; /* borrowed; NULL: everything matches */
    struct rln__decoder
        attribute_decoder; /* used by event_payloads.c, as is the next */
    struct rln__payload_segments payload_segments;
    struct rln__losses losses;                     /* lent */
    struct rln__duplicate duplicate;               /* lent */
    void (*progress)(void *context, double share); /* or NULL: reader.h */
    void *progress_context;
    uint64_t n_chunks_begun;   /* by all work with the reader */
    uint64_t n_graph_launches; /* of whole CUDA graphs; found by gpu_batches.c, as: */
    uint64_t n_gpu_without_calls; /* operations, if there is no call at all */
    uint64_t n_gpu_lost;
    uint32_t gpu_loss, gpu_refusal; /* strings: why, of the last ones */
    struct rln__gpus gpus;
    unsigned n_jobs; /* processors to use; 0: those that are worth it */
    int n_futile;    /* failed look-ups of names in a growing trace */
};

/* Finds the chunks of the files as they are now. */
rln_status rln__reader_find_layout(rln_reader *reader, struct rln__layout *layout,
                                   rln_error *err);

static inline int64_t rln__reader_ns(rln_reader *reader, uint32_t part, uint64_t ticks)
{
    return rln__clock_fit_ns(&reader->clock_fits[part], ticks);
}

/* Calls the function of rln__reader_set_progress(), when a chunk begins. */
void rln__reader_show_progress(rln_reader *reader);

/* Events that found no room. Gaps report most of them, but the last ones have no event
 * after them to carry a gap. */
uint64_t rln__reader_dropped(const rln_reader *reader);

/* The index of a thread, added if it is new; RLN__NONE if there is no memory. */
uint32_t rln__reader_thread(rln_reader *reader, uint32_t process, uint32_t number,
                            uint32_t tid);

/* The stream of a GPU, which is a thread, too: its number and tid are those that no
 * thread of a program has. `scope` is the index of its scope in the registry. */
uint32_t rln__reader_add_stream(rln_reader *reader, uint32_t process, size_t scope);
/* RLN__NONE: there is none. */
uint32_t rln__reader_stream(const rln_reader *reader, uint32_t process, size_t scope);

/* The newest thread with a tid that is known now, streams excepted; RLN__NONE if there
 * is none. `known`
 * has the answers so far. */
uint32_t rln__reader_thread_of_tid(const rln_reader *reader, struct rln__map *known,
                                   uint32_t process, uint32_t tid);

/* Attributes of `id`; reads names again where a growing trace may have new ones. */
uint32_t rln__reader_attr_slow(rln_reader *reader, uint32_t process, uint32_t id);

/* Call when an id has no name yet. 1 if the names, read again, have grown: look the id
 * up again. */
int rln__reader_names_grew(rln_reader *reader);

static inline uint32_t rln__reader_attr(rln_reader *reader, uint32_t process,
                                        uint32_t id)
{
    const struct rln__trace_process *p = &reader->names.processes[process];

    if (id < p->n_attrs && p->attrs[id])
        return p->attrs[id] - 1;
    return rln__reader_attr_slow(reader, process, id);
}

/* Chunks of events (RLN_OK and an owned copy), in the order in which they enter a merge
 * by time or in which each thread wrote them. */
enum rln__chunk_order { RLN__BY_TIME, RLN__BY_THREAD };
rln_status rln__reader_chunks(rln_reader *reader, enum rln__chunk_order order,
                              struct rln__chunk_info **out, size_t *n, rln_error *err);

#endif
