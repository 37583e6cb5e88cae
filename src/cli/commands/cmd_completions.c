/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_completions.c - completions for bash, zsh and fish, from the commands' tables. */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "console/die.h"

static const struct rln__example examples[] = {
    {"enable in this bash", "source <(rangeline completions bash)"},
    {"enable in every zsh", "rangeline completions zsh > ~/.zfunc/_rangeline"},
    {"enable in every fish",
     "rangeline completions fish > ~/.config/fish/completions/rangeline.fish"},
};

const struct rln__command rln__command_completions = {
    .name = "completions",
    .summary = "print completions for bash, zsh or fish",
    .operands = "bash|zsh|fish",
    .choices = "bash|zsh|fish",
    .description = "Installed packages include them; this is for other installations.",
    RLN__EXAMPLES(examples),
    .run = rln__cmd_completions,
};

enum { MOST_CHOICES = 2048 }; /* bytes of an option's words */

/* "a|b" as "a b". */
static void spread(const char *choices, char *out, size_t size)
{
    (void)snprintf(out, size, "%s", choices);
    for (char *at = out; (at = strchr(at, '|'));)
        *at = ' ';
}

/* "true false" for a bool, "a b" for a choice of a and b, "" for any word. */
static void choices_of(const struct rln__option *o, char *out, size_t size)
{
    spread(o->kind == RLN__ARG_BOOL ? "true|false"
           : o->choices             ? o->choices
                                    : "",
           out, size);
    for (size_t i = 0; o->word_at && o->word_at(i); i++) {
        const size_t length = strlen(out);

        (void)snprintf(out + length, size - length, "%s%s", length ? " " : "",
                       o->word_at(i));
    }
}

/* The words for the operands of a command, or "" if these are files. */
static void operands_of(const struct rln__command *command, char *out, size_t size)
{
    spread(command->choices ? command->choices : "", out, size);
    for (size_t i = 0; command->first_at && command->first_at(i); i++) {
        const size_t length = strlen(out);

        (void)snprintf(out + length, size - length, "%s%s", length ? " " : "",
                       command->first_at(i));
    }
}

/* --- bash ------------------------------------------------------------------------- */

/* The options whose next word is a value, so that the program can be found. */
static void print_bash_values(const struct rln__command *command)
{
    (void)fputs("        values=' ", stdout);
    for (size_t i = 0; i < command->n_options; i++) {
        const struct rln__option *o = &command->options[i];

        if (o->kind == RLN__ARG_FLAG || o->kind == RLN__ARG_BOOL)
            continue;
        (void)printf("--%s ", o->name);
        if (o->letter)
            (void)printf("-%c ", o->letter);
    }
    (void)puts("'");
}

static void print_bash_command(const struct rln__command *command)
{
    char choices[MOST_CHOICES];

    (void)printf("    %s)\n        words='", command->name);
    for (size_t i = 0; i < command->n_options; i++)
        if (rln__option_is_announced(&command->options[i]))
            (void)printf("--%s ", command->options[i].name);
    (void)puts("--help'");
    operands_of(command, choices, sizeof(choices));
    if (*choices)
        (void)printf("        operands='%s'\n", choices);
    if (command->first_at)
        (void)puts("        [ \"$COMP_CWORD\" -eq 2 ] || operands=''");
    if (command->stops_at_operand)
        print_bash_values(command);
    (void)puts("        case $previous in");
    for (size_t i = 0; i < command->n_options; i++) {
        const struct rln__option *o = &command->options[i];

        choices_of(o, choices, sizeof(choices));
        if (!*choices || !rln__option_is_announced(o))
            continue;
        (void)printf("        --%s", o->name);
        if (o->letter)
            (void)printf(" | -%c", o->letter);
        (void)printf(") only='%s' ;;\n", choices);
    }
    (void)puts("        esac\n        ;;");
}

