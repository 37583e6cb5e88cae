/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_runtime.h - replaces a header of the CUDA runtime; see cuda.h. */
#include "driver_types.h"
