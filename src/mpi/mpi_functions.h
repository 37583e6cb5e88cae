/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_functions.h - the functions of MPI that are recorded: those that communicate, wait
 * for communication, or need all ranks. Polling, as by MPI_Test(), is not among them.
 *
 *     X(Name, name in Fortran, arguments in C, in Fortran, ...)
 *
 * The rest initializes a struct rln__mpi_call. Numbers of arguments are those of the
 * standard, MPI 3.1. In Fortran there is one more, the error, and one for the length of
 * each text.
 */
#ifndef RLN_MPI_FUNCTIONS_H
#define RLN_MPI_FUNCTIONS_H

#define PLAIN .kind = RLN__MPI_PLAIN
#define MESSAGE                                                                        \
    .kind = RLN__MPI_MESSAGE, .count = 2, .type = 3, .peer = 4, .tag = 5,              \
    .communicator = 6
#define PROBE .kind = RLN__MPI_MESSAGE, .peer = 1, .tag = 2, .communicator = 3
#define DATA(count_, type_) .kind = RLN__MPI_DATA, .count = (count_), .type = (type_)
#define MEETING(number) .kind = RLN__MPI_MEETING, .communicator = (number)
#define CREATES(from, number)                                                          \
    .kind = RLN__MPI_MEETING, .communicator = (from), .creates = (number)

#define NEIGHBORS                                                                      \
    .kind = RLN__MPI_MEETING, .count = 2, .receive_count = 5, .communicator = 7
#define TO_WINDOW .kind = RLN__MPI_DATA, .count = 2, .type = 3, .receive_count = 6

#define BCAST                                                                          \
    .kind = RLN__MPI_COLLECTIVE, .count = 2, .type = 3, .receive_count = 2,            \
    .receive_type = 3, .root = 4, .communicator = 5,                                   \
    .sizes = RLN__MPI_ROOT_SENDS | RLN__MPI_OTHERS_RECEIVE
#define REDUCE                                                                         \
    .kind = RLN__MPI_COLLECTIVE, .buffer = 1, .count = 3, .type = 4,                   \
    .receive_count = 3, .receive_type = 4, .root = 6, .communicator = 7,               \
    .sizes = RLN__MPI_ROOT_RECEIVES
#define ALLREDUCE                                                                      \
    .kind = RLN__MPI_COLLECTIVE, .buffer = 1, .count = 3, .type = 4,                   \
    .receive_count = 3, .receive_type = 4, .communicator = 6
#define REDUCE_SCATTER                                                                 \
    .kind = RLN__MPI_COLLECTIVE, .buffer = 1, .count = 3, .type = 4,                   \
    .receive_count = 3, .receive_type = 4, .communicator = 6,                          \
    .sizes = RLN__MPI_ARRAY_SENDS | RLN__MPI_ARRAY_RECEIVES | RLN__MPI_OWN_OF_ARRAY
#define REDUCE_SCATTER_BLOCK                                                           \
    .kind = RLN__MPI_COLLECTIVE, .buffer = 1, .count = 3, .type = 4,                   \
    .receive_count = 3, .receive_type = 4, .communicator = 6,                          \
    .sizes = RLN__MPI_SENDS_TO_EACH
#define GATHER                                                                         \
    .kind = RLN__MPI_COLLECTIVE, .buffer = 1, .count = 2, .type = 3,                   \
    .receive_count = 5, .receive_type = 6, .root = 7, .communicator = 8,               \
    .sizes = RLN__MPI_ROOT_RECEIVES | RLN__MPI_RECEIVES_FROM_EACH
#define GATHERV                                                                        \
    .kind = RLN__MPI_COLLECTIVE, .buffer = 1, .count = 2, .type = 3,                   \
    .receive_count = 5, .receive_type = 7, .root = 8, .communicator = 9,               \
    .sizes = RLN__MPI_ROOT_RECEIVES | RLN__MPI_ARRAY_RECEIVES
#define SCATTER                                                                        \
    .kind = RLN__MPI_COLLECTIVE, .count = 2, .type = 3, .receive_buffer = 4,           \
    .receive_count = 5, .receive_type = 6, .root = 7, .communicator = 8,               \
    .sizes = RLN__MPI_ROOT_SENDS | RLN__MPI_SENDS_TO_EACH
#define SCATTERV                                                                       \
    .kind = RLN__MPI_COLLECTIVE, .count = 2, .type = 4, .receive_buffer = 5,           \
    .receive_count = 6, .receive_type = 7, .root = 8, .communicator = 9,               \
    .sizes = RLN__MPI_ROOT_SENDS | RLN__MPI_ARRAY_SENDS
#define ALLGATHER                                                                      \
    .kind = RLN__MPI_COLLECTIVE, .buffer = 1, .count = 2, .type = 3,                   \
    .receive_count = 5, .receive_type = 6, .communicator = 7,                          \
    .sizes = RLN__MPI_RECEIVES_FROM_EACH