/* Bash splits words at "=": --wait=p is --wait, = and p. */
static const char bash_begin[] =
    "# The first word of the program that is run, or nothing if it is not there yet.\n"
    "_rangeline_program()\n{\n"
    "    local i word\n"
    "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
    "        word=${COMP_WORDS[i]}\n"
    "        if [ \"$word\" = -- ]; then\n"
    "            program=$((i + 1))\n            return\n"
    "        elif [ \"${COMP_WORDS[i+1]}\" = = ]; then\n"
    "            ((i += 2))\n"
    "        elif [[ $1 == *\" $word \"* ]]; then\n"
    "            ((i++))\n"
    "        elif [[ $word != -* && ! (${COMP_WORDS[i-1]} == -* && "
    "$word =~ ^(true|false)$) ]]; then\n"
    "            program=$i\n            return\n"
    "        fi\n    done\n}\n\n"
    "_rangeline()\n{\n"
    "    local current=${COMP_WORDS[COMP_CWORD]}\n"
    "    local previous=${COMP_WORDS[COMP_CWORD-1]}\n"
    "    local words='' only='' operands='' values='' program=''\n"
    "    if [ \"$current\" = = ]; then\n"
    "        current=''\n"
    "    elif [ \"$previous\" = = ]; then\n"
    "        previous=${COMP_WORDS[COMP_CWORD-2]}\n"
    "    fi\n"
    "    if [ \"$COMP_CWORD\" -eq 1 ] || [ \"$previous\" = help ]; then\n"
    "        mapfile -t COMPREPLY < <(compgen -W '";

static const char bash_end[] =
    "    esac\n"
    "    [ -z \"$values\" ] || _rangeline_program \"$values\"\n"
    "    if [ -n \"$program\" ] && [ \"$program\" -lt \"$COMP_CWORD\" ] &&\n"
    "        declare -F _command_offset >/dev/null; then\n"
    "        _command_offset \"$program\"\n"
    "        return\n"
    "    fi\n"
    "    if [ -z \"$program\" ] && [ -n \"$only\" ]; then\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$only\" -- \"$current\")\n"
    "        # What follows -f may also be the program.\n"
    "        [ ${#COMPREPLY[@]} -eq 0 ] || return\n"
    "    fi\n"
    "    if [ -z \"$program\" ] && [[ $current == -* ]]; then\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
    "    elif [ -n \"$operands\" ]; then\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$operands\" -- \"$current\")\n"
    "    else\n"
    "        compopt -o filenames\n"
    "        if [ -n \"$values\" ] && [[ $values != *\" $previous \"* ]] &&\n"
    "            [ \"${program:-$COMP_CWORD}\" -eq \"$COMP_CWORD\" ]; then\n"
    "            mapfile -t COMPREPLY < <(compgen -c -- \"$current\" | sort -u)\n"
    "        fi\n"
    "        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < "
    "<(compgen -f -- \"$current\")\n"
    "    fi\n}\ncomplete -F _rangeline rangeline";

static void print_bash(void)
{
    (void)fputs(bash_begin, stdout);
    for (size_t i = 0; rln__commands[i]; i++)
        (void)printf("%s ", rln__commands[i]->name);
    (void)puts("help --version --cmake-dir --include-dir --nvtxw-library' -- "
               "\"$current\")\n        "
               "return\n    fi\n"
               "    case ${COMP_WORDS[1]} in");
    for (size_t i = 0; rln__commands[i]; i++)
        print_bash_command(rln__commands[i]);
    (void)puts(bash_end);
}

/* --- zsh -------------------------------------------------------------------------- */

/* Inside '...[...]': escapes what would end either, or begin the next field. */
static void print_zsh_text(const char *text)
{
    for (; *text; text++) {
        if (strchr("[]:\\", *text))
            (void)putchar('\\');
        if (*text == '\'')
            (void)fputs("'\\'", stdout);
        (void)putchar(*text);
    }
}

static void print_zsh_option(const struct rln__option *o)
{
    char choices[MOST_CHOICES];

    choices_of(o, choices, sizeof(choices));
    (void)fputs(" \\\n            ", stdout);
    if (o->letter && o->kind == RLN__ARG_FLAG)
        (void)printf("'(-%c --%s)'{-%c,--%s}'[", o->letter, o->name, o->letter,
                     o->name);
    else if (o->letter)
        (void)printf("'(-%c --%s)'{-%c+,--%s=}'[", o->letter, o->name, o->letter,
                     o->name);
    else
        (void)printf("'--%s%s[", o->name, o->kind == RLN__ARG_FLAG ? "" : "=");
    print_zsh_text(o->help);
    (void)putchar(']');
    if (*choices)
        (void)printf(":value:(%s)", choices);
    else if (o->kind != RLN__ARG_FLAG)
        (void)fputs(":value:_files", stdout);
    (void)putchar('\'');
}

