/* SPDX-License-Identifier: Apache-2.0 */
/* test_payload_decode.c - decodes bytes to values by schemas: a case for each
 * construct, with its whole JSON. Addresses are those of this program. */
#include "base/fail.h"
#include "format/registry_lookup.h"
#include "payload_builder.h"
#include "temp_trace.h"
#include "trace/open/load.h"
#include "trace/payload/payload_decode.h"
#include "trace/payload/payload_json.h"

#define ID(n) (RLN__FIRST_SCHEMA_ID + (n))
#define PID 100
#define TID 101

/* A process with schemas, and an event's segments. */
struct world {
    struct tb tb;
    struct tb_chunk names;
    struct rln__payload_segment segments[10];
    size_t n, n_payloads;
};

static struct world begin(void)
{
    struct world w = {.n = 0};

    (void)tb_part(&w.tb, 11);
    return w;
}

/* The chunk of names, in the world's current location, not that during begin(). */
static struct tb_chunk *names(struct world *w)
{
    if (!w->names.tb) {
        w->names = tb_names(&w->tb, 1);
        (void)tb_process(&w->names, 1, 0, PID);
        tb_string(&w->names, 1, "io");
        tb_domain(&w->names, 1, 1);
        tb_string(&w->names, 2, "hello");
        tb_attributes_full(&w->names, 7, 1, 0, 0, 2, rln__types(0, 0, 3));
        tb_string(&w->names, 3, "disk");
        tb_category(&w->names, 1, 5, 3);
    }
    return &w->names;
}

static void add_schema(struct world *w, struct pb_schema s,
                       const struct pb_entry *entries, size_t n)
{
    s.domain = 1;
    pb_schema(names(w), s, entries, n);
}

#define SCHEMA(w, schema, ...)                                                         \
    do {                                                                               \
        const struct pb_entry entries_[] = {__VA_ARGS__};                              \
        add_schema(w, (struct pb_schema)schema, entries_, RLN_COUNT(entries_));        \
    } while (0)
#define S(...)                                                                         \
    {                                                                                  \
        __VA_ARGS__                                                                    \
    }
/* Flags, type, name, then perhaps detail and offset. */
#define E(...) E_(__VA_ARGS__, 0, 0, 0)
#define E_(flags, type, name, detail, offset, ...)                                     \
    {                                                                                  \
        flags, type, name, detail, offset                                              \
    }

static void segment(struct world *w, uint64_t schema, const void *bytes, size_t n_kept,
                    uint32_t n_given)
{
    w->segments[w->n++] = (struct rln__payload_segment){
        bytes, schema, (uint64_t)(uintptr_t)bytes, (uint32_t)n_kept, n_given};
}

static void payload(struct world *w, uint64_t schema, const void *bytes, size_t n)
{
    segment(w, schema, bytes, n, (uint32_t)n);
    w->n_payloads = w->n;
}

static void memory(struct world *w, const void *bytes, size_t n)
{
    segment(w, 0, bytes, n, (uint32_t)n);
}

/* The world as a seed of fuzz/fuzz_payload.c, if RLN_SEEDS names a folder. */
static void write_seed(const struct world *w)
{
    static int n_written;
    const char *folder = getenv("RLN_SEEDS");
    const size_t begin = w->names.end - TB_CHUNK_BYTES + RLN__CHUNK_HEADER_BYTES;
    const size_t n_names = (w->names.at - begin) / 8;
    uint64_t word = rln__pair32(n_names, w->n_payloads);
    uint64_t words[64];
    char path[4096];
    FILE *file;

    if (!folder)
        return;
    (void)snprintf(path, sizeof(path), "%s/%02d", folder, n_written++);
    file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(&word, 8, 1, file), 1);
    assert_int_equal(fwrite(w->tb.bytes + begin, 8, n_names, file), n_names);
    for (size_t i = 0; i < w->n; i++) {
        const struct rln__payload_segment *p = &w->segments[i];
        const size_t n =
            pb_segment(words, p->schema, p->address, p->bytes, p->n_kept, p->n_given);

        assert_int_equal(fwrite(words, 8, n, file), n);
    }
    (void)fclose(file);
}

static void decode(struct world *w, struct rln__buf *json, struct rln__buf *text)
{
    const struct rln__payload_segments segments = {w->segments, w->n, w->n,
                                                   w->n_payloads};
    struct rln__decoder decoder = {.n_fields = 0};
    struct rln__payload_context where = {
        .ticks = TB_START + 1000, .domain_id = 1, .pid = PID, .tid = TID};
    rln_reader *reader;
    rln_error err = {0};

    (void)names(w);
    write_seed(w);
    assert_int_equal(open_bytes(w->tb.bytes, w->tb.size, &reader, &err), RLN_OK);
    where.names = &reader->names;
    where.process = rln__names_process(&reader->names, 0, 1);
    where.types = rln__registry_types(&reader->names, where.process, RLN__CLOCK_TSC);
    assert_int_equal(rln__decode(&decoder, &where, &segments, &err), RLN_OK);
    assert_int_equal(decoder.n_payloads, w->n_payloads);
    (void)rln__json_of_payloads(json, decoder.payloads, decoder.n_payloads);
    rln__buf_char(json, '\0');
    for (size_t i = 0; i < decoder.n_payloads; i++) {
        rln__buf_text(text, i ? " " : "");
        rln__text_of_payload(text, &decoder.payloads[i]);
    }
    rln__buf_char(text, '\0');
    rln__decoder_clear(&decoder);
    rln_reader_close(reader);
    tb_clear(&w->tb);
}

/* `text` may be NULL. */
static void check(struct world *w, const char *json, const char *text)
{
    struct rln__buf got_json = {0}, got_text = {0};

    decode(w, &got_json, &got_text);
    assert_string_equal(got_json.bytes, json);
    if (text)
        assert_string_equal(got_text.bytes, text);
    rln__buf_clear(&got_json);
    rln__buf_clear(&got_text);
}

/* --- Structs ---------------------------------------------------------------------- */

