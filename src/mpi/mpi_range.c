/* SPDX-License-Identifier: Apache-2.0 */
#include "mpi/mpi_range.h"

#include <errno.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <pthread.h>
#include <stddef.h>

#include "mpi/communicators.h"
#include "mpi/mpi_sizes.h"

/* Where the stack of this thread is in its outermost call of MPI; NULL: outside. In the
 * TLS that each thread begins with, since any other kind is allocated at its first use.
 */
static __thread const char *outermost __attribute__((tls_model("initial-exec")));

static nvtxDomainHandle_t domain;

/* --- Payloads --------------------------------------------------------------------- */

struct message {
    uint64_t bytes;
    int32_t peer, tag;
    uint32_t communicator;
};

struct collective {
    uint64_t sent, received;
    uint32_t communicator, number;
    int32_t n_ranks, root;
};

struct meeting {
    uint32_t communicator, number;
    int32_t n_ranks;
};

struct data {
    uint64_t bytes;
};

#define FIELD(struct_, member, type_, name_, description_)                             \
    {                                                                                  \
        .type = NVTX_PAYLOAD_ENTRY_TYPE_##type_, .name = name_,                        \
        .description = description_, .offset = offsetof(struct_, member)               \
    }

#define COMMUNICATOR(struct_)                                                          \
    FIELD(struct_, communicator, UINT32, "communicator",                               \
          "0 is MPI_COMM_WORLD; of others, a number that is the same at all ranks")
#define NUMBER(struct_)                                                                \
    FIELD(struct_, number, UINT32, "number",                                           \
          "of the collective call on its communicator, from 1, the same at all ranks")
#define RANKS(struct_) FIELD(struct_, n_ranks, INT32, "ranks", "of the communicator")

static const nvtxPayloadSchemaEntry_t message_fields[] = {
    FIELD(struct message, bytes, UINT64, "bytes", "that the buffer has"),
    FIELD(struct message, peer, INT32, "peer",
          "rank in MPI_COMM_WORLD; -1: any, -2: none, -3: unknown"),
    FIELD(struct message, tag, INT32, "tag", NULL),
    COMMUNICATOR(struct message),
};

static const nvtxPayloadSchemaEntry_t collective_fields[] = {
    FIELD(struct collective, sent, UINT64, "bytes sent", "by this rank"),
    FIELD(struct collective, received, UINT64, "bytes received", "by this rank"),
    COMMUNICATOR(struct collective),
    NUMBER(struct collective),
    RANKS(struct collective),
    FIELD(struct collective, root, INT32, "root",
          "rank in MPI_COMM_WORLD; -1: it has none, -3: unknown"),
};

static const nvtxPayloadSchemaEntry_t meeting_fields[] = {
    COMMUNICATOR(struct meeting),
    NUMBER(struct meeting),
    RANKS(struct meeting),
};

static const nvtxPayloadSchemaEntry_t data_fields[] = {
    FIELD(struct data, bytes, UINT64, "bytes", "that the buffer has"),
};

#define SCHEMA(name_, struct_, fields_)                                                \
    {                                                                                  \
        .fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |                             \
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME |                             \
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |                          \
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |                      \
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE,                       \
        .name = name_, .type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, .entries = fields_,    \
        .numEntries = sizeof(fields_) / sizeof(fields_[0]),                            \
        .payloadStaticSize = sizeof(struct_)                                           \
    }

static const nvtxPayloadSchemaAttr_t schemas[] = {
    [RLN__MPI_MESSAGE] = SCHEMA("MPI message", struct message, message_fields),
    [RLN__MPI_COLLECTIVE] =
        SCHEMA("MPI collective", struct collective, collective_fields),
    [RLN__MPI_MEETING] = SCHEMA("MPI meeting", struct meeting, meeting_fields),
    [RLN__MPI_DATA] = SCHEMA("MPI data", struct data, data_fields),
};

enum { N_KINDS = sizeof(schemas) / sizeof(schemas[0]) };

static uint64_t schema_ids[N_KINDS];

static void begin_domain(void)
{
    domain = nvtxDomainCreateA("MPI");
    for (unsigned i = 0; i < N_KINDS; i++)
        if (schemas[i].numEntries)
            schema_ids[i] = nvtxPayloadSchemaRegister(domain, &schemas[i]);
}

union payload {
    struct message message;
    struct collective collective;
    struct meeting meeting;
    struct data data;
};

