/* SPDX-License-Identifier: Apache-2.0 */
/* model.h - iterates over ranges, and describes the processes, threads, names and
 * losses of traces. */
#ifndef RANGELINE_MODEL_H
#define RANGELINE_MODEL_H

#include "reader.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An iteration over ranges. */
typedef struct rln_ranges rln_ranges;

/** A description of the opened traces. */
typedef struct rln_info rln_info;

/** The rank of a process that is not part of a job. */
#define RLN_NO_RANK UINT32_MAX

/** Bits of rln_part_info.closed: why the gate of a part was closed when it was read. 0:
 * the gate was open. */
enum {
    RLN_CLOSED_CAPTURE = 1, /**< No capture range was open. */
    RLN_CLOSED_PROGRAM = 2,
    RLN_CLOSED_COMMAND = 4,
    RLN_CLOSED_DELAY = 8,
    RLN_CLOSED_CUDA = 16, /**< cudaProfilerStart was not called. */
    RLN_CLOSED_OVER = 32, /**< Recording has ended for good. */
};

/** The calls that make a range. Values are never renumbered. */
typedef enum rln_range_style {
    RLN_RANGE_PUSH_POP = 1,
    RLN_RANGE_START_END = 2,
    RLN_RANGE_WAIT = 3, /**< A thread waited for the synchronization object `id`, */
    RLN_RANGE_HOLD = 4, /**< or held it. Both have the object's name. */
    RLN_RANGE_GPU = 5,  /**< RLN_EVENT_GPU. `id` is the correlation id, */
    RLN_RANGE_CALL = 6, /**< as that of the RLN_EVENT_CALL that requested it. */
} rln_range_style;

/** One range. Library-owned; grows at its end.
 *
 * flags: 0: complete. RLN_FLAG_OPEN: never closed; `end_ns` is the time of the last
 * event of its trace. RLN_FLAG_OPEN|RLN_FLAG_LOST: its end may be among lost events.
 * Only RLN_FLAG_LOST, RLN_FLAG_UNMATCHED or RLN_FLAG_INHERITED: only its end is known;
 * `start_ns` equals `end_ns`. RLN_FLAG_GAVE_UP, RLN_FLAG_DEFERRED, RLN_FLAG_UNPLACED
 * and RLN_FLAG_RESUMED may be added to these. */
typedef struct rln_range {
    rln_range_style style;
    uint32_t flags;
    int64_t start_ns;
    int64_t end_ns;
    uint32_t process;
    uint32_t thread;
    uint32_t pid;
    uint32_t tid;
    uint32_t end_process; /**< A start/end range may end elsewhere. */
    uint32_t end_thread;
    uint32_t end_pid;
    uint32_t end_tid;
    rln_attributes attributes;
    uint64_t payload_bits;
    uint64_t id;    /**< Of a start/end range, or of an object in its process; of GPU
                     * work and calls, the correlation id. */
    uint32_t depth; /**< Of a push/pop range, in its domain. */
    /** Payloads of its begin and its end; rln_ranges_payloads() (values.h) has them.
     */
    uint32_t n_payloads;
    rln_text scope; /**< As in rln_event: of its begin. */
} rln_range;

/** A part of a trace: written by one launcher, or by one process without a launcher. */
typedef struct rln_part_info {
    const char *path; /**< Ends with a zero byte. */
    uint64_t offset;  /**< Of its first byte in the file. */
    uint64_t size_bytes;
    uint16_t major, minor;
    uint8_t is_finished;
    uint8_t clock_kind;   /**< 1 TSC, 2 CNTVCT_EL0, 3 CLOCK_MONOTONIC_RAW. */
    uint64_t ticks_per_s; /**< 0 if unknown. */
    uint64_t n_dropped;   /**< By processes that have no record in the trace. */
    int64_t start_realtime_ns;
    rln_text host;
    rln_text boot_id;
    uint64_t
        n_windows;   /**< All windows, also unlisted ones; 0: the gate never opened. */
    uint32_t closed; /**< RLN_CLOSED_... */
    uint8_t is_copy; /**< Made by `rangeline snapshot`; the run went on. */
    /** Size of each process's ring buffer; 0: the run keeps all events. */
    uint64_t buffer_bytes;
    /** Made from a SQLite export: size, format and clock are those of the trace, not of
     * the export. */
    uint8_t is_import;
    /** Where clocks were aligned (`rangeline merge --align`): shift of the clock at the
     * beginning of the trace, and change of its speed in parts per million (positive:
     * faster). */
    int64_t shift_ns;
    double shift_ppm;
} rln_part_info;