static void a_struct_has_its_entries_in_order(void **state)
{
    const struct {
        int32_t a;
        double b;
        uint64_t c;
    } value = {-1, 0.5, UINT64_MAX};
    struct world w = begin();

    (void)state;
    SCHEMA(&w, S(.name = "pair", .id = ID(1), .type = RLN__SCHEMA_STATIC),
           E(0, RLN__TYPE_INT32, "a"), E(0, RLN__TYPE_DOUBLE, "b"),
           E(0, RLN__TYPE_UINT64, "c"));
    payload(&w, ID(1), &value, sizeof(value));
    check(&w,
          "[{\"schema\":\"pair\",\"value\":{\"a\":-1,\"b\":0.5,"
          "\"c\":18446744073709551615}}]",
          "pair{a=-1, b=0.5, c=18446744073709551615}");
}

static void names_that_are_missing_or_repeated_become_numbers(void **state)
{
    const uint8_t value[4] = {1, 2, 3, 4};
    struct world w = begin();

    (void)state;
    SCHEMA(&w, S(.id = ID(1), .type = RLN__SCHEMA_STATIC), E(0, RLN__TYPE_UINT8, NULL),
           E(0, RLN__TYPE_UINT8, "x"), E(0, RLN__TYPE_UINT8, ""),
           E(0, RLN__TYPE_UINT8, "x"));
    payload(&w, ID(1), value, sizeof(value));
    check(&w,
          "[{\"schema_id\":16777217,\"value\":{\"0\":1,\"x\":2,\"2\":3,\"x#3\":4}}]",
          "{1, x=2, 3, x=4}");
}

static void explicit_offsets_win_over_alignment(void **state)
{
    const uint8_t value[16] = {1, 0, 2, 0, 3, 0, 0, 0, 4, 5};
    struct world w = begin();

    (void)state;
    SCHEMA(&w, S(.name = "s", .id = ID(1), .type = RLN__SCHEMA_STATIC),
           E(0, RLN__TYPE_UINT8, "a", 0, 8), E(0, RLN__TYPE_UINT8, "b"),
           E(0, RLN__TYPE_UINT16, "c", 0, 2), E(0, RLN__TYPE_UINT32, "d"));
    payload(&w, ID(1), value, sizeof(value));
    check(&w, "[{\"schema\":\"s\",\"value\":{\"a\":4,\"b\":5,\"c\":2,\"d\":3}}]", NULL);
}

static void packed_structs_have_no_gaps(void **state)
{
    const uint8_t value[15] = {1, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4, 0};
    const struct {
        uint8_t a;
        uint32_t b;
    } natural = {6, 7};
    struct world w = begin();

    (void)state;
    SCHEMA(
        &w,
        S(.name = "packed", .id = ID(1), .type = RLN__SCHEMA_STATIC, .pack_align = 1),
        E(0, RLN__TYPE_UINT8, "a"), E(0, RLN__TYPE_INT, "b"), E(0, RLN__TYPE_LONG, "c"),
        E(0, RLN__TYPE_SHORT, "d"));
    SCHEMA(&w, S(.name = "natural", .id = ID(2), .type = RLN__SCHEMA_STATIC),
           E(0, RLN__TYPE_UINT8, "a"), E(0, RLN__TYPE_UINT32, "b"));
    payload(&w, ID(1), value, sizeof(value));
    payload(&w, ID(2), &natural, sizeof(natural));
    check(&w,
          "[{\"schema\":\"packed\",\"value\":{\"a\":1,\"b\":2,\"c\":3,\"d\":4}},"
          "{\"schema\":\"natural\",\"value\":{\"a\":6,\"b\":7}}]",
          "packed{a=1, b=2, c=3, d=4} natural{a=6, b=7}");
}

static void structs_nest(void **state)
{
    const struct {
        uint8_t tag;
        struct {
            uint16_t x, y;
        } at[2];
        uint8_t last;
    } value = {1, {{2, 3}, {4, 5}}, 6};
    struct world w = begin();

    (void)state;
    SCHEMA(&w, S(.name = "point", .id = ID(2), .type = RLN__SCHEMA_STATIC),
           E(0, RLN__TYPE_UINT16, "x"), E(0, RLN__TYPE_UINT16, "y"));
    SCHEMA(&w, S(.name = "line", .id = ID(1), .type = RLN__SCHEMA_STATIC),
           E(0, RLN__TYPE_UINT8, "tag"), E(0x10, ID(2), "at", 2),
           E(0, RLN__TYPE_UINT8, "last"));
    payload(&w, ID(1), &value, sizeof(value));
    check(&w,
          "[{\"schema\":\"line\",\"value\":{\"tag\":1,\"at\":[{\"x\":2,\"y\":3},"
          "{\"x\":4,\"y\":5}],\"last\":6}}]",
          "line{tag=1, at=[{x=2, y=3}, {x=4, y=5}], last=6}");
}

static void several_structs_are_an_array(void **state)
{
    const uint16_t value[6] = {1, 2, 3, 4, 5, 6};
    struct world w = begin();

    (void)state;
    SCHEMA(&w,
           S(.name = "point", .id = ID(2), .type = RLN__SCHEMA_STATIC, .size_bytes = 4),
           E(0, RLN__TYPE_UINT16, "x"), E(0, RLN__TYPE_UINT16, "y"));
    payload(&w, ID(2), value, sizeof(value));
    check(&w,
          "[{\"schema\":\"point\",\"value\":[{\"x\":1,\"y\":2},{\"x\":3,\"y\":4},"
          "{\"x\":5,\"y\":6}]}]",
          "point=[{x=1, y=2}, {x=3, y=4}, {x=5, y=6}]");
}

/* --- Types ------------------------------------------------------------------------ */

