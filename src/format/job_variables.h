/* SPDX-License-Identifier: Apache-2.0 */
/* job_variables.h - lists the environment variables in which launchers of parallel jobs
 * (Open MPI, PMIx, PMI of MPICH and Intel, torchrun, Slurm) describe a process. The
 * trace has a note of the same name for each.
 */
#ifndef RLN_FORMAT_JOB_VARIABLES_H
#define RLN_FORMAT_JOB_VARIABLES_H

/* The rank of a process. If several are set, the first in this list is right, because
 * it comes from the launcher that starts the program itself: torchrun sets RANK, and
 * SLURM_PROCID is then the rank of the node's torchrun. */
#define RLN__RANK_VARIABLES                                                            \
    "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "RANK", "SLURM_PROCID"

/* The number of ranks, the rank on the node, and the job. */
#define RLN__JOB_VARIABLES                                                             \
    "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "PMI_SIZE", "WORLD_SIZE",    \
        "LOCAL_RANK", "SLURM_NTASKS", "SLURM_LOCALID", "SLURM_JOB_ID"

#endif
