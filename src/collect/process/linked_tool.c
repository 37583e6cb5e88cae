/* SPDX-License-Identifier: Apache-2.0 */
/* linked_tool.c - lets the clients of a program find the collector that is linked into
 * it. Part of librangeline-collect.a only.
 *
 * A client uses these variables if NVTX_INJECTION64_PATH is not set. A library named
 * there takes precedence; the linked collector then stays idle, so no event is recorded
 * twice.
 */
typedef const void *(*get_export_table)(unsigned id);
typedef int (*injection)(get_export_table get);
typedef int (*extension_injection)(void *module);

__attribute__((visibility("default"))) int
InitializeInjectionNvtx2(get_export_table get);
__attribute__((visibility("default"))) int
InitializeInjectionNvtxExtension(void *module);

/* Visible, because the program's libraries use them, too. */
extern injection InitializeInjectionNvtx2_fnptr;
__attribute__((visibility("default"))) injection InitializeInjectionNvtx2_fnptr =
    InitializeInjectionNvtx2;
extern extension_injection InitializeInjectionNvtxExtension_fnptr;
__attribute__((visibility("default")))
extension_injection InitializeInjectionNvtxExtension_fnptr =
    InitializeInjectionNvtxExtension;

/* For rangeline/control.h in the program. */
__attribute__((visibility("default"))) int rln_collector_control(unsigned what);
extern int (*const rln_linked_control)(unsigned what);
int (*const rln_linked_control)(unsigned what) = rln_collector_control;

/* The linker gets this symbol with -u. The variables above do not make it load this
 * file from the archive: our headers refer to them weakly, and NVIDIA's define them
 * weakly. */
extern const int rln_linked_collector;
const int rln_linked_collector = 1;