/** A process. The counts are from its collector. */
typedef struct rln_process_info {
    uint32_t part;
    uint32_t number; /**< In its part, from 1. */
    uint32_t pid, ppid;
    uint32_t parent;     /**< Index of the process that forked it, or UINT32_MAX. */
    uint8_t is_launcher; /**< `rangeline profile` itself; it has no events. */
    uint8_t is_forked;
    uint32_t n_threads;
    uint64_t n_events;
    uint64_t n_dropped, n_strings_cut, n_names_refused, n_invalid, n_waits, waited_ns;
    rln_text exe;
    rln_text command; /**< Arguments, separated by zero bytes. */
    rln_text directory;
    rln_text exit;          /**< The launcher's note on how it ended, if any. */
    uint64_t n_overwritten; /**< Chunks of events overwritten by newer ones. */
    /** If `n_overwritten` is not 0: all events after this time are present. */
    int64_t complete_since_ns;
    /** Its rank in an MPI, Slurm or torchrun job, according to its environment or its
     * launcher's; or RLN_NO_RANK. */
    uint32_t rank;
    /** Events and registrations that were too large to record whole, and calls that
     * pointed to unmapped memory. The trace has their readable parts. */
    uint64_t n_payloads_cut, n_payloads_unread;
    /** Extensions of NVTX, one per library that uses them, whose calls could not be
     * recorded: their headers have a layout that the collector does not know. */
    uint64_t n_modules_refused;
    /** The name that the program gave to its process by overwriting its arguments, as
     * setproctitle() does; none if it did not. */
    rln_text title;
    /** Domains beyond the 4,095 that a process may have; they are not among the names in
     * `n_names_refused`. */
    uint64_t n_domains_refused;
    /** The trace could not grow beyond the process's limit of a file's size. */
    uint8_t is_at_size_limit;
} rln_process_info;

/** A thread that recorded something. */
typedef struct rln_thread_info {
    uint32_t process;
    uint32_t number; /**< In its process, from 1. */
    uint32_t tid;
    rln_text name;        /**< Given by the program, or none. */
    rln_text system_name; /**< Given by the system, or none. */
    uint64_t n_events;
    uint64_t n_lost;
    int64_t first_ns, last_ns;
    /** A stream of a GPU: `system_name` is "GPU 0/context 1/stream 7". Its events are
     * operations, which no sum of events includes; its tid is only unique. */
    uint8_t is_stream;
} rln_thread_info;

/** A domain. Domains of the same name are one domain, also in different processes. */
typedef struct rln_domain_info {
    rln_text name; /**< None for the default domain, which is always index 0. */
    uint64_t n_events;
    uint32_t n_categories;
} rln_domain_info;

/** Sums over all opened traces. Library-owned; grows at its end. */
typedef struct rln_totals {
    uint32_t n_parts, n_processes, n_threads, n_domains, n_categories;
    uint32_t n_damages;       /**< Listed damages, at most 100. */
    uint64_t n_damages_found; /**< All damages. */
    /** Marks, pushes, pops, starts, ends, counter samples, synchronization events and
     * memory calls. */
    uint64_t n_events;
    uint64_t n_marks, n_pushes, n_pops, n_starts, n_ends;
    uint64_t n_unmatched; /**< Pops that close nothing. */
    uint64_t n_gaps, n_lost, n_dropped;
    uint64_t n_resources, n_chunks;
    uint64_t size_bytes;
    int64_t first_ns, last_ns; /**< Of events; equal if there are none. */
    int64_t start_realtime_ns;
    uint8_t is_finished;
    uint64_t n_samples, n_syncs, n_memory_calls;
    uint64_t n_heaps, n_counters;
    uint64_t n_deferred;        /**< Deferred events, included in `n_events`. */
    uint64_t n_unplaced;        /**< Deferred events without a known time. */
    uint32_t n_unplaced_clocks; /**< Time domains of these, once for each reason. */
    uint64_t n_overwritten;     /**< As in rln_process_info, of all processes. */
    int64_t complete_since_ns;  /**< The latest of all processes. */
    int64_t lost_since_ns; /**< Time of the last event before the first gap; 0: none. */
    /** GPU work, which no other count includes: operations and waits on streams, the
     * kernels among them, and calls of CUDA. */
    uint64_t n_gpu, n_kernels, n_calls;
    /** GPU operations and calls that were not recorded, or not whole; what the last
     * was; and why a process recorded no GPU work at all, although it was asked for. */
    uint64_t n_gpu_lost;
    rln_text gpu_loss, gpu_refusal;
} rln_totals;

