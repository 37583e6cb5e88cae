/* SPDX-License-Identifier: Apache-2.0 */
/* reader.h - opens traces and returns their events in time order.
 *
 *     rln_reader *reader;
 *     rln_events *events;
 *     const rln_event *event;
 *
 *     if (rln_reader_open(paths, n_paths, &reader, &error) == RLN_OK &&
 *         rln_events_open(reader, &events, &error) == RLN_OK)
 *             while (rln_events_next(events, &event, &error) == RLN_OK)
 *                     ...
 *
 * Structs that this library returns belong to it and grow at their ends in later
 * versions: read them through the pointer, do not copy them by sizeof.
 */
#ifndef RANGELINE_READER_H
#define RANGELINE_READER_H

#include "error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One or several opened traces, read as one. */
typedef struct rln_reader rln_reader;

/** An iteration over the events of a reader. */
typedef struct rln_events rln_events;

/** The type of an event. Values are never renumbered; skip unknown ones. */
typedef enum rln_event_type {
    RLN_EVENT_MARK = 1,
    RLN_EVENT_PUSH = 2,
    RLN_EVENT_POP = 3,
    RLN_EVENT_START = 4,
    RLN_EVENT_END = 5,
    RLN_EVENT_GAP = 6,       /**< Events of this thread were lost: `n_lost`. */
    RLN_EVENT_INHERITED = 7, /**< A forked child begins inside its parent's ranges. */
    RLN_EVENT_THREAD_BEGIN = 8, /**< `message` is the system's name of the thread. */
    RLN_EVENT_THREAD_NAME = 9,  /**< The program named the thread `message`. */
    RLN_EVENT_RESOURCE = 10, /**< `payload_bits` is the identifier, `id` the handle. */
    RLN_EVENT_RESOURCE_DESTROY = 11,
    RLN_EVENT_DOMAIN_DESTROY = 12,
    RLN_EVENT_SAMPLE = 13,        /**< Of `counter`: its `values`, or `no_value`. */
    RLN_EVENT_SYNC_WAIT = 14,     /**< The thread begins to wait for the object `id`. */
    RLN_EVENT_SYNC_GAVE_UP = 15,  /**< The thread stops waiting, without the object. */
    RLN_EVENT_SYNC_ACQUIRED = 16, /**< The thread has the object. */
    RLN_EVENT_SYNC_RELEASING = 17, /**< The thread is about to release the object. */
    RLN_EVENT_SYNC_OBJECT = 18,    /**< The program declared an object, `message`. */
    RLN_EVENT_SYNC_OBJECT_DESTROY = 19,
    RLN_EVENT_MEMORY = 20, /**< A call about heaps, regions or permissions. */
    /** A range of this thread that was pushed outside windows and is still open, with
     * its attributes and depth. The time of its push is unknown. */
    RLN_EVENT_RESUMED = 21,
    /** All older events of this thread were overwritten in the ring buffer. Pushes of
     * open ranges follow, with their original times. */
    RLN_EVENT_OVERWRITTEN = 22,
    /** A GPU ran a kernel, copied or set memory, ran a whole CUDA graph, or waited:
     * from `t_ns` on, for `duration_ns`. Its thread is the stream. */
    RLN_EVENT_GPU = 23,
    RLN_EVENT_CALL = 24, /**< A call of CUDA, or what it did, with `duration_ns`. */
} rln_event_type;

/** How the program passed the message. */
typedef enum rln_message_kind {
    RLN_MESSAGE_NONE = 0,
    RLN_MESSAGE_PLAIN = 1,
    RLN_MESSAGE_REGISTERED = 3,
} rln_message_kind;

/** NVTX's payload types. Narrower values occupy the low bits of `payload_bits`. */
typedef enum rln_payload_type {
    RLN_PAYLOAD_NONE = 0,
    RLN_PAYLOAD_U64 = 1,
    RLN_PAYLOAD_I64 = 2,
    RLN_PAYLOAD_DOUBLE = 3,
    RLN_PAYLOAD_U32 = 4,
    RLN_PAYLOAD_I32 = 5,
    RLN_PAYLOAD_FLOAT = 6,
    RLN_PAYLOAD_OTHER = 255,
} rln_payload_type;

