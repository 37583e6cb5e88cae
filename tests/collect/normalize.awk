# SPDX-License-Identifier: Apache-2.0
# normalize.awk - makes `rangeline print --json` equal for all runs of a program: removes
# times and addresses; numbers pids, tids and range ids in order of first appearance.
# Deferred events keep their distance from the first one, in tens of microseconds.
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
function untimed(key,    at, size) { # what is no time of today stays
    if (match($0, "\"" key "\":[0-9]+") && RLENGTH > length(key) + 12) {
        at = RSTART
        size = RLENGTH
        $0 = substr($0, 1, at - 1) "\"" key "\":\"TIME\"" substr($0, at + size)
    }
}
function placed(    t) {
    match($0, /"t":-?[0-9]+/)
    t = substr($0, RSTART + 4, RLENGTH - 4) / 10000
    if (!has_first)
        first = t
    has_first = 1
    sub(/"t":-?[0-9]+/, "\"after\":" sprintf("%.0f", t - first))
}
{
    if (/"deferred":true/ && /"timestamp"/ && !/"unplaced":true/ && !/"sample"/)
        placed()
    sub(/"t":-?[0-9]+,/, "")
    sub(/,"duration":[0-9]+/, "")
    gsub(/"process\[[0-9]+\]"/, "\"process[PID]\"")
    gsub(/"unread":"0x[0-9a-f]+"/, "\"unread\":\"ADDRESS\"")
    untimed("begin")
    untimed("end")
    untimed("when")
    untimed("timestamp")
    numbered("pid", "p")
    numbered("tid", "t")
    numbered("id", "r")
    print
}
