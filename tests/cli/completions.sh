# Completion in bash knows the commands, their options, and the values of those.
rangeline completions bash >completion
# shellcheck disable=SC1091
. ./completion
compopt() { :; } # it works only inside a real completion
try() { # WORDS: what would stand at the end of the line
    local function
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    function=$(complete -p rangeline | sed 's/.*-F \([^ ]*\).*/\1/')
    COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
    $function rangeline "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    printf '%s ' "${COMPREPLY[@]}"
    echo
}
try rangeline pr
try rangeline profile --for
try rangeline profile --wait ''
try rangeline stats -r nvtx_
rangeline completions nosuch
