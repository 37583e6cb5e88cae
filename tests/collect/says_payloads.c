/* SPDX-License-Identifier: Apache-2.0 */
/* says_payloads.c - uses every construct of NVTX's payload extension once, as a mark or
 * range each. same_trace.sh compares the decoded payloads, with our headers and with
 * NVIDIA's. */
#include <nvtx3/nvToolsExtPayload.h>

#include <stddef.h>
#include <string.h>

#define FIRST NVTX_PAYLOAD_SCHEMA_ID_STATIC_START
#define COUNT(array) (sizeof(array) / sizeof *(array))
#define TYPE(name) NVTX_PAYLOAD_ENTRY_TYPE_##name
#define FLAG(name) NVTX_PAYLOAD_ENTRY_FLAG_##name
#if !defined(NVTX_PAYLOAD_ENTRY_TYPE_RANGE_ID) /* before 13.5 */
#define NVTX_PAYLOAD_ENTRY_TYPE_RANGE_ID 67
#endif
#define STATIC_SIZE NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE

static nvtxDomainHandle_t domain;
static uint64_t next_id = FIRST;

/* --- saying ----------------------------------------------------------------------- */

typedef nvtxPayloadSchemaEntry_t entry;

static uint64_t schema(const char *name, uint64_t type, uint64_t flags,
                       const entry *entries, size_t n, size_t size, size_t pack)
{
    nvtxPayloadSchemaAttr_t a;

    memset(&a, 0, sizeof a);
    a.fieldMask =
        NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
        NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
        NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
        NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID | (size ? STATIC_SIZE : 0) |
        (pack ? NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ALIGNMENT : 0);
    a.name = name;
    a.type = type;
    a.flags = flags;
    a.entries = entries;
    a.numEntries = n;
    a.payloadStaticSize = size;
    a.packAlign = pack;
    a.schemaId = next_id;
    nvtxPayloadSchemaRegister(domain, &a);
    return next_id++;
}

#define STRUCT(name, flags, entries, type)                                             \
    schema(name, NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, flags, entries, COUNT(entries),      \
           sizeof(type), 0)
#define DYNAMIC(name, entries)                                                         \
    schema(name, NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC, 0, entries, COUNT(entries), 0, 0)

static nvtxEventAttributes_t event(const char *name)
{
    nvtxEventAttributes_t a;

    memset(&a, 0, sizeof a);
    a.version = NVTX_VERSION;
    a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    a.messageType = NVTX_MESSAGE_TYPE_ASCII;
    a.message.ascii = name;
    return a;
}

static void say_all(const char *name, const nvtxPayloadData_t *data, size_t n)
{
    nvtxEventAttributes_t a = event(name);

    a.payloadType = NVTX_PAYLOAD_TYPE_EXT;
    a.reserved0 = (int32_t)n;
    a.payload.ullValue = (uint64_t)(uintptr_t)data;
    nvtxDomainMarkEx(domain, &a);
}

static void say(const char *name, uint64_t id, const void *payload, size_t size)
{
    nvtxPayloadData_t data;

    data.schemaId = id;
    data.size = size;
    data.payload = payload;
    say_all(name, &data, 1);
}

/* --- types ------------------------------------------------------------------------ */

