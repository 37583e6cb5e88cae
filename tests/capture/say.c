/* SPDX-License-Identifier: Apache-2.0 */
/* say.c - makes the NVTX calls that its arguments name, one after the other:
 *
 *     say push step mark a pop start x end thread ( mark b ) fork ( mark c )
 *
 *     push NAME, pop, mark NAME, start NAME, end   NAME@DOMAIN, `pop @DOMAIN`
 *     rpush NAME, wpush NAME                       registered, wide
 *     ppush NAME, lpush NAME                       printed into a reused buffer; the
 *                                                  same, 5,000 times as long
 *     domain NAME, string NAME@DOMAIN              made, for what follows
 *     destroy NAME                                 a domain, at the end
 *     many N, ranges N                             so many marks, so many ranges
 *     in N, name NAME[@DOMAIN]                     category N of what follows; its name
 *     thread ( ... ), fork ( ... )                 in another thread or process
 *     plugin ( ... )                               as another client of this process
 *     record, still                                rln_start(), rln_stop()
 *     profile, unprofile                           cudaProfilerStart and Stop
 *     sleep MS, touch FILE, wait FILE, kill SIGNAL
 *
 * A group in brackets ends before the next word.
 *
 * Built as a program and, with SAY_PLUGIN, as the client that `plugin` loads. Range ids
 * are kept on one stack, which the clients and threads share.
 */
#include <nvtx3/nvToolsExt.h>

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

#include "rangeline/control.h"

struct script {
    char **word; /* the next one; ends with NULL or ")" */
    nvtxRangeId_t *ids;
    int *n_ids;
};

static struct {
    char *name;
    nvtxDomainHandle_t handle;
} domains[16];

static nvtxDomainHandle_t domain_of(const char *name)
{
    size_t i = 0;

    if (!name)
        return NULL;
    for (; domains[i].name; i++)
        if (strcmp(domains[i].name, name) == 0)
            return domains[i].handle;
    domains[i].name = strdup(name);
    return domains[i].handle = nvtxDomainCreateA(name);
}

static uint32_t category; /* of what follows */

/* The same address for the same text, as with a program's literals. */
static const char *literal(const char *text)
{
    static char *literals[4096];
    size_t i = 0;

    for (; literals[i]; i++)
        if (strcmp(literals[i], text) == 0)
            return literals[i];
    return literals[i] = strdup(text);
}

/* Cuts "NAME@DOMAIN" in two; "\@" is an @ of the name. */
static nvtxDomainHandle_t split(const char *word, char name[256])
{
    const char *at = NULL;
    size_t n = 0;

    for (; *word; word++) {
        if (*word == '@') {
            at = word + 1;
            break;
        }
        word += *word == '\\' && word[1] == '@';
        name[n++] = *word;
    }
    name[n] = '\0';
    return domain_of(at);
}

/* The text, repeated n_times, at an address that held other texts before. */
static const char *printed(const char *text, int n_times)
{
    static char buffer[256 * 5000];

    buffer[0] = '\0';
    for (char *end = buffer; n_times > 0; n_times--)
        end = stpcpy(end, text);
    return buffer;
}

static void call(const char *verb, const char *word, struct script *s)
{
    nvtxEventAttributes_t a = {.version = NVTX_VERSION,
                               .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
                               .category = category,
                               .messageType = NVTX_MESSAGE_TYPE_ASCII};
    char name[256];
    wchar_t wide[256];
    nvtxDomainHandle_t domain = split(word, name);

    a.message.ascii = literal(name);
    if (*verb == 'w') {
        (void)mbstowcs(wide, name, 256);
        a.messageType = NVTX_MESSAGE_TYPE_UNICODE;
        a.message.unicode = wide;
    } else if (*verb == 'p' && verb[1] == 'p') {
        a.message.ascii = printed(name, 1);
    } else if (*verb == 'l') {
        a.message.ascii = printed(name, 5000);
    } else if (*verb == 'r') {
        a.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
        a.message.registered = nvtxDomainRegisterStringA(domain, name);
    }
    if (strcmp(verb, "mark") == 0)
        nvtxDomainMarkEx(domain, &a);
    else if (strcmp(verb, "start") == 0)
        s->ids[(*s->n_ids)++] = nvtxDomainRangeStartEx(domain, &a);
    else if (strcmp(verb, "name") == 0)
        nvtxDomainNameCategoryA(domain, category, name);
    else if (strcmp(verb, "string") == 0)
        (void)nvtxDomainRegisterStringA(domain, name);
    else
        (void)nvtxDomainRangePushEx(domain, &a);
}

