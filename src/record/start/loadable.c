/* SPDX-License-Identifier: Apache-2.0 */
#include "record/start/loadable.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_name.h"
#include "base/whole_io.h"
#include "console/die.h"
#include "console/find_program.h"

#define MOST_SCRIPTS 4 /* the kernel's limit for interpreters of interpreters */

struct program {
    const char *path;
    int fd;
    bool has_interpreter;
    char interpreter[256];
};

/* Finds the program's dynamic loader. False if the file is no 64-bit program. */
static bool read_loader(struct program *p)
{
    Elf64_Ehdr header;

    if (rln__read_at(p->fd, 0, &header, sizeof(header), NULL) < 0 ||
        header.e_phentsize != sizeof(Elf64_Phdr))
        return false;
    for (unsigned i = 0; i < header.e_phnum; i++) {
        Elf64_Phdr segment;
        size_t n_bytes;

        if (rln__read_at(p->fd, header.e_phoff + i * sizeof(segment), &segment,
                         sizeof(segment), NULL) < 0)
            return false;
        if (segment.p_type != PT_INTERP)
            continue;
        n_bytes = segment.p_filesz < sizeof(p->interpreter) - 1
                      ? (size_t)segment.p_filesz
                      : sizeof(p->interpreter) - 1;
        p->has_interpreter = true;
        return rln__read_at(p->fd, segment.p_offset, p->interpreter, n_bytes, NULL) ==
               0;
    }
    return true;
}

/* Dynamic loaders have no loader themselves, and run programs that are recorded. */
static bool is_loader(const char *path)
{
    const char *name = rln__file_name(path);

    return strncmp(name, "ld-", 3) == 0 || strcmp(name, "ld.so") == 0;
}

static int explain_program(struct program *p, const unsigned char *ident)
{
    struct stat st;

    if (fstat(p->fd, &st) == 0 && ((st.st_mode & S_ISUID && st.st_uid != geteuid()) ||
                                   (st.st_mode & S_ISGID && st.st_gid != getegid()))) {
        rln__complain("%s is a set-uid or set-gid program, which cannot be recorded",
                      p->path);
        rln__hint("run a copy without the bit, as the owning user");
    } else if (ident[EI_CLASS] == ELFCLASS32) {
        rln__complain("%s is a 32-bit program; the collector is 64-bit", p->path);
        rln__hint("build it for 64 bits");
    } else if (!read_loader(p)) {
        return 0;
    } else if (!p->has_interpreter && !is_loader(p->path)) {
        rln__complain("%s is linked statically and cannot load the collector", p->path);
        rln__hint("link it dynamically, or link librangeline-collect.a into it");
    } else if (strstr(p->interpreter, "ld-musl")) {
        rln__complain("%s is linked with musl; the collector needs glibc", p->path);
        rln__hint("build it for glibc");
    } else {
        return 0;
    }
    return 1;
}

/* Replaces `path` by the interpreter that a script names. */
static bool follow_script(const unsigned char *begin, char path[PATH_MAX])
{
    char words[2][256] = {"", ""};
    char line[260];

    (void)snprintf(line, sizeof(line), "%.255s", (const char *)begin + 2);
    line[strcspn(line, "\n")] = '\0';
    if (sscanf(line, " %255s %255s", words[0], words[1]) < 1)
        return false;
    if (strcmp(words[0], "/usr/bin/env") == 0 && words[1][0] && words[1][0] != '-')
        return rln__find_program(words[1], path) == 0;
    (void)snprintf(path, PATH_MAX, "%s", words[0]);
    return true;
}

int rln__loadable_explain(const char *path)
{
    char at[PATH_MAX];

    (void)snprintf(at, sizeof(at), "%s", path);
    for (int i = 0; i < MOST_SCRIPTS; i++) {
        unsigned char begin[260] = {0};
        struct program p = {.path = at, .fd = open(at, O_RDONLY | O_CLOEXEC)};
        int result = 0;

        if (p.fd < 0)
            return 0;
        if (rln__read_at(p.fd, 0, begin, sizeof(begin) - 1, NULL) == 0 &&
            memcmp(begin, ELFMAG, SELFMAG) == 0)
            result = explain_program(&p, begin);
        (void)close(p.fd);
        if (memcmp(begin, "#!", 2) != 0 || !follow_script(begin, at))
            return result;
    }
    return 0;
}
