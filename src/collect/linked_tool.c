/* SPDX-License-Identifier: Apache-2.0 */
/* linked_tool.c - makes the collector known to the clients of the program that it is
 * linked into. In librangeline-collect.a only.
 *
 * A client looks for this variable where NVTX_INJECTION64_PATH is not set. A library
 * that is named there comes first; the collector in the program stays idle then, so
 * nothing is recorded twice.
 */
typedef const void *(*get_export_table)(unsigned id);
typedef int (*injection)(get_export_table get);

__attribute__((visibility("default"))) int
InitializeInjectionNvtx2(get_export_table get);

/* Libraries of the program look for it, too, so it is visible to them. */
extern injection InitializeInjectionNvtx2_fnptr;
__attribute__((visibility("default"))) injection InitializeInjectionNvtx2_fnptr =
    InitializeInjectionNvtx2;

/* What the linker is told to find (-u), for it takes nothing out of an archive on
 * behalf of the variable: our headers refer to it weakly, and NVIDIA's define it,
 * weakly. */
extern const int rln_linked_collector;
const int rln_linked_collector = 1;
