/* SPDX-License-Identifier: Apache-2.0 */
/* linked_tool.c - makes the collector known to the clients of the program that it is
 * linked into. In librangeline-collect.a only.
 *
 * A client looks for these variables where NVTX_INJECTION64_PATH is not set. A library
 * that is named there comes first; the collector in the program stays idle then, so
 * nothing is recorded twice.
 */
typedef const void *(*get_export_table)(unsigned id);
typedef int (*injection)(get_export_table get);
typedef int (*extension_injection)(void *module);

__attribute__((visibility("default"))) int
InitializeInjectionNvtx2(get_export_table get);
__attribute__((visibility("default"))) int
InitializeInjectionNvtxExtension(void *module);

/* Libraries of the program look for them, too, so they are visible to them. */
extern injection InitializeInjectionNvtx2_fnptr;
__attribute__((visibility("default"))) injection InitializeInjectionNvtx2_fnptr =
    InitializeInjectionNvtx2;
extern extension_injection InitializeInjectionNvtxExtension_fnptr;
__attribute__((visibility("default")))
extension_injection InitializeInjectionNvtxExtension_fnptr =
    InitializeInjectionNvtxExtension;

/* What rangeline/control.h looks for in the program. */
__attribute__((visibility("default"))) int rln_collector_control(unsigned what);
extern int (*const rln_linked_control)(unsigned what);
int (*const rln_linked_control)(unsigned what) = rln_collector_control;

/* What the linker is told to find (-u), for it takes nothing out of an archive on
 * behalf of the variable: our headers refer to it weakly, and NVIDIA's define it,
 * weakly. */
extern const int rln_linked_collector;
const int rln_linked_collector = 1;
