/* SPDX-License-Identifier: Apache-2.0 */
/* cupti.h - the functions of NVIDIA's CUPTI that record GPU work, found at run time.
 *
 * No header of CUDA is needed: CUPTI's records and functions have kept their layout
 * from CUDA 11.8 to 13.5, except that records grew at their end (activity.h). All
 * functions return 0 for success.
 */
#ifndef RLN_GPU_CUPTI_H
#define RLN_GPU_CUPTI_H

#include <stddef.h>
#include <stdint.h>

/* Kinds of activity, by CUPTI's numbers. */
enum rln__activity_kind {
    RLN__ACTIVITY_COPY = 1,
    RLN__ACTIVITY_SET = 2,
    RLN__ACTIVITY_DRIVER = 4,
    RLN__ACTIVITY_RUNTIME = 5,
    RLN__ACTIVITY_DEVICE = 8,
    RLN__ACTIVITY_CONTEXT = 9,
    RLN__ACTIVITY_KERNEL = 10, /* several may run at once, unlike with kind 3 */
    RLN__ACTIVITY_OVERHEAD = 17,
    RLN__ACTIVITY_PEER_COPY = 22,
    RLN__ACTIVITY_SYNC = 38,
    RLN__ACTIVITY_GRAPH = 51, /* instead of the operations of its nodes */
};

enum rln__cupti_result {
    RLN__CUPTI_OK = 0,
    RLN__CUPTI_END = 12,             /* of the records */
    RLN__CUPTI_NOT_INITIALIZED = 15, /* no driver */
    RLN__CUPTI_OTHER_SUBSCRIBER = 39,
    RLN__CUPTI_UNKNOWN = 999, /* from CUDA 13 on, instead of NOT_INITIALIZED */
};

/* The numbers of callback domains, of which the first two also number calls. */
enum { RLN__CUPTI_DRIVER_API = 1, RLN__CUPTI_RUNTIME_API = 2, RLN__CUPTI_RESOURCE = 3 };

/* What happens to resources: a node of a graph, new or a copy. */
enum { RLN__CUPTI_NODE_CREATED = 13, RLN__CUPTI_NODE_CLONED = 20 };

typedef void rln__cupti_callback(void *user, int domain, uint32_t cbid,
                                 const void *data);
typedef uint64_t rln__cupti_clock(void);
typedef void rln__cupti_request(uint8_t **buffer, size_t *size, size_t *most_records);
typedef void rln__cupti_complete(void *context, uint32_t stream, uint8_t *buffer,
                                 size_t size, size_t n_valid);

/* The last two are NULL in releases before CUDA 12.5. */
struct rln__cupti {
    int (*subscribe)(void **subscriber, rln__cupti_callback *, void *user);
    int (*unsubscribe)(void *subscriber);
    int (*enable_callback)(uint32_t is_on, void *subscriber, int domain, uint32_t cbid);
    int (*graph_node_id)(void *node, uint64_t *id);
    int (*register_buffers)(rln__cupti_request *, rln__cupti_complete *);
    int (*set_clock)(rln__cupti_clock *); /* only to know it: never called */
    int (*enable)(int kind);
    int (*disable)(int kind);
    int (*flush)(uint32_t is_forced);
    int (*next_record)(uint8_t *buffer, size_t n_valid, void **record);
    int (*count_dropped)(void *context, uint32_t stream, size_t *n);
    int (*result_text)(int result, const char **text);
    int (*call_name)(int domain, uint32_t cbid, const char **name);
    int (*enable_runtime_call)(uint32_t cbid,
                               uint8_t is_on); /* from 12.5, as the next */
    int (*enable_driver_call)(uint32_t cbid, uint8_t is_on);
};

/* Loads the CUPTI that the program uses, else the one that fits its CUDA, else a newest
 * one that the driver can serve; or that at `path`, unless it is NULL. NULL for
 * success, else why there is none. */
const char *rln__cupti_load(struct rln__cupti *out, const char *path);

#endif
