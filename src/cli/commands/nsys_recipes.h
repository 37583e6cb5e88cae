/* SPDX-License-Identifier: Apache-2.0 */
/* nsys_recipes.h - the recipes of `nsys recipe`, and what answers their questions here.
 */
#ifndef RLN_CLI_COMMANDS_NSYS_RECIPES_H
#define RLN_CLI_COMMANDS_NSYS_RECIPES_H

#include <stdbool.h>

/* Prints the hint for a name that is none of our recipes: what answers it, or why
 * nothing does. Returns whether it is one of Nsight's, or one of our reports. */
bool rln__hint_nsys_recipe(const char *name);

#endif
