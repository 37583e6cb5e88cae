/* SPDX-License-Identifier: Apache-2.0 */
#include "record/start/launch_notes.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/count.h"
#include "format/job_variables.h"

static void note(struct rln__launch_record *record, const char *key, const char *value)
{
    rln__launch_record_note(record, key, value, strlen(value));
}

void rln__launch_note_command(struct rln__launch_record *record, char *const *words)
{
    char *text = NULL;
    size_t n_bytes = 0;
    FILE *out = open_memstream(&text, &n_bytes);

    if (!out)
        return;
    for (char *const *word = words; *word; word++)
        (void)fwrite(*word, 1, strlen(*word) + 1, out);
    if (fclose(out) == 0 && n_bytes)
        rln__launch_record_note(record, "command", text, n_bytes - 1);
    free(text);
}

void rln__launch_note_environment(struct rln__launch_record *record)
{
    static const char *const names[] = {RLN__RANK_VARIABLES, RLN__JOB_VARIABLES};
    char text[PATH_MAX];
    ssize_t n;

    if (getcwd(text, sizeof(text)))
        note(record, "directory", text);
    n = readlink("/proc/self/ns/pid", text, sizeof(text));
    if (n > 0)
        rln__launch_record_note(record, "pid_namespace", text, (size_t)n);
    for (size_t i = 0; i < RLN_COUNT(names); i++)
        if (getenv(names[i]))
            note(record, names[i], getenv(names[i]));
}