static void numbers_of_all_types(void **state)
{
    static const struct {
        uint64_t type;
        const char *bytes;
        size_t n;
        const char *json;
    } cases[] = {
        {RLN__TYPE_UCHAR, "\xff", 1, "255"},
        {RLN__TYPE_SHORT, "\xfe\xff", 2, "-2"},
        {RLN__TYPE_USHORT, "\xfe\xff", 2, "65534"},
        {RLN__TYPE_INT, "\xfd\xff\xff\xff", 4, "-3"},
        {RLN__TYPE_UINT, "\xfd\xff\xff\xff", 4, "4294967293"},
        {RLN__TYPE_LONG, "\xff\xff\xff\xff\xff\xff\xff\xff", 8, "-1"},
        {RLN__TYPE_ULONGLONG, "\xff\xff\xff\xff\xff\xff\xff\xff", 8,
         "18446744073709551615"},
        {RLN__TYPE_INT8, "\x80", 1, "-128"},
        {RLN__TYPE_INT64, "\0\0\0\0\0\0\0\x80", 8, "-9223372036854775808"},
        {RLN__TYPE_SIZE, "\x01\0\0\0\0\0\0\0", 8, "1"},
        {RLN__TYPE_FLOAT, "\xcd\xcc\xcc\x3d", 4, "0.1"},
        {RLN__TYPE_DOUBLE, "\x9a\x99\x99\x99\x99\x99\xb9\x3f", 8, "0.1"},
        {RLN__TYPE_DOUBLE, "\0\0\0\0\0\0\xf0\xff", 8, "\"-inf\""},
        {RLN__TYPE_LONGDOUBLE, "\0\0\0\0\0\0\0\xc0\x00\x40\0\0\0\0\0\0", 16, "3"},
        {RLN__TYPE_LONGDOUBLE, "\0\0\0\0\0\0\0\x80\xff\xff\0\0\0\0\0\0", 16,
         "\"-inf\""},
        {RLN__TYPE_FLOAT16, "\x00\x3c", 2, "1"},
        {RLN__TYPE_FLOAT16, "\x01\x00", 2, "5.9604645e-08"},
        {RLN__TYPE_FLOAT16, "\x00\xfc", 2, "\"-inf\""},
        {RLN__TYPE_FLOAT32, "\0\0\x20\xc0", 4, "-2.5"},
        {RLN__TYPE_FLOAT64, "\0\0\0\0\0\0\x04\xc0", 8, "-2.5"},
        {RLN__TYPE_FLOAT128, "\0\0\0\0\0\0\0\0\0\0\0\0\0\x80\x00\xc0", 16, "-3"},
        {RLN__TYPE_FLOAT128,
         "\x9a\x99\x99\x99\x99\x99\x99\x99\x99\x99\x99\x99\x99\x99\xfb\x3f", 16, "0.1"},
        {RLN__TYPE_BF16, "\x40\x40", 2, "3"},
        {RLN__TYPE_TF32, "\0\0\xc0\x3f", 4, "1.5"},
        {RLN__TYPE_INT128,
         "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
         "\xff\xff",
         16, "\"-1\""},
        {RLN__TYPE_INT128, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80", 16,
         "\"-170141183460469231731687303715884105728\""},
        {RLN__TYPE_UINT128,
         "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
         "\xff\xff",
         16, "\"340282366920938463463374607431768211455\""},
        {RLN__TYPE_ADDRESS, "\xef\xbe\xad\xde\0\0\0\0", 8, "\"0xdeadbeef\""},
        {RLN__TYPE_CHAR, "A", 1, "\"A\""},
        {RLN__TYPE_CHAR, "", 1, "\"\""},
        {RLN__TYPE_WCHAR, "\xac\x20\0\0", 4, "\"\xe2\x82\xac\""},
        {RLN__TYPE_CHAR8, "z", 1, "\"z\""},
        {RLN__TYPE_CHAR16, "\xe9\0", 2, "\"\xc3\xa9\""},
        {RLN__TYPE_CHAR32, "\x00\xf6\x01\0", 4, "\"\xf0\x9f\x98\x80\""},
        {RLN__TYPE_CHAR16, "\x00\xd8", 2,
         "\"\xef\xbf\xbd\""}, /* an unpaired surrogate */
        {RLN__TYPE_BYTE, "\x0f", 1, "\"0f\""},
        {RLN__TYPE_RANGE_ID, "\x09\0\0\0\0\0\0\0", 8, "9"},
        {RLN__TYPE_CATEGORY, "\x05\0\0\0", 4, "\"disk\""},
        {RLN__TYPE_CATEGORY, "\x06\0\0\0", 4, "6"},
        {RLN__TYPE_COLOR, "\x33\x22\x11\xff", 4, "\"#ff112233\""},
        {RLN__TYPE_PID32, "\x2a\0\0\0", 4, "42"},
        {RLN__TYPE_TID64, "\x2b\0\0\0\0\0\0\0", 8, "43"},
        {RLN__TYPE_SCOPE, "\x15\0\0\0\0\0\0\0", 8, "\"process[100]\""},
        {RLN__TYPE_SCOPE, "\x16\0\0\0\0\0\0\0", 8, "\"thread[101]\""},
        {RLN__TYPE_SCOPE, "\x01\0\0\0\0\0\0\0", 8, "\"root\""},
        {RLN__TYPE_SCOPE, "\x63\0\0\0\0\0\0\0", 8, "99"},
        {RLN__TYPE_STRING_HANDLE, "\x70\0\0\x10\0\0\xb2\xd2", 8, "\"hello\""},
        {RLN__TYPE_STRING_HANDLE, "\0\0\0\0\0\0\0\0", 8, "null"},
        {RLN__TYPE_STRING_HANDLE, "\x34\x12\0\0\0\0\0\0", 8, "\"0x1234\""},
    };

    (void)state;
    for (size_t i = 0; i < RLN_COUNT(cases); i++) {
        struct world w = begin();
        char expected[256];

        SCHEMA(&w, S(.name = "s", .id = ID(1), .type = RLN__SCHEMA_STATIC),
               E(0, cases[i].type, "v"));
        payload(&w, ID(1), cases[i].bytes, cases[i].n);
        (void)snprintf(expected, sizeof(expected),
                       "[{\"schema\":\"s\",\"value\":{\"v\":%s}}]", cases[i].json);
        check(&w, expected, NULL);
    }
}

static void enums_are_shown_by_name_and_sets_by_their_bits(void **state)
{
    static const struct pb_value op[] = {{"sum", 0, 0}, {"min", (uint64_t)-1, 0}};
    static const struct pb_value mode[] = {{"R", 1, 1}, {"W", 2, 1}, {"RW", 3, 1}};
    const struct {
        int32_t op[3];
        uint8_t mode[4];
    } value = {{0, -1, 7}, {3, 9, 0, 8}};
    struct world w = begin();

    (void)state;
    pb_enum(names(&w), 1, "op", ID(2), 4, op, RLN_COUNT(op));
    pb_enum(names(&w), 1, "mode", ID(3), 1, mode, RLN_COUNT(mode));
    SCHEMA(&w, S(.name = "s", .id = ID(1), .type = RLN__SCHEMA_STATIC),
           E(0x10, ID(2), "op", 3), E(0x10, ID(3), "mode", 4));
    payload(&w, ID(1), &value, sizeof(value));
    check(&w,
          "[{\"schema\":\"s\",\"value\":{\"op\":[\"sum\",\"min\",7],"
          "\"mode\":[\"RW\",\"R|0x8\",0,8]}}]",
          "s{op=[sum, min, 7], mode=[RW, R|0x8, 0, 8]}");
}

