/* SPDX-License-Identifier: Apache-2.0 */
/* job_variables.h - what launchers of parallel jobs tell a process in its environment,
 * and we note in the trace under the same names: Open MPI, PMIx, PMI (MPICH, Intel),
 * torchrun and Slurm.
 */
#ifndef RLN_FORMAT_JOB_VARIABLES_H
#define RLN_FORMAT_JOB_VARIABLES_H

/* Which rank a process is. Of several the first is right, since it is of the launcher
 * that starts the program itself: torchrun counts in RANK, and SLURM_PROCID is then
 * that of the node. */
#define RLN__RANK_VARIABLES                                                            \
    "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "RANK", "SLURM_PROCID"

/* Of how many, which on its node, of which job. */
#define RLN__JOB_VARIABLES                                                             \
    "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "PMI_SIZE", "WORLD_SIZE",    \
        "LOCAL_RANK", "SLURM_NTASKS", "SLURM_LOCALID", "SLURM_JOB_ID"

#endif