/**
 * Begins an iteration over all ranges.
 *
 * Ranges come in the order in which they end; those never closed come last, in the
 * order in which they began.
 *
 * Ownership: the caller owns `*out` and closes it with rln_ranges_close(), before the
 *            reader. On failure `*out` is NULL.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_NOMEM, RLN_ERR_IO.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_ranges_open(rln_reader *reader, rln_ranges **out,
                                                 rln_error *err);

/**
 * Returns the next range.
 *
 * Pops and ends that close nothing are returned as well, with a flag; check the flags
 * before you add up durations.
 *
 * Ownership: `*out` is borrowed until the next call, its text until the reader is
 *            closed. `*out` is NULL unless RLN_OK is returned.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_END after the last range; RLN_ERR_IO, RLN_ERR_NOMEM.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_ranges_next(rln_ranges *ranges,
                                                 const rln_range **out, rln_error *err);

/**
 * Ends an iteration.
 *
 * Ownership: what was borrowed from it ends here. NULL is accepted.
 * Threads:   as rln_reader_open().
 * Errors:    none.
 * Since:     0.1
 */
RLN_API void rln_ranges_close(rln_ranges *ranges);

/**
 * Reads the traces once and describes them.
 *
 * Ownership: the caller owns `*out` and closes it with rln_info_close(), before the
 *            reader. On failure `*out` is NULL.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_NOMEM, RLN_ERR_IO.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_info_open(rln_reader *reader, rln_info **out,
                                               rln_error *err);

/**
 * Frees a description.
 *
 * Ownership: what was borrowed from it ends here. NULL is accepted.
 * Threads:   as rln_reader_open().
 * Errors:    none.
 * Since:     0.1
 */
RLN_API void rln_info_close(rln_info *info);

/**
 * Gives the sums over all opened traces.
 *
 * Ownership: borrowed until rln_info_close().
 * Threads:   any, until it is closed.
 * Errors:    none; never NULL.
 * Since:     0.1
 */
RLN_API const rln_totals *rln_info_totals(const rln_info *info);

/**
 * Gives a part by its index, in the order of paths and then of offsets.
 *
 * Ownership: borrowed until rln_info_close().
 * Threads:   any, until it is closed.
 * Errors:    NULL if `index` is not below rln_totals.n_parts.
 * Since:     0.1
 */
RLN_API const rln_part_info *rln_info_part(const rln_info *info, uint32_t index);

/**
 * Gives a process by its index; the index is that of rln_event.process.
 *
 * Ownership: borrowed until rln_info_close().
 * Threads:   any, until it is closed.
 * Errors:    NULL if `index` is not below rln_totals.n_processes.
 * Since:     0.1
 */
RLN_API const rln_process_info *rln_info_process(const rln_info *info, uint32_t index);

/**
 * Gives a thread by its index; the index is that of rln_event.thread.
 *
 * Ownership: borrowed until rln_info_close().
 * Threads:   any, until it is closed.
 * Errors:    NULL if `index` is not below rln_totals.n_threads.
 * Since:     0.1
 */
RLN_API const rln_thread_info *rln_info_thread(const rln_info *info, uint32_t index);

/**
 * Gives a domain by its index; 0 is the default domain.
 *
 * Ownership: borrowed until rln_info_close().
 * Threads:   any, until it is closed.
 * Errors:    NULL if `index` is not below rln_totals.n_domains.
 * Since:     0.1
 */
RLN_API const rln_domain_info *rln_info_domain(const rln_info *info, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
