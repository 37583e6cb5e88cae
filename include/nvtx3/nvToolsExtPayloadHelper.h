/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvToolsExtPayloadHelper.h - macros that write a payload schema from a list of
 * members.
 *
 *     NVTX_DEFINE_STRUCT_WITH_SCHEMA(position, "Position",
 *         NVTX_PAYLOAD_ENTRIES(
 *             (double, x, TYPE_DOUBLE, "x"),
 *             (double, y, TYPE_DOUBLE, "y", "in metres"),
 *             (char, (label, 24), TYPE_CSTRING, "label", NULL, 24)))
 *
 *     const uint64_t id = NVTX_PAYLOAD_SCHEMA_REGISTER(domain, position);
 *
 * An entry is (member, type, name, description, length, flags, semantics) for an
 * existing struct, and (C type, member, type, ...) for one to be defined. Fields after
 * the type may be omitted from the right. `type` is an NVTX_PAYLOAD_ENTRY_TYPE_* from
 * TYPE_ on, or NVTX_PAYLOAD_NESTED(schema id); `flags` is an NVTX_PAYLOAD_ENTRY_FLAG_*
 * after FLAG_. An array member is (member, elements). At most 16 entries.
 *
 * Needs C99 or C++11: older dialects have no variadic macros, though compilers accept
 * them.
 */
#if defined(NVTX_AS_SYSTEM_HEADER) && defined(__clang__)
#pragma clang system_header
#elif defined(NVTX_AS_SYSTEM_HEADER) && defined(__GNUC__)
#pragma GCC system_header
#endif

#include "nvToolsExtPayload.h"

/* The second is the guard of NVIDIA's copy, whose macros replace these if it comes
 * later. */
#if !defined(NVTX_PAYLOAD_HELPER_H) && !defined(NVTX_EXT_PAYLOAD_HELPER_INTERNAL_H)
#define NVTX_PAYLOAD_HELPER_H

/* ---- To be used ------------------------------------------------------------------ */

/* Precedes the list of entries, for readability. */
#define NVTX_PAYLOAD_ENTRIES

/* The type of an entry that is a struct with a schema (or an enum) of its own. */
#define NVTX_PAYLOAD_NESTED(schemaId) NVTX_SCHEMA_ID_(schemaId)

/* NVTX_DEFINE_SCHEMA_FOR_STRUCT(struct_id, [name, [prefix, [flags, [id,]]]] entries)
 *
 * Defines, in a function or at file scope, `struct_idSchema`, the array of entries, and
 * `struct_idAttr`, the attributes of a static schema. `prefix` is put before both
 * definitions (`static`), and may be empty; flags are NVTX_PAYLOAD_SCHEMA_FLAG_*; the
 * id must be static. */
#define NVTX_DEFINE_SCHEMA_FOR_STRUCT(struct_id, ...)                                  \
    NVTX_PH_CAT(NVTX_PH_SCHEMA_, NVTX_PH_COUNT(__VA_ARGS__))                           \
    (NVTX_PH_ENTRY, struct_id, __VA_ARGS__)

/* The name that NVIDIA's nvtx3.hpp uses. */
#define _NVTX_DEFINE_SCHEMA_FOR_STRUCT NVTX_DEFINE_SCHEMA_FOR_STRUCT

/* The same, after a typedef of the struct. */
#define NVTX_DEFINE_STRUCT_WITH_SCHEMA(struct_id, ...)                                 \
    NVTX_PH_STRUCT(struct_id, NVTX_PH_LAST(__VA_ARGS__))                               \
    NVTX_PH_CAT(NVTX_PH_SCHEMA_, NVTX_PH_COUNT(__VA_ARGS__))                           \
    (NVTX_PH_ENTRY_WITH_C_TYPE, struct_id, __VA_ARGS__)

/* The same, in a function; registers the schema and keeps its id in
 * `struct_id_schemaId`. */
