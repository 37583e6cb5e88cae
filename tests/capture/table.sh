# SPDX-License-Identifier: Apache-2.0
# table.sh - compares calls made by `say` with the recorded events, for this folder's
# tests, which are tables of such checks.
#
#     begin "$1"
#     check 'what it shows' 'options of profile' 'words of say' 'events of the trace' 0
#     end_of_table
#
# Events are "push step, mark a, pop step"; a domain precedes the name, io:load.
# "resumed" and "pop*" belong to ranges that were open before their window, "pop
# inherited" to one of the parent process, "pop ?" to none. "-" is a run that left no
# trace. The exit status is 0 unless given.
# shellcheck shell=bash
set -u

begin() { # BUILD_DIR
    build=$(cd "$1" && pwd)
    work=$(mktemp -d) || exit 1
    trap 'rm -rf "$work"' EXIT
    cd "$work" || exit 1
    PATH=$build/bin:$PATH
    export PATH LC_ALL=C
    unset NVTX_INJECTION64_PATH LD_PRELOAD
    for variable in $(compgen -v RANGELINE_); do unset "$variable"; done
    n_checks=0 n_failed=0
}

but= # the name of marks to ignore because there are many

events() { # TRACE [OPTION...]: one line
    [ -e "$1" ] || { echo -; return; }
    rangeline print "${@:2}" "$1" | awk -v but="$but" '
        $3 == "thread_begin" || $3 == "inherited" || ($3 == "mark" && $4 == but) { next }
        $3 == "overwritten" { $4 = "" }
        { line = line (line == "" ? "" : ", ") $3 (/\(resumed\)$/ ? "*" : "")
          name = $4
          if (/\(inherited\)$/) name = "inherited"
          if (/\(unmatched\)$/ || name ~ /^id=/) name = "?"
          line = line (name == "" ? "" : " " name) }
        END { print line }'
}

compare() { # WHAT EXPECTED FOUND
    n_checks=$((n_checks + 1))
    [ "$2" = "$3" ] && return
    n_failed=$((n_failed + 1))
    printf 'FAILED: %s\n  expected: %s\n  found:    %s\n' "$1" "$2" "$3"
    [ ! -s err ] || sed 's/^/  said:     /' err
}

check() { # WHAT OPTIONS WORDS EVENTS [EXIT_STATUS]
    local status
    rm -f t.rln
    # Split words and options, but do not expand *.
    set -f
    # shellcheck disable=SC2086
    rangeline profile -o t $2 say $3 >out 2>err
    status=$?
    set +f
    compare "$1 [$2]: exit status" "${5:-0}" $status
    compare "$1 [$2]" "$4" "$(events t.rln)"
}

end_of_table() {
    echo "$n_checks checks, $n_failed failed"
    [ "$n_failed" -eq 0 ]
    exit
}
