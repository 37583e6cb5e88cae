/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvToolsExt.h - NVTX v3 for programs: mark points, time ranges, name things.
 *
 * Header-only: include it, link with -ldl (nothing at all from glibc 2.34 on, and on
 * Windows). An annotated program runs without a tool. If the environment variable
 * NVTX_INJECTION64_PATH (NVTX_INJECTION32_PATH in 32-bit code) names a tool's library,
 * the first call loads it. Without a tool a call is a load and a branch that is not
 * taken.
 *
 * Every executable and shared library that includes this file attaches separately and
 * has its own state, whatever other copies of NVTX the process contains.
 *
 * True of every call unless its comment says otherwise:
 *   Ownership: the tool copies what it keeps, so strings and structs need to live
 *              only until the call returns. NULL is allowed for any pointer.
 *   Threads:   any thread, any time, from static constructors to exit handlers.
 *   Errors:    never reported. If there is no tool, or it does not handle this call,
 *              the call does nothing and returns the stated neutral value.
 *   Since:     1.0
 *
 * Macros to define before the include, the same in every file of a program:
 *   NVTX_DISABLE           all calls compile to their neutral value
 *   NVTX_NO_IMPL           declare only; another library exports the functions
 *   NVTX_EXPORT_API        define the functions as exported symbols, for NVTX_NO_IMPL
 *   NVTX_AS_SYSTEM_HEADER  no compiler warnings from this file
 *   NVTX_SUPPORT_ENV_VARS=0, NVTX_SUPPORT_DYNAMIC_INJECTION_LIBRARY=0
 *                          never load a tool named in the environment
 *   NVTX_SUPPORT_CUDA_DRIVER_INJECTION_LIBRARY=0
 *                          never ask the CUDA driver for a registered tool
 *   NVTX_SUPPORT_STATIC_INJECTION_LIBRARY=0
 *                          never look for a tool linked into the program
 *   UNICODE                the names without A or W mean the W forms
 */
#if defined(NVTX_VERSION) && NVTX_VERSION < 3
#error "NVTX 2 is already included in this file; include <nvtx3/nvToolsExt.h> first."
#endif

#if defined(NVTX_AS_SYSTEM_HEADER) && defined(__clang__)
#pragma clang system_header
#elif defined(NVTX_AS_SYSTEM_HEADER) && defined(__GNUC__)
#pragma GCC system_header
#endif

/* NVTX_VERSION is the include guard: whichever copy of NVTX 3 comes first wins. */
#if !defined(NVTX_VERSION)
#define NVTX_VERSION 3

#include <stddef.h>
#ifndef NVTX_STDINT_TYPES_ALREADY_DEFINED
#include <stdint.h>
#endif

#include "nvtxDetail/nvtx_compiler.h"

#if !defined(NVTX_NULLPTR)
#if defined(__cplusplus) && __cplusplus >= 201103L
#define NVTX_NULLPTR nullptr
#else
#define NVTX_NULLPTR NULL
#endif
#endif

#if defined(__cplusplus)
#define NVTX_STATIC_CAST(type, value) (static_cast<type>(value))
#define NVTX_REINTERPRET_CAST(type, value) (reinterpret_cast<type>(value))
#else
#define NVTX_STATIC_CAST(type, value) ((type)(value))
#define NVTX_REINTERPRET_CAST(type, value) ((type)(value))
#endif

#define NVTX_VERSIONED_IDENTIFIER_L3(NAME, VERSION) NAME##_v##VERSION
#define NVTX_VERSIONED_IDENTIFIER_L2(NAME, VERSION)                                    \
    NVTX_VERSIONED_IDENTIFIER_L3(NAME, VERSION)
#define NVTX_VERSIONED_IDENTIFIER(NAME) NVTX_VERSIONED_IDENTIFIER_L2(NAME, NVTX_VERSION)

/* How the functions are declared. NVTX_LINK_NAME sets their names for the linker.
 *
 * In C++ they are inline with external linkage, so that templates, inline functions and
 * modules may call them, and hidden, so that they never bind to another library's copy.
 * Their linker names are ours alone: other NVTX headers define the same function names,
 * and one program may use both, in different files. C has no inline functions that the
 * linker merges, and Microsoft's compiler cannot rename functions; there they are
 * static. */