static void scopes_are_shown_as_paths(void **state)
{
    const uint64_t value[6] = {ID(9), ID(10), ID(11), ID(12), ID(13), ID(14)};
    struct world w = begin();

    (void)state;
    pb_scope(names(&w), 1, ID(9), 21, "pool/worker[3]");
    pb_scope(names(&w), 1, ID(10), ID(9), "queue");
    pb_scope(names(&w), 1, ID(11), 1, "cluster");
    pb_scope(names(&w), 1, ID(12), ID(12), "x");    /* its own parent */
    pb_scope(names(&w), 1, ID(13), 1, "//node[1]"); /* leading slashes are ignored */
    pb_scope(names(&w), 1, ID(14), ID(13), "/disk");
    SCHEMA(&w, S(.name = "s", .id = ID(1), .type = RLN__SCHEMA_STATIC),
           E(0x10, RLN__TYPE_SCOPE, "at", 6));
    payload(&w, ID(1), value, sizeof(value));
    check(&w,
          "[{\"schema\":\"s\",\"value\":{\"at\":[\"process[100]/pool/worker[3]\","
          "\"process[100]/pool/worker[3]/queue\",\"cluster\",\"x\","
          "\"node[1]\",\"node[1]/disk\"]}}]",
          NULL);
}

static void a_predefined_type_is_a_schema_too(void **state)
{
    const int32_t numbers[3] = {1, 2, 3};
    const double one = 0.25;
    struct world w = begin();

    (void)state;
    payload(&w, RLN__TYPE_INT32, numbers, sizeof(numbers));
    payload(&w, RLN__TYPE_DOUBLE, &one, sizeof(one));
    payload(&w, RLN__TYPE_CSTRING_UTF8, "text\0more", 9);
    payload(&w, RLN__TYPE_CSTRING_UTF16, "h\0i\0", 4);
    payload(&w, RLN__TYPE_RAW, "\x00\xff\x7f", 3);
    payload(&w, RLN__TYPE_INT32, numbers, 0); /* ignored */
    payload(&w, RLN__TYPE_CSTRING, "", 1);
    payload(&w, RLN__TYPE_REFERENCED, "seen by others only", 19);
    payload(&w, RLN__TYPE_INT32, numbers, 11); /* with a rest that is ignored */
    check(&w,
          "[{\"schema\":\"int32\",\"value\":[1,2,3]},"
          "{\"schema\":\"double\",\"value\":0.25},"
          "{\"schema\":\"utf8\",\"value\":\"text\"},"
          "{\"schema\":\"utf16\",\"value\":\"hi\"},"
          "{\"schema\":\"raw\",\"value\":\"00ff7f\"},"
          "{\"schema\":\"string\",\"value\":\"\"},"
          "{\"schema\":\"int32\",\"value\":[1,2]}]",
          NULL);
}

/* --- Texts ------------------------------------------------------------------------ */

static void texts_have_a_length_or_an_end(void **state)
{
    static const char value[] = "fixed\0\0\0end\0xyz\0\0\0h\0i\0\0\0"
                                "chars\0..";
    struct world w = begin();

    (void)state;
    SCHEMA(
        &w, S(.name = "s", .id = ID(1), .type = RLN__SCHEMA_DYNAMIC, .pack_align = 1),
        E(0, RLN__TYPE_CSTRING, "fixed", 8), E(0x20, RLN__TYPE_CSTRING_UTF8, "end"),
        E(0x10, RLN__TYPE_CSTRING, "six", 6), E(0x20, RLN__TYPE_CSTRING_UTF16, "wide"),
        E(0x10, RLN__TYPE_CHAR, "chars", 8));
    payload(&w, ID(1), value, sizeof(value) - 1);
    check(&w,
          "[{\"schema\":\"s\",\"value\":{\"fixed\":\"fixed\",\"end\":\"end\","
          "\"six\":\"xyz\",\"wide\":\"hi\",\"chars\":\"chars\"}}]",
          "s{fixed=\"fixed\", end=\"end\", six=\"xyz\", wide=\"hi\", chars=\"chars\"}");
}

static void arrays_of_texts(void **state)
{
    static const char value[] = "one\0two\0\0\0\0\0"
                                "\x07";
    struct world w = begin();

    (void)state;
    SCHEMA(&w,
           S(.name = "s", .id = ID(1), .type = RLN__SCHEMA_DYNAMIC, .pack_align = 1),
           E(0x20, RLN__TYPE_CSTRING, "names", 4), E(0, RLN__TYPE_UINT8, "last"));
    payload(&w, ID(1), value, sizeof(value) - 1);
    check(&w, "[{\"schema\":\"s\",\"value\":{\"names\":[\"one\",\"two\"],\"last\":7}}]",
          NULL);
}

static void a_text_of_a_length_elsewhere(void **state)
{
    static const char value[] = "\x03\0\0\0abcdef";
    struct world w = begin();

    (void)state;
    SCHEMA(&w, S(.name = "s", .id = ID(1), .type = RLN__SCHEMA_DYNAMIC),
           E(0, RLN__TYPE_INT32, "n"), E(0x30, RLN__TYPE_CSTRING, "text", 0),
           E(0x10, RLN__TYPE_BYTE, "rest", 3));
    payload(&w, ID(1), value, sizeof(value) - 1);
    check(&w,
          "[{\"schema\":\"s\",\"value\":{\"n\":3,\"text\":\"abc\","
          "\"rest\":\"646566\"}}]",
          NULL);
}

