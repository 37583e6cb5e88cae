/* SPDX-License-Identifier: Apache-2.0 */
/* toy_tool.h - shared by the parts of the toy tool. */
#ifndef TOY_TOOL_H
#define TOY_TOOL_H

#include <nvtx3/nvToolsExt.h>

/* Readable text of a message; bytes beyond ASCII as \xNN or \uNNNN. */
#define MAX_TEXT 200
struct text {
    char s[3 * MAX_TEXT];
};

/* Appends a line to the file that TOY_LOG names. */
__attribute__((format(printf, 1, 2))) void toy_say(const char *format, ...);
struct text toy_narrow(const char *p);
struct text toy_wide(const wchar_t *p);
struct text toy_message(int32_t type, nvtxMessageValue_t value);

/* A small number for each handle that the tool returns. */
unsigned long toy_index(const void *handle);

/* Called by every init: calls the program back, and sleeps. */
void toy_call_program(void);
void toy_sleep(void);

/* Stores the callbacks of CUDA, CUDART, OPENCL and SYNC. */
void toy_fill_names(const NvtxExportTableCallbacks *c);

/* Stores the callbacks of the memory extension. */
void toy_fill_memory(intptr_t *slot);

#endif /* TOY_TOOL_H */
