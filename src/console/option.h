/* SPDX-License-Identifier: Apache-2.0 */
/* option.h - an option of a command: a row of its table. */
#ifndef RLN_CONSOLE_OPTION_H
#define RLN_CONSOLE_OPTION_H

#include <stdbool.h>
#include <stddef.h>

enum rln__arg_kind {
    RLN__ARG_FLAG,    /* no value: given or not */
    RLN__ARG_BOOL,    /* true or false; without a value it is true. The next word is its
                         value only if it is one of these two or a number, which is
                         refused: `-f true run.rln`, `-f run.rln` */
    RLN__ARG_TEXT,    /* any word */
    RLN__ARG_COUNT,   /* a whole number, 0 to 2^64-1 */
    RLN__ARG_CHOICE,  /* one of `choices` */
    RLN__ARG_SECONDS, /* seconds: amount.h */
    RLN__ARG_BYTES,   /* a size: amount.h */
};

struct rln__option {
    const char *name; /* long name, without dashes */
    char letter;      /* 0: none */
    enum rln__arg_kind kind;
    bool is_repeatable; /* all values count, in order; else only the last */
    bool is_list;       /* of a choice: words with commas between, each one of them */
    bool has_operands;  /* of a flag: --name=WORD is --name and the operand WORD */
    bool is_file;       /* the value names a file of options: those of the command line
                           come after them */
    bool is_ignored;    /* Nsight's, without effect here: named once in a note */
    const char *ignored_because; /* why, if not for the command's reason */
    bool is_unannounced; /* works, but may go: no help, manual or completion has it */
    const char *value;   /* the value's name in --help: "NAME"; of a choice only if its
                            words are too many for a line: then the text has them */
    const char *choices; /* "sh|fish|csh"; of a text: words to complete */
    const char *range;   /* of a count, for errors: "10 to 3600000"; NULL: any */
    const char *example; /* of a count, for errors; NULL: 10 */
    const char *(*word_at)(size_t index); /* more choices, from 0 to NULL; or NULL */
    /* The hint if a word is none of the choices, such as one of Nsight's; or NULL. */
    const char *(*way_out)(const char *word);
    const char *bare;    /* of a choice: the value if the next word is none of them */
    const char *initial; /* the value when it is not given, or NULL; shown in --help */
    const char *group;   /* heading in --help; NULL: as the row before */
    const char *help;    /* one line, lower case, no full stop */
};

static inline bool rln__option_is_announced(const struct rln__option *o)
{
    return !o->is_ignored && !o->is_unannounced;
}

#endif