/* NVTX has no inline text of length 0. */
static void a_text_without_a_length_is_a_pointer(void **state)
{
    static const char deep[] = "pointed to";
    static const uint16_t shared[] = {'s', 'h', 'a', 'r', 'e', 'd', 0};
    const struct {
        int32_t a;
        const char *s;
        double b;
        const uint16_t *fixed;
        uint8_t last;
    } value = {7, deep, 2.5, shared, 9};
    struct world w = begin();

    (void)state;
    SCHEMA(&w, S(.name = "S", .id = ID(1), .type = RLN__SCHEMA_STATIC),
           E(0, RLN__TYPE_INT32, "a"), E(0x100, RLN__TYPE_CSTRING, "s"),
           E(0, RLN__TYPE_DOUBLE, "b"), E(0x10, RLN__TYPE_CSTRING_UTF16, "fixed"),
           E(0, RLN__TYPE_UINT8, "last"));
    payload(&w, ID(1), &value, sizeof(value));
    payload(&w, RLN__TYPE_REFERENCED, shared, sizeof(shared));
    memory(&w, deep, sizeof(deep));
    check(&w,
          "[{\"schema\":\"S\",\"value\":{\"a\":7,\"s\":\"pointed to\",\"b\":2.5,"
          "\"fixed\":\"shared\",\"last\":9}}]",
          NULL);
}

/* --- Lengths, as NVTX specifies them ---------------------------------------------- */

static const struct length {
    const char *what;
    uint64_t flags, type;
    int64_t n;
    const char *json; /* of a pointer to "abc", four bytes */
} lengths[] = {
    {"a text", 0x32, RLN__TYPE_CSTRING, 2, "\"ab\""},
    {"an empty text", 0x32, RLN__TYPE_CSTRING, 0, "\"\""},
    {"a text of a negative length", 0x32, RLN__TYPE_CSTRING_UTF8, -1, "\"\""},
    {"a text up to its terminator", 0x32, RLN__TYPE_CSTRING, 4, "\"abc\""},
    {"a text of wide units", 0x32, RLN__TYPE_CSTRING_UTF16, 2,
     "\"\xe6\x89\xa1"
     "c\""},
    {"an array", 0x32, RLN__TYPE_UINT8, 2, "[97,98]"},
    {"an empty array", 0x32, RLN__TYPE_UINT8, 0, "[]"},
    {"an array of a negative length", 0x32, RLN__TYPE_UINT8, INT64_MIN, "[]"},
    {"bytes", 0x32, RLN__TYPE_BYTE, 2, "\"6162\""},
    {"no bytes", 0x32, RLN__TYPE_BYTE, 0, "\"\""},
    {"an empty array at an offset", 0x34, RLN__TYPE_UINT8, 0, "[]"},
    {"the length in a payload", 0x42, RLN__TYPE_UINT8, 2, "[97,98]"},
    {"no length in a payload", 0x42, RLN__TYPE_UINT8, 0, "[]"},
    {"a negative length in a payload", 0x42, RLN__TYPE_CSTRING, -5, "\"\""},
};

/* If nothing is pointed to, nothing of it was copied; its address may be anything. */
static void lengths_are_what_they_are_specified_to_be(void **state)
{
    static const char text[] = "abc";

    (void)state;
    for (size_t i = 0; i < RLN_COUNT(lengths); i++) {
        const struct length *l = &lengths[i];
        const int is_in_payload = (l->flags & 0x70) == 0x40;

        for (int is_null = 0; is_null <= (l->n <= 0); is_null++) {
            const struct {
                int64_t n;
                const char *data;
            } value = {l->n, is_null ? NULL : text};
            struct world w = begin();
            char json[128];

            SCHEMA(&w, S(.name = "S", .id = ID(1), .type = RLN__SCHEMA_STATIC),
                   E(0x200, RLN__TYPE_INT64, "n"),
                   E(l->flags, l->type, "data", is_in_payload ? 1 : 0));
            payload(&w, ID(1), &value, sizeof(value));
            payload(&w, RLN__TYPE_INT64, &value.n, sizeof(value.n));
            if (l->n > 0)
                memory(&w, text, sizeof(text));
            (void)snprintf(json, sizeof(json),
                           "[{\"schema\":\"S\",\"value\":{\"n\":%lld,\"data\":%s}},"
                           "{\"schema\":\"int64\",\"value\":%lld}]",
                           (long long)l->n, l->json, (long long)l->n);
            print_message("%s\n", l->what);
            check(&w, json, NULL);
        }
    }
}

/* --- Arrays ----------------------------------------------------------------------- */

static void arrays_end_with_a_zero_or_have_their_length_elsewhere(void **state)
{
    const struct {
        uint64_t wide[3][2];
        uint16_t zero[4];
        uint32_t n;
        float of[3];
        uint8_t last;
    } value = {{{8, 0}, {9, 0}, {0, 0}}, {5, 6, 7, 0}, 3, {0.5f, 1.5f, 2.5f}, 9};
    struct world w = begin();

    (void)state;
    SCHEMA(&w, S(.name = "s", .id = ID(1), .type = RLN__SCHEMA_DYNAMIC),
           E(0x20, RLN__TYPE_UINT128, "wide"), E(0x20, RLN__TYPE_UINT16, "zero"),
           E(0, RLN__TYPE_UINT32, "n"), E(0x30, RLN__TYPE_FLOAT, "of", 2),
           E(0, RLN__TYPE_UINT8, "last"));
    payload(&w, ID(1), &value, sizeof(value));
    check(&w,
          "[{\"schema\":\"s\",\"value\":{\"wide\":[\"8\",\"9\"],\"zero\":[5,6,7],"
          "\"n\":3,\"of\":[0.5,1.5,2.5],\"last\":9}}]",
          NULL);
}

static void several_dimensions_nest(void **state)
{
    const struct {
        uint8_t shape[2];
        uint16_t of[6];
    } value = {{2, 3}, {1, 2, 3, 4, 5, 6}};
    const struct {
        uint8_t shape[3]; /* up to a zero */
        uint8_t of[4];
    } to_zero = {{2, 2, 0}, {1, 2, 3, 4}};
    struct world w = begin();

    (void)state;
    SCHEMA(&w, S(.name = "a", .id = ID(1), .type = RLN__SCHEMA_DYNAMIC),
           E(0x10, RLN__TYPE_UINT8, "shape", 2), E(0x30, RLN__TYPE_UINT16, "of", 0));
    SCHEMA(&w, S(.name = "b", .id = ID(2), .type = RLN__SCHEMA_DYNAMIC),
           E(0x20, RLN__TYPE_UINT8, "shape"), E(0x30, RLN__TYPE_UINT8, "of", 0));
    payload(&w, ID(1), &value, sizeof(value));
    payload(&w, ID(2), &to_zero, sizeof(to_zero));
    check(&w,
          "[{\"schema\":\"a\",\"value\":{\"shape\":[2,3],\"of\":[[1,2,3],[4,5,6]]}},"
          "{\"schema\":\"b\",\"value\":{\"shape\":[2,2],\"of\":[[1,2],[3,4]]}}]",
          NULL);
}