static void say_numbers(void)
{
    struct numbers {
        char c;
        unsigned char uc;
        short s;
        unsigned short us;
        int i;
        unsigned u;
        long l;
        unsigned long ul;
        long long ll;
        unsigned long long ull;
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        int32_t i32;
        uint32_t u32;
        int64_t i64;
        uint64_t u64;
        float f;
        double d;
        long double ld;
        size_t size;
        const void *address;
        wchar_t wide;
        char c8;
        uint16_t c16;
        uint32_t c32;
        unsigned char byte;
        __int128 i128;
        unsigned __int128 u128;
        uint16_t half;
        float f32;
        double f64;
        uint16_t brain;
        uint32_t tf32;
    };
#define ENTRY(type, member)                                                            \
    {                                                                                  \
        0, TYPE(type), #member, 0, 0, offsetof(struct numbers, member), 0, 0           \
    }
    static const entry entries[] = {
        ENTRY(CHAR, c),        ENTRY(UCHAR, uc),        ENTRY(SHORT, s),
        ENTRY(USHORT, us),     ENTRY(INT, i),           ENTRY(UINT, u),
        ENTRY(LONG, l),        ENTRY(ULONG, ul),        ENTRY(LONGLONG, ll),
        ENTRY(ULONGLONG, ull), ENTRY(INT8, i8),         ENTRY(UINT8, u8),
        ENTRY(INT16, i16),     ENTRY(UINT16, u16),      ENTRY(INT32, i32),
        ENTRY(UINT32, u32),    ENTRY(INT64, i64),       ENTRY(UINT64, u64),
        ENTRY(FLOAT, f),       ENTRY(DOUBLE, d),        ENTRY(LONGDOUBLE, ld),
        ENTRY(SIZE, size),     ENTRY(ADDRESS, address), ENTRY(WCHAR, wide),
        ENTRY(CHAR8, c8),      ENTRY(CHAR16, c16),      ENTRY(CHAR32, c32),
        ENTRY(BYTE, byte),     ENTRY(INT128, i128),     ENTRY(UINT128, u128),
        ENTRY(FLOAT16, half),  ENTRY(FLOAT32, f32),     ENTRY(FLOAT64, f64),
        ENTRY(BF16, brain),    ENTRY(TF32, tf32),
    };
#undef ENTRY
    struct numbers n;
    const uint64_t id = STRUCT("numbers", 0, entries, struct numbers);

    memset(&n, 0, sizeof n);
    say("zeros", id, &n, sizeof n);
    n.c = 'A', n.uc = 200, n.s = -2, n.us = 65535, n.i = -3, n.u = 4000000000u;
    n.l = -5, n.ul = 6, n.ll = -7, n.ull = UINT64_MAX, n.i8 = -128, n.u8 = 255;
    n.i16 = -32768, n.u16 = 65535, n.i32 = INT32_MIN, n.u32 = UINT32_MAX;
    n.i64 = INT64_MIN, n.u64 = UINT64_MAX, n.f = 0.1f, n.d = 0.1, n.ld = 1.5L;
    n.size = 4096, n.address = (const void *)0x1234, n.wide = L'\u00e9', n.c8 = 'B';
    n.c16 = 0x20ac, n.c32 = 0x1f680, n.byte = 0xab, n.i128 = -1;
    n.u128 = (unsigned __int128)UINT64_MAX << 64 | 1, n.half = 0x3e00, n.f32 = -2.5f;
    n.f64 = 1e300, n.brain = 0x3fc0, n.tf32 = 0x3fc00000;
    say("numbers", id, &n, sizeof n);
}

static void say_own_types(void)
{
    struct own {
        uint64_t range;
        uint32_t category, color;
        uint64_t scope;
        uint32_t pid;
        uint64_t pid64;
        uint32_t tid;
        uint64_t tid64;
        nvtxStringHandle_t string;
    };
#define ENTRY(type, member)                                                            \
    {                                                                                  \
        0, TYPE(type), #member, 0, 0, offsetof(struct own, member), 0, 0               \
    }
    static const entry entries[] = {
        ENTRY(RANGE_ID, range),
        ENTRY(CATEGORY, category),
        ENTRY(COLOR_ARGB, color),
        ENTRY(SCOPE_ID, scope),
        ENTRY(PID_UINT32, pid),
        ENTRY(PID_UINT64, pid64),
        ENTRY(TID_UINT32, tid),
        ENTRY(TID_UINT64, tid64),
        ENTRY(NVTX_REGISTERED_STRING_HANDLE, string),
    };
#undef ENTRY
    nvtxScopeAttr_t rack, node;
    struct own o;
    const uint64_t id = STRUCT("own", 0, entries, struct own);

    memset(&rack, 0, sizeof rack);
    rack.structSize = sizeof rack;
    rack.path = "rack[7]";
    rack.parentScope = NVTX_SCOPE_ROOT;
    rack.scopeId = NVTX_SCOPE_ID_STATIC_START;
    node = rack;
    node.path = "node[a\\/b]/GPU[0]";
    node.parentScope = nvtxScopeRegister(domain, &rack);
    node.scopeId = NVTX_SCOPE_NONE;
    nvtxDomainNameCategoryA(domain, 9, "ninth");
    memset(&o, 0, sizeof o);
    o.range = 77, o.category = 9, o.color = 0xff112233;
    o.scope = nvtxScopeRegister(domain, &node);
    o.pid = 1234, o.pid64 = 5678, o.tid = 4321, o.tid64 = 8765;
    o.string = nvtxDomainRegisterStringA(domain, "registered");
    say("own types", id, &o, sizeof o);
    o.category = 10, o.color = 0, o.scope = NVTX_SCOPE_CURRENT_HW_MACHINE, o.string = 0;
    say("own types, nothing known", id, &o, sizeof o);
}

