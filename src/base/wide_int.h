/* SPDX-License-Identifier: Apache-2.0 */
/* wide_int.h - integers of 128 bits, for products and sums of squares of times. */
#ifndef RLN_BASE_WIDE_INT_H
#define RLN_BASE_WIDE_INT_H

__extension__ typedef __int128 rln__i128;
__extension__ typedef unsigned __int128 rln__u128;

#endif