static void a_payload_has_the_length_of_anothers_array(void **state)
{
    const float numbers[4] = {1, 2, 3, 4};
    const uint64_t n = 4;
    const uint32_t shape[2] = {2, 2};
    struct world w = begin();

    (void)state;
    SCHEMA(&w, S(.name = "a", .id = ID(1), .type = RLN__SCHEMA_DYNAMIC),
           E(0x40, RLN__TYPE_FLOAT, "of", 2));
    SCHEMA(&w, S(.name = "b", .id = ID(2), .type = RLN__SCHEMA_DYNAMIC),
           E(0x40, RLN__TYPE_FLOAT, "of", 3));
    SCHEMA(&w, S(.name = "shape", .id = ID(3), .type = RLN__SCHEMA_STATIC),
           E(0x10, RLN__TYPE_UINT32, "of", 2));
    payload(&w, ID(1), numbers, sizeof(numbers));
    payload(&w, ID(2), numbers, sizeof(numbers));
    payload(&w, RLN__TYPE_UINT64, &n, sizeof(n));
    payload(&w, ID(3), shape, sizeof(shape));
    check(&w,
          "[{\"schema\":\"a\",\"value\":{\"of\":[1,2,3,4]}},"
          "{\"schema\":\"b\",\"value\":{\"of\":[[1,2],[3,4]]}},"
          "{\"schema\":\"uint64\",\"value\":4},"
          "{\"schema\":\"shape\",\"value\":{\"of\":[2,2]}}]",
          NULL);
}

/* --- Unions ----------------------------------------------------------------------- */

static void the_entry_names_the_selector_of_a_union(void **state)
{
    const struct {
        int32_t which;
        union {
            int32_t i;
            float f;
        } u;
        uint32_t last;
    } value = {1, {.f = 1.5f}, 7};
    struct world w = begin();

    (void)state;
    SCHEMA(&w, S(.name = "u", .id = ID(2), .type = RLN__SCHEMA_UNION, .size_bytes = 4),
           E(0, RLN__TYPE_INT32, "i"), E(0, RLN__TYPE_FLOAT, "f"));
    SCHEMA(&w, S(.name = "s", .id = ID(1), .type = RLN__SCHEMA_STATIC),
           E(0, RLN__TYPE_INT32, "which"), E(0, ID(2), "u", 0),
           E(0, RLN__TYPE_UINT32, "last"));
    payload(&w, ID(1), &value, sizeof(value));
    check(&w,
          "[{\"schema\":\"s\",\"value\":{\"which\":1,\"u\":{\"f\":1.5},\"last\":7}}]",
          "s{which=1, u={f=1.5}, last=7}");
}

static void a_union_has_its_selector_inside(void **state)
{
    const struct {
        uint32_t which;
        union {
            uint32_t i;
            float f;
        } u;
    } value[2] = {{1, {.i = 5}}, {2, {.f = 2.5f}}};
    struct world w = begin();

    (void)state;
    SCHEMA(&w,
           S(.name = "u", .id = ID(2), .type = RLN__SCHEMA_UNION_INTERNAL,
             .size_bytes = 8),
           E(0, RLN__TYPE_SELECTOR, "which"), E(0, RLN__TYPE_UINT32, "i", 0, 4),
           E(0, RLN__TYPE_FLOAT, "f", 0, 4));
    SCHEMA(&w, S(.name = "s", .id = ID(1), .type = RLN__SCHEMA_STATIC),
           E(0x10, ID(2), "u", 2));
    payload(&w, ID(1), value, sizeof(value));
    check(&w, "[{\"schema\":\"s\",\"value\":{\"u\":[{\"i\":5},{\"f\":2.5}]}}]", NULL);
}

static void members_of_a_union_may_have_the_selector(void **state)
{
    const struct {
        uint32_t which;
        float f;
    } value = {1, 2.5f};
    struct world w = begin();

    (void)state;
    SCHEMA(&w, S(.name = "int", .id = ID(2), .type = RLN__SCHEMA_STATIC),
           E(0, RLN__TYPE_SELECTOR, "which"), E(0, RLN__TYPE_UINT32, "i"));
    SCHEMA(&w, S(.name = "float", .id = ID(3), .type = RLN__SCHEMA_STATIC),
           E(0, RLN__TYPE_SELECTOR, "which"), E(0, RLN__TYPE_FLOAT, "f"));
    SCHEMA(&w,
           S(.name = "u", .id = ID(1), .type = RLN__SCHEMA_UNION_INTERNAL,
             .size_bytes = 8),
           E(0, ID(2), "an int"), E(0, ID(3), "a float"));
    payload(&w, ID(1), &value, sizeof(value));
    check(&w, "[{\"schema\":\"u\",\"value\":{\"a float\":{\"which\":1,\"f\":2.5}}}]",
          NULL);
}

static void a_union_without_a_good_selector_is_bytes(void **state)
{
    const uint32_t value[2] = {9, 0x01020304}, negative[2] = {UINT32_MAX, 0x01020304};
    struct world w = begin();

    (void)state;
    SCHEMA(&w, S(.name = "u", .id = ID(2), .type = RLN__SCHEMA_UNION, .size_bytes = 4),
           E(0, RLN__TYPE_INT32, "i"), E(0, RLN__TYPE_FLOAT, "f"));
    SCHEMA(&w, S(.name = "s", .id = ID(1), .type = RLN__SCHEMA_STATIC),
           E(0, RLN__TYPE_INT32, "which"), E(0, ID(2), "u", 0));
    payload(&w, ID(1), value, sizeof(value));
    payload(&w, ID(1), negative, sizeof(negative));
    check(&w,
          "[{\"schema\":\"s\",\"value\":{\"which\":9,\"u\":\"04030201\"}},"
          "{\"schema\":\"s\",\"value\":{\"which\":-1,\"u\":\"04030201\"}}]",
          NULL);
}

/* --- Pointers --------------------------------------------------------------------- */