#define NVTX_DEFINE_SCHEMA_FOR_STRUCT_AND_REGISTER(domain, struct_id, ...)             \
    NVTX_DEFINE_SCHEMA_FOR_STRUCT(struct_id, __VA_ARGS__)                              \
    const uint64_t struct_id##_schemaId =                                              \
        nvtxPayloadSchemaRegister(domain, &struct_id##Attr);
#define NVTX_DEFINE_STRUCT_WITH_SCHEMA_AND_REGISTER(domain, struct_id, ...)            \
    NVTX_DEFINE_STRUCT_WITH_SCHEMA(struct_id, __VA_ARGS__)                             \
    const uint64_t struct_id##_schemaId =                                              \
        nvtxPayloadSchemaRegister(domain, &struct_id##Attr);

/* A typedef of a struct alone: NVTX_DEFINE_STRUCT(point, (double, x), (float, f[3])) */
#define NVTX_DEFINE_STRUCT(struct_id, ...) NVTX_PH_STRUCT(struct_id, (__VA_ARGS__))

/* Registers a schema that was defined above; its value is the id. Contains its own
 * semicolon. */
#define NVTX_PAYLOAD_SCHEMA_REGISTER(domain, struct_id)                                \
    nvtxPayloadSchemaRegister(domain, &struct_id##Attr);

/* ---- A schema -------------------------------------------------------------------- */

/* By the number of arguments after struct_id. */
#define NVTX_PH_SCHEMA_1(entry, s, entries)                                            \
    NVTX_PH_SCHEMA(entry, s, NVTX_NULLPTR, , NVTX_PAYLOAD_SCHEMA_FLAG_NONE, 0, 0,      \
                   entries)
#define NVTX_PH_SCHEMA_2(entry, s, name, entries)                                      \
    NVTX_PH_SCHEMA_3(entry, s, name, , entries)
#define NVTX_PH_SCHEMA_3(entry, s, name, prefix, entries)                              \
    NVTX_PH_SCHEMA(entry, s, name, prefix, NVTX_PAYLOAD_SCHEMA_FLAG_NONE, 0,           \
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME, entries)
#define NVTX_PH_SCHEMA_4(entry, s, name, prefix, flags, entries)                       \
    NVTX_PH_SCHEMA(entry, s, name, prefix, flags, 0,                                   \
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME |                               \
                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS,                           \
                   entries)
#define NVTX_PH_SCHEMA_5(entry, s, name, prefix, flags, id, entries)                   \
    NVTX_PH_SCHEMA(entry, s, name, prefix, flags, id,                                  \
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME |                               \
                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS |                          \
                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID,                       \
                   entries)

/* The array ends with a zero entry, which is not counted. */
#define NVTX_PH_SCHEMA(entry, s, name, prefix, flags, id, mask, entries)               \
    prefix nvtxPayloadSchemaEntry_t s##Schema[] = {                                    \
        NVTX_PH_EACH(entry, s, NVTX_PH_OPEN entries){                                  \
            0, 0, NVTX_NULLPTR, NVTX_NULLPTR, 0, 0, NVTX_NULLPTR, NVTX_NULLPTR}};      \
    prefix nvtxPayloadSchemaAttr_t s##Attr = {                                         \
        NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES | \
            NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |                               \
            NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE | (mask),                       \
        name,                                                                          \
        NVTX_PAYLOAD_SCHEMA_TYPE_STATIC,                                               \
        flags,                                                                         \
        s##Schema,                                                                     \
        NVTX_PH_COUNT(NVTX_PH_OPEN entries),                                           \
        sizeof(s),                                                                     \
        0,                                                                             \
        id,                                                                            \
        NVTX_NULLPTR};

/* ---- An entry -------------------------------------------------------------------- */

#define NVTX_PH_ENTRY(s, e)                                                            \
    NVTX_PH_CAT(NVTX_PH_ENTRY_, NVTX_PH_COUNT(NVTX_PH_OPEN e))(s, NVTX_PH_OPEN e)
#define NVTX_PH_ENTRY_WITH_C_TYPE(s, e) NVTX_PH_ENTRY(s, (NVTX_PH_WITHOUT_C_TYPE e))
#define NVTX_PH_WITHOUT_C_TYPE(c_type, member, ...) NVTX_PH_NAME(member), __VA_ARGS__

/* An extra expansion, so that the result of NVTX_PH_OPEN counts as several arguments.
 */
#define NVTX_PH_ENTRY_2(...) NVTX_PH_INIT_2(__VA_ARGS__)
#define NVTX_PH_ENTRY_3(...) NVTX_PH_INIT_3(__VA_ARGS__)
#define NVTX_PH_ENTRY_4(...) NVTX_PH_INIT_4(__VA_ARGS__)
#define NVTX_PH_ENTRY_5(...) NVTX_PH_INIT_5(__VA_ARGS__)
#define NVTX_PH_ENTRY_6(...) NVTX_PH_INIT_6(__VA_ARGS__)
#define NVTX_PH_ENTRY_7(...) NVTX_PH_INIT_7(__VA_ARGS__)

#define NVTX_PH_INIT_2(s, member, type)                                                \
    NVTX_PH_INIT_6(s, member, type, NVTX_NULLPTR, NVTX_NULLPTR, 0, UNUSED)
#define NVTX_PH_INIT_3(s, member, type, name)                                          \
    NVTX_PH_INIT_6(s, member, type, name, NVTX_NULLPTR, 0, UNUSED)
#define NVTX_PH_INIT_4(s, member, type, name, description)                             \
    NVTX_PH_INIT_6(s, member, type, name, description, 0, UNUSED)
#define NVTX_PH_INIT_5(s, member, type, name, description, length)                     \
    NVTX_PH_INIT_6(s, member, type, name, description, length, UNUSED)
#define NVTX_PH_INIT_6(s, member, type, name, description, length, flags)              \
    NVTX_PH_INIT_7(s, member, type, name, description, length, flags, NVTX_NULLPTR)
#define NVTX_PH_INIT_7(s, member, type, name, description, length, flags, semantics)   \
    {NVTX_PAYLOAD_ENTRY_FLAG_##flags,                                                  \
     NVTX_PAYLOAD_ENTRY_##type,                                                        \
     name,                                                                             \
     description,                                                                      \
     length,                                                                           \
     offsetof(s, member),                                                              \
     semantics,                                                                        \
     NVTX_NULLPTR},

/* What NVTX_PAYLOAD_NESTED becomes where a type is expected. */
#define NVTX_PAYLOAD_ENTRY_NVTX_SCHEMA_ID_(schemaId) schemaId

/* ---- A struct -------------------------------------------------------------------- */

#define NVTX_PH_STRUCT(s, entries)                                                     \
    typedef struct {                                                                   \
        NVTX_PH_EACH(NVTX_PH_MEMBER, s, NVTX_PH_OPEN entries)                          \
    } s;
#define NVTX_PH_MEMBER(s, e) NVTX_PH_MEMBER_ e
#define NVTX_PH_MEMBER_(c_type, ...) c_type NVTX_PH_DECLARATOR(__VA_ARGS__, ~);

/* A member is `name` or `(name, elements)`. */
#define NVTX_PH_DECLARATOR(member, ...)                                                \
    NVTX_PH_CAT(NVTX_PH_DECLARATOR_, NVTX_PH_IS_LIST(member))(member)
#define NVTX_PH_DECLARATOR_0(name) name
#define NVTX_PH_DECLARATOR_1(list) NVTX_PH_ARRAY list
#define NVTX_PH_ARRAY(name, elements) name[elements]

#define NVTX_PH_NAME(member) NVTX_PH_CAT(NVTX_PH_NAME_, NVTX_PH_IS_LIST(member))(member)
#define NVTX_PH_NAME_0(name) name
#define NVTX_PH_NAME_1(list) NVTX_PH_FIRST list
#define NVTX_PH_FIRST(name, elements) name

/* ---- Lists of arguments ---------------------------------------------------------- */

#define NVTX_PH_CAT(a, b) NVTX_PH_CAT_(a, b)
#define NVTX_PH_CAT_(a, b) a##b

/* (a, b) without its parentheses. */
#define NVTX_PH_OPEN(...) __VA_ARGS__

/* 1 for something in parentheses, else 0. */
#define NVTX_PH_IS_LIST(x) NVTX_PH_SECOND(NVTX_PH_PROBE x, 0, ~)
#define NVTX_PH_PROBE(...) ~, 1
#define NVTX_PH_SECOND(...) NVTX_PH_SECOND_(__VA_ARGS__)
#define NVTX_PH_SECOND_(a, b, ...) b

/* The last of at most 5. */
#define NVTX_PH_LAST(...)                                                              \
    NVTX_PH_CAT(NVTX_PH_LAST_, NVTX_PH_COUNT(__VA_ARGS__))(__VA_ARGS__)
#define NVTX_PH_LAST_1(a) a
#define NVTX_PH_LAST_2(a, b) b
#define NVTX_PH_LAST_3(a, b, c) c
#define NVTX_PH_LAST_4(a, b, c, d) d
#define NVTX_PH_LAST_5(a, b, c, d, e) e

/* How many there are, at most 16. */
#define NVTX_PH_COUNT(...)                                                             \
    NVTX_PH_COUNT_(__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, \
                   ~)
#define NVTX_PH_COUNT_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, count, ...) count

/* what(s, a) what(s, b) ... */
#define NVTX_PH_EACH(what, s, ...)                                                     \
    NVTX_PH_CAT(NVTX_PH_EACH_, NVTX_PH_COUNT(__VA_ARGS__))(what, s, __VA_ARGS__)
#define NVTX_PH_EACH_1(w, s, a) w(s, a)
#define NVTX_PH_EACH_2(w, s, a, ...) w(s, a) NVTX_PH_EACH_1(w, s, __VA_ARGS__)
#define NVTX_PH_EACH_3(w, s, a, ...) w(s, a) NVTX_PH_EACH_2(w, s, __VA_ARGS__)
#define NVTX_PH_EACH_4(w, s, a, ...) w(s, a) NVTX_PH_EACH_3(w, s, __VA_ARGS__)
#define NVTX_PH_EACH_5(w, s, a, ...) w(s, a) NVTX_PH_EACH_4(w, s, __VA_ARGS__)
#define NVTX_PH_EACH_6(w, s, a, ...) w(s, a) NVTX_PH_EACH_5(w, s, __VA_ARGS__)
#define NVTX_PH_EACH_7(w, s, a, ...) w(s, a) NVTX_PH_EACH_6(w, s, __VA_ARGS__)
#define NVTX_PH_EACH_8(w, s, a, ...) w(s, a) NVTX_PH_EACH_7(w, s, __VA_ARGS__)
#define NVTX_PH_EACH_9(w, s, a, ...) w(s, a) NVTX_PH_EACH_8(w, s, __VA_ARGS__)
#define NVTX_PH_EACH_10(w, s, a, ...) w(s, a) NVTX_PH_EACH_9(w, s, __VA_ARGS__)
#define NVTX_PH_EACH_11(w, s, a, ...) w(s, a) NVTX_PH_EACH_10(w, s, __VA_ARGS__)
#define NVTX_PH_EACH_12(w, s, a, ...) w(s, a) NVTX_PH_EACH_11(w, s, __VA_ARGS__)
#define NVTX_PH_EACH_13(w, s, a, ...) w(s, a) NVTX_PH_EACH_12(w, s, __VA_ARGS__)
#define NVTX_PH_EACH_14(w, s, a, ...) w(s, a) NVTX_PH_EACH_13(w, s, __VA_ARGS__)
#define NVTX_PH_EACH_15(w, s, a, ...) w(s, a) NVTX_PH_EACH_14(w, s, __VA_ARGS__)
#define NVTX_PH_EACH_16(w, s, a, ...) w(s, a) NVTX_PH_EACH_15(w, s, __VA_ARGS__)

#endif /* NVTX_PAYLOAD_HELPER_H */
