/* SPDX-License-Identifier: Apache-2.0 */
/* test_process_title.c - which titles of processes are found, and what is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"
#include "format/process_title.h"

#define WORDS(text) text, sizeof(text) /* with the zero byte of the last */

static void titles_are_found_and_arguments_are_none(void **state)
{
    static const struct {
        const char *arguments;
        size_t n_arguments;
        const char *name, *executable;
        const char *title; /* NULL: none */
    } cases[] = {
        {WORDS("python3\0-m\0serve"), "python3", "/usr/bin/python3.11", NULL},
        {WORDS("python3\0-m\0serve"), "pt_main_thread", "/usr/bin/python3.11", NULL},
        {WORDS("serve: 1\0\0\0"), "serve: 1", "/usr/bin/python3.11", "serve: 1"},
        {WORDS("VLLM::EngineCore\0\0"), "VLLM::EngineCor", "/usr/bin/python3.11",
         "VLLM::EngineCore"},
        {WORDS("postgres: writer  \0\0\0"), "postgres", "/usr/bin/postgres",
         "postgres: writer"},
        {WORDS("nginx: master process /usr/sbin/nginx\0x"), "nginx", "/usr/sbin/nginx",
         "nginx: master process /usr/sbin/nginx"},
        {WORDS("bin/prog\0\0\0"), "prog", "/opt/bin/prog", NULL},
        {WORDS("/usr/bin/perl\0./x.pl"), "x.pl", "/usr/bin/perl", NULL},
        {WORDS("-bash"), "bash", "/usr/bin/bash", NULL},
        {WORDS("worker\0x"), "prog", "/opt/bin/prog", "worker"}, /* exec -a worker */
        {"", 0, "prog", "/opt/bin/prog", NULL},
    };

    (void)state;
    for (size_t i = 0; i < RLN_COUNT(cases); i++) {
        const struct rln__process_words words = {
            .arguments = cases[i].arguments,
            .n_arguments = cases[i].n_arguments,
            .name = cases[i].name,
            .n_name = strlen(cases[i].name),
            .executable = cases[i].executable,
            .n_executable = strlen(cases[i].executable),
        };
        size_t n_bytes;
        const char *title = rln__process_title(&words, &n_bytes);
        char found[64] = "none";

        if (title)
            (void)snprintf(found, sizeof(found), "%.*s", (int)n_bytes, title);
        assert_string_equal(found, cases[i].title ? cases[i].title : "none");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(titles_are_found_and_arguments_are_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