static void pointers_lead_into_other_segments(void **state)
{
    static const uint16_t numbers[3] = {7, 8, 9};
    static const char text[] = "deep";
    static const char shared[] = "in another payload";
    static const int32_t single = -5;
    const struct {
        const char *text;
        uint32_t n;
        const uint16_t *numbers;
        const int32_t *single;
        const void *nothing;
        const char *shared;
    } value = {text, 3, numbers, &single, NULL, shared + 3};
    struct world w = begin();

    (void)state;
    SCHEMA(&w, S(.name = "s", .id = ID(1), .type = RLN__SCHEMA_STATIC),
           E(0x122, RLN__TYPE_CSTRING, "text"), E(0, RLN__TYPE_UINT32, "n"),
           E(0x132, RLN__TYPE_UINT16, "numbers", 1), E(2, RLN__TYPE_INT32, "single"),
           E(2, RLN__TYPE_DOUBLE, "nothing"), E(2, RLN__TYPE_CSTRING, "shared"));
    payload(&w, ID(1), &value, sizeof(value));
    payload(&w, RLN__TYPE_REFERENCED, shared, sizeof(shared));
    memory(&w, numbers, sizeof(numbers));
    memory(&w, text, sizeof(text));
    memory(&w, &single, sizeof(single));
    check(&w,
          "[{\"schema\":\"s\",\"value\":{\"text\":\"deep\",\"n\":3,"
          "\"numbers\":[7,8,9],\"single\":-5,\"nothing\":null,"
          "\"shared\":\"another payload\"}}]",
          NULL);
}

static void a_pointer_to_memory_that_was_not_copied_is_marked(void **state)
{
    const uint64_t value = 0xdead0000;
    struct world w = begin();

    (void)state;
    SCHEMA(&w, S(.name = "s", .id = ID(1), .type = RLN__SCHEMA_STATIC),
           E(2, RLN__TYPE_INT32, "p"));
    payload(&w, ID(1), &value, sizeof(value));
    check(&w, "[{\"schema\":\"s\",\"value\":{\"p\":{\"unread\":\"0xdead0000\"}}}]",
          "s{p=unread}");
}

static void pointers_to_structs_are_followed(void **state)
{
    struct node {
        int32_t value;
        const struct node *next;
    };
    static const struct node last = {3, NULL}, middle = {2, &last};
    const struct node first = {1, &middle};
    struct world w = begin();

    (void)state;
    SCHEMA(&w, S(.name = "node", .id = ID(1), .type = RLN__SCHEMA_STATIC),
           E(0, RLN__TYPE_INT32, "value"), E(0x102, ID(1), "next"));
    payload(&w, ID(1), &first, sizeof(first));
    memory(&w, &last, sizeof(last));
    memory(&w, &middle, sizeof(middle));
    check(&w,
          "[{\"schema\":\"node\",\"value\":{\"value\":1,\"next\":{\"value\":2,"
          "\"next\":{\"value\":3,\"next\":null}}}}]",
          "node{value=1, next={value=2, next={value=3, next=null}}}");
}

static void a_length_may_stand_behind_its_array(void **state)
{
    static const uint16_t numbers[3] = {7, 8, 9};
    const struct {
        const uint16_t *numbers;
        uint8_t tag;
        uint32_t n;
    } value = {numbers, 1, 3};
    struct world w = begin();

    (void)state;
    SCHEMA(&w, S(.name = "s", .id = ID(1), .type = RLN__SCHEMA_STATIC),
           E(0x132, RLN__TYPE_UINT16, "numbers", 2), E(0, RLN__TYPE_UINT8, "tag"),
           E(0, RLN__TYPE_UINT32, "n"));
    payload(&w, ID(1), &value, sizeof(value));
    memory(&w, numbers, sizeof(numbers));
    check(&w, "[{\"schema\":\"s\",\"value\":{\"numbers\":[7,8,9],\"tag\":1,\"n\":3}}]",
          NULL);
}

static void offsets_count_from_the_base_or_from_here(void **state)
{
    const struct {
        uint64_t from_base;
        uint64_t from_here;
        uint64_t back;
        uint32_t a, b;
        char text[8];
        uint64_t outside;
    } value = {28, 8, (uint64_t)-24, 11, 22, "tail", 4096};
    struct world w = begin();

    (void)state;
    SCHEMA(&w, S(.name = "s", .id = ID(1), .type = RLN__SCHEMA_STATIC),
           E(4, RLN__TYPE_UINT32, "from_base"), E(8, RLN__TYPE_UINT32, "from_here"),
           E(8, RLN__TYPE_UINT64, "back"), E(0, RLN__TYPE_UINT32, "a"),
           E(0, RLN__TYPE_UINT32, "b"), E(0, RLN__TYPE_CSTRING, "text", 8));
    payload(&w, ID(1), &value, sizeof(value));
    check(&w,
          "[{\"schema\":\"s\",\"value\":{\"from_base\":22,\"from_here\":11,"
          "\"back\":28,\"a\":11,\"b\":22,\"text\":\"tail\"}}]",
          NULL);
}

/* --- Missing data ----------------------------------------------------------------- */

static void what_was_cut_is_missing_and_the_rest_is_there(void **state)
{
    static const uint32_t value[3] = {1, 2, 3};
    struct world w = begin();
    char expected[256];

    (void)state;
    SCHEMA(&w, S(.name = "s", .id = ID(1), .type = RLN__SCHEMA_STATIC),
           E(0, RLN__TYPE_UINT32, "a"), E(0, RLN__TYPE_UINT32, "b"),
           E(0, RLN__TYPE_UINT32, "c"));
    segment(&w, ID(1), value, 8, 12);
    w.n_payloads = 1;
    (void)snprintf(expected, sizeof(expected),
                   "[{\"schema\":\"s\",\"value\":{\"a\":1,\"b\":2,"
                   "\"c\":{\"unread\":\"0x%llx\"}},\"cut\":true}]",
                   (unsigned long long)(uintptr_t)&value[2]);
    check(&w, expected, "s{a=1, b=2, c=unread} (cut)");
}

static void an_unknown_schema_leaves_the_bytes(void **state)
{
    struct world w = begin();

    (void)state;
    payload(&w, ID(77), "\x01\x02\x03", 3);
    payload(&w, 999, "\x04", 1);
    check(&w,
          "[{\"schema_id\":16777293,\"bytes\":\"010203\","
          "\"why\":\"the trace has no schema of this id\"},"
          "{\"schema_id\":999,\"bytes\":\"04\","
          "\"why\":\"NVTX has no type of this number\"}]",
          "schema 16777293=010203 schema 999=04");
}

