/* SPDX-License-Identifier: Apache-2.0 */
/* py_payload.h - what an event carries beside its message, and what keeps that alive.
 *
 *     rln_py_payload                        bytes (owned)
 *     +------+-------+----------------+    +----------+------------------+
 *     | type | value | data: schema,  |    | length   | elements         |  an array
 *     +------+---|---| size, address ----> +----------+------------------+
 *                +--->                |    | one element                 |  a struct
 *                    +----------------+    +-----------------------------+
 *
 * A payload is what it was when it was set: arrays are copied then. `value` of an array
 * or struct is the address of `data`, so a set payload does not move.
 */
#ifndef RLN_PYTHON_PAYLOAD_H
#define RLN_PYTHON_PAYLOAD_H

#include "py_native.h"

#include <nvtx3/nvToolsExtPayload.h>

struct domain_object;

/* All zeros: no payload. */
struct rln_py_payload {
    int32_t type;   /* of nvtxEventAttributes_t, as the next two */
    int32_t n_data; /* reserved0 */
    uint64_t value; /* payload, as its 8 bytes */
    nvtxPayloadData_t data;
    void *bytes; /* owned, or NULL */
};

/* Replaces what `payload` holds: by `value` (which may be anything, also None, an int
 * or a float). 0, or -1 with an exception and no payload. What no payload can be made
 * of gives none and an NvtxWarning. */
int rln_py_payload_set(struct rln_py_payload *payload, struct domain_object *domain,
                       PyObject *value);

/* Frees what `payload` owns, and leaves no payload. */
void rln_py_payload_clear(struct rln_py_payload *payload);

#endif
