/* SPDX-License-Identifier: Apache-2.0 */
/* py_ext_counter.c - implements the type ExtCounter: a counter of any other dtype, or a
 * group of counters that are sampled together. */
#include "counters/py_counter.h"

/* Samples up to this size are packed on the stack. */
#define MAX_ROOM_BYTES 512

static PyObject *sample(PyObject *object, PyObject *const *args, Py_ssize_t n_args,
                        PyObject *keywords)
{
    struct counter_object *const self = (struct counter_object *)object;
    char room[MAX_ROOM_BYTES];
    struct rln_py_samples one;
    PyObject *value;

    if (RLN_PY_LIKELY(n_args == 1 && !keywords))
        value = args[0];
    else
        value =
            rln_py_only_argument(self, "sample", RLN_PY_VALUE, args, n_args, keywords);
    if (!value)
        return NULL;
    if (RLN_PY_LIKELY(self->layout.size <= sizeof(room) &&
                      rln_py_pack(&self->layout, value, room))) {
        if (RLN_PY_LIKELY(rln_py_is_on(self->domain->state)))
            nvtxCounterSample(self->domain->handle, self->id, room, self->layout.size);
        Py_RETURN_NONE;
    }
    if (rln_py_row_of(self->domain->state, &self->layout, self->dtype, value, &one))
        return NULL;
    if (rln_py_is_on(self->domain->state))
        nvtxCounterSample(self->domain->handle, self->id, one.address, one.n_bytes);
    rln_py_samples_clear(&one);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    RLN_PY_METHOD(
        "sample", sample,
        "sample($self, /, value)\n--\n\n"
        "Records the values now: a tuple for a group, or whatever NumPy makes "
        "a single\nelement of the counter's dtype of.\n\n"
        "Example:\n"
        "    >>> disk = nvtx.numpy_dtype([(\"read\", \"i8\"), (\"busy\", \"f4\")])\n"
        "    >>> nvtx.get_domain(\"host\").get_counter(\"disk\", disk).sample((10, "
        "0.5))"),
    RLN_PY_METHOD("batch_submit", rln_py_batch_submit,
                  "batch_submit($self, /, values, timestamps=None)\n--\n\n"
                  "Records samples of the past, each with its time on the clock "
                  "`time_domain`.\n\n"
                  "Arrays of the counter's dtype that lie in C's order are not copied. "
                  "The timestamps\nmay be left out if a field of the dtype is an "
                  "EntryKind.COUNTER_TIMESTAMP. ValueError\nif there are not as many "
                  "values as timestamps.\n\n"
                  "Example:\n"
                  "    >>> domain = nvtx.get_domain(\"host\")\n"
                  "    >>> disk = domain.get_counter(\"disk\", [(\"read\", \"i8\"), "
                  "(\"busy\", \"f4\")])\n"
                  "    >>> disk.batch_submit([(10, 0.5)], [domain.get_timestamp()])"),
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(
    doc,
    "A counter of a NumPy dtype, or a group of counters.\n\n"
    "Domain.get_counter() makes them.\n\n"
    "Example:\n"
    "    >>> disk = nvtx.numpy_dtype([(\"read\", \"i8\"), (\"busy\", \"f4\")])\n"
    "    >>> nvtx.get_domain(\"host\").get_counter(\"disk\", disk).sample((10, 0.5))");

int rln_py_add_ext_counter(PyObject *module, struct native_state *state)
{
    return rln_py_add_counter_kind(module, state, "rangeline.nvtx.ExtCounter", doc,
                                   methods, &state->ext_counter_type);
}
