/* SPDX-License-Identifier: Apache-2.0 */
/* count.h - how many elements an array has. */
#ifndef RLN_BASE_COUNT_H
#define RLN_BASE_COUNT_H

#define RLN_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