/* --- strings ---------------------------------------------------------------------- */

static void say_strings(void)
{
    struct strings {
        char fixed[8];
        uint16_t utf16[4];
        uint32_t utf32[4];
        const char *pointer;
    };
    static const entry entries[] = {
        {0, TYPE(CSTRING), "fixed", "eight characters", 8, 0, 0, 0},
        {0, TYPE(CSTRING_UTF16), "utf16", 0, 4, offsetof(struct strings, utf16), 0, 0},
        {0, TYPE(CSTRING_UTF32), "utf32", 0, 4, offsetof(struct strings, utf32), 0, 0},
        {FLAG(POINTER) | FLAG(DEEP_COPY) | FLAG(ARRAY_ZERO_TERMINATED),
         TYPE(CSTRING_UTF8), "pointer", 0, 0, offsetof(struct strings, pointer), 0, 0},
    };
    static const entry dynamic[] = {
        {FLAG(ARRAY_ZERO_TERMINATED), TYPE(CSTRING), "first", 0, 0, 0, 0, 0},
        {FLAG(ARRAY_ZERO_TERMINATED), TYPE(CSTRING), "second", 0, 0, 0, 0, 0},
        {0, TYPE(UINT8), "length", 0, 0, 0, 0, 0},
        {FLAG(ARRAY_LENGTH_INDEX), TYPE(CSTRING), "third", 0, 2, 0, 0, 0},
    };
    struct strings s;
    const uint64_t id =
        STRUCT("strings", NVTX_PAYLOAD_SCHEMA_FLAG_DEEP_COPY, entries, struct strings);
    const uint64_t dynamic_id = DYNAMIC("dynamic strings", dynamic);

    memset(&s, 0, sizeof s);
    memcpy(s.fixed, "12345678", 8);
    s.utf16[0] = 0x20ac, s.utf16[1] = 0xd83d, s.utf16[2] = 0xde80;
    s.utf32[0] = 0x1f680, s.utf32[1] = 'x';
    s.pointer = "behind a pointer";
    say("strings", id, &s, sizeof s);
    memcpy(s.fixed, "1\0\0\0\0\0\0", 8);
    s.pointer = NULL;
    say("strings, short", id, &s, sizeof s);
    say("dynamic strings", dynamic_id, "one\0two\0\5three", 14);
    say("a string", TYPE(CSTRING), "all of it", NVTX_STATIC_CAST(size_t, -1));
    say("a string of a size", TYPE(CSTRING_UTF8), "all of it", 3);
}

/* --- structs ---------------------------------------------------------------------- */

struct inner {
    int16_t a;
    int32_t b;
};

static uint64_t inner_schema(void)
{
    static const entry entries[] = {
        {0, TYPE(INT16), "a", 0, 0, 0, 0, 0}, /* where alignment puts them */
        {0, TYPE(INT32), "b", 0, 0, 0, 0, 0},
    };

    return STRUCT("inner", 0, entries, struct inner);
}

