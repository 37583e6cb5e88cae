/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_entries.c - the functions themselves, in C and in Fortran, under the names that
 * programs are linked with.
 *
 *     MPI_Send          C, and Python
 *     MPI_Send_c        counts of 64 bits, of MPI 4
 *     mpi_send_         Fortran
 *     mpi_send_f08_     its module mpi_f08; in MPICH for functions without a buffer, where
 *                       others call MPI_Send
 *     ompi_send_f       what that of Open MPI calls
 *
 * Open MPI's Fortran functions call PMPI_Send, and some of MPICH's, which no library can
 * stand before, so that they have to be replaced themselves.
 */
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "mpi/mpi_functions.h"
#include "mpi/mpi_library.h"
#include "mpi/mpi_range.h"

#define EXPORTED __attribute__((visibility("default")))

/* MPI_ERR_OTHER of MPICH, an error of Open MPI, too: what a call returns in a program
 * without MPI, or with a count that its MPI cannot pass on. */
enum { NO_MPI = 15 };

typedef uintptr_t word;

#define PARAMETERS_0 void
#define PARAMETERS_1 word a
#define PARAMETERS_2 word a, word b
#define PARAMETERS_3 PARAMETERS_2, word c
#define PARAMETERS_4 PARAMETERS_3, word d
#define PARAMETERS_5 PARAMETERS_4, word e
#define PARAMETERS_6 PARAMETERS_5, word f
#define PARAMETERS_7 PARAMETERS_6, word g
#define PARAMETERS_8 PARAMETERS_7, word h
#define PARAMETERS_9 PARAMETERS_8, word i
#define PARAMETERS_10 PARAMETERS_9, word j
#define PARAMETERS_11 PARAMETERS_10, word k
#define PARAMETERS_12 PARAMETERS_11, word l
#define PARAMETERS_13 PARAMETERS_12, word m
#define PARAMETERS_14 PARAMETERS_13, word n
#define ARGUMENTS_0
#define ARGUMENTS_1 a
#define ARGUMENTS_2 a, b
#define ARGUMENTS_3 ARGUMENTS_2, c
#define ARGUMENTS_4 ARGUMENTS_3, d
#define ARGUMENTS_5 ARGUMENTS_4, e
#define ARGUMENTS_6 ARGUMENTS_5, f
#define ARGUMENTS_7 ARGUMENTS_6, g
#define ARGUMENTS_8 ARGUMENTS_7, h
#define ARGUMENTS_9 ARGUMENTS_8, i
#define ARGUMENTS_10 ARGUMENTS_9, j
#define ARGUMENTS_11 ARGUMENTS_10, k
#define ARGUMENTS_12 ARGUMENTS_11, l
#define ARGUMENTS_13 ARGUMENTS_12, m
#define ARGUMENTS_14 ARGUMENTS_13, n

/* Threads that look it up at a time find the same. What is not there is sought again: MPI
 * may be loaded later. */
static void *find_real(void **found, const char *name, const void *caller)
{
    void *symbol = __atomic_load_n(found, __ATOMIC_RELAXED);

    if (!symbol) {
        symbol = rln__mpi_find(name, caller);
        __atomic_store_n(found, symbol, __ATOMIC_RELAXED);
    }
    return symbol;
}

struct large {
    void *found;
    bool is_lacking; /* in a library that has the usual one */
};

static bool is_int(const struct rln__mpi_arguments *all, unsigned count)
{
    return !count || (rln__mpi_count(all, count) >= INT_MIN &&
                      rln__mpi_count(all, count) <= INT_MAX);
}

/* A library may be older than MPI 4. Programs that ask at run time whether it has the
 * function find this one; as they would otherwise, it calls the one with ints. */
static void *find_large(struct large *large, const char *name, void **found,
                        const char *usual, const struct rln__mpi_call *call,
                        const struct rln__mpi_arguments *all, const void *caller)
{
    void *symbol = NULL;

    if (!__atomic_load_n(&large->is_lacking, __ATOMIC_RELAXED))
        symbol = find_real(&large->found, name, caller);
    if (symbol)
        return symbol;
    symbol = find_real(found, usual, caller);
    __atomic_store_n(&large->is_lacking, symbol != NULL, __ATOMIC_RELAXED);
    return is_int(all, call->count) && is_int(all, call->receive_count) ? symbol : NULL;
}

#define ENTRY(function, find, n, is_fortran, is_large, type, call_name, ...)           \
    type function(PARAMETERS_##n);                                                     \
    EXPORTED type function(PARAMETERS_##n)                                             \
    {                                                                                  \
        static const struct rln__mpi_call call = {.name = call_name, __VA_ARGS__};     \
        const void *const caller = __builtin_return_address(0);                        \
        const word words[] = {0, ARGUMENTS_##n};                                       \
        const struct rln__mpi_arguments all = {words, is_fortran, is_large};           \
        const union {                                                                  \
            void *symbol;                                                              \
            type (*call)(PARAMETERS_##n);                                              \
        } real = {find};                                                               \
        const bool is_recorded = real.symbol && rln__mpi_begin(&call, &all, caller);   \
                                                                                       \
        CALL_##type(n);                                                                \
        if (real.symbol)                                                               \
            rln__mpi_end(&call, &all, caller, is_recorded,                             \
                         call.creates &&FAILED_##type(n));                             \
        RESULT_##type;                                                                 \
    }

#define CALL_int(n) const int result = real.symbol ? real.call(ARGUMENTS_##n) : NO_MPI
#define CALL_void(n)                                                                   \
    if (real.symbol)                                                                   \
    real.call(ARGUMENTS_##n)
#define FAILED_int(n) (result != 0)
#define RESULT_int return result
/* Of functions without texts the last argument is the error, which may be left out. */
#define FAILED_void(n) (words[n] && *(const int *)words[n] != 0)
#define RESULT_void

#define C_AND_FORTRAN(name, lower, n_c, n_fortran, ...)                                \
    static void *real_##name, *real_##lower##_, *real_##lower##_f08_;                  \
    ENTRY(MPI_##name, find_real(&real_##name, "MPI_" #name, caller), n_c, false,       \
          false, int, "MPI_" #name, __VA_ARGS__)                                       \
    ENTRY(mpi_##lower##_, find_real(&real_##lower##_, "mpi_" #lower "_", caller),      \
          n_fortran, true, false, void, "MPI_" #name, __VA_ARGS__)                     \
    ENTRY(mpi_##lower##_f08_,                                                          \
          find_real(&real_##lower##_f08_, "mpi_" #lower "_f08_", caller), n_fortran,   \
          true, false, void, "MPI_" #name, __VA_ARGS__)                                \
    EXPORTED void ompi_##lower##_f(PARAMETERS_##n_fortran)                             \
        __attribute__((alias("mpi_" #lower "_")));

#define LARGE(name, lower, n_c, n_fortran, ...)                                        \
    static struct large real_##name##_c;                                               \
    ENTRY(MPI_##name##_c,                                                              \
          find_large(&real_##name##_c, "MPI_" #name "_c", &real_##name, "MPI_" #name,  \
                     &call, &all, caller),                                             \
          n_c, false, true, int, "MPI_" #name, __VA_ARGS__)

RLN__MPI_COUNTED_FUNCTIONS(C_AND_FORTRAN)
RLN__MPI_OTHER_FUNCTIONS(C_AND_FORTRAN)
RLN__MPI_COUNTED_FUNCTIONS(LARGE)
