/* SPDX-License-Identifier: Apache-2.0 */
/* count.h - counts the elements of an array. */
#ifndef RLN_BASE_COUNT_H
#define RLN_BASE_COUNT_H

#define RLN_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