#define ALLGATHERV                                                                     \
    .kind = RLN__MPI_COLLECTIVE, .buffer = 1, .count = 2, .type = 3,                   \
    .receive_count = 5, .receive_type = 7, .communicator = 8,                          \
    .sizes = RLN__MPI_ARRAY_RECEIVES
#define ALLTOALL                                                                       \
    .kind = RLN__MPI_COLLECTIVE, .buffer = 1, .count = 2, .type = 3,                   \
    .receive_count = 5, .receive_type = 6, .communicator = 7,                          \
    .sizes = RLN__MPI_SENDS_TO_EACH | RLN__MPI_RECEIVES_FROM_EACH
#define ALLTOALLV                                                                      \
    .kind = RLN__MPI_COLLECTIVE, .buffer = 1, .count = 2, .type = 4,                   \
    .receive_count = 6, .receive_type = 8, .communicator = 9,                          \
    .sizes = RLN__MPI_ARRAY_SENDS | RLN__MPI_ARRAY_RECEIVES

/* MPI 4 has variants of these with counts of 64 bits, such as MPI_Send_c, all of which
 * are named here; as of others with arrays of counts, which are not recorded. */
#define RLN__MPI_COUNTED_FUNCTIONS(X)                                                  \
    X(Send, send, 6, 7, MESSAGE)                                                       \
    X(Bsend, bsend, 6, 7, MESSAGE)                                                     \
    X(Ssend, ssend, 6, 7, MESSAGE)                                                     \
    X(Rsend, rsend, 6, 7, MESSAGE)                                                     \
    X(Recv, recv, 7, 8, MESSAGE)                                                       \
    X(Isend, isend, 7, 8, MESSAGE)                                                     \
    X(Ibsend, ibsend, 7, 8, MESSAGE)                                                   \
    X(Issend, issend, 7, 8, MESSAGE)                                                   \
    X(Irsend, irsend, 7, 8, MESSAGE)                                                   \
    X(Irecv, irecv, 7, 8, MESSAGE)                                                     \
    X(Mrecv, mrecv, 5, 6, DATA(2, 3))                                                  \
    X(Imrecv, imrecv, 5, 6, DATA(2, 3))                                                \
    X(Sendrecv, sendrecv, 12, 13, .kind = RLN__MPI_MESSAGE, .count = 2, .type = 3,     \
      .receive_count = 7, .peer = 4, .tag = 5, .communicator = 11)                     \
    X(Sendrecv_replace, sendrecv_replace, 9, 10, .kind = RLN__MPI_MESSAGE, .count = 2, \
      .type = 3, .peer = 4, .tag = 5, .communicator = 8)                               \
    X(Bcast, bcast, 5, 6, BCAST)                                                       \
    X(Reduce, reduce, 7, 8, REDUCE)                                                    \
    X(Allreduce, allreduce, 6, 7, ALLREDUCE)                                           \
    X(Scan, scan, 6, 7, ALLREDUCE)                                                     \
    X(Exscan, exscan, 6, 7, ALLREDUCE)                                                 \
    X(Reduce_scatter_block, reduce_scatter_block, 6, 7, REDUCE_SCATTER_BLOCK)          \
    X(Gather, gather, 8, 9, GATHER)                                                    \
    X(Scatter, scatter, 8, 9, SCATTER)                                                 \
    X(Allgather, allgather, 7, 8, ALLGATHER)                                           \
    X(Alltoall, alltoall, 7, 8, ALLTOALL)                                              \
    X(Neighbor_allgather, neighbor_allgather, 7, 8, NEIGHBORS)                         \
    X(Neighbor_alltoall, neighbor_alltoall, 7, 8, NEIGHBORS)                           \
    X(Ibcast, ibcast, 6, 7, BCAST)                                                     \
    X(Ireduce, ireduce, 8, 9, REDUCE)                                                  \
    X(Iallreduce, iallreduce, 7, 8, ALLREDUCE)                                         \
    X(Iscan, iscan, 7, 8, ALLREDUCE)                                                   \
    X(Iexscan, iexscan, 7, 8, ALLREDUCE)                                               \
    X(Ireduce_scatter_block, ireduce_scatter_block, 7, 8, REDUCE_SCATTER_BLOCK)        \
    X(Igather, igather, 9, 10, GATHER)                                                 \
    X(Iscatter, iscatter, 9, 10, SCATTER)                                              \
    X(Iallgather, iallgather, 8, 9, ALLGATHER)                                         \
    X(Ialltoall, ialltoall, 8, 9, ALLTOALL)                                            \
    X(Ineighbor_allgather, ineighbor_allgather, 8, 9, NEIGHBORS)                       \
    X(Ineighbor_alltoall, ineighbor_alltoall, 8, 9, NEIGHBORS)                         \
    X(Put, put, 8, 9, TO_WINDOW)                                                       \
    X(Get, get, 8, 9, TO_WINDOW)                                                       \
    X(Accumulate, accumulate, 9, 10, TO_WINDOW)                                        \
    X(Rput, rput, 9, 10, TO_WINDOW)                                                    \
    X(Rget, rget, 9, 10, TO_WINDOW)                                                    \
    X(Raccumulate, raccumulate, 10, 11, TO_WINDOW)                                     \
    X(File_read, file_read, 5, 6, DATA(3, 4))                                          \
    X(File_read_all, file_read_all, 5, 6, DATA(3, 4))                                  \
    X(File_read_at, file_read_at, 6, 7, DATA(4, 5))                                    \
    X(File_read_at_all, file_read_at_all, 6, 7, DATA(4, 5))                            \
    X(File_read_shared, file_read_shared, 5, 6, DATA(3, 4))                            \
    X(File_read_ordered, file_read_ordered, 5, 6, DATA(3, 4))                          \
    X(File_write, file_write, 5, 6, DATA(3, 4))                                        \
    X(File_write_all, file_write_all, 5, 6, DATA(3, 4))                                \
    X(File_write_at, file_write_at, 6, 7, DATA(4, 5))                                  \
    X(File_write_at_all, file_write_at_all, 6, 7, DATA(4, 5))                          \
    X(File_write_shared, file_write_shared, 5, 6, DATA(3, 4))                          \
    X(File_write_ordered, file_write_ordered, 5, 6, DATA(3, 4))                        \
    X(File_iread, file_iread, 5, 6, DATA(3, 4))                                        \
    X(File_iread_at, file_iread_at, 6, 7, DATA(4, 5))                                  \
    X(File_iread_shared, file_iread_shared, 5, 6, DATA(3, 4))                          \
    X(File_iwrite, file_iwrite, 5, 6, DATA(3, 4))                                      \
    X(File_iwrite_at, file_iwrite_at, 6, 7, DATA(4, 5))                                \
    X(File_iwrite_shared, file_iwrite_shared, 5, 6, DATA(3, 4))                        \
    X(File_read_all_begin, file_read_all_begin, 4, 5, DATA(3, 4))                      \
    X(File_read_at_all_begin, file_read_at_all_begin, 5, 6, DATA(4, 5))                \
    X(File_write_all_begin, file_write_all_begin, 4, 5, DATA(3, 4))                    \
    X(File_write_at_all_begin, file_write_at_all_begin, 5, 6, DATA(4, 5))

