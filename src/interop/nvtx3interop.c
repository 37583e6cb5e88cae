/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvtx3interop.c - NVTX as a shared library, for languages that cannot include headers.
 *
 * The headers are compiled once, with every function exported under its own name. The
 * library is a client like any program: at the first call it loads the tool named in
 * the environment. It links only against libc, needs neither CUDA nor OpenCL, and its
 * structs have the layouts of include/nvtx3.
 */
#define NVTX_EXPORT_API
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtCuda.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <nvtx3/nvToolsExtMem.h>
#include <nvtx3/nvToolsExtMemCudaRt.h>
#include <nvtx3/nvToolsExtOpenCL.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <nvtx3/nvToolsExtSync.h>