__attribute__((visibility("default"))) void say(struct script *s);

static void *say_in_thread(void *said)
{
    say(said);
    return NULL;
}

static void say_in_plugin(struct script *s)
{
#ifdef SAY_PLUGIN
    say(s);
#else
    char path[4096];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 32);
    union {
        void *symbol;
        void (*say)(struct script *);
    } found;
    void *library;

    (void)strcpy(path + (n > 0 ? n : 0), "_plugin.so");
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    found.symbol = library ? dlsym(library, "say") : NULL;
    if (!found.symbol)
        exit(99);
    found.say(s);
#endif
}

/* Runs the words up to the closing bracket, and continues after it. */
static void group(struct script *s, const char *how)
{
    struct script inner = {s->word + 1, s->ids, s->n_ids};
    int depth = 0;
    pthread_t thread;
    pid_t child;

    if (strcmp(how, "thread") == 0) {
        (void)pthread_create(&thread, NULL, say_in_thread, &inner);
        (void)pthread_join(thread, NULL);
    } else if (strcmp(how, "plugin") == 0) {
        say_in_plugin(&inner);
    } else {
        child = fork();
        if (child == 0) {
            say(&inner);
            _exit(0);
        }
        (void)waitpid(child, NULL, 0);
    }
    do {
        depth += strcmp(*s->word, "(") == 0;
        depth -= strcmp(*s->word, ")") == 0;
        s->word++;
    } while (depth);
}

static void profiler(const char *name)
{
    union {
        void *symbol;
        int (*call)(void);
    } found;

    found.symbol = dlsym(RTLD_DEFAULT, name);
    if (!found.symbol || found.call() != 0)
        exit(98);
}

static void to_world(const char *verb, const char *word)
{
    FILE *file;

    if (strcmp(verb, "sleep") == 0) {
        (void)usleep((useconds_t)atoi(word) * 1000);
    } else if (strcmp(verb, "many") == 0) {
        for (long i = atol(word); i > 0; i--)
            nvtxMarkA("many");
    } else if (strcmp(verb, "ranges") == 0) {
        for (long i = atol(word); i > 0; i--) {
            nvtxRangePushA("range");
            nvtxRangePop();
        }
    } else if (strcmp(verb, "kill") == 0) {
        (void)raise(atoi(word));
    } else if (strcmp(verb, "wait") == 0) {
        while (access(word, F_OK) != 0)
            (void)usleep(2000);
    } else if (strcmp(verb, "touch") == 0) {
        file = fopen(word, "w");
        if (file)
            (void)fclose(file);
    } else {
        (void)fprintf(stderr, "say: what is \"%s\"?\n", verb);
        exit(97);
    }
}

static int is_one_of(const char *word, const char *words)
{
    const char *at = strstr(words, word);

    return at && (at == words || at[-1] == ' ') && strchr(" ", at[strlen(word)]);
}

void say(struct script *s)
{
    while (*s->word && strcmp(*s->word, ")") != 0) {
        const char *verb = *s->word++;

        if (is_one_of(verb, "thread fork plugin"))
            group(s, verb);
        else if (is_one_of(verb, "push rpush wpush ppush lpush mark start string name"))
            call(verb, *s->word++, s);
        else if (strcmp(verb, "domain") == 0)
            (void)domain_of(*s->word++);
        else if (strcmp(verb, "destroy") == 0)
            nvtxDomainDestroy(domain_of(*s->word++));
        else if (strcmp(verb, "in") == 0)
            category = (uint32_t)atoi(*s->word++);
        else if (strcmp(verb, "end") == 0)
            nvtxRangeEnd(s->ids[--*s->n_ids]);
        else if (strcmp(verb, "pop") == 0)
            (void)nvtxDomainRangePop(
                *s->word && **s->word == '@' ? domain_of(*s->word++ + 1) : NULL);
        else if (strcmp(verb, "record") == 0)
            (void)!rln_start();
        else if (strcmp(verb, "still") == 0)
            (void)!rln_stop();
        else if (strcmp(verb, "profile") == 0)
            profiler("cudaProfilerStart");
        else if (strcmp(verb, "unprofile") == 0)
            profiler("cudaProfilerStop");
        else
            to_world(verb, *s->word++);
    }
}

#ifndef SAY_PLUGIN
int main(int argc, char **argv)
{
    nvtxRangeId_t ids[64];
    int n_ids = 0;
    struct script s = {argv + 1, ids, &n_ids};

    (void)argc;
    say(&s);
    return 0;
}
#endif
