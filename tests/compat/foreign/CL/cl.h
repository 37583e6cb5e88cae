/* SPDX-License-Identifier: Apache-2.0 */
/* cl.h - replaces OpenCL's header; see ../cuda.h. */
#ifndef COMPAT_CL_H
#define COMPAT_CL_H

typedef int cl_only_here; /* distinguishes this file from what our header declares */
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_program *cl_program;
typedef struct _cl_event *cl_event;
typedef struct _cl_sampler *cl_sampler;

#endif /* COMPAT_CL_H */