#define NVTX_LINK_NAME(name)
#if !defined(NVTX_DECLSPEC)
#if defined(NVTX_NO_IMPL)
#define NVTX_DECLSPEC
#elif defined(NVTX_EXPORT_API)
#define NVTX_DECLSPEC NVTX_DYNAMIC_EXPORT
#elif defined(__cplusplus) && defined(NVTX_ASM_NAME)
#define NVTX_DECLSPEC inline NVTX_HIDDEN
#undef NVTX_LINK_NAME
#define NVTX_LINK_NAME(name) NVTX_ASM_NAME("rln__nvtx3_" #name)
#else
#define NVTX_DECLSPEC NVTX_INLINE_STATIC
#endif
#endif
/* First in the body of every function below. */
#if !defined(NVTX_SET_NAME_MANGLING_OPTIONS)
#if defined(NVTX_EXPORT_API)
#define NVTX_SET_NAME_MANGLING_OPTIONS NVTX_EXPORT_UNMANGLED_FUNCTION_NAME
#else
#define NVTX_SET_NAME_MANGLING_OPTIONS
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Values ---------------------------------------------------------------------- */

/* Why attaching failed. For tools and NVTX itself: no call below returns these. */
#define NVTX_SUCCESS 0
#define NVTX_FAIL 1
#define NVTX_ERR_INIT_LOAD_PROPERTY 2
#define NVTX_ERR_INIT_ACCESS_LIBRARY 3
#define NVTX_ERR_INIT_LOAD_LIBRARY 4
#define NVTX_ERR_INIT_MISSING_LIBRARY_ENTRY_POINT 5
#define NVTX_ERR_INIT_FAILED_LIBRARY_ENTRY_POINT 6
#define NVTX_ERR_NO_INJECTION_LIBRARY_AVAILABLE 7

/* What push and pop return if nothing tracks the depth. */
#define NVTX_NO_PUSH_POP_TRACKING (-2)

/* Identifies a started range until it is ended; 0 is no range. */
typedef uint64_t nvtxRangeId_t;

/* Handles are the tool's own: opaque, valid in this process, NULL without a tool. */
typedef struct nvtxDomainRegistration_st nvtxDomainRegistration;
typedef nvtxDomainRegistration *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st nvtxStringRegistration;
typedef nvtxStringRegistration *nvtxStringHandle_t;
typedef struct nvtxResourceHandle *nvtxResourceHandle_t;

/* ---- Event attributes ------------------------------------------------------------ */

typedef enum nvtxColorType_t {
    NVTX_COLOR_UNKNOWN = 0, /* color is ignored */
    NVTX_COLOR_ARGB = 1     /* 0xAARRGGBB */
} nvtxColorType_t;

typedef enum nvtxMessageType_t {
    NVTX_MESSAGE_UNKNOWN = 0,        /* message is ignored */
    NVTX_MESSAGE_TYPE_ASCII = 1,     /* message.ascii, UTF-8 by convention */
    NVTX_MESSAGE_TYPE_UNICODE = 2,   /* message.unicode */
    NVTX_MESSAGE_TYPE_REGISTERED = 3 /* message.registered, of the same domain */
} nvtxMessageType_t;

