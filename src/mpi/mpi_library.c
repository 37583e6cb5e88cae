/* SPDX-License-Identifier: Apache-2.0 */
#include "mpi/mpi_library.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

/* --- Functions -------------------------------------------------------------------- */

/* Paths of loaded libraries that may be of MPI: libmpi.so.40, libmpich.so.12. */
struct candidates {
    char paths[8][PATH_MAX];
    size_t n;
};

static int note_candidate(struct dl_phdr_info *info, size_t size, void *context)
{
    struct candidates *all = context;
    const char *name = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;

    (void)size;
    if (name && strncmp(name, "/libmpi", 7) == 0 && all->n < 8 &&
        strlen(info->dlpi_name) < PATH_MAX)
        strcpy(all->paths[all->n++], info->dlpi_name);
    return 0;
}

static void *find_in(const char *path, const char *name)
{
    void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    void *found = library ? dlsym(library, name) : NULL;

    if (library)
        (void)dlclose(library); /* others keep it */
    return found;
}

/* Python loads its modules, and with them MPI, locally: RTLD_NEXT does not find what the
 * caller's own libraries have. Nor has a caller any whose compiler has made a jump of its
 * call: then they are sought by name. */
void *rln__mpi_find(const char *name, const void *caller)
{
    void *found = dlsym(RTLD_NEXT, name);
    struct candidates all = {.n = 0};
    Dl_info where;

    if (!found && dladdr(caller, &where) && where.dli_fname && *where.dli_fname)
        found = find_in(where.dli_fname, name);
    if (found)
        return found;
    (void)dl_iterate_phdr(note_candidate, &all);
    for (size_t i = 0; i < all.n && !found; i++)
        found = find_in(all.paths[i], name);
    return found;
}

/* --- Kinds of libraries ----------------------------------------------------------- */

static struct rln__mpi_library known;
static const void *first_caller;
static bool is_known;

static bool find_functions(struct rln__mpi_library *out)
{
    const struct {
        const char *name;
        union rln__mpi_function *function;
        bool is_needed;
    } all[] = {
        {"PMPI_Type_size", &out->type_size, true},
        {"PMPI_Comm_size", &out->comm_size, true},
        {"PMPI_Comm_rank", &out->comm_rank, true},
        {"PMPI_Comm_test_inter", &out->comm_test_inter, true},
        {"PMPI_Comm_group", &out->comm_group, true},
        {"PMPI_Group_translate_ranks", &out->group_translate_ranks, true},
        {"PMPI_Group_free", &out->group_free, true},
        {"PMPI_Initialized", &out->initialized, true},
        {"PMPI_Finalized", &out->finalized, true},
        {"PMPI_Comm_f2c", &out->comm_from_fortran, false},
        {"PMPI_Type_f2c", &out->type_from_fortran, false},
    };
    bool has_all = true;

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        all[i].function->symbol = rln__mpi_find(all[i].name, first_caller);
        has_all &= all[i].function->symbol || !all[i].is_needed;
    }
    return has_all;
}

/* A variable of the library, of which the program may have its own copy, that all use
 * instead. */
static uintptr_t find_variable(const char *name)
{
    void *found = dlsym(RTLD_DEFAULT, name);

    return (uintptr_t)(found ? found : rln__mpi_find(name, first_caller));
}

/* The constants are those of the headers of both; that of MPICH is an ABI that Intel MPI,
 * MVAPICH and Cray MPI share. */
static void read_library(void)
{
    const uintptr_t open_mpi = find_variable("ompi_mpi_comm_world");

    if (!find_functions(&known))
        return;
    if (open_mpi) {
        known.world = open_mpi;
        known.no_communicator = find_variable("ompi_mpi_comm_null");
        known.no_type = find_variable("ompi_mpi_datatype_null");
        known.fortran_reuse = find_variable("mpi_fortran_in_place_");
        known.any_peer = -1;
        known.no_peer = -2;
    } else {
        known.has_int_handles = true;
        known.world = 0x44000000;
        known.no_communicator = 0x04000000;
        known.no_type = 0x0c000000;
        known.fortran_reuse = find_variable("MPIR_F_MPI_IN_PLACE");
        known.any_peer = -2;
        known.no_peer = -1;
        known.comm_from_fortran.symbol = NULL; /* handles are the same */
        known.type_from_fortran.symbol = NULL;
    }
    is_known = true;
}

const struct rln__mpi_library *rln__mpi_library(const void *caller)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    int is_initialized = 0, is_finalized = 0;

    __atomic_store_n(&first_caller, caller, __ATOMIC_RELAXED);
    (void)pthread_once(&once, read_library);
    if (!is_known || known.initialized.with_flag(&is_initialized) || !is_initialized ||
        known.finalized.with_flag(&is_finalized) || is_finalized)
        return NULL;
    return &known;
}

/* --- Arguments -------------------------------------------------------------------- */

uintptr_t rln__mpi_handle(const struct rln__mpi_library *library,
                          const struct rln__mpi_arguments *a, unsigned number,
                          union rln__mpi_function convert)
{
    uintptr_t word = a->words[number];

    if (a->is_fortran)
        word = convert.symbol ? convert.convert(*(const int *)word)
                              : (uintptr_t) * (const unsigned *)word;
    /* The upper half of a word that is an int says nothing. */
    return library->has_int_handles ? (uint32_t)word : word;
}

uintptr_t rln__mpi_communicator_at(const struct rln__mpi_library *library,
                                   const struct rln__mpi_arguments *a, unsigned number)
{
    const uintptr_t address = a->words[number];

    if (a->is_fortran)
        return rln__mpi_handle(library, a, number, library->comm_from_fortran);
    return library->has_int_handles ? *(const uint32_t *)address
                                    : *(const uintptr_t *)address;
}

bool rln__mpi_reuses_buffer(const struct rln__mpi_library *library,
                            const struct rln__mpi_arguments *a, unsigned number)
{
    const uintptr_t word = a->words[number];
    const uintptr_t fortran = library->fortran_reuse;

    if (!a->is_fortran)
        return word == (library->has_int_handles ? UINTPTR_MAX : 1);
    return fortran &&
           word == (library->has_int_handles ? *(const uintptr_t *)fortran : fortran);
}
