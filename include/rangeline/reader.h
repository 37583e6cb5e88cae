/* SPDX-License-Identifier: Apache-2.0 */
/* reader.h - opens traces and hands out their events in the order of time.
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
 * Structs that this library hands out belong to it and grow at their ends in later
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

/** What happened. Values are never renumbered; skip those that you do not know. */
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
} rln_event_type;

/** How the program gave the message. */
typedef enum rln_message_kind {
    RLN_MESSAGE_NONE = 0,
    RLN_MESSAGE_PLAIN = 1,
    RLN_MESSAGE_REGISTERED = 3,
} rln_message_kind;

/** NVTX's payload types. Values in `payload_bits` of less than 64 bits stand low. */
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

/** Bits of rln_event.flags and rln_range.flags. */
enum {
    RLN_FLAG_UNMATCHED = 1,    /**< A pop or end that closes nothing. */
    RLN_FLAG_INHERITED = 2,    /**< Closes a range of the process that forked us. */
    RLN_FLAG_LOST = 4,         /**< Its counterpart is behind a gap. */
    RLN_FLAG_OPEN = 8,         /**< A range that nobody closed; it has no end. */
    RLN_FLAG_UNKNOWN_NAME = 16 /**< The trace does not say what its id means. */
};

/** What was known about an event: the attributes of the call. */
typedef struct rln_attributes {
    uint32_t domain;      /**< Index for rln_info_domain(); 0 is the default domain. */
    uint32_t category;    /**< 0 is none. */
    uint32_t color;       /**< 0xAARRGGBB if has_color. */
    uint8_t has_color;    /**< 0 or 1. */
    uint8_t payload_type; /**< rln_payload_type. */
    uint8_t message_kind; /**< rln_message_kind. */
    rln_text domain_name; /**< None in the default domain. */
    rln_text message;     /**< Borrowed, as all text, until the reader is closed. */
    rln_text category_name; /**< None if the program did not name it. */
} rln_attributes;

/** One event. Library-owned; grows at its end. */
typedef struct rln_event {
    rln_event_type type;
    uint32_t flags;   /**< RLN_FLAG_... */
    int64_t t_ns;     /**< Since the first trace's start; may be negative. */
    uint32_t process; /**< Index for rln_info_process(). */
    uint32_t thread;  /**< Index for rln_info_thread(), or UINT32_MAX if unknown. */
    uint32_t pid;     /**< 0 if the trace does not say. */
    uint32_t tid;
    rln_attributes with;   /**< Of a pop or end: those of the range that it closes. */
    uint64_t payload_bits; /**< Meaning: with.payload_type. */
    uint64_t id;           /**< Of a start/end range: unique over all opened traces. */
    uint32_t depth;        /**< Of push and pop: how many ranges were around it. */
    int64_t duration_ns;   /**< Of a pop or end that closes a range; else -1. */
    uint64_t n_lost;       /**< Of a gap. */
} rln_event;

/**
 * Opens the traces at `paths` as one.
 *
 * Traces that are still being written, that a killed process left behind, or that were
 * concatenated are fine. Damage inside a trace is not an error: what can be read is
 * read, and rln_info_damage() lists the rest.
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
 * Closes a reader. Close the iterations, infos, stats and trees made from it first.
 *
 * Ownership: text and structs borrowed from it end here. NULL is accepted.
 * Threads:   as rln_reader_open().
 * Errors:    none.
 * Since:     0.1
 */
RLN_API void rln_reader_close(rln_reader *reader);

/**
 * Looks again at traces that are still being written.
 *
 * Iterations that are already open do not see the new chunks; open another one.
 *
 * Ownership: nothing changes; borrowed text stays.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_IO, RLN_ERR_NOMEM.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_reader_refresh(rln_reader *reader, rln_error *err);

/**
 * Says whether every part of every trace was finished by its launcher.
 *
 * A trace without a launcher, or whose launcher was killed, never is; all that its
 * threads recorded is there none the less.
 *
 * Ownership: none.
 * Threads:   as rln_reader_open().
 * Errors:    none; the answer is 0 or 1.
 * Since:     0.1
 */
RLN_API int rln_reader_is_finished(const rln_reader *reader);

/**
 * Begins an iteration over all events, in the order of time.
 *
 * Its memory does not grow with the trace, but with what happens at the same time.
 * Events of equal time come in the order in which their thread recorded them.
 *
 * Ownership: the caller owns `*out` and closes it with rln_events_close(), before the
 *            reader. On failure `*out` is NULL.
 * Threads:   as rln_reader_open(); several iterations count as one reader.
 * Errors:    RLN_ERR_NOMEM, RLN_ERR_IO.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_events_open(rln_reader *reader, rln_events **out,
                                                 rln_error *err);

/**
 * Hands out the next event.
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

#ifdef __cplusplus
}
#endif

#endif