/** Why a sample has no value. */
typedef enum rln_no_value_cause {
    RLN_NO_VALUE_ZERO = 1,        /**< It is 0. */
    RLN_NO_VALUE_UNCHANGED = 2,   /**< It is the same as in the last sample. */
    RLN_NO_VALUE_UNAVAILABLE = 3, /**< It could not be read. */
    RLN_NO_VALUE_OTHER = 4,       /**< For another or unknown reason. */
} rln_no_value_cause;

/** Bits of rln_event.flags and rln_range.flags. */
enum {
    RLN_FLAG_UNMATCHED = 1,     /**< A pop or end that closes nothing. */
    RLN_FLAG_INHERITED = 2,     /**< Closes a range of the parent process. */
    RLN_FLAG_LOST = 4,          /**< Its other end was dropped or overwritten. */
    RLN_FLAG_OPEN = 8,          /**< A range that was never closed; it has no end. */
    RLN_FLAG_UNKNOWN_NAME = 16, /**< The trace lacks the text for its id. */
    RLN_FLAG_GAVE_UP = 32,      /**< A wait that ended without the object. */
    RLN_FLAG_DEFERRED = 64,     /**< A deferred event: submitted with its own time. */
    /** A deferred event without a known time: it has the time at which it was
     * submitted, and a range has a duration of 0. */
    RLN_FLAG_UNPLACED = 128,
    /** A range that was open before its window, or the event that closes it. The range
     * counts from the opening of the window. */
    RLN_FLAG_RESUMED = 256
};

/** The attributes of an event, as passed to the call. */
typedef struct rln_attributes {
    uint32_t domain;      /**< Index for rln_info_domain(); 0 is the default domain. */
    uint32_t category;    /**< 0 is none. */
    uint32_t color;       /**< 0xAARRGGBB if has_color. */
    uint8_t has_color;    /**< 0 or 1. */
    uint8_t payload_type; /**< rln_payload_type. */
    uint8_t message_kind; /**< rln_message_kind. */
    rln_text domain_name; /**< None in the default domain. */
    rln_text message;     /**< Borrowed, like all text, until the reader is closed. */
    rln_text category_name; /**< None if the program did not name it. */
} rln_attributes;

/** One event. Library-owned; grows at its end. */
typedef struct rln_event {
    rln_event_type type;
    uint32_t flags;   /**< RLN_FLAG_... */
    int64_t t_ns;     /**< Since the first trace's start; may be negative. */
    uint32_t process; /**< Index for rln_info_process(). */
    uint32_t thread;  /**< Index for rln_info_thread(), or UINT32_MAX if unknown. */
    uint32_t pid;     /**< 0 if unknown. */
    uint32_t tid;
    rln_attributes attributes; /**< Of a pop or end: those of its range. */
    uint64_t payload_bits;     /**< Of type `attributes.payload_type`. */
    /** Of a start/end range: unique over all opened traces. Of GPU work and calls: the
     * correlation id, by which CUDA relates the two in a process. */
    uint64_t id;
    uint32_t depth; /**< Of push, pop and resumed: number of enclosing ranges. */
    /** Of the end of a range, wait or hold, and of GPU work and calls; else -1. */
    int64_t duration_ns;
    uint64_t n_lost;  /**< Of a gap. */
    uint8_t no_value; /**< Of a sample: rln_no_value_cause, or 0 if it has a value. */
    uint32_t n_payloads; /**< rln_events_payloads() (values.h) returns them. */
    /** Of a sample: its counter (`attributes.message` is the counter's name) and its
     * numbers; borrowed like the event. A counter that is not a group has one number,
     * also in `payload_bits`. See values.h. */
    const struct rln_counter *counter;
    const struct rln_sample_value *values;
    size_t n_values;
    const struct rln_memory_call *memory; /**< Of a memory call; borrowed: values.h. */
    uint32_t resource_type;               /**< Of a resource: NVTX_RESOURCE_TYPE_*. */
    int64_t timestamp;    /**< Of a deferred event, as the program passed it. */
    uint64_t time_domain; /**< Id of its time domain; 0 is the collector's clock. */
    rln_text scope;       /**< Of a deferred event: the path of its scope, if it has one
                           * that the trace knows. */
} rln_event;

