/* SPDX-License-Identifier: Apache-2.0 */
/* py_schema.h - registers schemas of dtypes with a domain's tool.
 *
 * rangeline/nvtx/_schema.py describes dtypes; this file registers the schemas and
 * remembers their ids. domain->schemas has
 *
 *     "known" -> the dictionary of _schema.py, by the meaning of dtypes
 *     address -> (dtype, schema, native dtype), by the dtype object: a cache that
 *                avoids a call of Python per payload; plus 1 for arrays of it
 */
#ifndef RLN_PYTHON_SCHEMA_H
#define RLN_PYTHON_SCHEMA_H

#include "domain/py_domain.h"

/* Cached dtypes per domain. */
#define RLN_PY_MAX_DTYPES 1024

struct rln_py_schema {
    uint64_t id;
    bool has_length;  /* the elements' number, 8 bytes, precedes them */
    PyObject *native; /* dtype to convert to, for its byte order; owned, or NULL */
};

/* The schema of an element, or of an array of them: 0, or -1 with an exception, a
 * TypeError if it cannot be described. */
int rln_py_schema_of_payload(struct domain_object *domain, PyObject *dtype,
                             bool is_array, struct rln_py_schema *out);

/* _schema.FUNCTION(register, known, dtype): a new reference, or NULL with an exception.
 */
PyObject *rln_py_schema_describe(struct domain_object *domain, const char *function,
                                 PyObject *dtype);

#endif