#define RLN__MPI_OTHER_FUNCTIONS(X)                                                    \
    X(Init, init, 2, 1, PLAIN)                                                         \
    X(Init_thread, init_thread, 4, 3, PLAIN)                                           \
    X(Finalize, finalize, 0, 1, PLAIN)                                                 \
    X(Probe, probe, 4, 5, PROBE)                                                       \
    X(Mprobe, mprobe, 5, 6, PROBE)                                                     \
    X(Start, start, 1, 2, PLAIN)                                                       \
    X(Startall, startall, 2, 3, PLAIN)                                                 \
    X(Wait, wait, 2, 3, PLAIN)                                                         \
    X(Waitall, waitall, 3, 4, PLAIN)                                                   \
    X(Waitany, waitany, 4, 5, PLAIN)                                                   \
    X(Waitsome, waitsome, 5, 6, PLAIN)                                                 \
    X(Barrier, barrier, 1, 2, MEETING(1))                                              \
    X(Reduce_scatter, reduce_scatter, 6, 7, REDUCE_SCATTER)                            \
    X(Gatherv, gatherv, 9, 10, GATHERV)                                                \
    X(Scatterv, scatterv, 9, 10, SCATTERV)                                             \
    X(Allgatherv, allgatherv, 8, 9, ALLGATHERV)                                        \
    X(Alltoallv, alltoallv, 9, 10, ALLTOALLV)                                          \
    X(Alltoallw, alltoallw, 9, 10, MEETING(9))                                         \
    X(Neighbor_allgatherv, neighbor_allgatherv, 8, 9, MEETING(8))                      \
    X(Neighbor_alltoallv, neighbor_alltoallv, 9, 10, MEETING(9))                       \
    X(Neighbor_alltoallw, neighbor_alltoallw, 9, 10, MEETING(9))                       \
    X(Ibarrier, ibarrier, 2, 3, MEETING(1))                                            \
    X(Ireduce_scatter, ireduce_scatter, 7, 8, REDUCE_SCATTER)                          \
    X(Igatherv, igatherv, 10, 11, GATHERV)                                             \
    X(Iscatterv, iscatterv, 10, 11, SCATTERV)                                          \
    X(Iallgatherv, iallgatherv, 9, 10, ALLGATHERV)                                     \
    X(Ialltoallv, ialltoallv, 10, 11, ALLTOALLV)                                       \
    X(Ialltoallw, ialltoallw, 10, 11, MEETING(9))                                      \
    X(Ineighbor_allgatherv, ineighbor_allgatherv, 9, 10, MEETING(8))                   \
    X(Ineighbor_alltoallv, ineighbor_alltoallv, 10, 11, MEETING(9))                    \
    X(Ineighbor_alltoallw, ineighbor_alltoallw, 10, 11, MEETING(9))                    \
    X(Comm_dup, comm_dup, 2, 3, CREATES(1, 2))                                         \
    X(Comm_dup_with_info, comm_dup_with_info, 3, 4, CREATES(1, 3))                     \
    X(Comm_idup, comm_idup, 3, 4, CREATES(1, 2))                                       \
    X(Comm_split, comm_split, 4, 5, CREATES(1, 4))                                     \
    X(Comm_split_type, comm_split_type, 5, 6, CREATES(1, 5))                           \
    X(Comm_create, comm_create, 3, 4, CREATES(1, 3))                                   \
    X(Comm_free, comm_free, 1, 2, PLAIN, .frees = 1)                                   \
    X(Comm_disconnect, comm_disconnect, 1, 2, PLAIN, .frees = 1)                       \
    X(Cart_create, cart_create, 6, 7, CREATES(1, 6))                                   \
    X(Cart_sub, cart_sub, 3, 4, CREATES(1, 3))                                         \
    X(Graph_create, graph_create, 6, 7, CREATES(1, 6))                                 \
    X(Dist_graph_create, dist_graph_create, 9, 10, CREATES(1, 9))                      \
    X(Dist_graph_create_adjacent, dist_graph_create_adjacent, 10, 11, CREATES(1, 10))  \
    X(Intercomm_create, intercomm_create, 6, 7, CREATES(1, 6))                         \
    X(Intercomm_merge, intercomm_merge, 3, 4, CREATES(1, 3))                           \
    X(Get_accumulate, get_accumulate, 12, 13, DATA(5, 6))                              \
    X(Rget_accumulate, rget_accumulate, 13, 14, DATA(5, 6))                            \
    X(Fetch_and_op, fetch_and_op, 7, 8, PLAIN)                                         \
    X(Compare_and_swap, compare_and_swap, 7, 8, PLAIN)                                 \
    X(Win_allocate, win_allocate, 6, 7, MEETING(4))                                    \
    X(Win_allocate_shared, win_allocate_shared, 6, 7, MEETING(4))                      \
    X(Win_create, win_create, 6, 7, MEETING(5))                                        \
    X(Win_create_dynamic, win_create_dynamic, 3, 4, MEETING(2))                        \
    X(Win_free, win_free, 1, 2, PLAIN)                                                 \
    X(Win_fence, win_fence, 2, 3, PLAIN)                                               \
    X(Win_start, win_start, 3, 4, PLAIN)                                               \
    X(Win_complete, win_complete, 1, 2, PLAIN)                                         \
    X(Win_post, win_post, 3, 4, PLAIN)                                                 \
    X(Win_wait, win_wait, 1, 2, PLAIN)                                                 \
    X(Win_lock, win_lock, 4, 5, PLAIN)                                                 \
    X(Win_unlock, win_unlock, 2, 3, PLAIN)                                             \
    X(Win_lock_all, win_lock_all, 2, 3, PLAIN)                                         \
    X(Win_unlock_all, win_unlock_all, 1, 2, PLAIN)                                     \
    X(Win_flush, win_flush, 2, 3, PLAIN)                                               \
    X(Win_flush_all, win_flush_all, 1, 2, PLAIN)                                       \
    X(Win_flush_local, win_flush_local, 2, 3, PLAIN)                                   \
    X(Win_flush_local_all, win_flush_local_all, 1, 2, PLAIN)                           \
    X(File_open, file_open, 5, 7, MEETING(1))                                          \
    X(File_close, file_close, 1, 2, PLAIN)                                             \
    X(File_sync, file_sync, 1, 2, PLAIN)                                               \
    X(File_set_size, file_set_size, 2, 3, PLAIN)                                       \
    X(File_set_view, file_set_view, 6, 8, PLAIN)                                       \
    X(File_preallocate, file_preallocate, 2, 3, PLAIN)                                 \
    X(File_read_all_end, file_read_all_end, 3, 4, PLAIN)                               \
    X(File_read_at_all_end, file_read_at_all_end, 3, 4, PLAIN)                         \
    X(File_write_all_end, file_write_all_end, 3, 4, PLAIN)                             \
    X(File_write_at_all_end, file_write_at_all_end, 3, 4, PLAIN)

#endif