static void print_zsh(void)
{
    (void)puts("#compdef rangeline\n\n_rangeline()\n{\n    local -a commands\n"
               "    commands=(");
    for (size_t i = 0; rln__commands[i]; i++) {
        (void)printf("        '%s:", rln__commands[i]->name);
        print_zsh_text(rln__commands[i]->summary);
        (void)puts("'");
    }
    (void)puts("    )\n    if (( CURRENT == 2 )); then\n"
               "        _describe command commands\n        return\n    fi\n"
               "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n"
               "    case $command in");
    for (size_t i = 0; rln__commands[i]; i++) {
        const struct rln__command *command = rln__commands[i];
        char choices[MOST_CHOICES];

        (void)printf("    %s)\n        _arguments -S", command->name);
        for (size_t j = 0; j < command->n_options; j++)
            if (rln__option_is_announced(&command->options[j]))
                print_zsh_option(&command->options[j]);
        (void)printf(" \\\n            '(-h --help)'{-h,--help}'[show help]' \\\n");
        operands_of(command, choices, sizeof(choices));
        if (*choices) {
            (void)printf("            '1:word:(%s)'%s\n        ;;\n", choices,
                         command->first_at ? " '*:file:_files'" : "");
            continue;
        }
        (void)printf("            '%s'\n        ;;\n", command->stops_at_operand
                                                           ? "*:::program:_normal"
                                                           : "*:file:_files");
    }
    /* In fpath the whole file is the function's first call; sourced it is not. */
    (void)puts("    esac\n}\n\nif [ \"$funcstack[1]\" = _rangeline ]; then\n"
               "    _rangeline \"$@\"\nelse\n    compdef _rangeline rangeline\nfi");
}

/* --- fish ------------------------------------------------------------------------- */

static void print_fish_text(const char *text)
{
    (void)putchar('\'');
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            (void)putchar('\\');
        (void)putchar(*text);
    }
    (void)putchar('\'');
}

static void print_fish_option(const char *command, const struct rln__option *o)
{
    char choices[MOST_CHOICES];

    choices_of(o, choices, sizeof(choices));
    (void)printf("complete -c rangeline -n '__fish_seen_subcommand_from %s' -l %s",
                 command, o->name);
    if (o->letter)
        (void)printf(" -s %c", o->letter);
    if (*choices)
        (void)printf(" -x -a '%s'", choices);
    else if (o->kind != RLN__ARG_FLAG)
        (void)fputs(" -r", stdout);
    (void)fputs(" -d ", stdout);
    print_fish_text(o->help);
    (void)putchar('\n');
}

static void print_fish(void)
{
    for (size_t i = 0; rln__commands[i]; i++) {
        const struct rln__command *command = rln__commands[i];
        char choices[MOST_CHOICES];

        (void)printf("complete -c rangeline -n __fish_use_subcommand -f -a %s -d ",
                     command->name);
        print_fish_text(command->summary);
        (void)putchar('\n');
        operands_of(command, choices, sizeof(choices));
        if (*choices)
            (void)printf("complete -c rangeline -n '__fish_seen_subcommand_from %s'%s "
                         "-a '%s'\n",
                         command->name, command->first_at ? "" : " -f", choices);
        for (size_t j = 0; j < command->n_options; j++)
            if (rln__option_is_announced(&command->options[j]))
                print_fish_option(command->name, &command->options[j]);
    }
}

/* --- The command ------------------------------------------------------------------ */

int rln__cmd_completions(int argc, char **argv)
{
    struct rln__args args;
    const char *shell;

    rln__args_parse(&rln__command_completions, argc, argv, &args);
    shell = args.n_operands == 1 ? args.operands[0] : "";
    if (strcmp(shell, "bash") == 0) {
        print_bash();
    } else if (strcmp(shell, "zsh") == 0) {
        print_zsh();
    } else if (strcmp(shell, "fish") == 0) {
        print_fish();
    } else {
        rln__complain(
            "cannot print completions: shell=\"%s\": not one of bash, zsh, fish",
            shell);
        rln__hint("`rangeline completions bash`");
        rln__args_clear(&args);
        return RLN__EXIT_USAGE;
    }
    rln__args_clear(&args);
    return RLN__EXIT_OK;
}
