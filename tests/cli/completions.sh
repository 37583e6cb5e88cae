# Completion in bash offers commands, options and option values, and programs after
# `profile`.
rangeline completions bash >completion
# shellcheck disable=SC1091
. ./completion
compopt() { :; } # it works only inside a real completion
unset -f _command_offset
mkdir bin
cp /bin/true bin/nosuch-program
PATH=$PWD/bin:$PATH
: >nosuch-file
try() { # WORDS: the end of the command line
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _rangeline
    echo "$*: ${COMPREPLY[*]}"
}
try rangeline pr
try rangeline help in
try rangeline profile --for
try rangeline stats -r hist
try rangeline profile --wait ''
try rangeline profile --wait =
try rangeline profile --wait = p
try rangeline profile -f t
try rangeline profile -f nosuch-p
try rangeline profile nosuch-p
try rangeline profile -o x --wait = all -f true nosuch-p
try rangeline profile -o nosuch-
try rangeline profile -- nosuch-p
try rangeline profile nosuch-program --for
try rangeline profile nosuch-program nosuch-
try rangeline stats -r nvtx_
try rangeline stats --format = c
try rangeline stats nosuch-
try rangeline completions ''
try rangeline recipe str
try rangeline recipe straggler nosuch-
rangeline completions nosuch