static void say_structs(uint64_t inner)
{
    struct outer {
        uint8_t first;
        struct inner one;
        struct inner two[2];
        uint8_t last;
    };
    struct __attribute__((packed)) packed {
        uint8_t byte;
        uint32_t word;
        uint64_t wide;
    };
    const entry nested[] = {
        {0, TYPE(UINT8), "first", 0, 0, 0, 0, 0},
        {0, inner, "one", 0, 0, 0, 0, 0},
        {FLAG(ARRAY_FIXED_SIZE), inner, "two", 0, 2, 0, 0, 0},
        {FLAG(HIDE), TYPE(UINT8), "last", "hidden", 0, 0, 0, 0},
        {0, TYPE(UINT8), 0, "without a name", 0, offsetof(struct outer, last), 0, 0},
    };
    static const entry packed[] = {
        {0, TYPE(UINT8), "byte", 0, 0, 0, 0, 0},
        {0, TYPE(UINT32), "word", 0, 0, 0, 0, 0},
        {0, TYPE(UINT64), "wide", 0, 0, 0, 0, 0},
    };
    const struct outer o = {1, {-2, 3}, {{4, 5}, {6, 7}}, 8};
    const struct packed p = {1, 2, 3};
    const uint64_t id = STRUCT("outer", 0, nested, struct outer);

    say("nested", id, &o, sizeof o);
    say("nested, size left to the tool", id, &o, NVTX_STATIC_CAST(size_t, -1));
    say("nested, cut", id, &o, 8);
    say("packed",
        schema("packed", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, 0, packed, 3, sizeof p, 1),
        &p, sizeof p);
}

static void say_unions(uint64_t inner)
{
    union value {
        int64_t i;
        double d;
        struct inner s;
    };
    struct external {
        union value value;
        int32_t which;
    };
    struct internal {
        uint32_t which;
        union value value;
    };
    const entry members[] = {
        {0, TYPE(INT64), "i", 0, 0, 0, 0, 0},
        {0, TYPE(DOUBLE), "d", 0, 0, 0, 0, 0},
        {0, inner, "s", 0, 0, 0, 0, 0},
    };
    const entry with_selector[] = {
        {0, TYPE(UNION_SELECTOR), "which", 0, 0, 0, 0, 0},
        {0, TYPE(INT64), "i", 0, 0, offsetof(struct internal, value), 0, 0},
        {0, TYPE(DOUBLE), "d", 0, 0, offsetof(struct internal, value), 0, 0},
    };
    const uint64_t members_id = schema("value", NVTX_PAYLOAD_SCHEMA_TYPE_UNION, 0,
                                       members, 3, sizeof(union value), 0);
    const entry external[] = {
        {0, members_id, "value", 0, 1, 0, 0, 0},
        {0, TYPE(INT32), "which", 0, 0, 0, 0, 0},
    };
    const uint64_t id = STRUCT("external", 0, external, struct external);
    const uint64_t internal_id =
        schema("internal", NVTX_PAYLOAD_SCHEMA_TYPE_UNION_WITH_INTERNAL_SELECTOR, 0,
               with_selector, 3, sizeof(struct internal), 0);
    struct external e;
    struct internal n;

    memset(&e, 0, sizeof e);
    memset(&n, 0, sizeof n);
    e.value.i = -5;
    say("union, its first", id, &e, sizeof e);
    e.value.d = 0.5, e.which = 1;
    say("union, its second", id, &e, sizeof e);
    e.value.s.a = 1, e.value.s.b = 2, e.which = 2;
    say("union, its third", id, &e, sizeof e);
    e.which = 3;
    say("union, none of its", id, &e, sizeof e);
    n.which = 2, n.value.d = 2.5;
    say("union with its selector", internal_id, &n, sizeof n);
}

/* --- arrays ----------------------------------------------------------------------- */

