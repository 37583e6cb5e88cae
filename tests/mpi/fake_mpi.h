/* SPDX-License-Identifier: Apache-2.0 */
/* fake_mpi.h - of MPI, what the program of these tests needs, in the two kinds that
 * there are: handles are pointers as in Open MPI, or ints as in MPICH (FAKE_MPICH). */
#ifndef RLN_TESTS_FAKE_MPI_H
#define RLN_TESTS_FAKE_MPI_H

#ifdef FAKE_MPICH
typedef int MPI_Comm, MPI_Datatype, MPI_Group, MPI_Request, MPI_Op;
#define MPI_COMM_WORLD 0x44000000
#define MPI_COMM_NULL 0x04000000
#define MPI_DOUBLE 0x4c00080b
#define MPI_DATATYPE_NULL 0x0c000000
#define MPI_IN_PLACE ((void *)-1)
enum { MPI_ANY_SOURCE = -2, MPI_PROC_NULL = -1, MPI_ROOT = -3 };
#else
struct fake_handle {
    int number;
};
typedef struct fake_handle *MPI_Comm, *MPI_Datatype, *MPI_Group, *MPI_Request, *MPI_Op;
extern struct fake_handle ompi_mpi_comm_world, ompi_mpi_comm_null, fake_double,
    ompi_mpi_datatype_null;
#define MPI_COMM_WORLD (&ompi_mpi_comm_world)
#define MPI_COMM_NULL (&ompi_mpi_comm_null)
#define MPI_DOUBLE (&fake_double)
#define MPI_DATATYPE_NULL (&ompi_mpi_datatype_null)
#define MPI_IN_PLACE ((void *)1)
enum { MPI_ANY_SOURCE = -1, MPI_PROC_NULL = -2, MPI_ROOT = -4 };
#endif

int MPI_Init(int *argc, char ***argv);
int MPI_Finalize(void);
int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag,
             MPI_Comm comm);
/* Of MPI 4, which not every library has: programs ask at run time. */
int MPI_Send_c(const void *buffer, long long count, MPI_Datatype type, int to, int tag,
               MPI_Comm comm) __attribute__((weak));
int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag,
             MPI_Comm comm, void *status);
int MPI_Sendrecv(const void *sent, int n_sent, MPI_Datatype sent_type, int to,
                 int sent_tag, void *received, int n_received,
                 MPI_Datatype received_type, int from, int received_tag, MPI_Comm comm,
                 void *status);
int MPI_Wait(MPI_Request *request, void *status);
int MPI_Barrier(MPI_Comm comm);
int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);
int MPI_Allreduce(const void *sent, void *received, int count, MPI_Datatype type,
                  MPI_Op op, MPI_Comm comm);
int MPI_Reduce(const void *sent, void *received, int count, MPI_Datatype type,
               MPI_Op op, int root, MPI_Comm comm);
int MPI_Gather(const void *sent, int n_sent, MPI_Datatype sent_type, void *received,
               int n_received, MPI_Datatype received_type, int root, MPI_Comm comm);
int MPI_Scatterv(const void *sent, const int *n_sent, const int *places,
                 MPI_Datatype sent_type, void *received, int n_received,
                 MPI_Datatype received_type, int root, MPI_Comm comm);
int MPI_Alltoallv(const void *sent, const int *n_sent, const int *sent_places,
                  MPI_Datatype sent_type, void *received, const int *n_received,
                  const int *received_places, MPI_Datatype received_type,
                  MPI_Comm comm);
int MPI_Reduce_scatter(const void *sent, void *received, const int *counts,
                       MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Comm_split(MPI_Comm from, int color, int key, MPI_Comm *out);
int MPI_Comm_free(MPI_Comm *comm);
int MPI_File_write_at_all(void *file, long long offset, const void *buffer, int count,
                          MPI_Datatype type, void *status);

/* Fortran: handles are ints in both kinds; all is passed by its address. */
void mpi_send_(void *buffer, int *count, int *type, int *to, int *tag, int *comm,
               int *error);
void mpi_allreduce_(void *sent, void *received, int *count, int *type, int *op,
                    int *comm, int *error);
void ompi_send_f(void *buffer, int *count, int *type, int *to, int *tag, int *comm,
                 int *error);
extern int mpi_fortran_in_place_;
int fake_comm_to_fortran(MPI_Comm comm);
int fake_double_to_fortran(void);

#endif
