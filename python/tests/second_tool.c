/* SPDX-License-Identifier: Apache-2.0 */
/* second_tool.c - a recording tool that shares no code with this project, to check that
 * our package sends valid NVTX, and not only what our collector accepts.
 *
 * Written only from the binary interface: NVTX_INJECTION64_PATH names it, a client
 * calls InitializeInjectionNvtx2() with a function that finds its tables, and the tool
 * stores its callbacks there. Prints a line per event to the file SECOND_TOOL_OUTPUT.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct attributes {
    uint16_t version, size;
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type, reserved;
    union {
        uint64_t u;
        int64_t i;
        double d;
    } payload;
    int32_t message_type;
    union {
        const char *text;
        const struct text *registered;
    } message;
};

/* What handles are: domains and registered strings. */
struct text {
    char *text;
};

struct callbacks_table {
    size_t size;
    int (*get_functions)(int module, void (****table)(void), unsigned *n);
};

static FILE *out;
static uint64_t last_id;

static const struct text *keep(const char *text)
{
    struct text *kept = malloc(sizeof(*kept));

    kept->text = strdup(text);
    return kept;
}

static void print(const char *what, const struct text *domain,
                  const struct attributes *a)
{
    fprintf(out, "%s %s", what, domain ? domain->text : "-");
    if (a && a->message_type == 1)
        fprintf(out, " \"%s\"", a->message.text);
    else if (a && a->message_type == 3)
        fprintf(out, " registered \"%s\"", a->message.registered->text);
    if (a && a->color_type == 1)
        fprintf(out, " #%06" PRIx32, a->color);
    if (a && a->category)
        fprintf(out, " category %" PRIu32, a->category);
    if (a && a->payload_type == 2)
        fprintf(out, " int64 %" PRId64, a->payload.i);
    else if (a && a->payload_type == 3)
        fprintf(out, " double %g", a->payload.d);
    fputc('\n', out);
    fflush(out);
}

static void mark(const struct text *domain, const struct attributes *a)
{
    print("mark", domain, a);
}

static int push(const struct text *domain, const struct attributes *a)
{
    print("push", domain, a);
    return 0;
}

static int pop(const struct text *domain)
{
    print("pop", domain, NULL);
    return 0;
}

static uint64_t start(const struct text *domain, const struct attributes *a)
{
    print("start", domain, a);
    return ++last_id;
}

static void end(const struct text *domain, uint64_t id)
{
    fprintf(out, "end %s %" PRIu64 "\n", domain ? domain->text : "-", id);
    fflush(out);
}

static void name_category(const struct text *domain, uint32_t category,
                          const char *name)
{
    fprintf(out, "category %s %" PRIu32 " \"%s\"\n", domain ? domain->text : "-",
            category, name);
    fflush(out);
}

static const struct text *register_string(const struct text *domain, const char *text)
{
    (void)domain;
    return keep(text);
}

/* Module 5 has the functions of domains, in this order. */
#define CALLBACK(f) ((void (*)(void))(f))

int InitializeInjectionNvtx2(const void *(*get_table)(uint32_t));

int InitializeInjectionNvtx2(const void *(*get_table)(uint32_t))
{
    void (*const callbacks[])(void) = {
        [1] = CALLBACK(mark),
        [2] = CALLBACK(start),
        [3] = CALLBACK(end),
        [4] = CALLBACK(push),
        [5] = CALLBACK(pop),
        [8] = CALLBACK(name_category),
        [10] = CALLBACK(register_string),
        [12] = CALLBACK(keep),
    };
    const struct callbacks_table *table = get_table(1);
    const char *path = getenv("SECOND_TOOL_OUTPUT");
    void (***slots)(void);
    unsigned n;

    out = path ? fopen(path, "a") : NULL;
    if (!out || !table || !table->get_functions(5, &slots, &n))
        return 0;
    for (unsigned i = 0; i < sizeof(callbacks) / sizeof(*callbacks) && i < n; i++) {
        if (callbacks[i] && slots[i])
            *slots[i] = callbacks[i];
    }
    return 1;
}