static void say_arrays(uint64_t inner)
{
    struct fixed {
        int16_t three[3];
        double one;
    };
    struct dimensions {
        uint64_t n[2];
        uint64_t at;
    };
    const entry fixed[] = {
        {FLAG(ARRAY_FIXED_SIZE), TYPE(INT16), "three", 0, 3, 0, 0, 0},
        {0, TYPE(DOUBLE), "one", 0, 0, 0, 0, 0},
    };
    const entry terminated[] = {
        {FLAG(ARRAY_ZERO_TERMINATED), TYPE(UINT16), "numbers", 0, 0, 0, 0, 0},
        {0, TYPE(UINT16), "behind", 0, 0, 0, 0, 0},
    };
    const entry counted[] = {
        {0, TYPE(UINT32), "n", 0, 0, 0, 0, 0},
        {FLAG(ARRAY_LENGTH_INDEX), inner, "them", 0, 0, 0, 0, 0},
    };
    const entry matrix[] = {
        {FLAG(ARRAY_FIXED_SIZE), TYPE(UINT16), "dimensions", 0, 2, 0, 0, 0},
        {FLAG(ARRAY_LENGTH_INDEX), TYPE(INT32), "matrix", 0, 0, 0, 0, 0},
    };
    const entry offsets[] = {
        {FLAG(OFFSET_FROM_BASE) | FLAG(ARRAY_FIXED_SIZE), TYPE(UINT8), "from base", 0,
         4, 0, 0, 0},
        {FLAG(OFFSET_FROM_HERE) | FLAG(ARRAY_FIXED_SIZE), TYPE(UINT8), "from here", 0,
         4, 8, 0, 0},
    };
    const struct fixed f = {{1, -2, 3}, 0.25};
    const uint16_t numbers[] = {7, 8, 9, 0, 10};
    const struct {
        uint32_t n;
        struct inner them[2];
    } c = {2, {{1, 2}, {3, 4}}};
    const struct {
        uint16_t n[2];
        int32_t them[6];
    } m = {{2, 3}, {1, 2, 3, 4, 5, 6}};
    struct {
        uint64_t from_base, from_here;
        uint8_t bytes[8];
    } o = {16, 4, {1, 2, 3, 4, 5, 6, 7, 8}};

    say("fixed", STRUCT("fixed", 0, fixed, struct fixed), &f, sizeof f);
    say("terminated", DYNAMIC("terminated", terminated), numbers, sizeof numbers);
    say("counted", DYNAMIC("counted", counted), &c, sizeof c);
    say("matrix", DYNAMIC("matrix", matrix), &m, sizeof m);
    say("offsets", DYNAMIC("offsets", offsets), &o, sizeof o);
}

/* Arrays in payloads of their own, with their dimensions in others. */
static void say_several(void)
{
    struct pointing {
        const int32_t *numbers;
        uint64_t n;
    };
    const entry pointing[] = {
        {FLAG(POINTER) | FLAG(ARRAY_LENGTH_INDEX), TYPE(INT32), "numbers", 0, 1, 0, 0,
         0},
        {0, TYPE(UINT64), "n", 0, 0, 8, 0, 0},
    };
    const entry array[] = {
        {FLAG(ARRAY_LENGTH_PAYLOAD_INDEX), TYPE(INT32), "array", 0, 1, 0, 0, 0},
    };
    const entry dimensions[] = {
        {FLAG(ARRAY_FIXED_SIZE), TYPE(UINT64), "dimensions", 0, 2, 0, 0, 0},
    };
    const int32_t numbers[] = {1, 2, 3, 4, 5, 6};
    const uint64_t by[] = {3, 2};
    const struct pointing p = {numbers + 1, 3};
    const double scalar = 1.5;
    nvtxPayloadData_t data[3];

    memset(data, 0, sizeof data);
    data[0].schemaId = STRUCT("pointing", 0, pointing, struct pointing);
    data[0].size = sizeof p;
    data[0].payload = &p;
    data[1].schemaId = NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED;
    data[1].size = sizeof numbers;
    data[1].payload = numbers;
    say_all("pointer into another payload", data, 2);
    data[0].schemaId = DYNAMIC("array", array);
    data[0].size = sizeof numbers;
    data[0].payload = numbers;
    data[1].schemaId = STRUCT("dimensions", 0, dimensions, uint64_t[2]);
    data[1].size = sizeof by;
    data[1].payload = by;
    data[2].schemaId = TYPE(DOUBLE);
    data[2].size = sizeof scalar;
    data[2].payload = &scalar;
    say_all("dimensions in another payload", data, 3);
    say("raw", NVTX_TYPE_PAYLOAD_SCHEMA_RAW, numbers, 5);
    say("nothing", TYPE(INT32), numbers, 0);
    say("an unknown schema", FIRST + 5000, numbers, 4);
}