/**
 * Opens the traces at `paths` as one.
 *
 * Traces may still be written to, may come from a killed process, and may be
 * concatenated. Damage inside a trace is not an error: the reader skips it, and
 * rln_check_new() lists it.
 *
 * Ownership: on success the caller owns `*out` and closes it with rln_reader_close().
 *            On failure `*out` is NULL. `paths` is not kept.
 * Threads:   one thread at a time per reader; readers are independent.
 * Errors:    RLN_ERR_IO, RLN_ERR_FORMAT, RLN_ERR_VERSION, RLN_ERR_NOMEM,
 *            RLN_ERR_ARGUMENT (no path). `err` may be NULL.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_reader_open(const char *const *paths,
                                                 size_t n_paths, rln_reader **out,
                                                 rln_error *err);

/**
 * Closes a reader. Close everything made from it first.
 *
 * Ownership: text and structs borrowed from it end here. NULL is accepted.
 * Threads:   as rln_reader_open().
 * Errors:    none.
 * Since:     0.1
 */
RLN_API void rln_reader_close(rln_reader *reader);

/**
 * Tells whether every part of every trace was finished by its launcher.
 *
 * A trace without a launcher, or with a killed one, is never finished, but has all
 * events that its threads recorded. A copy made by `rangeline snapshot` is finished:
 * nothing writes to it.
 *
 * Ownership: none.
 * Threads:   as rln_reader_open().
 * Errors:    none; the result is 0 or 1.
 * Since:     0.1
 */
RLN_API int rln_reader_is_finished(const rln_reader *reader);

/** All windows, for rln_reader_select_window(). */
#define RLN_ALL_WINDOWS SIZE_MAX

/**
 * Restricts reading from now on to one window; RLN_ALL_WINDOWS lifts the restriction.
 *
 * The reader then has the events that began in the window and the ranges that were open
 * when it opened, all with their ends, even later ones. Ranges keep their times, but
 * sums of durations count only the time inside the window. rln_info_open() still
 * describes the whole trace.
 *
 * Ownership: nothing changes; open iterations are not affected.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_ARGUMENT if there is no window `index`; nothing changes then.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_reader_select_window(rln_reader *reader,
                                                          size_t index, rln_error *err);

/**
 * Restricts reading from now on to an interval of time, within the previous selection.
 *
 * The reader then has the events that began from `from_ns` to `to_ns`, both included,
 * and ranges that were open at `from_ns`; ends and sums are treated as with a window.
 * rln_reader_select_window() lifts the restriction.
 *
 * Ownership: nothing changes; open iterations are not affected.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_ARGUMENT if `to_ns` is before `from_ns`; nothing changes then.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_reader_select_time(rln_reader *reader,
                                                        int64_t from_ns, int64_t to_ns,
                                                        rln_error *err);

/**
 * Begins an iteration over the events that match the reader's filter (filter.h), in
 * time order: both ends of each matching range, and other matching events.
 *
 * Memory use grows with concurrency, not with the length of the trace. Events of equal
 * time come in the order in which their thread recorded them. With a filter on
 * durations or payloads, this first reads the traces completely and keeps one bit per
 * range.
 *
 * Ownership: the caller owns `*out` and closes it with rln_events_close(), before the
 *            reader. On failure `*out` is NULL. Set the filter first.
 * Threads:   as rln_reader_open(); several iterations count as one reader.
 * Errors:    RLN_ERR_NOMEM, RLN_ERR_IO.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_events_open(rln_reader *reader, rln_events **out,
                                                 rln_error *err);

/**
 * Returns the next event.
 *
 * Ownership: `*out` is borrowed until the next call; its text until the reader is
 *            closed. `*out` is NULL unless RLN_OK is returned.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_END after the last event; RLN_ERR_IO, RLN_ERR_NOMEM.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_events_next(rln_events *events,
                                                 const rln_event **out, rln_error *err);

/**
 * Ends an iteration.
 *
 * Ownership: what was borrowed from it ends here. NULL is accepted.
 * Threads:   as rln_reader_open().
 * Errors:    none.
 * Since:     0.1
 */
RLN_API void rln_events_close(rln_events *events);

/**
 * Gives the name that `print` and JSON use for an event type: "mark", "push",
 * "thread_begin".
 *
 * Ownership: static.
 * Threads:   any.
 * Errors:    NULL if there is no such type.
 * Since:     0.1
 */
RLN_API const char *rln_event_type_name(rln_event_type type);

#ifdef __cplusplus
}
#endif

#endif
