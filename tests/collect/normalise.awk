# SPDX-License-Identifier: Apache-2.0
# Makes `rangeline print --json` the same for every run of a program: no times; pids,
# tids and range ids numbered in the order in which they first appear.
function numbered(key, letter,    at, value) {
    if (!match($0, "\"" key "\":[0-9]+"))
        return
    at = RSTART + length(key) + 3
    value = substr($0, at, RSTART + RLENGTH - at)
    if (!((letter value) in seen))
        seen[letter value] = letter (++n[letter])
    $0 = substr($0, 1, at - 1) (value == 0 ? 0 : seen[letter value]) \
        substr($0, RSTART + RLENGTH)
}
{
    sub(/"t":-?[0-9]+,/, "")
    sub(/,"duration":[0-9]+/, "")
    numbered("pid", "p")
    numbered("tid", "t")
    numbered("id", "r")
    print
}
