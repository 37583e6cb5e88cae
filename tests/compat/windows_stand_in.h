/* SPDX-License-Identifier: Apache-2.0 */
/* windows_stand_in.h - what include/nvtx3 and nvtxw3 use of Windows and of C's library,
 * declared as Microsoft does.
 *
 * For windows.sh, which reads the headers in Microsoft's dialect where Microsoft's own
 * headers are missing. windows_stand_in.hpp does the same for the C++ library. */
#ifndef WINDOWS_STAND_IN_H
#define WINDOWS_STAND_IN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- C --------------------------------------------------------------------------- */

int *_errno(void);
#define errno (*_errno())
void *memcpy(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
size_t strlen(const char *s);
size_t strspn(const char *s, const char *accepted);
size_t strcspn(const char *s, const char *rejected);
#ifdef __cplusplus
const char *strchr(const char *s, int c);
#else
char *strchr(const char *s, int c);
#endif
char *getenv(const char *name);
size_t wcslen(const wchar_t *s);
wchar_t *_wgetenv(const wchar_t *name);

/* ---- Windows --------------------------------------------------------------------- */

typedef int BOOL;
typedef unsigned long DWORD;
typedef struct HINSTANCE__ *HMODULE;
typedef long long(__stdcall *FARPROC)(void);

#define INVALID_FILE_ATTRIBUTES ((DWORD)-1)

/* Programs that include it get these two. */
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))

__declspec(dllimport) HMODULE __stdcall LoadLibraryA(const char *path);
__declspec(dllimport) DWORD
    __stdcall GetModuleFileNameA(HMODULE library, char *path, DWORD size);
__declspec(dllimport) HMODULE __stdcall LoadLibraryW(const wchar_t *path);
__declspec(dllimport) HMODULE
    __stdcall LoadLibraryExW(const wchar_t *path, void *file, DWORD flags);
__declspec(dllimport) BOOL __stdcall FreeLibrary(HMODULE library);
__declspec(dllimport) HMODULE __stdcall GetModuleHandleW(const wchar_t *name);
__declspec(dllimport) FARPROC
    __stdcall GetProcAddress(HMODULE library, const char *name);
__declspec(dllimport) DWORD __stdcall GetFileAttributesW(const wchar_t *path);
__declspec(dllimport) DWORD __stdcall GetCurrentThreadId(void);
__declspec(dllimport) DWORD __stdcall GetCurrentProcessId(void);
__declspec(dllimport) DWORD __stdcall GetLastError(void);
__declspec(dllimport) void __stdcall SetLastError(DWORD error);
__declspec(dllimport) BOOL __stdcall SwitchToThread(void);

void *_InterlockedExchangePointer(void *volatile *target, void *value);
void *_InterlockedCompareExchangePointer(void *volatile *target, void *value,
                                         void *expected);
#define InterlockedExchangePointer _InterlockedExchangePointer
#define InterlockedCompareExchangePointer _InterlockedCompareExchangePointer

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* WINDOWS_STAND_IN_H */
