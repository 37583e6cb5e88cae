/* SPDX-License-Identifier: Apache-2.0 */
/* remove_tree.h - removes a file, or a folder with its contents. */
#ifndef RLN_BASE_REMOVE_TREE_H
#define RLN_BASE_REMOVE_TREE_H

/* Follows no links. Errors are ignored. */
void rln__remove_tree(const char *path);

#endif