static void schemas_that_contain_themselves_end(void **state)
{
    const uint8_t value[8] = {0};
    struct rln__buf json = {0}, text = {0};
    struct world w = begin();

    (void)state;
    SCHEMA(&w, S(.name = "a", .id = ID(1), .type = RLN__SCHEMA_STATIC),
           E(0, ID(2), "x"), E(0, ID(2), "y"));
    SCHEMA(&w, S(.name = "b", .id = ID(2), .type = RLN__SCHEMA_STATIC),
           E(0, ID(1), "x"), E(0, ID(1), "y"));
    payload(&w, ID(1), value, sizeof(value));
    decode(&w, &json, &text);
    assert_non_null(strstr(json.bytes, "\"cut\":true"));
    rln__buf_clear(&json);
    rln__buf_clear(&text);
}

static void arrays_of_nothing_end(void **state)
{
    const uint8_t value[8] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f};
    struct rln__buf json = {0}, text = {0};
    struct world w = begin();

    (void)state;
    add_schema(&w, (struct pb_schema){.id = ID(2), .type = RLN__SCHEMA_STATIC}, NULL,
               0);
    SCHEMA(&w, S(.name = "a", .id = ID(1), .type = RLN__SCHEMA_DYNAMIC),
           E(0, RLN__TYPE_INT64, "n"), E(0x30, ID(2), "of", 0));
    payload(&w, ID(1), value, sizeof(value));
    decode(&w, &json, &text);
    assert_non_null(strstr(json.bytes, "\"cut\":true"));
    rln__buf_clear(&json);
    rln__buf_clear(&text);
}

static void data_after_an_unknown_entry_is_not_guessed(void **state)
{
    const uint32_t value[4] = {1, 2, 3, 4};
    struct world w = begin();

    (void)state;
    SCHEMA(&w, S(.name = "s", .id = ID(1), .type = RLN__SCHEMA_STATIC),
           E(0, RLN__TYPE_UINT32, "a"), E(0, ID(5), "b"), E(0, RLN__TYPE_UINT32, "c"),
           E(0, RLN__TYPE_UINT32, "d", 0, 12));
    payload(&w, ID(1), value, sizeof(value));
    check(&w,
          "[{\"schema\":\"s\",\"value\":{\"a\":1,\"b\":{\"unknown_type\":16777221},"
          "\"c\":{\"unread\":\"0x0\"},\"d\":4}}]",
          "s{a=1, b=?, c=unread, d=4}");
}

/* --- Registrations ---------------------------------------------------------------- */

static void an_id_means_what_it_meant_at_the_time(void **state)
{
    const uint32_t value = 5;
    struct world w = begin();

    (void)state; /* the event is at 1000 */
    SCHEMA(&w, S(.name = "late", .id = ID(1), .type = RLN__SCHEMA_STATIC, .t = 2000),
           E(0, RLN__TYPE_UINT32, "x"));
    SCHEMA(&w, S(.name = "then", .id = ID(1), .type = RLN__SCHEMA_STATIC, .t = 1000),
           E(0, RLN__TYPE_UINT32, "y"));
    SCHEMA(&w, S(.name = "early", .id = ID(1), .type = RLN__SCHEMA_STATIC, .t = 500),
           E(0, RLN__TYPE_UINT32, "z"));
    SCHEMA(&w, S(.name = "first", .id = ID(2), .type = RLN__SCHEMA_STATIC, .t = 3000),
           E(0, RLN__TYPE_UINT32, "x"));
    SCHEMA(&w, S(.name = "second", .id = ID(2), .type = RLN__SCHEMA_STATIC, .t = 4000),
           E(0, RLN__TYPE_UINT32, "y"));
    payload(&w, ID(1), &value, 4);
    payload(&w, ID(2), &value, 4);
    check(&w,
          "[{\"schema\":\"then\",\"value\":{\"y\":5}},"
          "{\"schema\":\"first\",\"value\":{\"x\":5}}]",
          NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_struct_has_its_entries_in_order),
        cmocka_unit_test(names_that_are_missing_or_repeated_become_numbers),
        cmocka_unit_test(explicit_offsets_win_over_alignment),
        cmocka_unit_test(packed_structs_have_no_gaps),
        cmocka_unit_test(structs_nest),
        cmocka_unit_test(several_structs_are_an_array),
        cmocka_unit_test(numbers_of_all_types),
        cmocka_unit_test(enums_are_shown_by_name_and_sets_by_their_bits),
        cmocka_unit_test(scopes_are_shown_as_paths),
        cmocka_unit_test(a_predefined_type_is_a_schema_too),
        cmocka_unit_test(texts_have_a_length_or_an_end),
        cmocka_unit_test(arrays_of_texts),
        cmocka_unit_test(a_text_of_a_length_elsewhere),
        cmocka_unit_test(a_text_without_a_length_is_a_pointer),
        cmocka_unit_test(lengths_are_what_they_are_specified_to_be),
        cmocka_unit_test(arrays_end_with_a_zero_or_have_their_length_elsewhere),
        cmocka_unit_test(several_dimensions_nest),
        cmocka_unit_test(a_payload_has_the_length_of_anothers_array),
        cmocka_unit_test(the_entry_names_the_selector_of_a_union),
        cmocka_unit_test(a_union_has_its_selector_inside),
        cmocka_unit_test(members_of_a_union_may_have_the_selector),
        cmocka_unit_test(a_union_without_a_good_selector_is_bytes),
        cmocka_unit_test(pointers_lead_into_other_segments),
        cmocka_unit_test(a_pointer_to_memory_that_was_not_copied_is_marked),
        cmocka_unit_test(pointers_to_structs_are_followed),
        cmocka_unit_test(a_length_may_stand_behind_its_array),
        cmocka_unit_test(offsets_count_from_the_base_or_from_here),
        cmocka_unit_test(what_was_cut_is_missing_and_the_rest_is_there),
        cmocka_unit_test(an_unknown_schema_leaves_the_bytes),
        cmocka_unit_test(schemas_that_contain_themselves_end),
        cmocka_unit_test(arrays_of_nothing_end),
        cmocka_unit_test(data_after_an_unknown_entry_is_not_guessed),
        cmocka_unit_test(an_id_means_what_it_meant_at_the_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