static void say_deep(void)
{
    struct leaf {
        int32_t n;
        const char *name;
    };
    struct tree {
        const struct leaf *leaf;
        const struct leaf *leaves;
        uint32_t n_leaves;
    };
    const entry leaf[] = {
        {0, TYPE(INT32), "n", 0, 0, 0, 0, 0},
        {FLAG(POINTER) | FLAG(DEEP_COPY) | FLAG(ARRAY_ZERO_TERMINATED), TYPE(CSTRING),
         "name", 0, 0, 0, 0, 0},
    };
    const uint64_t leaf_id =
        STRUCT("leaf", NVTX_PAYLOAD_SCHEMA_FLAG_DEEP_COPY, leaf, struct leaf);
    const entry tree[] = {
        {FLAG(POINTER) | FLAG(DEEP_COPY), leaf_id, "leaf", 0, 0, 0, 0, 0},
        {FLAG(POINTER) | FLAG(DEEP_COPY) | FLAG(ARRAY_LENGTH_INDEX), leaf_id, "leaves",
         0, 2, 0, 0, 0},
        {0, TYPE(UINT32), "n_leaves", 0, 0, 0, 0, 0},
    };
    const struct leaf leaves[] = {{1, "first"}, {2, "second"}, {3, NULL}};
    const struct tree t = {&leaves[1], leaves, 3};

    say("deep", STRUCT("tree", NVTX_PAYLOAD_SCHEMA_FLAG_DEEP_COPY, tree, struct tree),
        &t, sizeof t);
}

/* A text without a length is a pointer; a negative length is zero. */
static void say_deep_without_length(void)
{
    struct loose {
        int32_t a;
        const char *s;
        double b;
        int32_t n;
        const int32_t *none;
    };
    const entry entries[] = {
        {0, TYPE(INT32), "a", 0, 0, 0, 0, 0},
        {FLAG(DEEP_COPY), TYPE(CSTRING), "s", 0, 0, 0, 0, 0},
        {0, TYPE(DOUBLE), "b", 0, 0, 0, 0, 0},
        {0, TYPE(INT32), "n", 0, 0, 0, 0, 0},
        {FLAG(POINTER) | FLAG(DEEP_COPY) | FLAG(ARRAY_LENGTH_INDEX), TYPE(INT32),
         "none", 0, 3, 0, 0, 0},
    };
    const struct loose l = {7, "pointed to", 2.5, -1, &l.n};

    say("deep, without a length",
        STRUCT("loose", NVTX_PAYLOAD_SCHEMA_FLAG_DEEP_COPY, entries, struct loose), &l,
        sizeof l);
}

/* The selector's size determines where its successor lies. */
static void say_deep_behind_selector(void)
{
    struct tagged {
        uint32_t which;
        const char *name;
    };
    const entry entries[] = {
        {0, TYPE(UNION_SELECTOR), "which", 0, 0, 0, 0, 0},
        {FLAG(POINTER) | FLAG(DEEP_COPY) | FLAG(ARRAY_ZERO_TERMINATED), TYPE(CSTRING),
         "name", 0, 0, 0, 0, 0},
    };
    const struct tagged t = {1, "behind a selector"};

    say("deep, behind a selector",
        STRUCT("tagged", NVTX_PAYLOAD_SCHEMA_FLAG_DEEP_COPY, entries, struct tagged),
        &t, sizeof t);
}

/* --- enums ------------------------------------------------------------------------ */

static void say_enums(void)
{
    struct file {
        uint8_t kind;
        uint32_t mode;
    };
    static const nvtxPayloadEnum_t kinds[] = {{"plain", 0, 0}, {"folder", 1, 0}};
    static const nvtxPayloadEnum_t modes[] = {
        {"read", 1, 1}, {"write", 2, 1}, {"run", 4, 1}, {"none", 0, 0}};
    nvtxPayloadEnumAttr_t a;
    entry entries[2];
    struct file f = {1, 5};
    uint64_t id;

    memset(&a, 0, sizeof a);
    memset(entries, 0, sizeof entries);
    a.fieldMask =
        NVTX_PAYLOAD_ENUM_ATTR_FIELD_NAME | NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES |
        NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES | NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE |
        NVTX_PAYLOAD_ENUM_ATTR_FIELD_SCHEMA_ID;
    a.name = "kind";
    a.entries = kinds;
    a.numEntries = 2;
    a.sizeOfEnum = 1;
    a.schemaId = next_id++;
    entries[0].type = nvtxPayloadEnumRegister(domain, &a);
    entries[0].name = "kind";
    a.name = "mode";
    a.entries = modes;
    a.numEntries = 4;
    a.sizeOfEnum = 4;
    a.schemaId = 0;
    entries[1].type = nvtxPayloadEnumRegister(domain, &a);
    entries[1].name = "mode";
    id = STRUCT("file", 0, entries, struct file);
    say("enums", id, &f, sizeof f);
    f.kind = 9, f.mode = 11;
    say("enums, values without a name", id, &f, sizeof f);
    f.kind = 0, f.mode = 0;
    say("enums, zeros", id, &f, sizeof f);
    say("an enum as a payload", entries[0].type, &f.kind, 1);
}