/* All ranks call the collective functions of a communicator in one order. */
static uint32_t next_number(struct rln__communicator *c)
{
    return __atomic_add_fetch(&c->n_calls, 1, __ATOMIC_RELAXED);
}

/* How many bytes it has, and by what schema; 0: nothing is known. */
static size_t read_payload(const struct rln__mpi_call *call,
                           const struct rln__mpi_arguments *a,
                           const struct rln__mpi_library *library, union payload *out,
                           unsigned *kind)
{
    struct rln__communicator *c =
        call->communicator
            ? rln__communicator(library, rln__mpi_handle(library, a, call->communicator,
                                                         library->comm_from_fortran))
            : NULL;

    *kind = call->kind;
    if (call->communicator && !c)
        *kind = call->kind == RLN__MPI_MESSAGE ? RLN__MPI_DATA : RLN__MPI_PLAIN;
    switch (*kind) {
    case RLN__MPI_MESSAGE:
        out->message = (struct message){
            .bytes = rln__mpi_bytes(library, call, a),
            .peer = rln__communicator_peer(library, c, rln__mpi_integer(a, call->peer)),
            .tag = rln__mpi_integer(a, call->tag),
            .communicator = c->id,
        };
        return sizeof(out->message);
    case RLN__MPI_COLLECTIVE: {
        const int root = call->root ? rln__mpi_integer(a, call->root) : -1;
        const struct rln__mpi_sizes sizes =
            rln__mpi_collective_sizes(library, call, a, c);

        out->collective = (struct collective){
            .sent = sizes.sent,
            .received = sizes.received,
            .communicator = c->id,
            .number = next_number(c),
            .n_ranks = c->n_ranks,
            .root = call->root ? rln__communicator_peer(library, c, root) : -1,
        };
        return sizeof(out->collective);
    }
    case RLN__MPI_MEETING:
        out->meeting = (struct meeting){c->id, next_number(c), c->n_ranks};
        return sizeof(out->meeting);
    case RLN__MPI_DATA:
        out->data.bytes = rln__mpi_bytes(library, call, a);
        return sizeof(out->data);
    default:
        return 0;
    }
}

/* --- Ranges ----------------------------------------------------------------------- */

/* A call within another one lies deeper on the stack. Not if the program's handler of
 * errors has jumped out of that, which then never returns. */
static bool is_inside(const char *here)
{
    return outermost && here < outermost;
}

bool rln__mpi_begin(const struct rln__mpi_call *call,
                    const struct rln__mpi_arguments *a, const void *caller)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const struct rln__mpi_library *library =
        call->frees || call->kind != RLN__MPI_PLAIN ? rln__mpi_library(caller) : NULL;
    union payload payload;
    nvtxPayloadData_t data = {.payload = &payload};
    nvtxEventAttributes_t range = {.version = NVTX_VERSION,
                                   .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
                                   .messageType = NVTX_MESSAGE_TYPE_ASCII,
                                   .message.ascii = call->name};
    const int error = errno;
    const char *here = __builtin_frame_address(0);
    unsigned kind = RLN__MPI_PLAIN;

    if (library && call->frees && a->words[call->frees])
        rln__communicator_freed(rln__mpi_communicator_at(library, a, call->frees));
    if (is_inside(here))
        return false;
    outermost = here;
    (void)pthread_once(&once, begin_domain);
    if (library)
        data.size = read_payload(call, a, library, &payload, &kind);
    if (data.size) {
        data.schemaId = schema_ids[kind];
        range.payloadType = NVTX_PAYLOAD_TYPE_EXT;
        range.reserved0 = 1;
        range.payload.ullValue = (uint64_t)(uintptr_t)&data;
    }
    (void)nvtxDomainRangePushEx(domain, &range);
    errno = error;
    return true;
}

void rln__mpi_end(const struct rln__mpi_call *call, const struct rln__mpi_arguments *a,
                  const void *caller, bool is_recorded, bool has_failed)
{
    const struct rln__mpi_library *library;
    const int error = errno;

    if (is_recorded) {
        (void)nvtxDomainRangePop(domain);
        outermost = NULL;
    }
    library = call->creates && !has_failed && a->words[call->creates]
                  ? rln__mpi_library(caller)
                  : NULL;
    if (library)
        rln__communicator_created(
            library,
            rln__mpi_handle(library, a, call->communicator, library->comm_from_fortran),
            rln__mpi_communicator_at(library, a, call->creates));
    errno = error;
}
