/* SPDX-License-Identifier: Apache-2.0 */
/* py_payload.h - converts a Python value to an event's payload, and owns its memory.
 *
 *     rln_py_payload                        bytes (owned)
 *     +------+-------+----------------+    +----------+------------------+
 *     | type | value | data: schema,  |    | length   | elements         |  an array
 *     +------+---|---| size, address ----> +----------+------------------+
 *                +--->                |    | one element                 |  a struct
 *                    +----------------+    +-----------------------------+
 *
 * Setting a payload copies arrays, so later changes to them do not matter. `value` of
 * an array or struct is the address of `data`, so a payload must not move once it is
 * set.
 */
#ifndef RLN_PYTHON_PAYLOAD_H
#define RLN_PYTHON_PAYLOAD_H

#include "base/py_native.h"

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

/* The type and the value of an int: 0, or -1 with an exception and no payload. */
int rln_py_payload_of_int(PyObject *number, int32_t *type, uint64_t *value);

/* Replaces the contents of `payload` by `value`, which may be anything but None and an
 * int. 0, or -1 with an exception and no payload. A value that cannot become
 * a payload gives none and an NvtxWarning. */
int rln_py_payload_set(struct rln_py_payload *payload, struct domain_object *domain,
                       PyObject *value);

/* Frees what `payload` owns, and leaves no payload. */
void rln_py_payload_clear(struct rln_py_payload *payload);

#endif
