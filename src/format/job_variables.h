/* SPDX-License-Identifier: Apache-2.0 */
/* job_variables.h - environment variables in which launchers of parallel jobs describe
 * a process, and which the trace notes under the same names: Open MPI, PMIx, PMI
 * (MPICH, Intel), torchrun and Slurm.
 */
#ifndef RLN_FORMAT_JOB_VARIABLES_H
#define RLN_FORMAT_JOB_VARIABLES_H

/* The rank of a process. If several are set, the first is right, since it comes from
 * the launcher that starts the program itself: torchrun counts in RANK, and
 * SLURM_PROCID is then the node's. */
#define RLN__RANK_VARIABLES                                                            \
    "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "RANK", "SLURM_PROCID"

/* The number of ranks, the rank on the node, and the job. */
#define RLN__JOB_VARIABLES                                                             \
    "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "PMI_SIZE", "WORLD_SIZE",    \
        "LOCAL_RANK", "SLURM_NTASKS", "SLURM_LOCALID", "SLURM_JOB_ID"

#endif