typedef union nvtxMessageValue_t {
    const char *ascii;
    const wchar_t *unicode;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;

/* Which member of `payload` is set. Other headers add values. */
typedef enum nvtxPayloadType_t {
    NVTX_PAYLOAD_UNKNOWN = 0, /* payload is ignored */
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
    NVTX_PAYLOAD_TYPE_INT64 = 2,
    NVTX_PAYLOAD_TYPE_DOUBLE = 3,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
    NVTX_PAYLOAD_TYPE_INT32 = 5,
    NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;

/* The attributes of an event. Zero it, set version and size, then what you need:
 *
 *     nvtxEventAttributes_t a = {0};
 *     a.version = NVTX_VERSION;
 *     a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
 *     a.messageType = NVTX_MESSAGE_TYPE_ASCII;
 *     a.message.ascii = "load";
 *
 * The layout has not changed since version 1; tools must accept 1, 2 and 3. */
typedef struct nvtxEventAttributes_v2 {
    uint16_t version;
    uint16_t size;
    uint32_t category;   /* 0 is none; see nvtxNameCategoryA */
    int32_t colorType;   /* nvtxColorType_t */
    uint32_t color;      /* as colorType says */
    int32_t payloadType; /* nvtxPayloadType_t */
    int32_t reserved0;   /* 0, or a count if an extended payload needs one */
    union payload_t {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType; /* nvtxMessageType_t */
    nvtxMessageValue_t message;
} nvtxEventAttributes_v2;
typedef struct nvtxEventAttributes_v2 nvtxEventAttributes_t;

#define NVTX_EVENT_ATTRIB_STRUCT_SIZE                                                  \
    (NVTX_STATIC_CAST(uint16_t, sizeof(nvtxEventAttributes_t)))

/* ---- Attaching ------------------------------------------------------------------- */

/**
 * Attaches the tool now rather than at the first other call.
 *
 * Useful if a first call of some 50 us would disturb a measurement. `reserved` must be
 * NULL.
 *
 * Threads: when several threads make the first call at once, one attaches the tool
 *          and the others wait for it.
 */
NVTX_DECLSPEC void NVTX_API nvtxInitialize(const void *reserved)
    NVTX_LINK_NAME(Initialize);

/* ---- Marks: a point in time ------------------------------------------------------ */

/** Marks this moment in a domain; NULL is the default domain. */
NVTX_DECLSPEC void NVTX_API nvtxDomainMarkEx(nvtxDomainHandle_t domain,
                                             const nvtxEventAttributes_t *eventAttrib)
    NVTX_LINK_NAME(DomainMarkEx);

/** Marks this moment in the default domain. */
NVTX_DECLSPEC void NVTX_API nvtxMarkEx(const nvtxEventAttributes_t *eventAttrib)
    NVTX_LINK_NAME(MarkEx);

/** Marks this moment in the default domain, with a message and nothing else. */
NVTX_DECLSPEC void NVTX_API nvtxMarkA(const char *message) NVTX_LINK_NAME(MarkA);

/** nvtxMarkA in wide characters. */
NVTX_DECLSPEC void NVTX_API nvtxMarkW(const wchar_t *message) NVTX_LINK_NAME(MarkW);

/* ---- Start/end: a range that may overlap others and end on another thread -------- */

/**
 * Starts a range in a domain and returns its id.
 *
 * Any thread may end it, and ranges may cross. A range that nests within its thread
 * is cheaper as push and pop.
 *
 * Errors: returns 0 if nothing records the range; ending 0 is harmless.
 */
NVTX_DECLSPEC nvtxRangeId_t NVTX_API nvtxDomainRangeStartEx(
    nvtxDomainHandle_t domain, const nvtxEventAttributes_t *eventAttrib)
    NVTX_LINK_NAME(DomainRangeStartEx);

/** nvtxDomainRangeStartEx in the default domain. */
NVTX_DECLSPEC nvtxRangeId_t NVTX_API
nvtxRangeStartEx(const nvtxEventAttributes_t *eventAttrib) NVTX_LINK_NAME(RangeStartEx);

/** Starts a range in the default domain, with a message and nothing else. */
NVTX_DECLSPEC nvtxRangeId_t NVTX_API nvtxRangeStartA(const char *message)
    NVTX_LINK_NAME(RangeStartA);

/** nvtxRangeStartA in wide characters. */
NVTX_DECLSPEC nvtxRangeId_t NVTX_API nvtxRangeStartW(const wchar_t *message)
    NVTX_LINK_NAME(RangeStartW);

/** Ends a range that was started in this domain. */
NVTX_DECLSPEC void NVTX_API nvtxDomainRangeEnd(nvtxDomainHandle_t domain,
                                               nvtxRangeId_t id)
    NVTX_LINK_NAME(DomainRangeEnd);

/**
 * Ends a range that was started in the default domain.
 *
 * Ids are unique in the process, and programs use this to end ranges of other domains,
 * too; tools should accept that.
 */
NVTX_DECLSPEC void NVTX_API nvtxRangeEnd(nvtxRangeId_t id) NVTX_LINK_NAME(RangeEnd);

/* ---- Push/pop: a range that nests within its thread ------------------------------ */

/**
 * Opens a range on this thread's stack of a domain; each domain has its own stack.
 *
 * With a tool it returns the depth of the new range, 0 for the outermost. Some tools
 * do not count and return a negative number, so do not make the pop depend on it.
 *
 * Errors: returns NVTX_NO_PUSH_POP_TRACKING if nothing records the range.
 */
NVTX_DECLSPEC int NVTX_API nvtxDomainRangePushEx(
    nvtxDomainHandle_t domain, const nvtxEventAttributes_t *eventAttrib)
    NVTX_LINK_NAME(DomainRangePushEx);

/** nvtxDomainRangePushEx in the default domain. */
NVTX_DECLSPEC int NVTX_API nvtxRangePushEx(const nvtxEventAttributes_t *eventAttrib)
    NVTX_LINK_NAME(RangePushEx);

/** Opens a range in the default domain, with a message and nothing else. */
NVTX_DECLSPEC int NVTX_API nvtxRangePushA(const char *message)
    NVTX_LINK_NAME(RangePushA);

/** nvtxRangePushA in wide characters. */
NVTX_DECLSPEC int NVTX_API nvtxRangePushW(const wchar_t *message)
    NVTX_LINK_NAME(RangePushW);

/**
 * Closes this thread's innermost open range in the domain.
 *
 * With a tool that counts it returns the depth of the range it closed, as the push
 * did, and a negative number if none was open.
 *
 * Errors: returns NVTX_NO_PUSH_POP_TRACKING if nothing records the range.
 */
NVTX_DECLSPEC int NVTX_API nvtxDomainRangePop(nvtxDomainHandle_t domain)
    NVTX_LINK_NAME(DomainRangePop);

/** nvtxDomainRangePop in the default domain. */
NVTX_DECLSPEC int NVTX_API nvtxRangePop(void) NVTX_LINK_NAME(RangePop);

/* ---- Names for things that exist anyway ------------------------------------------ */

#define NVTX_RESOURCE_MAKE_TYPE(CLASS, INDEX)                                          \
    ((NVTX_STATIC_CAST(uint32_t, NVTX_RESOURCE_CLASS_##CLASS) << 16) |                 \
     NVTX_STATIC_CAST(uint32_t, INDEX))

#define NVTX_RESOURCE_CLASS_GENERIC 1

/* What a resource's identifier is. Other headers add classes. */
typedef enum nvtxResourceGenericType_t {
    NVTX_RESOURCE_TYPE_UNKNOWN = 0,
    NVTX_RESOURCE_TYPE_GENERIC_POINTER = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 1),
    NVTX_RESOURCE_TYPE_GENERIC_HANDLE = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 2),
    /* identifier.ullValue is what nvtxNameOsThreadA takes */
    NVTX_RESOURCE_TYPE_GENERIC_THREAD_NATIVE = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 3),
    /* identifier.ullValue is a pthread_t */
    NVTX_RESOURCE_TYPE_GENERIC_THREAD_POSIX = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 4)
} nvtxResourceGenericType_t;

/* An object and its name. Zero it and set version and size, as for events. */
typedef struct nvtxResourceAttributes_v0 {
    uint16_t version;
    uint16_t size;
    int32_t identifierType; /* nvtxResourceGenericType_t, or another class's */
    union identifier_t {
        const void *pValue;
        uint64_t ullValue;
    } identifier;
    int32_t messageType; /* nvtxMessageType_t */
    nvtxMessageValue_t message;
} nvtxResourceAttributes_v0;
typedef struct nvtxResourceAttributes_v0 nvtxResourceAttributes_t;

#define NVTX_RESOURCE_ATTRIB_STRUCT_SIZE                                               \
    (NVTX_STATIC_CAST(uint16_t, sizeof(nvtxResourceAttributes_v0)))

/**
 * Names an object of the program, such as a lock, a queue or a buffer.
 *
 * Ownership: call nvtxDomainResourceDestroy() when the object is destroyed, so that a
 *            later object at the same address does not inherit the name.
 * Errors:    returns NULL without a tool.
 */
NVTX_DECLSPEC nvtxResourceHandle_t NVTX_API
nvtxDomainResourceCreate(nvtxDomainHandle_t domain, nvtxResourceAttributes_t *attribs)
    NVTX_LINK_NAME(DomainResourceCreate);

/** Ends a resource's name; the object itself is not touched. */
NVTX_DECLSPEC void NVTX_API nvtxDomainResourceDestroy(nvtxResourceHandle_t resource)
    NVTX_LINK_NAME(DomainResourceDestroy);

/**
 * Names a category of a domain: the number that events carry in `category`.
 *
 * The program chooses the numbers, which have a meaning only within their domain.
 * Events may use a category before it has a name.
 */
NVTX_DECLSPEC void NVTX_API nvtxDomainNameCategoryA(nvtxDomainHandle_t domain,
                                                    uint32_t category, const char *name)
    NVTX_LINK_NAME(DomainNameCategoryA);

/** nvtxDomainNameCategoryA in wide characters. */
NVTX_DECLSPEC void NVTX_API nvtxDomainNameCategoryW(nvtxDomainHandle_t domain,
                                                    uint32_t category,
                                                    const wchar_t *name)
    NVTX_LINK_NAME(DomainNameCategoryW);

/** Names a category of the default domain. */
NVTX_DECLSPEC void NVTX_API nvtxNameCategoryA(uint32_t category, const char *name)
    NVTX_LINK_NAME(NameCategoryA);

/** nvtxNameCategoryA in wide characters. */
NVTX_DECLSPEC void NVTX_API nvtxNameCategoryW(uint32_t category, const wchar_t *name)
    NVTX_LINK_NAME(NameCategoryW);

/**
 * Names a thread for tools; its name in the system stays as it is.
 *
 * `threadId` is the system's number: gettid() on Linux, GetCurrentThreadId() on
 * Windows. A pthread_t does not fit and names nothing; use
 * NVTX_RESOURCE_TYPE_GENERIC_THREAD_POSIX for it.
 */
NVTX_DECLSPEC void NVTX_API nvtxNameOsThreadA(uint32_t threadId, const char *name)
    NVTX_LINK_NAME(NameOsThreadA);

/** nvtxNameOsThreadA in wide characters. */
NVTX_DECLSPEC void NVTX_API nvtxNameOsThreadW(uint32_t threadId, const wchar_t *name)
    NVTX_LINK_NAME(NameOsThreadW);

/* ---- Registered strings ---------------------------------------------------------- */

/**
 * Registers a string, so that events of the domain can refer to it by handle.
 *
 * A tool then neither hashes nor copies the text at each event. Meant for the few
 * strings in the code, not for text composed at run time: tools keep every string until
 * the process ends, and no call releases one.
 *
 * Ownership: the handle is valid until the domain is destroyed, for events of this
 *            domain only.
 * Errors:    returns NULL without a tool; an event with a NULL handle has no message.
 */
NVTX_DECLSPEC nvtxStringHandle_t NVTX_API
nvtxDomainRegisterStringA(nvtxDomainHandle_t domain, const char *string)
    NVTX_LINK_NAME(DomainRegisterStringA);

/** nvtxDomainRegisterStringA in wide characters. */
NVTX_DECLSPEC nvtxStringHandle_t NVTX_API
nvtxDomainRegisterStringW(nvtxDomainHandle_t domain, const wchar_t *string)
    NVTX_LINK_NAME(DomainRegisterStringW);

/* ---- Domains --------------------------------------------------------------------- */

/**
 * Creates a domain: a separate space of ranges, categories and strings for a library.
 *
 * Domains let users switch a whole library on and off in their tool. Create one per
 * library and keep it; each costs the tool a range stack in every thread that uses it.
 * Libraries that use the same name share one domain.
 *
 * Ownership: nvtxDomainDestroy() ends it; a library that is never unloaded need not
 *            call it.
 * Errors:    returns NULL without a tool. NULL is the default domain, so calls with it
 *            stay valid.
 */
NVTX_DECLSPEC nvtxDomainHandle_t NVTX_API nvtxDomainCreateA(const char *name)
    NVTX_LINK_NAME(DomainCreateA);

/** nvtxDomainCreateA in wide characters. */
NVTX_DECLSPEC nvtxDomainHandle_t NVTX_API nvtxDomainCreateW(const wchar_t *name)
    NVTX_LINK_NAME(DomainCreateW);

/**
 * Ends a domain with its strings, resources and categories.
 *
 * Threads: no other thread may be using the handle or anything created with it.
 */
NVTX_DECLSPEC void NVTX_API nvtxDomainDestroy(nvtxDomainHandle_t domain)
    NVTX_LINK_NAME(DomainDestroy);

/* ---- Names without A or W -------------------------------------------------------- */

#ifdef UNICODE
#define nvtxMark nvtxMarkW
#define nvtxRangeStart nvtxRangeStartW
#define nvtxRangePush nvtxRangePushW
#define nvtxNameCategory nvtxNameCategoryW
#define nvtxNameOsThread nvtxNameOsThreadW
#define nvtxDomainCreate nvtxDomainCreateW
#define nvtxDomainRegisterString nvtxDomainRegisterStringW
#define nvtxDomainNameCategory nvtxDomainNameCategoryW
#else
#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA
#endif

#ifdef __cplusplus
} /* extern "C" */
#endif

#include "nvtxDetail/nvtxTypes.h"
#if !defined(NVTX_NO_IMPL)
#include "nvtxDetail/nvtx_client.h"
#endif

#endif /* NVTX_VERSION */
