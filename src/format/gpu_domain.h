/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_domain.h - the name of the domain of GPU work, for the collector and for readers.
 */
#ifndef RLN_FORMAT_GPU_DOMAIN_H
#define RLN_FORMAT_GPU_DOMAIN_H

#define RLN__GPU_DOMAIN "rangeline.cuda"

#endif