/* --- events ----------------------------------------------------------------------- */

static void say_events(void)
{
    struct whole {
        uint32_t color, category;
        int64_t n;
        char name[8];
    };
    const entry entries[] = {
        {0, TYPE(COLOR_ARGB), "color", 0, 0, 0, 0, 0},
        {0, TYPE(CATEGORY), "category", 0, 0, 0, 0, 0},
        {0, TYPE(INT64), "n", 0, 0, 0, 0, 0},
        {FLAG(EVENT_MESSAGE), TYPE(CSTRING), "name", 0, 8, 0, 0, 0},
    };
    struct whole w = {0xffaabbcc, 9, 1, "mark"};
    nvtxPayloadData_t data;
    nvtxEventAttributes_t a = event("attributes and a payload");
    nvtxRangeId_t range;

    data.schemaId = STRUCT("whole", 0, entries, struct whole);
    data.size = sizeof w;
    data.payload = &w;
    nvtxMarkPayload(domain, &data, 1);
    memcpy(w.name, "push", 5), w.n = 2;
    nvtxRangePushPayload(domain, &data, 1);
    memcpy(w.name, "pop", 4), w.n = 3;
    nvtxRangePopPayload(domain, &data, 1);
    memcpy(w.name, "start", 6), w.n = 4;
    range = nvtxRangeStartPayload(domain, &data, 1);
    memcpy(w.name, "end", 4), w.n = 5;
    nvtxRangeEndPayload(domain, range, &data, 1);
    a.category = 3;
    a.colorType = NVTX_COLOR_ARGB;
    a.color = 0xff00ff00;
    data.schemaId = TYPE(INT64);
    data.size = 8;
    data.payload = &w.n;
    a.payloadType = NVTX_PAYLOAD_TYPE_EXT;
    a.reserved0 = 1;
    a.payload.ullValue = (uint64_t)(uintptr_t)&data;
    nvtxDomainRangePushEx(domain, &a);
    nvtxRangePopPayload(domain, &data, 1);
    range = nvtxDomainRangeStartEx(domain, &a);
    nvtxRangeEndPayload(domain, range, &data, 1);
    nvtxDomainMarkEx(NULL, &a);
    nvtxMarkPayload(NULL, &data, 1);
}

/* The last message and the last category count. */
static void say_twice(void)
{
    const entry entries[] = {
        {FLAG(EVENT_MESSAGE), TYPE(CSTRING), "first", 0, 8, 0, 0, 0},
        {FLAG(EVENT_MESSAGE), TYPE(CSTRING), "second", 0, 8, 0, 0, 0},
    };
    static const char messages[2][8] = {"one", "two"};
    static const uint32_t categories[] = {3, 4};
    nvtxPayloadData_t data[3];

    data[0].schemaId = data[1].schemaId = TYPE(CATEGORY);
    data[0].size = data[1].size = sizeof categories[0];
    data[0].payload = &categories[0];
    data[1].payload = &categories[1];
    data[2].schemaId = STRUCT("messages", 0, entries, char[2][8]);
    data[2].size = sizeof messages;
    data[2].payload = messages;
    nvtxMarkPayload(domain, data, 3);
}

int main(void)
{
    uint64_t inner;

    domain = nvtxDomainCreateA("payloads");
    say_numbers();
    say_own_types();
    say_strings();
    inner = inner_schema();
    say_structs(inner);
    say_unions(inner);
    say_arrays(inner);
    say_several();
    say_deep();
    say_deep_without_length();
    say_deep_behind_selector();
    say_enums();
    say_events();
    say_twice();
    return 0;
}
